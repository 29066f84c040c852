"""Files that come with a pack of tasks, in its folder `files`.

Invariant: a name never leads out of that folder, neither by `..` nor by a link.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from .errors import TaskMalformed

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FOLDER = "files"
"""The folder of a pack that holds its files; it is no domain."""


@dataclass(frozen=True, slots=True)
class PackFile:
    """One file of a pack."""

    file: Traversable

    @classmethod
    def of(cls, folder: Traversable, name: str, where: str) -> PackFile:
        """The file of that name; `where` in the task the name stands.

        Raises:
            TaskMalformed: The name leads out of the folder, or there is no such file.
        """
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
            raise TaskMalformed(where, f"expected a name in the pack's folder {FOLDER!r}, got {name[:40]!r}")
        file = folder.joinpath(*path.parts)
        if isinstance(folder, Path) and isinstance(file, Path) and not file.resolve().is_relative_to(folder.resolve()):
            raise TaskMalformed(where, f"{name[:40]!r} leads out of the pack's folder {FOLDER!r}")
        if not file.is_file():
            raise TaskMalformed(where, f"the pack's folder {FOLDER!r} has no file {name[:40]!r}")
        return cls(file)

    def content(self) -> bytes:
        """What is in it."""
        return self.file.read_bytes()
