"""Build the wheel, install it into an empty environment and run the quickstart there, away from the checkout.

What is missing from the wheel (a module, py.typed, the spec, the built-in task) can't be seen from an editable install.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPED_USE = "import drums\n\n\ndef score(env: drums.Env) -> float | None:\n    return env.verify().score\n"


def main() -> int:
    """Build, install, run; the exit status tells."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        pip = [sys.executable, "-m", "pip", "--quiet"]
        subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True)
        (wheel,) = folder.glob("*.whl")
        print(f"{wheel.name}: {wheel.stat().st_size / 1000:.0f} kB")
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"{wheel}[all]", "mypy"], check=True)
        shutil.copy(ROOT / "examples" / "quickstart.py", folder)
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("DRUMS_", "PYTHON"))}
        subprocess.run([python, "quickstart.py"], cwd=folder, env=variables | {"DRUMS_URL": "local"}, check=True)
        (folder / "use.py").write_text(TYPED_USE)
        subprocess.run([python, "-m", "mypy", "--strict", "use.py"], cwd=folder, env=variables, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
