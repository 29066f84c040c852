"""Programs about windows, files on show and processes: openers, gio, ps, kill.

Invariant: they act through the session's own deeds, as the mouse and the keyboard do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .call import Call, done, refused

if TYPE_CHECKING:
    from just_bash import ExecResult

    from drums.local.machines.machine import Process

    from .call import Program


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
