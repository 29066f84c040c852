"""Programs that run others: bash, python, sudo, nohup, xargs.

Invariant: what they run has no more time and reaches no more than they do.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace

from just_bash import ExecResult

from drums.local.machines.sim.files.disk import ROOT

from .call import NOT_FOUND, Call, done, refused

SOME_FAILED = 123
"""What xargs returns when a command failed."""


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
        return await _script(call.shell.stdin, "bash", [], call, errexit="-e" in flags, stdin="")
    try:
        script = await call.shell.fs.read_file(call.path(rest[0]))
    except OSError as error:
        return refused(f"bash: {rest[0]}: {error}", NOT_FOUND)
    return await _script(script, rest[0], rest[1:], call, errexit="-e" in flags)


async def _script(
    script: str, name: str, args: list[str], call: Call, *, errexit: bool, stdin: str | None = None
) -> ExecResult:
    joined = " ".join(args)
    positional = {str(number): arg for number, arg in enumerate(args, start=1)}
    script = re.sub(r"\A#![^\n]*\n", "\n", script)
    return await call.run(
        ("set -e\n" if errexit else "") + script,
        {"0": name, "#": str(len(args)), "@": joined, "*": joined, **positional},
        stdin,
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


async def prefix(args: list[str], call: Call) -> ExecResult:
    """`nohup COMMAND`, `setsid COMMAND`: the command, and nothing else."""
    return await call.run(args) if args else refused("missing operand", 125)


@dataclass(frozen=True, slots=True)
class _Batching:
    """How xargs makes commands of what it reads."""

    command: tuple[str, ...]
    count: int = 0
    """Most items of a command; 0: all."""
    place: str = ""
    """What stands for an item in the command; then each line is one."""
    cut: str = ""
    """What is between items; empty: blanks and line ends, with quotes."""
    when_empty: bool = True

    @classmethod
    def read(cls, args: list[str]) -> _Batching:
        """From xargs's arguments."""
        rest, found = list(args), cls(())
        while rest and rest[0].startswith("-") and rest[0] != "-":
            option = rest.pop(0)
            name, value = option[:2], option[2:]
            if name in {"-n", "-I", "-d", "-L", "-P"} and not value and rest:
                value = rest.pop(0)
            match name:
                case "-n" | "-L" if value.isdigit():
                    found = replace(found, count=int(value))
                case "-I":
                    found = replace(found, place=value)
                case "-0" | "-d":
                    found = replace(found, cut=value.replace("\\n", "\n") or "\0")
                case "-r":
                    found = replace(found, when_empty=False)
                case _:
                    pass
        return replace(found, command=tuple(rest or ["echo"]))

    def items(self, text: str) -> list[str]:
        """What was read, item by item."""
        if not text:
            return []
        if self.cut:
            return text.removesuffix(self.cut).split(self.cut)
        return text.splitlines() if self.place else _words(text)

    def commands(self, items: list[str]) -> list[list[str]]:
        """The commands to run."""
        if self.place:
            return [[part.replace(self.place, item) for part in self.command] for item in items]
        size = self.count or max(len(items), 1)
        groups = [items[at : at + size] for at in range(0, len(items), size)]
        return [[*self.command, *group] for group in groups or ([[]] if self.when_empty else [])]


async def xargs(args: list[str], call: Call) -> ExecResult:
    """`xargs [-0r] [-n COUNT] [-I PLACE] [-d DELIMITER] [COMMAND…]`: what it reads becomes arguments."""
    batching = _Batching.read(args)
    commands = batching.commands(batching.items(call.shell.stdin))
    results = [await call.run(command, stdin="") for command in commands]
    return ExecResult(
        "".join(result.stdout for result in results),
        "".join(result.stderr for result in results),
        SOME_FAILED if any(result.exit_code for result in results) else 0,
    )


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


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
        return await call.run(rest, {"USER": ROOT, "SUDO_USER": "user"})
    finally:
        call.guest.disk.actor = actor
