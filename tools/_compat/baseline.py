"""Makes this checkout's API the baseline of the next comparisons; only the release step does it.

Invariant: after `write` the comparison finds no change at all.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tools._compat.python_api import RELEASED, USES
from tools._compat.surface import stubs

PROGRAMS = (
    "examples/quickstart.py",
    "examples/quickstart_async.py",
    "examples/group_rollouts.py",
    "examples/group_rollouts_async.py",
    "tests/typing/api.py",
)
"""What is kept of a release to be type-checked against later code."""
EMPTY_LIST = """\
# Breaking changes since the last release that may be merged all the same: a list of {rule, where, reason}.
# The names are those that tools/check_compat.py prints; `where` may hold `*`. The release step empties the list.
[]
"""


def write(root: Path, version: str) -> list[Path]:
    """Replace the baseline; the files that were written, relative to `root`."""
    home = root / RELEASED
    shutil.rmtree(home, ignore_errors=True)
    (root / USES).mkdir(parents=True)
    texts = {RELEASED / "VERSION": f"{version}\n", Path("spec") / "compat_allowed.yaml": EMPTY_LIST}
    texts |= {RELEASED / f"{module}.pyi": text for module, text in stubs(root).items()}
    texts |= {
        USES / Path(program).name: (root / program).read_text() for program in PROGRAMS if (root / program).exists()
    }
    texts[Path("spec") / "released" / "openapi.yaml"] = (root / "spec" / "openapi.yaml").read_text()
    for path, text in texts.items():
        (root / path).write_text(text)
    return sorted(texts)
