"""Programs that run others: bash, python, sudo, nohup.

Invariant: what they run has no more time and reaches no more than they do.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from drums.local.machines.sim.files.disk import ROOT

from .call import NOT_FOUND, Call, done, refused

if TYPE_CHECKING:
    from just_bash import ExecResult


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
    return await call.run(shlex.join(args)) if args else refused("missing operand", 125)


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
