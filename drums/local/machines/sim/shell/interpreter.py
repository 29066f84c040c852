"""The shell of a simulated desktop: just-bash over its disk, with its programs, within a time.

It interprets; it never starts a process of the host. Invariant: whatever the script is, `run` comes back with a
returncode or raises OutOfTime, and others have their turn meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from just_bash import Bash, Command, CommandContext, ExecResult, ExecutionLimits, ParseException
from just_bash.commands import create_command_registry
from just_bash.interpreter import InterpreterError

from drums.local.machines.sim.files.disk import HOME, USER
from drums.local.machines.sim.pace import OutOfTime

from .call import Call
from .filesystem import ShellFs
from .programs import PROGRAMS

if TYPE_CHECKING:
    from drums.local.machines.sim.guest import Guest
    from drums.local.machines.sim.pace import Pace

    from .call import Desk, Program

TAKEN_OVER = """
awk base64 basename cat chmod clear column comm cp cut diff dirname du echo egrep env expand expr false fgrep
file find fold grep gunzip gzip head history join jq ln ls md5sum mkdir mv nl od paste printenv printf pwd
read readlink rev rm rmdir sed seq sha1sum sha256sum shuf sort split stat strings tac tail tar tee touch tr
tree true unexpand uniq wc which xargs zcat
"""
"""The commands that are taken over: what an Ubuntu desktop has, and what reaches nothing but the disk."""
PROGRAM_NAMES = tuple(sorted({*TAKEN_OVER.split(), *PROGRAMS}))

COMMAND_LIMIT = 50_000
"""Statements that one run may execute, in all its subshells together."""
LOOP_LIMIT = 10_000
OUTPUT_LIMIT_CHARS = 16 * 1024 * 1024
SYNTAX_ERROR = 2
FAILED = 1

ENVIRONMENT = {
    "HOME": HOME,
    "USER": USER,
    "LOGNAME": USER,
    "SHELL": "/bin/bash",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "DISPLAY": ":0",
    "LANG": "C.UTF-8",
    "XDG_SESSION_TYPE": "x11",
    "RANDOM": "1",  # the seed: $RANDOM gives the same numbers in every run
}


@dataclass(frozen=True, slots=True)
class Ran:
    """What a script did."""

    returncode: int
    output: str
    error: str
    folder: str
    """Where its shell was at the end."""


class Limits(ExecutionLimits):
    """just-bash's limits, counted over all subshells of one run.

    just-bash starts to count anew in every subshell, but asks for the limit before each statement; so we count here.
    """

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._statements = 0
        super().__init__(max_loop_iterations=LOOP_LIMIT, max_command_count=COMMAND_LIMIT)

    @property
    def max_command_count(self) -> int:
        """The limit; 0 once it is reached."""
        self._pace.check()
        self._statements += 1
        return COMMAND_LIMIT if self._statements <= COMMAND_LIMIT else 0

    @max_command_count.setter
    # It can be read and set as before, which is all that just-bash does with it.
    def max_command_count(self, value: int) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Fixed: see COMMAND_LIMIT."""


class _Paced:
    """A command of just-bash that lets others have their turn and whose output is bounded."""

    def __init__(self, name: str, command: Command) -> None:
        self.name = name
        self._command = command

    async def execute(self, args: list[str], ctx: CommandContext) -> ExecResult:
        fs = _fs(ctx)
        await fs.call_begins()
        return _bounded(await self._command.execute(args, ctx))


class _Own:
    """A program of our own as a command of just-bash."""

    def __init__(self, name: str, program: Program) -> None:
        self.name = name
        self._program = program

    async def execute(self, args: list[str], ctx: CommandContext) -> ExecResult:
        fs = _fs(ctx)
        await fs.call_begins()
        return _bounded(await self._program(args, Call(fs.guest, fs.desk, fs.pace, ctx)))


class _SessionFs(ShellFs):
    """The disk with what programs need besides: commands of just-bash are handed nothing else of ours."""

    def __init__(self, guest: Guest, desk: Desk, pace: Pace) -> None:
        super().__init__(guest.disk, pace)
        self.guest = guest
        self.desk = desk
        self.pace = pace

    async def call_begins(self) -> None:
        """Count one process that comes and goes."""
        await self.pace.step()
        self.guest.processes = self.guest.processes.came_and_went()


def _fs(ctx: CommandContext) -> _SessionFs:
    return cast("_SessionFs", ctx.fs)


def _bounded(result: ExecResult) -> ExecResult:
    if len(result.stdout) + len(result.stderr) > OUTPUT_LIMIT_CHARS:
        return ExecResult(stderr="bash: the output is larger than the simulated desktop can hold\n", exit_code=FAILED)
    return result


def _commands() -> dict[str, Command]:
    theirs = create_command_registry()
    taken: dict[str, Command] = {name: _Paced(name, theirs[name]) for name in TAKEN_OVER.split()}
    return taken | {name: _Own(name, program) for name, program in PROGRAMS.items()}


COMMANDS = _commands()


async def run(guest: Guest, desk: Desk, pace: Pace, script: str, folder: str = HOME) -> Ran:
    """Run a script as the desktop's user.

    Args:
        guest: The desktop.
        desk: Its windows, for programs that open some.
        pace: The script's time.
        script: What to run, in bash's language.
        folder: Where to run it.

    Raises:
        OutOfTime: It did not come to an end.
    """
    fs = _SessionFs(guest, desk, pace)
    bash = Bash(fs=fs, cwd=folder, env=ENVIRONMENT, limits=Limits(pace), commands=COMMANDS, unescape_html=False)
    guest.processes = guest.processes.came_and_went()
    result = await _executed(bash, script)
    # A command may have caught the exception and gone on to its end.
    pace.check()
    return Ran(result.exit_code, printable(result.stdout), printable(result.stderr), bash.cwd)


async def _executed(bash: Bash, script: str) -> ExecResult:
    try:
        return await bash.exec(script)
    except OutOfTime:
        raise
    except ParseException as error:
        return ExecResult(stderr=f"bash: {error}\n", exit_code=SYNTAX_ERROR)
    except InterpreterError as error:
        return ExecResult(error.stdout, f"{error.stderr}bash: {error}\n", FAILED)
    except RecursionError:
        return ExecResult(stderr="bash: maximum recursion depth exceeded\n", exit_code=FAILED)
    except Exception as error:  # noqa: BLE001  a fault of the interpreter is the script's failure, never the daemon's
        return ExecResult(stderr=f"bash: {type(error).__name__}: {error}\n", exit_code=FAILED)


def printable(text: str) -> str:
    """Text that can be written as UTF-8: bytes that were none are shown as the replacement character."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
