"""Measure and print one table: `python -m benchmarks [--quick] [part ...]`."""

from __future__ import annotations

import argparse
import os
import platform
from typing import TYPE_CHECKING

from benchmarks import async_calls, desktops, imports, sync_calls
from benchmarks.table import printed

if TYPE_CHECKING:
    from benchmarks.table import Row

PARTS = {"imports": imports.rows, "sync": sync_calls.rows, "async": async_calls.rows, "desktops": desktops.rows}


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds: seconds instead of minutes, and coarser")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"which of {', '.join(PARTS)}; all without any")
    given = parser.parse_args()
    unknown = sorted(set(given.parts) - PARTS.keys())
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}")
    rows: list[Row] = []
    for name in given.parts or PARTS:
        rows += PARTS[name](quick=given.quick)
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors{load}; the best of several rounds\n")
    printed(rows)


if __name__ == "__main__":
    main()
