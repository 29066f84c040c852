"""Getters: what is read off a desktop, or out of the task, for a checker to look at.

A getter fetches and never judges. Invariant: None means that the thing is not there, which is a fact about the
desktop; a desktop that does not answer is an exception, and never looks like a missing thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Protocol, cast

from .errors import TaskMalformed, TaskUnsupported
from .fields import Command, Fields, Json, kind, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums.local.machines.machine import Desktop

FILE_LIMIT_BYTES = 64 * 1024 * 1024
"""The largest file that a checker may be given."""


class Getter(Protocol):
    """Something that fetches one value."""

    async def fetch(self, desktop: Desktop) -> object:
        """The value now."""
        ...


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """What a command prints; its returncode does not matter."""

    command: Command
    shell: bool
    stream: str

    async def fetch(self, desktop: Desktop) -> str:
        """Run it and give what it printed."""
        outcome = await desktop.execute(self.command, self.shell)
        return (outcome.output if self.stream == "output" else outcome.error) or ""


@dataclass(frozen=True, slots=True)
class VmFile:
    """The content of one file of the desktop."""

    path: str

    async def fetch(self, desktop: Desktop) -> bytes | None:
        """Its bytes; None where there is no such file."""
        return await desktop.read_file(self.path, FILE_LIMIT_BYTES)


@dataclass(frozen=True, slots=True)
class VmFiles:
    """The contents of several files of the desktop."""

    paths: tuple[str, ...]

    async def fetch(self, desktop: Desktop) -> list[bytes | None]:
        """Their bytes, in order."""
        return [await desktop.read_file(path, FILE_LIMIT_BYTES) for path in self.paths]


@dataclass(frozen=True, slots=True)
class Directory:
    """A folder of the desktop with all that is in it."""

    path: str

    async def fetch(self, desktop: Desktop) -> dict[str, object] | None:
        """A tree of `{type, name, children}`; None where there is no such folder."""
        everything = await desktop.execute(["find", self.path, "-print0"], shell=False)
        if everything.returncode != 0:
            return None
        folders = await desktop.execute(["find", self.path, "-type", "d", "-print0"], shell=False)
        return tree_of(self.path, _paths(everything.output), frozenset(_paths(folders.output)))


@dataclass(frozen=True, slots=True)
class Rule:
    """What the task itself says; nothing is fetched."""

    rules: Json

    async def fetch(self, desktop: Desktop) -> Json:  # noqa: ARG002  a getter may need the desktop
        """The rules."""
        return self.rules


def tree_of(root: str, paths: list[str], folders: frozenset[str]) -> dict[str, object] | None:
    """OSWorld's `list_directory` tree, out of the paths from `root` down and those among them that are folders."""
    nodes: dict[str, dict[str, object]] = {}
    for path in sorted(paths):
        node: dict[str, object] = {"type": "file", "name": PurePosixPath(path).name}
        if path in folders:
            node |= {"type": "directory", "children": list[dict[str, object]]()}
        nodes[path] = node
        parent = nodes.get(str(PurePosixPath(path).parent))
        if parent is not None:
            cast("list[dict[str, object]]", parent["children"]).append(node)
    return nodes.get(root.rstrip("/") or "/")


def _paths(output: str | None) -> list[str]:
    return [path for path in (output or "").split("\0") if path]


def _read_command_output(stream: str) -> Callable[[Fields], Getter]:
    def read(fields: Fields) -> Getter:
        fields.only("type", "command", "shell")
        return CommandOutput(fields.command(), fields.flag("shell"), stream)

    return read


def _read_vm_file(fields: Fields) -> Getter:
    # `dest` only names the copy that OSWorld makes on its host.
    fields.only("type", "path", "dest", "multi", "gives")
    if not fields.flag("multi"):
        return VmFile(fields.text("path"))
    paths = texts(fields.items("path"), fields.at("path"))
    chosen = _indices(fields, len(paths))
    return VmFile(paths[chosen[0]]) if len(chosen) == 1 else VmFiles(tuple(paths[index] for index in chosen))


def _indices(fields: Fields, count: int) -> list[int]:
    """Which of several files the checker gets (`gives`); the first where it is not said."""
    chosen = fields.items("gives") if fields.get("gives") is not None else [0]
    for index in chosen:
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < count:
            raise TaskMalformed(
                fields.at("gives"), f"expected positions in the list of {count} paths, got {kind(index)}"
            )
    if not chosen:
        raise TaskMalformed(fields.at("gives"), "expected at least one position")
    return cast("list[int]", chosen)


def _read_directory(fields: Fields) -> Getter:
    fields.only("type", "path")
    return Directory(fields.text("path"))


def _read_rule(fields: Fields) -> Getter:
    fields.only("type", "rules")
    if fields.get("rules") is None:
        raise TaskMalformed(fields.at("rules"), "is missing")
    return Rule(fields.get("rules"))


GETTERS: Mapping[str, Callable[[Fields], Getter]] = {
    "vm_command_line": _read_command_output("output"),
    "vm_command_error": _read_command_output("error"),
    "vm_file": _read_vm_file,
    "list_directory": _read_directory,
    "rule": _read_rule,
}
"""How each type of getter is read; a type that is not here is not supported."""


def read_getter(value: Json, where: str) -> Getter:
    """One getter of an evaluator.

    Raises:
        TaskMalformed: It is not what OSWorld's format says.
        TaskUnsupported: Its type, or a parameter of it, is not built here.
    """
    fields = Fields.of(value, where)
    name = fields.text("type")
    if name not in GETTERS:
        raise TaskUnsupported(f"{where}: the getter {name!r} is not supported")
    return GETTERS[name](fields)
