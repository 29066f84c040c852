"""What is generated, as against what lies in the checkout.

The generated files are known exactly: a folder that is generated as a whole may hold nothing else, so that a file which
is generated no longer is found too. Nothing outside of those folders and files is ever touched.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

WHOLE_FOLDERS = ("generated",)
"""Folders, from the checkout's root, in which every file is generated."""

MANIFEST = "generated/GENERATED.json"

_CACHES = frozenset({"__pycache__", ".mypy_cache", ".ruff_cache"})


@dataclass(frozen=True, slots=True)
class Drift:
    """One file that is not what it should be."""

    path: str
    what: Literal["edited", "missing", "stale"]

    def __str__(self) -> str:
        """One line for the terminal."""
        return f"{self.what}: {self.path}"


def digest(content: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def manifest(files: Mapping[str, bytes], spec: bytes, pins: Mapping[str, str]) -> bytes:
    """The manifest's content: what the files were made from, with what, and what they are.

    Args:
        files: Every generated file but the manifest, by its path from the checkout's root.
        spec: Content of the OpenAPI document.
        pins: Versions of the generator and the formatter.
    """
    facts = {
        "made_by": "tools/generate.py",
        "with": dict(pins),
        "spec_sha256": digest(spec),
        "files_sha256": {path: digest(files[path]) for path in sorted(files)},
    }
    return (json.dumps(facts, indent=1) + "\n").encode()


def drift(wanted: Mapping[str, bytes], root: Path, folders: tuple[str, ...] = WHOLE_FOLDERS) -> list[Drift]:
    """Where the checkout differs from what is wanted, in the order of the paths.

    Args:
        wanted: Content of every generated file, by its path from the checkout's root.
        root: The checkout.
        folders: Those in which every file is generated.
    """
    present = _present(root, folders) | {path for path in wanted if (root / path).is_file()}
    found: list[Drift] = []
    for path in sorted(present | wanted.keys()):
        if path not in wanted:
            found.append(Drift(path, "stale"))
        elif path not in present:
            found.append(Drift(path, "missing"))
        elif (root / path).read_bytes() != wanted[path]:
            found.append(Drift(path, "edited"))
    return found


def write(wanted: Mapping[str, bytes], root: Path, folders: tuple[str, ...] = WHOLE_FOLDERS) -> list[Drift]:
    """Make the checkout what is wanted, and tell what was not; arguments as for `drift`."""
    changed = drift(wanted, root, folders)
    for change in changed:
        target = root / change.path
        if change.what == "stale":
            target.unlink()
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(wanted[change.path])
    for folder in folders:
        _remove_empty(root / folder)
    return changed


def _present(root: Path, folders: tuple[str, ...]) -> set[str]:
    return {
        path.relative_to(root).as_posix()
        for folder in folders
        for path in (root / folder).rglob("*")
        if path.is_file() and not _CACHES.intersection(path.parts)
    }


def _remove_empty(folder: Path) -> None:
    for path in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        rest = [entry for entry in path.iterdir() if entry.name not in _CACHES]
        if not rest and path.name not in _CACHES:
            shutil.rmtree(path)
