"""Programs about paths and what is at them: stat, realpath, ln, rm, chmod, cmp.

just-bash's own show less than asked, refuse usual options, or are missing. Invariant: what they print and refuse is
what the disk tells.
"""

from __future__ import annotations

import posixpath
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from just_bash import ExecResult
from just_bash.commands import create_command_registry

from drums.local.machines.sim.files.disk import ROOT
from drums.local.machines.sim.files.tree import File, Folder, Link

from .call import Call, done, refused
from .folders import mode_text

if TYPE_CHECKING:
    from just_bash import Command

    from drums.local.machines.sim.files.tree import Node

_CHMOD: Command = create_command_registry()["chmod"]
BLOCK_BYTES = 512
EVERYTHING = "  File: %N\n  Size: %s\tBlocks: %b\t%F\nAccess: (0%a/%A)  Uid: %U  Gid: %G\nModify: %y"


def kind_of(node: Node) -> str:
    """What stat calls it."""
    if isinstance(node, Folder):
        return "directory"
    if isinstance(node, Link):
        return "symbolic link"
    return "regular file" if node.size_bytes else "regular empty file"


async def stat(args: list[str], call: Call) -> ExecResult:
    """`stat [-L] [-c FORMAT | --printf=FORMAT] FILE…`."""
    form, end, follow = EVERYTHING, "\n", False
    names: list[str] = []
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg in {"-c", "--format"} and rest:
            form = rest.pop(0)
        elif arg.startswith(("--format=", "-c")):
            form = arg.removeprefix("--format=").removeprefix("-c")
        elif arg.startswith("--printf="):
            form, end = arg.removeprefix("--printf=").replace("\\n", "\n").replace("\\t", "\t"), ""
        elif arg in {"-L", "--dereference"}:
            follow = True
        elif arg == "--":
            names += rest
            rest.clear()
        elif arg.startswith("-"):
            return refused(f"stat: the simulated desktop does not know the option {arg}")
        else:
            names.append(arg)
    if not names:
        return refused("stat: missing operand")
    shown: list[str] = []
    complaints: list[str] = []
    for name in names:
        try:
            shown.append(_described(name, call.guest.disk.look(call.path(name), follow=follow), form) + end)
        except OSError as error:
            complaints.append(f"stat: cannot statx '{name}': {error}\n")
    return ExecResult("".join(shown), "".join(complaints), 1 if complaints else 0)


def _described(name: str, node: Node, form: str) -> str:
    size = len(node.target) if isinstance(node, Link) else node.size_bytes if isinstance(node, File) else 4096
    owner = 0 if node.owner == ROOT else 1000
    arrow = f" -> '{node.target}'" if isinstance(node, Link) else ""
    facts = {
        "%n": name,
        "%N": f"'{name}'{arrow}",
        "%s": str(size),
        "%b": str(-(-size // 4096) * (4096 // BLOCK_BYTES)),
        "%a": f"{node.mode:o}",
        "%A": mode_text(node),
        "%F": kind_of(node),
        "%U": node.owner,
        "%G": node.owner,
        "%u": str(owner),
        "%g": str(owner),
        "%h": "1",
        "%Y": str(int(node.mtime)),
        "%y": f"{datetime.fromtimestamp(node.mtime, UTC):%Y-%m-%d %H:%M:%S.%f}000 +0000",
        "%%": "%",
    }
    return re.sub("%.", lambda match: facts.get(match[0], "?"), form)


async def realpath(args: list[str], call: Call) -> ExecResult:
    """`realpath [-emsq] PATH…`: every link followed; but for the last part the path must exist (with `-e` that too)."""
    letters = "".join(arg[1:] for arg in args if re.fullmatch(r"-[emsqz]+", arg))
    names = [arg for arg in args if not arg.startswith("-")]
    if not names:
        return refused("realpath: missing operand")
    shown: list[str] = []
    complaints: list[str] = []
    for name in names:
        path = call.path(name)
        try:
            if "e" in letters:
                call.guest.disk.look(path)
            shown.append((path if "s" in letters else call.guest.disk.real_path(path)) + "\n")
        except OSError as error:
            if "m" in letters:
                shown.append(path + "\n")
            else:
                complaints.append(f"realpath: {name}: {error}\n")
    return ExecResult("".join(shown), "".join(complaints), 1 if complaints else 0)


async def ln(args: list[str], call: Call) -> ExecResult:
    """`ln [-sfnTvr] TARGET [NAME]` and `ln [-s…] TARGET… FOLDER`. A hard link is a copy: the simulator knows none."""
    letters = "".join(arg[1:] for arg in args if re.fullmatch(r"-[a-zA-Z]+", arg))
    strange = [letter for letter in letters if letter not in "sfnTvr"]
    if strange:
        return refused(f"ln: invalid option -- '{strange[0]}'")
    names = [arg for arg in args if not re.fullmatch(r"-[a-zA-Z]+|--", arg)]
    if not names:
        return refused("ln: missing file operand")
    if len(names) == 1:
        names.append(".")
    *targets, place = names
    disk = call.guest.disk
    into = disk.is_folder(call.path(place)) and "T" not in letters
    if into and "n" in letters and isinstance(disk.find(call.path(place), follow=False), Link):
        into = False
    if len(targets) > 1 and not into:
        return refused(f"ln: target '{place}': No such file or directory")
    for target in targets:
        path = call.path(posixpath.join(place, posixpath.basename(target.rstrip("/"))) if into else place)
        try:
            if "f" in letters and disk.find(path, follow=False) is not None:
                disk.remove(path)
            if "s" in letters:
                points_to = posixpath.relpath(call.path(target), posixpath.dirname(path)) if "r" in letters else target
                await call.shell.fs.symlink(points_to, path)
            elif disk.find(path, follow=False) is not None:
                return refused(f"ln: failed to create hard link '{path}': File exists")
            else:
                disk.copy(call.path(target), path)
        except OSError as error:
            return refused(f"ln: failed to create link '{path}': {error}")
    return done()


async def rm(args: list[str], call: Call) -> ExecResult:
    """`rm [-rRfvid] PATH…`: a link is removed, not what it points to; it never asks."""
    letters = "".join(arg[1:] for arg in args if re.fullmatch(r"-[a-zA-Z]+", arg))
    strange = [letter for letter in letters if letter not in "rRfviId"]
    if strange:
        return refused(f"rm: invalid option -- '{strange[0]}'")
    deep, force = bool(set(letters) & set("rR")) or "--recursive" in args, "f" in letters or "--force" in args
    names = [arg for arg in args if not re.fullmatch(r"-[a-zA-Z]+|--(recursive|force|verbose)?", arg)]
    if not names:
        return done() if force else refused("rm: missing operand")
    told: list[str] = []
    complaints: list[str] = []
    for name in names:
        path = call.path(name)
        node = call.guest.disk.find(path, follow=False)
        if isinstance(node, Folder) and not deep and not ("d" in letters and not node.entries):
            complaints.append(f"rm: cannot remove '{name}': Is a directory\n")
            continue
        try:
            await call.shell.fs.rm(path, recursive=deep, force=force)
            told.append(f"removed '{name}'\n")
        except OSError as error:
            complaints.append(f"rm: cannot remove '{name}': {error}\n")
    return ExecResult("".join(told) if "v" in letters else "", "".join(complaints), 1 if complaints else 0)


async def chmod(args: list[str], call: Call) -> ExecResult:
    """`chmod` of just-bash, which takes a mode such as `-w` for options."""
    mode = next((index for index, arg in enumerate(args) if not re.fullmatch(r"-[Rvcf]+|--\w+", arg)), None)
    if mode is not None and re.fullmatch(r"-[rwxXst]+", args[mode]):
        args = [*args[:mode], f"a{args[mode]}", *args[mode + 1 :]]
    return await _CHMOD.execute(args, call.shell)


async def cmp(args: list[str], call: Call) -> ExecResult:
    """`cmp [-s] FILE FILE`."""
    names = [arg for arg in args if not arg.startswith("-")]
    if len(names) != 2:
        return refused("cmp: missing operand", 2)
    contents: list[bytes] = []
    for name in names:
        try:
            contents.append(await call.shell.fs.read_file_bytes(call.path(name)))
        except OSError as error:
            return refused(f"cmp: {name}: {error}", 2)
    left, right = contents
    if left == right:
        return done()
    at = next((i for i, (one, other) in enumerate(zip(left, right, strict=False)) if one != other), None)
    if at is None:
        shorter = names[0] if len(left) < len(right) else names[1]
        return ExecResult("", f"cmp: EOF on {shorter} after byte {min(map(len, contents))}\n", 1)
    text = f"{names[0]} {names[1]} differ: byte {at + 1}, line {left[:at].count(10) + 1}\n"
    return done("" if "-s" in args or "--silent" in args else text, 1)
