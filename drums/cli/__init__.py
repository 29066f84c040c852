"""The `drums` command: its parts, and the one thing that works without them.

It parses and prints; what a command does is the package's it belongs to. `_app` says which commands there are and how
one is added. Invariant: importing this needs nothing but the standard library.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from drums._extras import words_for
from drums._version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

NOT_INSTALLED = 69
"""`EX_UNAVAILABLE`, as in `_status`, which needs more than this."""
EXTRAS = {"up": "local", "mcp": "mcp"}
"""The extra of a command that needs more than `cli`, which each of these brings."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status: 0, or another and a message on standard error.

    Args:
        arguments: What follows `drums`; None: the process's own.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given == ["--version"]:
        print(f"drums {__version__}")
        return 0
    try:
        from drums.cli._app import run  # noqa: PLC0415 -- it needs the extra
    except ModuleNotFoundError as missing:
        words = words_for(missing, "the command", EXTRAS.get(given[0] if given else "", "cli"))
        if words is None:
            raise
        sys.stderr.write(f"drums: {words}\n")
        return NOT_INSTALLED
    return run(given)
