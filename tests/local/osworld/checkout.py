"""OSWorld's own tasks, for the tests that need a checkout of it; without one they are skipped, and say so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drums.local.osworld import NoTasks
from drums.local.osworld.sources import OSWORLD_VARIABLE, examples_in

BESIDE = Path(__file__).parents[3].parent / "shared" / "osworld"
"""A checkout beside ours, where there is one."""


def _found() -> Path | None:
    named = os.environ.get(OSWORLD_VARIABLE)
    folder = Path(named).expanduser().absolute() if named else BESIDE
    try:
        return examples_in(folder)
    except NoTasks:
        if named:
            raise
        return None


EXAMPLES: Path | None = _found()
"""Its folder of tasks."""

needs_osworld = pytest.mark.skipif(
    EXAMPLES is None, reason="DRUMS_OSWORLD does not name a checkout of OSWorld: its tasks are not tried"
)


def examples() -> Path:
    """The folder, in a test that is skipped where there is none."""
    assert EXAMPLES is not None
    return EXAMPLES


ON_IMAGES: dict[str, tuple[str, ...]] = {
    "desktop": (
        "e0df059f",
        "f9be0997",
        "a4d98375",
        "3ce045a0",
        "bedcedc4",
        "ec4e3f68",
        "a462a795",
        "b3d4a89c",
        "c288e301",
        "fe41f596",
        "4783cc41",
        "6d72aad6",
        "e19bd559",
        "fbb548ca",
        "5ca86c6f",
        "3720f614",
        "ae78f875",
    ),
    "office": ("2cd43775",),
    "chromium": ("2ad9387a", "2ae9ba84", "af630914", "99146c54", "030eeff7", "bb5e4c0d", "480bcfea"),
}
"""The tasks that need neither the web nor files, by the image of ours that they run on."""
ON_NO_IMAGE = (
    "b6781586",
    "28cc3b7e",
    "13584542",
    "8ba5ae7a",
    "9195653c",
    "d06f0d4d",
    "a5bbbcd5",
    "5ac2891a",
    "f3977615",
    "215dfd39",
    "cb130f0d",
    "7882ed6e",
    "937087b6",
    "7b7617bd",
    "7767eef2",
    "d52d6308",
)
"""Those that need a program that no image of ours has."""
NO_CHECKER = ("ef9d12bd",)
"""Those whose checker is not built."""
OFFLINE = (*(task for tasks in ON_IMAGES.values() for task in tasks), *ON_NO_IMAGE, *NO_CHECKER)
