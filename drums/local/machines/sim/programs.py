"""The programs of a simulated desktop that just-bash does not have, or has in a form that a desktop can't use.

Each is a coroutine in a table, from arguments and a call to what it printed and returned. Invariant: a program
reaches nothing but its call: the desktop's disk, clock and windows. None touches the host.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from just_bash import ExecResult, ParseException

from .disk import ROOT
from .pace import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from just_bash import CommandContext

    from drums.local.machines.machine import Process

    from .guest import Guest
    from .pace import Pace

    Program = Callable[[list[str], "Call"], Awaitable[ExecResult]]

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

    def path(self, argument: str) -> str:
        """An argument as an absolute path."""
        return self.shell.fs.resolve_path(self.shell.cwd, argument)

    async def run(self, script: str, variables: Mapping[str, str] | None = None) -> ExecResult:
        """Run a script in a shell of its own, in the same folder."""
        assert self.shell.exec is not None  # noqa: S101  just-bash always gives it
        try:
            return await self.shell.exec(script, {"env": dict(variables or {"SHLVL": "2"}), "cwd": self.shell.cwd})
        except ParseException as error:
            return ExecResult(stderr=f"bash: {error}\n", exit_code=2)


def done(text: str = "", returncode: int = 0) -> ExecResult:
    """What a program printed."""
    return ExecResult(stdout=text, exit_code=returncode)


def refused(text: str, returncode: int = 1) -> ExecResult:
    """What a program complained about."""
    return ExecResult(stderr=f"{text}\n", exit_code=returncode)


# Shells and interpreters.


async def bash(args: list[str], call: Call) -> ExecResult:
    """`bash -c SCRIPT [NAME [ARG…]]`, `bash FILE [ARG…]`, or the script on the standard input."""
    flags: list[str] = []
    rest = list(args)
    while rest and re.fullmatch(r"[-+][A-Za-z]+|--[a-z]+", rest[0]) and rest[0] not in {"-c", "-lc", "-ic", "-ec"}:
        flags.append(rest.pop(0))
        if flags[-1] in {"-o", "+o", "-O", "+O"} and rest:
            flags.append(rest.pop(0))
    if rest and rest[0].endswith("c") and rest[0].startswith("-"):
        flag, *rest = rest
        if not rest:
            return refused("bash: -c: option requires an argument", 2)
        script, *names = rest
        errexit = "e" in flag or "-e" in flags
        return await _script(script, names[0] if names else "bash", names[1:], call, errexit=errexit)
    if not rest:
        return await _script(call.shell.stdin, "bash", [], call, errexit="-e" in flags)
    try:
        script = await call.shell.fs.read_file(call.path(rest[0]))
    except OSError as error:
        return refused(f"bash: {rest[0]}: {error}", NOT_FOUND)
    return await _script(script, rest[0], rest[1:], call, errexit="-e" in flags)


async def _script(script: str, name: str, args: list[str], call: Call, *, errexit: bool) -> ExecResult:
    joined = " ".join(args)
    positional = {str(number): arg for number, arg in enumerate(args, start=1)}
    script = re.sub(r"\A#![^\n]*\n", "\n", script)
    return await call.run(
        ("set -e\n" if errexit else "") + script,
        {"0": name, "#": str(len(args)), "@": joined, "*": joined, **positional},
    )


async def python(args: list[str], call: Call) -> ExecResult:
    """`python -c CODE`, `python FILE`, or the code on the standard input."""
    rest = [arg for arg in args if arg not in {"-u", "-B", "-I", "-s", "-E"}]
    if rest[:1] in (["--version"], ["-V"]):
        return done("Python 3.11.0\n")
    if rest[:1] == ["-c"]:
        if len(rest) < 2:
            return refused("Argument expected for the -c option", 2)
        return await call.desk.run_python(rest[1], call.pace)
    if rest[:1] in ([], ["-"]):
        return await call.desk.run_python(call.shell.stdin, call.pace)
    if rest[0].startswith("-"):
        return refused(f"python: the simulated desktop does not know the option {rest[0]}", 2)
    try:
        code = await call.shell.fs.read_file(call.path(rest[0]))
    except OSError as error:
        return refused(f"python: can't open file '{call.path(rest[0])}': [Errno {error.errno}] {error}", 2)
    return await call.desk.run_python(code, call.pace)


async def sudo(args: list[str], call: Call) -> ExecResult:
    """`sudo [-SnEkb] [-u USER] COMMAND`: as root, whatever password comes."""
    rest = list(args)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option == "--":
            break
        if option in {"-u", "-g", "-p", "--user", "--group", "--prompt"} and rest:
            rest.pop(0)
    if not rest:
        return done()
    actor, call.guest.disk.actor = call.guest.disk.actor, ROOT
    try:
        return await call.run(shlex.join(rest), {"USER": ROOT, "SUDO_USER": "user"})
    finally:
        call.guest.disk.actor = actor


# Time.


async def sleep(args: list[str], call: Call) -> ExecResult:
    """`sleep NUMBER[smhd]…`: the desktop's time goes on, nobody waits."""
    if not args:
        return refused("sleep: missing operand")
    spans = [_span(arg) for arg in args]
    for arg, span in zip(args, spans, strict=True):
        if span is None:
            return refused(f"sleep: invalid time interval '{arg}'")
    call.pace.sleep(sum(span for span in spans if span is not None))
    return done()


async def timeout(args: list[str], call: Call) -> ExecResult:
    """`timeout [-k SPAN] [-s SIGNAL] SPAN COMMAND…`: 124 where the command takes longer, in the desktop's time."""
    rest = list(args)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option in {"-k", "-s", "--kill-after", "--signal"} and rest:
            rest.pop(0)
    span = _span(rest[0]) if rest else None
    if span is None or len(rest) < 2:
        return refused("Usage: timeout DURATION COMMAND [ARG]...", 125)
    try:
        with call.pace.within(span or float("inf")):
            return await call.run(shlex.join(rest[1:]))
    except OutOfTime:
        # The time that ended may be that of the whole command: then there is none left for us either.
        call.pace.check()
        return done(returncode=TIMED_OUT)


_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def _span(text: str) -> float | None:
    match = re.fullmatch(r"(\d+\.?\d*|\.\d+)([smhd]?)", text)
    return float(match[1]) * _UNITS[match[2]] if match else None


async def date(args: list[str], call: Call) -> ExecResult:
    """`date [-u] [-I] [-R] [-d TEXT] [+FORMAT]`, by the desktop's clock, in UTC."""
    now = datetime.fromtimestamp(call.guest.clock_s, UTC)
    form = "%a %b %d %H:%M:%S UTC %Y"
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg.startswith("+"):
            form = arg[1:]
        elif arg in {"-I", "--iso-8601"}:
            form = "%Y-%m-%d"
        elif arg in {"-R", "--rfc-email"}:
            form = "%a, %d %b %Y %H:%M:%S +0000"
        elif arg.startswith(("-d", "--date")):
            text = arg.partition("=")[2] or arg[2:] if arg not in {"-d", "--date"} else (rest.pop(0) if rest else "")
            moment = _moment(text, now)
            if moment is None:
                return refused(f"date: invalid date '{text}'")
            now = moment
        elif arg not in {"-u", "--utc"}:
            return refused(f"date: the simulated desktop does not know the option {arg}")
    return done(_formatted(now, form) + "\n")


def _moment(text: str, now: datetime) -> datetime | None:
    days = {"now": 0, "today": 0, "yesterday": -1, "tomorrow": 1}
    if text in days:
        return now + timedelta(days=days[text])
    try:
        if text.startswith("@"):
            return datetime.fromtimestamp(float(text[1:]), UTC)
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _formatted(moment: datetime, form: str) -> str:
    # What C libraries differ in is replaced first, so that every host prints the same.
    own = {
        "%s": str(int(moment.timestamp())),
        "%N": f"{moment.microsecond:06d}000",
        "%e": f"{moment.day:2d}",
        "%Z": "UTC",
        "%z": "+0000",
        "%F": "%Y-%m-%d",
        "%T": "%H:%M:%S",
        "%R": "%H:%M",
        "%D": "%m/%d/%y",
    }
    for directive, text in own.items():
        form = form.replace(directive, text)
    form = re.sub(r"%-([dmHMSIj])", lambda match: moment.strftime(f"%{match[1]}").lstrip("0") or "0", form)
    return moment.strftime(form)


# Windows and files.


def opener(app: str) -> Program:
    """A program that opens a window of one kind, on its first argument that is no option."""

    async def run(args: list[str], call: Call) -> ExecResult:
        paths = [call.path(arg) for arg in args if not arg.startswith("-")]
        call.desk.open_app(app, paths[0] if paths else None)
        return done()

    return run


async def terminal(args: list[str], call: Call) -> ExecResult:
    """`xterm`, `gnome-terminal`: a terminal in the current folder; what it is to run (`-e`) is not."""
    if {"-e", "-x", "--"} & set(args):
        return refused("the simulated desktop opens terminals only with a shell in them")
    call.desk.open_app("terminal", call.shell.cwd)
    return done()


async def xdg_open(args: list[str], call: Call) -> ExecResult:
    """`xdg-open PATH`."""
    if len(args) != 1:
        return refused("xdg-open: expected one file", 1)
    path = call.path(args[0].removeprefix("file://"))
    if call.guest.disk.find(path) is None:
        return refused(f"xdg-open: file '{args[0]}' does not exist", 2)
    call.desk.open_path(path)
    return done()


async def gio(args: list[str], call: Call) -> ExecResult:
    """`gio trash PATH…` and `gio open PATH`."""
    if args[:1] == ["open"]:
        return await xdg_open(args[1:], call)
    if args[:1] != ["trash"]:
        return refused("gio: the simulated desktop knows 'gio trash' and 'gio open'", 1)
    for arg in args[1:]:
        try:
            call.desk.trash(call.path(arg))
        except OSError as error:
            return refused(f"gio: {arg}: Error trashing file {call.path(arg)}: {error}")
    return done()


# Processes.


async def ps(_: list[str], call: Call) -> ExecResult:
    """`ps`: every process, whatever the options."""
    rows = [f"{process.pid:7d} ?        00:00:00 {process.name}" for process in _processes(call)]
    return done("    PID TTY          TIME CMD\n" + "\n".join(rows) + "\n")


async def pgrep(args: list[str], call: Call) -> ExecResult:
    """`pgrep [-f] NAME`: numbers of the processes whose name contains it."""
    pids = _named([arg for arg in args if not arg.startswith("-")], call)
    return done("".join(f"{pid}\n" for pid in pids), 0 if pids else 1)


async def kill(args: list[str], call: Call) -> ExecResult:
    """`kill [-SIGNAL] PID…`: every signal but 0 ends the process."""
    signal, pids = _signal(args)
    known = {process.pid for process in _processes(call)}
    for pid in pids:
        if not pid.isdigit():
            return refused(f"bash: kill: {pid}: arguments must be process or job IDs")
        if int(pid) not in known:
            return refused(f"bash: kill: ({pid}) - No such process")
        if signal != "0" and not call.desk.end_process(int(pid)):
            return refused(f"bash: kill: ({pid}) - Operation not permitted")
    return done()


async def pkill(args: list[str], call: Call) -> ExecResult:
    """`pkill [-SIGNAL] [-f] NAME` and `killall NAME`."""
    signal, names = _signal(args)
    pids = _named(names, call)
    ended = [pid for pid in pids if signal == "0" or call.desk.end_process(pid)]
    return done(returncode=0 if ended else 1)


def _signal(args: list[str]) -> tuple[str, list[str]]:
    options = [arg[1:] for arg in args if arg.startswith("-")]
    return (options[0] if options else "TERM"), [arg for arg in args if not arg.startswith("-")]


def _processes(call: Call) -> list[Process]:
    return sorted(call.guest.processes.table.values(), key=lambda process: process.pid)


def _named(names: list[str], call: Call) -> list[int]:
    return [process.pid for process in _processes(call) if any(name in process.name for name in names)]


# Facts.


def fact(text: str) -> Program:
    """A program that always prints the same."""

    async def run(_: list[str], __: Call) -> ExecResult:
        return done(text)

    return run


async def uname(args: list[str], _: Call) -> ExecResult:
    """`uname [-a]`."""
    return done("Linux drums 6.1.0 x86_64 GNU/Linux\n" if "-a" in args else "Linux\n")


async def whoami(_: list[str], call: Call) -> ExecResult:
    """`whoami`."""
    return done(f"{call.guest.disk.actor}\n")


async def user_id(args: list[str], call: Call) -> ExecResult:
    """`id [-u] [-n]`."""
    name = call.guest.disk.actor
    number = 0 if name == ROOT else 1000
    options = set("".join(arg[1:] for arg in args if arg.startswith("-")))
    if options & {"u", "g"}:
        return done(f"{name if 'n' in options else number}\n")
    return done(f"uid={number}({name}) gid={number}({name}) groups={number}({name})\n")


PROGRAMS: Mapping[str, Program] = {
    "bash": bash,
    "sh": bash,
    "python": python,
    "python3": python,
    "sudo": sudo,
    "sleep": sleep,
    "timeout": timeout,
    "date": date,
    "xterm": terminal,
    "gnome-terminal": terminal,
    "x-terminal-emulator": terminal,
    "gedit": opener("editor"),
    "gnome-text-editor": opener("editor"),
    "mousepad": opener("editor"),
    "nautilus": opener("files"),
    "thunar": opener("files"),
    "xdg-open": xdg_open,
    "gio": gio,
    "ps": ps,
    "pgrep": pgrep,
    "kill": kill,
    "pkill": pkill,
    "killall": pkill,
    "hostname": fact("drums\n"),
    "nproc": fact("1\n"),
    "uname": uname,
    "whoami": whoami,
    "id": user_id,
}
"""Every program of our own, by name."""
