"""Setup steps: what a task does to the desktop before the agent starts, and before the checker looks.

A step is read once, when the task is loaded, and run after every reset. Invariant: strict. A step that did not happen
raises SetupFailed; OSWorld's own runner ignores a failed command, and then scores the agent on a desktop that was
never prepared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from drums.local.machines.machine import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX, Desktop, GuestError, Outcome

from .errors import SetupFailed, TaskUnsupported
from .fields import Command, Fields, Json

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    Sleep = Callable[[float], Awaitable[None]]

CLIENT_PASSWORD = "password"  # noqa: S105  the password of OSWorld's public images; every task that needs one names this
PLACEHOLDERS = {
    "{CLIENT_PASSWORD}": CLIENT_PASSWORD,
    "{SCREEN_WIDTH_HALF}": str(SCREEN_WIDTH_PX // 2),
    "{SCREEN_HEIGHT_HALF}": str(SCREEN_HEIGHT_PX // 2),
    "{SCREEN_WIDTH}": str(SCREEN_WIDTH_PX),
    "{SCREEN_HEIGHT}": str(SCREEN_HEIGHT_PX),
}
"""What OSWorld replaces in the commands of `execute` and `command`."""


class Step(Protocol):
    """One thing to do to a desktop."""

    @property
    def name(self) -> str:
        """Which step of the task it is, for messages: `config[0] execute`."""
        ...

    async def run(self, desktop: Desktop, sleep: Sleep) -> Outcome | None:
        """Do it. What a command returned is given back, not judged."""
        ...


@dataclass(frozen=True, slots=True)
class RunCommand:
    """Run a command in the desktop."""

    name: str
    command: Command
    shell: bool
    waits: bool
    """Whether for its end, or only for its start."""

    @classmethod
    def read_execute(cls, name: str, fields: Fields) -> RunCommand:
        """From the parameters of `execute`: `{"command": …, "shell": …}`."""
        fields.only("command", "shell")
        return cls(name, filled(fields.command()), fields.flag("shell"), waits=True)

    @classmethod
    def read_launch(cls, name: str, fields: Fields) -> RunCommand:
        """From the parameters of `launch`, in which OSWorld replaces nothing."""
        fields.only("command", "shell")
        return cls(name, fields.command(), fields.flag("shell"), waits=False)

    async def run(self, desktop: Desktop, sleep: Sleep) -> Outcome:  # noqa: ARG002  a step may wait
        """Run it."""
        return await (desktop.execute if self.waits else desktop.launch)(self.command, self.shell)


@dataclass(frozen=True, slots=True)
class Pause:
    """Let time pass."""

    name: str
    seconds: float

    @classmethod
    def read(cls, name: str, fields: Fields) -> Pause:
        """From `{"seconds": …}`."""
        fields.only("seconds")
        return cls(name, fields.seconds("seconds"))

    async def run(self, desktop: Desktop, sleep: Sleep) -> None:  # noqa: ARG002  a step may drive the desktop
        """Wait."""
        await sleep(self.seconds)


STEPS: Mapping[str, Callable[[str, Fields], Step]] = {
    "execute": RunCommand.read_execute,
    "command": RunCommand.read_execute,
    "launch": RunCommand.read_launch,
    "sleep": Pause.read,
}
"""How each type of step is read; a type that is not here is not supported."""


def read_steps(values: Sequence[Json], where: str) -> tuple[Step, ...]:
    """The steps of a task's `config` or `postconfig`.

    Raises:
        TaskMalformed: Something in them is not what OSWorld's format says.
        TaskUnsupported: A type of step, or a parameter of one, is not built here.
    """
    return tuple(_read_step(value, f"{where}[{index}]") for index, value in enumerate(values))


def _read_step(value: Json, where: str) -> Step:
    fields = Fields.of(value, where)
    kind = fields.text("type")
    if kind not in STEPS:
        raise TaskUnsupported(f"{where}: the setup step {kind!r} is not supported")
    name = f"{where.removeprefix('task.')} {kind}"
    return STEPS[kind](name, Fields.of(fields.get("parameters"), fields.at("parameters")))


def filled(command: Command) -> Command:
    """A command with OSWorld's placeholders replaced."""
    if not isinstance(command, str):
        return tuple(_filled_text(argument) for argument in command)
    return _filled_text(command)


def _filled_text(text: str) -> str:
    for placeholder, value in PLACEHOLDERS.items():
        text = text.replace(placeholder, value)
    return text


async def run_strictly(steps: Sequence[Step], desktop: Desktop, sleep: Sleep) -> None:
    """Do each step in order.

    Raises:
        SetupFailed: One did not happen, or its command returned something else than 0.
    """
    for step in steps:
        try:
            outcome = await step.run(desktop, sleep)
        except GuestError as error:
            raise SetupFailed(step.name, str(error)) from error
        if outcome is not None and outcome.returncode:
            raise SetupFailed(step.name, _failure(outcome))


def _failure(outcome: Outcome) -> str:
    lines = (outcome.error or outcome.output or "").strip().splitlines()
    said = f": {lines[-1][:200]}" if lines else ""
    return f"the command returned {outcome.returncode}{said}"
