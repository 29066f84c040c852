"""Whether this checkout's Python API breaks programs written for the last release.

Two looks: griffe compares the stubs of `surface` with the released ones in `spec/released/python/`; and the released
examples and typing program, kept beside them, are type-checked against the code of today.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tools._compat.change import Change
from tools._compat.verdict import Verdict, judged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tools._compat.verdict import Allowed

RELEASED = Path("spec") / "released" / "python"
USES = RELEASED / "uses"
"""Programs of the last release."""


class NotChecked(Exception):
    """The Python API could not be compared, and why."""


def verdict(root: Path, allowed: Sequence[Allowed]) -> Verdict:
    """The verdict over the Python API of a checkout; entries of the allow-list for the HTTP API are not its concern.

    Raises:
        NotChecked: griffe is not installed, or there is no released API.
    """
    if find_spec("griffe") is None:
        raise NotChecked("the Python API needs griffe: pip install --group dev")
    if not any((root / RELEASED).glob("*.pyi")):
        raise NotChecked(f"{RELEASED} holds no released API")
    old = (root / RELEASED / "VERSION").read_text().strip()
    changes = [*_surface_changes(root), *_use_changes(root)]
    ours = [entry for entry in allowed if entry.rule.startswith("python-")]
    notes = (
        [] if (root / "drums_verifiers").is_dir() else ["drums_verifiers is not in this checkout; it was not compared."]
    )
    found = judged(old, _version(root), changes, ours, notes)
    return draft(found) if f"## {old} (unreleased)" in (root / "CHANGELOG.md").read_text() else found


def draft(found: Verdict) -> Verdict:
    """The verdict while the baseline's own version is not released: what changed is told, and nothing refused."""
    reason = f"{found.old} is not released yet"
    allowed = (*found.allowed, *((one, reason) for one in found.refused))
    return replace(
        found, refused=(), allowed=allowed, needed=found.old, notes=(*found.notes, f"{reason}; its API is a draft.")
    )


def released(root: Path) -> dict[str, str]:
    """The stubs of the last release."""
    return {path.name.removesuffix(".pyi"): path.read_text() for path in sorted((root / RELEASED).glob("*.pyi"))}


def compared(old: dict[str, str], new: dict[str, str]) -> list[Change]:
    """What changed between the stubs of two versions."""
    found: list[Change] = []
    for module, text in old.items():
        if module not in new:
            found.append(Change("python-module-removed", module, "the module is gone", "major", "griffe"))
            continue
        found += _breakages(module, text, new[module])
    found += [
        Change("python-module-added", module, "the module is new", "minor", "griffe")
        for module in new.keys() - old.keys()
    ]
    return found


def _surface_changes(root: Path) -> list[Change]:
    from tools._compat.surface import stubs  # noqa: PLC0415 -- griffe may be missing

    return compared(released(root), stubs(root))


def _breakages(module: str, old: str, new: str) -> Iterator[Change]:
    import griffe  # noqa: PLC0415 -- it may be missing

    # Not the module's own name: griffe would find the installed package.
    name = f"surface_of_{module.replace('.', '_')}"
    with tempfile.TemporaryDirectory() as folder:
        sides: list[griffe.Module] = []
        for side, text in (("old", old), ("new", new)):
            place = Path(folder) / side
            place.mkdir()
            (place / f"{name}.py").write_text(text)
            loaded = griffe.load(name, search_paths=[str(place)], allow_inspection=False)
            sides.append(cast("griffe.Module", loaded))
        for one in griffe.find_breaking_changes(*sides):
            where = one.obj.path.replace(name, module, 1)
            what = f"{one.kind.value}: {one.old_value} became {one.new_value}"
            yield Change(f"python-{one.kind.name.lower().replace('_', '-')}", where, what, "major", "griffe")
    before, after = set(old.splitlines()), set(new.splitlines())
    for line in sorted(after - before):
        yield Change("python-added", module, line.strip(), "minor", "griffe")


def _use_changes(root: Path) -> Iterator[Change]:
    programs = sorted(str(path.relative_to(root)) for path in (root / USES).glob("*.py"))
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--no-warn-unused-ignores", *programs]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        raise NotChecked(f"mypy could not check {USES}: {(done.stderr or done.stdout)[-1000:]}")
    for line in done.stdout.splitlines():
        if ": error: " in line:
            where, _, what = line.partition(": error: ")
            yield Change("python-program-no-longer-types", where, what, "major", "mypy")


def _version(root: Path) -> str:
    project: str = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    return project
