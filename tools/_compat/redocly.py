"""What `redocly diff` says about two documents, in this repository's words.

Of the tools that were tried on the table of `tests/compat/spec_changes.py` it finds the most: 25 of 27 breaking
changes and no false alarm. oasdiff 1.38.0 finds 19 as errors, 23 with its warnings, calls one harmless change
breaking, and takes 45 s of CPU to build. What redocly misses (a value of a closed reply enum removed, a request
field removed, and all of `x-extensible-enum`) our own rules find.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tools._compat.change import Change

ROOT = Path(__file__).resolve().parents[2]
VERSION = "2.77.0"
"""Also in the Makefile, as `REDOCLY`."""
SCRIPT = ROOT / "tools" / "redocly.sh"


class Unavailable(Exception):
    """The tool can't be had on this machine, and why."""


def changes(old: Path, new: Path) -> list[Change]:
    """Every change that redocly reports.

    Raises:
        Unavailable: There is no Node.js, or the tool could not be installed or gave no report.
    """
    if shutil.which("npm") is None:
        raise Unavailable("it needs Node.js 20 with npm, which is not on PATH")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.json"
        quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
        done = subprocess.run(
            [str(SCRIPT), VERSION, "diff", str(old), str(new), "--format", "json", "--fail-on", "none", "-o", str(out)],
            env={**os.environ, **quiet},
            capture_output=True,
            text=True,
            check=False,
        )
        if not out.exists():
            raise Unavailable(f"it gave no report: {(done.stderr or done.stdout).strip()[-500:]}")
        report: dict[str, Any] = json.loads(out.read_text())
    return [_change(one) for one in report["changes"]]


def _change(found: dict[str, Any]) -> Change:
    rules = [str(verdict.get("ruleId")) for verdict in found.get("verdicts") or () if verdict.get("ruleId")]
    where = found["path"].removeprefix("#/").replace("~1", "/").replace("~0", "~")
    name = f"{found['kind']} {found.get('property') or found['typeName']}"
    before, after = (_value(found.get(side)) for side in ("base", "revision"))
    return Change(
        rules[0] if rules else name.replace(" ", "-"),
        where,
        f"{name}: {before} became {after}",
        found["impact"],
        "redocly",
    )


def _value(side: dict[str, Any] | None) -> str:
    text = json.dumps((side or {}).get("value"))
    return text if len(text) <= 80 else f"{text[:80]}…"
