"""The `drums` command. `drums up`, `down`, `conform`, `setup`, `doctor`, `image` and `--version`.

It parses and prints; what a command does is the package's it belongs to.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from drums._version import __version__
from drums.cli._desktops import add_desktops
from drums.conform.command import add_command as add_conform
from drums.local.command import add_commands, run

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status: 0, or another and a message on standard error.

    Args:
        arguments: What follows `drums`; None: the process's own.
    """
    parser = argparse.ArgumentParser(prog="drums", description="Forkable, isolated Linux desktops for agents.")
    parser.add_argument("--version", action="version", version=f"drums {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")
    add_commands(commands)
    add_conform(commands)
    add_desktops(commands)
    return run(parser.parse_args(arguments))
