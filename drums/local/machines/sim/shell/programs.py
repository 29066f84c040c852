"""Every program of a simulated desktop that is our own: just-bash lacks it, or has it as a desktop can't use it.

Invariant: a name stands for one program, in a terminal, in a script and in an action alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums.local.machines.sim.files.disk import ROOT

from .archives import tar, unzip, zip_
from .bc import bc
from .call import Call, done
from .content import base64, dd, summing
from .desk import gio, kill, opener, pgrep, pkill, ps, terminal, xdg_open
from .find import find
from .folders import cat, ls, mktemp, touch
from .mended import awk, egrep, grep, sed, sort
from .moving import cp, mkdir, mv, rmdir, umask
from .paths import chmod, cmp, ln, realpath, rm, stat
from .runners import bash, prefix, python, sudo, xargs
from .scheduling import crontab
from .settings import gsettings
from .timing import date, sleep, timeout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from just_bash import ExecResult

    from .call import Program


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
    "base64": base64,
    "dd": dd,
    "md5sum": summing("md5sum", "md5"),
    "sha1sum": summing("sha1sum", "sha1"),
    "sha256sum": summing("sha256sum", "sha256"),
    "sha512sum": summing("sha512sum", "sha512"),
    "mv": mv,
    "cp": cp,
    "mkdir": mkdir,
    "rmdir": rmdir,
    "umask": umask,
    "cat": cat,
    "ls": ls,
    "find": find,
    "mktemp": mktemp,
    "touch": touch,
    "stat": stat,
    "realpath": realpath,
    "ln": ln,
    "rm": rm,
    "chmod": chmod,
    "cmp": cmp,
    "grep": grep,
    "egrep": egrep,
    "awk": awk,
    "sed": sed,
    "sort": sort,
    "tar": tar,
    "zip": zip_,
    "unzip": unzip,
    "bc": bc,
    "crontab": crontab,
    "gsettings": gsettings,
    "bash": bash,
    "sh": bash,
    "python": python,
    "python3": python,
    "sudo": sudo,
    "nohup": prefix,
    "xargs": xargs,
    "setsid": prefix,
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
