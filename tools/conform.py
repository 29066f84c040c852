"""Run `drums conform` at a local daemon that is started for it, alone and with requests made from the spec.

    python tools/conform.py         a daemon with simulated desktops
    python tools/conform.py URL     a daemon that runs already; DRUMS_TOKEN or DRUMS_TOKEN_FILE has its token

The reports go to build/conform.md and build/conform.xml.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import drums.local
from drums.cli import main as drums_command

BUILD = Path(__file__).resolve().parents[1] / "build"


def main(arguments: list[str]) -> int:
    """Check the daemon; the exit status tells."""
    BUILD.mkdir(exist_ok=True)
    reports = ["--markdown", str(BUILD / "conform.md"), "--junit", str(BUILD / "conform.xml")]
    if arguments:
        return drums_command(["conform", *arguments, *reports])
    with drums.local.serving() as daemon:
        os.environ["DRUMS_TOKEN"] = daemon.token
        return drums_command(["conform", str(daemon.url), "--exclusive", "--fuzz", "25", *reports])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
