"""Run the test suite on each Python version named, each in an environment of its own under .cache.

`--others` leaves out the version that runs this, for those who have run its tests already; a machine that has no other
is then in order.

It installs no interpreter: a version that this machine lacks is said aloud and left out, and the exit status is that of
those that ran.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

FROM_THE_OUTER_MAKE = frozenset({"ARGS", "MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL"})
"""What a make that started this hands down; its `ARGS=--others` is meant for this program, not for pytest."""


def candidates(version: str) -> list[Path]:
    """Where an interpreter of this version may be: on PATH, or in pyenv's folder."""
    found = [Path(path)] if (path := shutil.which(f"python{version}")) else []
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    return found + sorted(pyenv.glob(f"versions/{version}.*/bin/python"), reverse=True)


def interpreter(version: str) -> Path | None:
    """The first candidate that runs and is of this version."""
    question = "import sys; print('%d.%d' % sys.version_info[:2])"
    for path in candidates(version):
        answer = subprocess.run([path, "-c", question], capture_output=True, text=True, check=False)
        if answer.returncode == 0 and answer.stdout.strip() == version:
            return path
    return None


def run_on(version: str, python: Path) -> bool:
    """Make the environment and run `make test` in it; True when it passed."""
    environment = ROOT / ".cache" / f"python{version}"
    variables = {name: value for name, value in os.environ.items() if name not in FROM_THE_OUTER_MAKE}
    variables["PYTHON"] = str(python)
    return subprocess.run(["make", "test", f"VENV={environment}"], cwd=ROOT, env=variables, check=False).returncode == 0


def main() -> int:
    """Run each version given; print one line for each at the end."""
    verdicts: dict[str, str] = {}
    others_only = "--others" in sys.argv
    mine = f"{sys.version_info.major}.{sys.version_info.minor}"
    left_out = {"--others", mine} if others_only else set[str]()
    for version in (word for word in sys.argv[1:] if word not in left_out):
        python = interpreter(version)
        if python is None:
            verdicts[version] = "not run: no such Python on this machine"
            continue
        print(f"--- Python {version}: {python}", flush=True)
        verdicts[version] = "passed" if run_on(version, python) else "FAILED"
    for version, verdict in verdicts.items():
        print(f"Python {version}: {verdict}")
    nothing_ran = "passed" not in verdicts.values() and not others_only
    return 1 if "FAILED" in verdicts.values() or nothing_ran else 0


if __name__ == "__main__":
    sys.exit(main())
