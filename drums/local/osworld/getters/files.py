"""Getters of files and folders: the desktop's, the task's references, the pack's.

Files come as bytes, within a bound. Invariant: what is missing in the desktop is None; a reference that is missing is a
CheckerFault, never a score.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, cast

from drums.local.osworld.cache import CachedFile, FileCache, FileUnavailable
from drums.local.osworld.checkers import CheckerFault
from drums.local.osworld.errors import TaskMalformed
from drums.local.osworld.fields import Fields, kind, texts

from .base import FILE_LIMIT_BYTES

if TYPE_CHECKING:
    from drums.local.osworld.packfile import PackFile
    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage

    from .base import Getter


@dataclass(frozen=True, slots=True)
class VmFile:
    """The content of one file of the desktop."""

    path: str

    async def fetch(self, stage: Stage) -> bytes | None:
        """Its bytes; None where there is no such file."""
        return await stage.desktop.read_file(self.path, FILE_LIMIT_BYTES)


@dataclass(frozen=True, slots=True)
class Reference:
    """A file that the task names by URL, to compare with; the host's cache has it."""

    file: CachedFile
    cache: FileCache

    async def fetch(self, _: Stage) -> bytes:
        """Its bytes."""
        try:
            return await self.cache.content(self.file)
        except FileUnavailable as error:
            raise CheckerFault(f"a reference is missing: {error}") from error


@dataclass(frozen=True, slots=True)
class PackReference:
    """A file of the task's pack."""

    file: PackFile

    async def fetch(self, _: Stage) -> bytes:
        """Its bytes."""
        try:
            return await asyncio.to_thread(self.file.content)
        except OSError as error:
            raise CheckerFault(f"a reference is missing: the pack's file can't be read: {error}") from error


@dataclass(frozen=True, slots=True)
class Several:
    """Several values, in order."""

    getters: tuple[Getter, ...]

    async def fetch(self, stage: Stage) -> list[object]:
        """All of them."""
        return [await getter.fetch(stage) for getter in self.getters]


@dataclass(frozen=True, slots=True)
class Directory:
    """A folder of the desktop with all that is in it."""

    path: str

    async def fetch(self, stage: Stage) -> dict[str, object] | None:
        """A tree of `{type, name, children}`; None where there is no such folder."""
        everything = await stage.desktop.execute(["find", self.path, "-print0"], shell=False)
        if everything.returncode != 0:
            return None
        folders = await stage.desktop.execute(["find", self.path, "-type", "d", "-print0"], shell=False)
        return tree_of(self.path, _paths(everything.output), frozenset(_paths(folders.output)))


def tree_of(root: str, paths: list[str], folders: frozenset[str]) -> dict[str, object] | None:
    """OSWorld's `list_directory` tree, out of the paths from `root` down and those among them that are folders."""
    nodes: dict[str, dict[str, object]] = {}
    for path in sorted(paths):
        node: dict[str, object] = {"type": "file", "name": PurePosixPath(path).name}
        if path in folders:
            node |= {"type": "directory", "children": list[dict[str, object]]()}
        nodes[path] = node
        parent = nodes.get(str(PurePosixPath(path).parent))
        if parent is not None and "children" in parent:
            cast("list[dict[str, object]]", parent["children"]).append(node)
    return nodes.get(root.rstrip("/") or "/")


def _paths(output: str | None) -> list[str]:
    return [path for path in (output or "").split("\0") if path]


def read_vm_file(fields: Fields, _: Reading) -> Getter:
    """From `{"path": …, "multi": …, "gives": …}`. What else there may be names the copy that OSWorld makes."""
    fields.only("type", "path", "dest", "multi", "gives", "time_suffix", "time_format")
    if not fields.flag("multi"):
        return VmFile(fields.text("path"))
    paths = texts(fields.items("path"), fields.at("path"))
    return _chosen(fields, [VmFile(path) for path in paths])


def read_cloud_file(fields: Fields, reading: Reading) -> Getter:
    """From `{"path": <URL>, "dest": …, "multi": …, "gives": …}`."""
    fields.only("type", "path", "dest", "multi", "gives")
    if not fields.flag("multi"):
        return Reference(reading.cached(fields, "path", fields.text("dest"), "dest"), reading.cache)
    urls, names = (texts(fields.items(name), fields.at(name)) for name in ("path", "dest"))
    if len(urls) != len(names):
        raise TaskMalformed(fields.at("dest"), f"expected {len(urls)} names, one for each path, got {len(names)}")
    files = [reading.cached_as(url, name, fields.at("dest")) for url, name in zip(urls, names, strict=True)]
    return _chosen(fields, [Reference(file, reading.cache) for file in files])


def read_pack_file(fields: Fields, reading: Reading) -> Getter:
    """From `{"path": <name in the pack's folder files>}`: our addition to the format."""
    fields.only("type", "path")
    return PackReference(reading.asset(fields, "path"))


def read_directory(fields: Fields, _: Reading) -> Getter:
    """From `{"path": …}`."""
    fields.only("type", "path")
    return Directory(fields.text("path"))


def _chosen(fields: Fields, getters: list[Getter]) -> Getter:
    """Those of several files that the checker gets (`gives`); the first where it is not said. One alone is no list."""
    chosen = fields.items("gives") if fields.get("gives") is not None else [0]
    for index in chosen:
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(getters):
            raise TaskMalformed(
                fields.at("gives"), f"expected positions in the list of {len(getters)} paths, got {kind(index)}"
            )
    if not chosen:
        raise TaskMalformed(fields.at("gives"), "expected at least one position")
    picked = tuple(getters[index] for index in cast("list[int]", chosen))
    return picked[0] if len(picked) == 1 else Several(picked)
