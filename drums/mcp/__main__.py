"""`python -m drums.mcp`: the same as `drums mcp`."""

from __future__ import annotations

import sys

from drums.cli import main

if __name__ == "__main__":
    sys.exit(main(["mcp", *sys.argv[1:]]))
