"""Getters that run a command in the desktop, and the one that reads what a closing step kept of one.

They judge no returncode: what a command prints is what a task compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.osworld.checkers import CheckerFault
from drums.local.osworld.errors import TaskUnsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from drums.local.osworld.fields import Command, Fields
    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage

    from .base import Getter


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """What a command prints; its returncode does not matter."""

    command: Command
    shell: bool
    stream: str

    async def fetch(self, stage: Stage) -> str:
        """Run it and give what it printed."""
        outcome = await stage.desktop.execute(self.command, self.shell)
        return (outcome.output if self.stream == "output" else outcome.error) or ""


@dataclass(frozen=True, slots=True)
class KeptOutput:
    """What a closing step kept of what its command printed."""

    name: str

    async def fetch(self, stage: Stage) -> bytes:
        """It, as a file's content."""
        if self.name not in stage.outputs:
            raise CheckerFault(f"no step has kept the output {self.name!r}")
        return stage.outputs[self.name]


def read_command(stream: str) -> Callable[[Fields, Reading], Getter]:
    """The reader of a getter of what a command prints on that stream."""

    def read(fields: Fields, _: Reading) -> Getter:
        fields.only("type", "command", "shell")
        return CommandOutput(fields.command(), fields.flag("shell"), stream)

    return read


def read_kept(fields: Fields, reading: Reading) -> Getter:
    """From `{"path": …}`: a name under which a closing step keeps an output."""
    fields.only("type", "path")
    name = fields.text("path")
    if name not in reading.kept:
        what = "a cache_file that no closing step keeps"
        raise TaskUnsupported(f"{fields.at('path')}: {name[:40]!r} is {what}", what)
    return KeptOutput(name)
