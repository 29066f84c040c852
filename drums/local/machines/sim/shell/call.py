"""What a program of a simulated desktop is called with, and what it gives back.

Invariant: a program reaches nothing but its call: the desktop's disk, clock and windows. None touches the host.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from just_bash import ExecResult

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from just_bash import CommandContext

    from drums.local.machines.sim.guest import Guest
    from drums.local.machines.sim.pace import Pace

    Program = Callable[[list[str], "Call"], Awaitable[ExecResult]]
    Inside = Callable[[CommandContext, str | Sequence[str], str, Mapping[str, str]], Awaitable[ExecResult]]

NOT_FOUND = 127
TIMED_OUT = 124


class Desk(Protocol):
    """What programs may do to the windows and to what runs."""

    def open_app(self, app: str, path: str | None) -> int:
        """Open a window of that kind, on a file or folder; its process number."""
        ...

    def open_path(self, path: str) -> int:
        """Open a file or folder with the window that is made for it; its process number."""
        ...

    def trash(self, path: str) -> None:
        """Move a file or folder to the trash."""
        ...

    def end_process(self, pid: int) -> bool:
        """End a process and close its windows; whether it may be ended."""
        ...

    async def run_python(self, code: str, pace: Pace) -> ExecResult:
        """Run Python as far as the simulator knows it."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """What a program that runs can reach."""

    guest: Guest
    desk: Desk
    pace: Pace
    shell: CommandContext
    inside: Inside
    """Runs a script in a shell of its own."""

    def path(self, argument: str) -> str:
        """An argument as an absolute path."""
        return self.shell.fs.resolve_path(self.shell.cwd, argument)

    async def run(
        self, script: str | Sequence[str], variables: Mapping[str, str] | None = None, stdin: str | None = None
    ) -> ExecResult:
        """Run a script, or a program with its arguments, in a shell of its own, in the same folder.

        It reads what the program does, or `stdin`.
        """
        return await self.inside(self.shell, script, self.shell.stdin if stdin is None else stdin, variables or {})


def done(text: str = "", returncode: int = 0) -> ExecResult:
    """What a program printed."""
    return ExecResult(stdout=text, exit_code=returncode)


def refused(text: str, returncode: int = 1) -> ExecResult:
    """What a program complained about."""
    return ExecResult(stderr=f"{text}\n", exit_code=returncode)
