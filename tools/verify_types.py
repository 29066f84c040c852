"""Fail unless the public types of a package are complete, as pyright's `--verifytypes` counts them.

It asks pyright for JSON, since the percentage that pyright prints is rounded: one gap in ten thousand symbols would
read 100 %.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Check the package named by the first argument; print what is not fully known."""
    package = sys.argv[1]
    here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    question = ["--verifytypes", package, "--ignoreexternal", "--outputjson"]
    done = subprocess.run(
        [sys.executable, "-m", "pyright", *question],
        env=os.environ | {"PATH": here},  # pyright asks the `python` of PATH where packages are
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        report = json.loads(done.stdout)["typeCompleteness"]
    except (ValueError, KeyError):
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
        return 1
    counts = report["exportedSymbolCounts"]
    known, unsure, unknown = counts["withKnownType"], counts["withAmbiguousType"], counts["withUnknownType"]
    for symbol in report["symbols"]:
        if symbol["isExported"] and not symbol["isTypeKnown"]:
            print(f"{symbol['name']}: {'; '.join(fault['message'] for fault in symbol['diagnostics'])}")
    print(f"{package}: {known} of {known + unsure + unknown} exported symbols have known types")
    return 0 if known and not unsure + unknown else 1


if __name__ == "__main__":
    sys.exit(main())
