"""The shell of a simulated desktop: just-bash over its disk, with its programs, within a time.

It interprets; it never starts a process of the host. Invariant: whatever the script is, `run` comes back with a
returncode or raises OutOfTime, and others have their turn meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from just_bash import Command, CommandContext, ExecResult, ExecutionLimits, ParseException
from just_bash.commands import create_command_registry
from just_bash.interpreter import ExecutionLimitError, ExitError, Interpreter, InterpreterError, InterpreterState

from drums.local.machines.sim.files.disk import HOME, USER
from drums.local.machines.sim.pace import OutOfTime

from .call import Call
from .filesystem import ShellFs
from .programs import PROGRAMS
from .tree import BACKGROUND_BEGINS, BACKGROUND_ENDS, call_of, tree_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from just_bash.interpreter.types import VariableStore

    from drums.local.machines.sim.guest import Guest
    from drums.local.machines.sim.pace import Pace

    from .call import Desk, Program

TAKEN_OVER = """
basename clear column comm cut diff dirname du echo env expand expr false fgrep file fold gunzip gzip head history
join jq nl od paste printenv printf pwd read readlink rev seq shuf split strings tac tail tee tr tree true unexpand
uniq wc which zcat
"""
"""The commands that are taken over: what an Ubuntu desktop has, and what reaches nothing but the disk."""
PROGRAM_NAMES = tuple(sorted({*TAKEN_OVER.split(), *PROGRAMS}))

PROGRAM_FOLDERS = ("/bin", "/usr/bin")
"""Where programs are called by a path; there is nothing to see in these folders."""

COMMAND_LIMIT = 20_000
"""Statements that one run may execute, in all its subshells together."""
LOOP_LIMIT = 10_000
OUTPUT_LIMIT_CHARS = 16 * 1024 * 1024
VARIABLE_LIMIT_CHARS = 2 * 1024 * 1024
"""As much as Linux takes for a command's arguments in all."""
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
INTERNAL = {"?": "0", "SHLVL": "1", "OPTIND": "1", "BASH_VERSION": "5.2.15(1)-release"}
EXPORTED = "x"
"""just-bash's mark of a variable that programs are given."""


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
        self.variables: dict[str, str] = {}
        """Those of the shell; watched, because a variable can double with every statement."""
        self._pace = pace
        self._statements = 0
        super().__init__(max_loop_iterations=LOOP_LIMIT, max_command_count=COMMAND_LIMIT)

    @property
    def max_command_count(self) -> int:
        """The limit; 0 once it is reached."""
        self._pace.check()
        demand_short(self.variables)
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
        demand_short(ctx.env)
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
        return _bounded(await self._program(args, Call(fs.guest, fs.desk, fs.pace, ctx, run_inside)))


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


def demand_short(variables: dict[str, str]) -> None:
    """Refuse variables that hold too much.

    Raises:
        ExecutionLimitError: One does.
    """
    if any(len(value) > VARIABLE_LIMIT_CHARS for value in variables.values()):
        raise ExecutionLimitError(f"a variable is longer than {VARIABLE_LIMIT_CHARS} characters", "variables")


def _fs(ctx: CommandContext) -> _SessionFs:
    return cast("_SessionFs", ctx.fs)


def _bounded(result: ExecResult) -> ExecResult:
    if len(result.stdout) + len(result.stderr) > OUTPUT_LIMIT_CHARS:
        return ExecResult(stderr="bash: the output is larger than the simulated desktop can hold\n", exit_code=FAILED)
    return result


class _Mark:
    """Where something in the background begins or ends; see tree.py."""

    def __init__(self, name: str, *, begins: bool) -> None:
        self.name = name
        self._begins = begins

    async def execute(self, args: list[str], ctx: CommandContext) -> ExecResult:  # noqa: ARG002  a command's signature
        _fs(ctx).pace.background(begins=self._begins)
        return ExecResult()


def _commands() -> dict[str, Command]:
    theirs = create_command_registry()
    taken: dict[str, Command] = {name: _Paced(name, theirs[name]) for name in TAKEN_OVER.split()}
    own: dict[str, Command] = {name: _Own(name, program) for name, program in PROGRAMS.items()}
    marks: dict[str, Command] = {
        BACKGROUND_BEGINS: _Mark(BACKGROUND_BEGINS, begins=True),
        BACKGROUND_ENDS: _Mark(BACKGROUND_ENDS, begins=False),
    }
    by_name = taken | own
    by_path = {f"{folder}/{name}": command for folder in PROGRAM_FOLDERS for name, command in by_name.items()}
    return by_name | by_path | marks


COMMANDS = _commands()


async def run(guest: Guest, desk: Desk, pace: Pace, script: str | Sequence[str], folder: str = HOME) -> Ran:
    """Run a script as the desktop's user.

    Args:
        guest: The desktop.
        desk: Its windows, for programs that open some.
        pace: The script's time.
        script: What to run: a text in bash's language, or a program with its arguments.
        folder: Where to run it.

    Raises:
        OutOfTime: It did not come to an end.
    """
    state = InterpreterState(cwd=folder)
    cast("dict[str, str]", state.env).update({**ENVIRONMENT, **INTERNAL, "PWD": folder})
    for name in (*ENVIRONMENT, "PWD"):
        state.env.set_attribute(name, EXPORTED)
    fs = _SessionFs(guest, desk, pace)
    guest.processes = guest.processes.came_and_went()
    result = await _executed(fs, Limits(pace), state, script)
    # A command may have caught the exception and gone on to its end.
    pace.check()
    return Ran(result.exit_code, printable(result.stdout), printable(result.stderr), state.cwd)


async def run_inside(
    context: CommandContext, script: str | Sequence[str], stdin: str, variables: Mapping[str, str]
) -> ExecResult:
    """Run a script in a shell of its own that a running command starts.

    Args:
        context: The command.
        script: What to run, as for `run`.
        stdin: What it reads.
        variables: Those that it has besides the command's.

    Raises:
        OutOfTime: It did not come to an end.
    """
    outer = cast("VariableStore", context.env)
    state = InterpreterState(env=outer.copy(), cwd=context.cwd, group_stdin=stdin or None)
    cast("dict[str, str]", state.env).update(variables)
    limits = cast("Limits", context.limits)
    try:
        return await _executed(_fs(context), limits, state, script)
    finally:
        limits.variables = outer


async def _executed(fs: _SessionFs, limits: Limits, state: InterpreterState, script: str | Sequence[str]) -> ExecResult:
    limits.variables = state.env
    try:
        tree = tree_of(script) if isinstance(script, str) else call_of(script)
        return await Interpreter(fs, COMMANDS, limits, state).execute_script(tree)
    except OutOfTime:
        raise
    except ExitError as error:
        return ExecResult(error.stdout, error.stderr, error.exit_code)
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
