"""The steps that run commands, or wait.

What a command returned is judged by whoever runs the steps; these only know whether it was run. Invariant: a command
that is known to need the web is refused when the task is read, since a desktop has no network.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.osworld.errors import SetupFailed, TaskMalformed, TaskUnsupported
from drums.local.osworld.fields import Command, Fields, kind

from .base import ACCESSIBLE, demand_success, filled
from .windows import named, windows

if TYPE_CHECKING:
    from drums.local.machines.machine import Desktop, Outcome
    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage

UNTIL_WITHIN_S = 60.0
"""How long a command is repeated for what its step's `until` waits for."""
UNTIL_EVERY_S = 0.3
VERIFY_WITHIN_S = 10.0
VERIFY_EVERY_S = 1.0
_NEEDS_WEB = re.compile(
    r"\b(?:apt|apt-get)\b[^;&|]*\b(?:install|update|upgrade)\b|\bpip3?\s+install\b|\b(?:curl|wget|git\s+clone)\b[^;&|]*https?:"
    r"|\bcode\s+--install-extension\s+(?![^\s;&|]*\.vsix)"
)
_SENDS_INPUT = re.compile(r"\bpyautogui\.|\bxdotool\b")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_./+-]+")
_UNTIL = ("returncode", "stdout", "stderr")


@dataclass(frozen=True, slots=True)
class Until:
    """What a command is repeated for; any one of what is given is enough."""

    returncode: int | None
    stdout: str | None
    stderr: str | None

    @classmethod
    def read(cls, fields: Fields) -> Until | None:
        """From `{"returncode": …, "stdout": …, "stderr": …}`; None where nothing is waited for."""
        fields.only(*_UNTIL)
        given = [fields.get(name) for name in _UNTIL]
        code, *texts = given
        if code is not None and (isinstance(code, bool) or not isinstance(code, int)):
            raise TaskMalformed(fields.at("returncode"), f"expected a whole number, got {kind(code)}")
        if all(value is None for value in given):
            return None
        stdout, stderr = (
            None if value is None else fields.text(name) for name, value in zip(_UNTIL[1:], texts, strict=True)
        )
        return cls(code, stdout, stderr)

    def is_met_by(self, outcome: Outcome) -> bool:
        """Whether this is what was waited for."""
        return (
            (self.returncode is not None and outcome.returncode == self.returncode)
            or (self.stdout is not None and self.stdout in (outcome.output or ""))
            or (self.stderr is not None and self.stderr in (outcome.error or ""))
        )


@dataclass(frozen=True, slots=True)
class Execute:
    """Run a command in the desktop and wait for its end."""

    name: str
    command: Command
    shell: bool
    until: Until | None = None
    stdout: str | None = None
    """The name under which what it prints is kept."""
    stderr: str | None = None

    @classmethod
    def read(cls, name: str, fields: Fields, reading: Reading) -> Execute:
        """From `{"command": …, "shell": …, "stdout": …, "stderr": …, "until": …}`."""
        fields.only("command", "shell", "stdout", "stderr", "until")
        command = filled(fields.command())
        demand_no_web(command, fields)
        stdout, stderr = fields.text_or("stdout", "") or None, fields.text_or("stderr", "") or None
        if fields.where.startswith("task.evaluator."):
            reading.kept.update(kept for kept in (stdout, stderr) if kept is not None)
        until = None if fields.get("until") is None else Until.read(Fields.of(fields.get("until"), fields.at("until")))
        return cls(name, command, fields.flag("shell"), until, stdout, stderr)

    @property
    def observes(self) -> bool:
        """Whether it keeps what the command prints."""
        return bool(self.stdout or self.stderr)

    async def run(self, stage: Stage) -> Outcome | None:
        """Run it, again and again where it waits for something."""
        if stage.misses_window and sends_input(self.command):
            stage.notes.append(f"{self.name}: not done, since the window that its keys are meant for is not there")
            return None
        outcome = await stage.desktop.execute(self.command, self.shell)
        if self.until is not None:
            outcome = await self._repeated(self.until, outcome, stage)
        for kept, printed in ((self.stdout, outcome.output), (self.stderr, outcome.error)):
            if kept is not None:
                stage.outputs[kept] = (printed or "").encode()
        return None if self.until is not None else outcome

    async def _repeated(self, until: Until, first: Outcome, stage: Stage) -> Outcome:
        outcome = first
        tries = round(UNTIL_WITHIN_S / UNTIL_EVERY_S)
        while not until.is_met_by(outcome):
            if not tries:
                raise SetupFailed(self.name, f"what it waits for did not come within {UNTIL_WITHIN_S:g} s")
            tries -= 1
            await stage.sleep(UNTIL_EVERY_S)
            outcome = await stage.desktop.execute(self.command, self.shell)
        return outcome


@dataclass(frozen=True, slots=True)
class Launch:
    """Start a program and do not wait for its end."""

    name: str
    command: Command
    shell: bool
    accessible: bool = False
    """Whether it has to tell of its widgets."""
    observes: bool = False

    @classmethod
    def read(cls, name: str, fields: Fields, reading: Reading) -> Launch:
        """From `{"command": …, "shell": …}`; OSWorld replaces nothing in it, and splits a text at its blanks."""
        fields.only("command", "shell")
        command, shell = fields.command(), fields.flag("shell")
        if isinstance(command, str) and not shell:
            command = tuple(command.split())
        if not command:
            raise TaskMalformed(fields.at("command"), "expected a command, got blanks")
        demand_no_web(command, fields)
        return cls(name, command, shell, reading.accessible)

    async def run(self, stage: Stage) -> Outcome:
        """Start it."""
        if self.shell and (program := program_of(self.command)) is not None:
            await self._demand_program(program, stage.desktop)
        stage.misses_window = False  # what comes up now has the keys
        command = self.command
        if self.accessible:
            command = f"unset {ACCESSIBLE[-1]}; {command}" if isinstance(command, str) else (*ACCESSIBLE, *command)
        return await stage.desktop.launch(command, self.shell)

    async def _demand_program(self, program: str, desktop: Desktop) -> None:
        """A shell starts whether or not the program is there, and nobody would hear that it is not."""
        found = await desktop.execute(f"command -v {shlex.quote(program)}", shell=True)  # noqa: S604
        if found.returncode != 0:
            raise SetupFailed(self.name, f"there is no such program: {program}")


@dataclass(frozen=True, slots=True)
class VerifiedExecute:
    """Run a command, then wait for what shows that it worked."""

    name: str
    command: Command
    shell: bool
    window: str | None
    check: str | None
    within_s: float
    every_s: float
    observes: bool = False

    @classmethod
    def read(cls, name: str, fields: Fields, _: Reading) -> VerifiedExecute:
        """From `{"command": …, "verification": {"window_exists": …, "command_success": …}, "max_wait_time": …}`."""
        fields.only("command", "shell", "verification", "max_wait_time", "check_interval")
        wanted = Fields.of(fields.get("verification") or {}, fields.at("verification"))
        wanted.only("window_exists", "command_success")
        command = filled(fields.command())
        demand_no_web(command, fields)
        return cls(
            name,
            command,
            fields.flag("shell"),
            wanted.text_or("window_exists", "") or None,
            wanted.text_or("command_success", "") or None,
            VERIFY_WITHIN_S if fields.get("max_wait_time") is None else fields.seconds("max_wait_time"),
            VERIFY_EVERY_S if fields.get("check_interval") is None else max(0.1, fields.seconds("check_interval")),
        )

    async def run(self, stage: Stage) -> None:
        """Run it and wait."""
        demand_success(self.name, await stage.desktop.execute(self.command, self.shell))

        async def shown() -> bool:
            window = self.window
            if window is not None and not named(await windows(stage.desktop), window):
                return False
            if self.check is None:
                return True
            return (await stage.desktop.execute(self.check, shell=True)).returncode == 0  # noqa: S604

        if not await stage.until(shown, self.within_s, self.every_s):
            raise SetupFailed(self.name, f"its verification did not pass within {self.within_s:g} s")


@dataclass(frozen=True, slots=True)
class Pause:
    """Let time pass."""

    name: str
    seconds: float
    observes: bool = False

    @classmethod
    def read(cls, name: str, fields: Fields, _: Reading) -> Pause:
        """From `{"seconds": …}`."""
        fields.only("seconds")
        return cls(name, fields.seconds("seconds"))

    async def run(self, stage: Stage) -> None:
        """Wait."""
        await stage.sleep(self.seconds)


def sends_input(command: Command) -> bool:
    """Whether a command presses keys or buttons, which go to whatever window has the focus."""
    return _SENDS_INPUT.search(_line(command)) is not None


def demand_no_web(command: Command, fields: Fields) -> None:
    """Refuse a command that installs or fetches something.

    Raises:
        TaskUnsupported: It does.
    """
    if found := _NEEDS_WEB.search(_line(command)):
        what = "a command that needs the web, and desktops have no network"
        raise TaskUnsupported(f"{fields.at('command')}: {found[0][:60]!r} is {what}", what)


def program_of(command: Command) -> str | None:
    """The program that a shell's command line begins with; None where that can't be told for sure."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError:
        return None
    word = next((word for word in words if not _ASSIGNMENT.match(word)), None)
    return word if word is not None and _PLAIN_WORD.fullmatch(word) else None


def _line(command: Command) -> str:
    return command if isinstance(command, str) else " ".join(command)
