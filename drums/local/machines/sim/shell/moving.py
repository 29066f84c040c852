"""Programs that move, copy and make: mv, cp, mkdir, rmdir, umask.

just-bash's own refuse usual options. Invariant: what they refuse, they refuse in the words of GNU's programs, since
scripts look at them.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from just_bash import ExecResult

from drums.local.machines.sim.files.tree import File, Folder

from .call import Call, done, refused

if TYPE_CHECKING:
    from collections.abc import Callable

_LETTERS = re.compile(r"-[a-zA-Z]+")
_WORDS = {
    "--recursive": "r",
    "--archive": "a",
    "--force": "f",
    "--no-clobber": "n",
    "--no-target-directory": "T",
    "--verbose": "v",
    "--parents": "p",
    "--preserve": "p",
    "--no-dereference": "P",
}


def _read(args: list[str], known: str) -> tuple[str, list[str], str | None]:
    """The letters of the options, the rest, and an option that is not known."""
    letters, names = "", list[str]()
    for at, arg in enumerate(args):
        if arg == "--":
            names += args[at + 1 :]
            break
        if _LETTERS.fullmatch(arg):
            letters += arg[1:]
        elif arg.startswith("--"):
            letters += _WORDS.get(arg.partition("=")[0], "?")
        else:
            names.append(arg)
    return letters, names, next((letter for letter in letters if letter not in known), None)


async def mv(args: list[str], call: Call) -> ExecResult:
    """`mv [-finvT] SOURCE… TARGET`."""
    letters, names, strange = _read(args, "finvTu")
    if strange is not None:
        return refused(f"mv: invalid option -- '{strange}'")
    return _each("mv", letters, names, call, lambda source, target: _move(source, target, call))


def _move(source: str, target: str, call: Call) -> str | None:
    disk = call.guest.disk
    if target.startswith(source + "/"):
        return f"cannot move '{source}' to a subdirectory of itself, '{target}'"
    old = disk.find(target, follow=False)
    node = disk.look(source, follow=False)
    if old is not None and isinstance(node, Folder) and not isinstance(old, Folder):
        return f"cannot overwrite non-directory '{target}' with directory '{source}'"
    if isinstance(old, Folder) and not isinstance(node, Folder):
        return f"cannot overwrite directory '{target}' with non-directory"
    try:
        disk.move(source, target)
    except OSError as error:
        return f"cannot move '{source}' to '{target}': {error}"
    return None


async def cp(args: list[str], call: Call) -> ExecResult:
    """`cp [-rRafinpvTPd] SOURCE… TARGET`; `-a` keeps links, times and permissions."""
    letters, names, strange = _read(args, "rRafinpvTPdux")
    if strange is not None:
        return refused(f"cp: invalid option -- '{strange}'")
    deep, whole = bool(set(letters) & set("rRa")), "a" in letters or {"d", "P"} & set(letters)

    def copy(source: str, target: str) -> str | None:
        disk = call.guest.disk
        if isinstance(disk.look(source, follow=not whole), Folder):
            if not deep:
                return f"-r not specified; omitting directory '{source}'"
            if f"{target}/".startswith(f"{source}/"):
                return f"cannot copy a directory, '{source}', into itself, '{target}'"
        try:
            if whole and not disk.is_folder(target):
                disk.clone(source, target)
            else:
                disk.copy(source, target, recursive=deep)
        except OSError as error:
            return f"cannot create '{target}': {error}"
        return None

    return _each("cp", letters, names, call, copy)


def _each(program: str, letters: str, names: list[str], call: Call, do: Callable[[str, str], str | None]) -> ExecResult:
    """Do something with each source and its target, as mv and cp find them."""
    disk = call.guest.disk
    if not names:
        return refused(f"{program}: missing file operand")
    if len(names) == 1:
        return refused(f"{program}: missing destination file operand after '{names[0]}'")
    *sources, place = names
    into = disk.is_folder(call.path(place)) and "T" not in letters
    if not into and len(sources) > 1:
        return refused(f"{program}: target '{place}': Not a directory")
    told: list[str] = []
    complaints: list[str] = []
    for name in sources:
        shown = posixpath.join(place, posixpath.basename(name.rstrip("/"))) if into else place
        source, target = call.path(name), call.path(shown)
        if "n" in letters and disk.find(target, follow=False) is not None:
            continue
        try:
            disk.look(source, follow=False)
            complaint = f"'{name}' and '{shown}' are the same file" if source == target else do(source, target)
        except OSError as error:
            complaint = f"cannot stat '{name}': {error}"
        if complaint is None:
            told.append(f"{'renamed ' if program == 'mv' else ''}'{name}' -> '{shown}'\n")
        else:
            complaints.append(f"{program}: {complaint}\n")
    return ExecResult("".join(told) if "v" in letters else "", "".join(complaints), 1 if complaints else 0)


async def mkdir(args: list[str], call: Call) -> ExecResult:
    """`mkdir [-pv] [-m MODE] FOLDER…`."""
    rest, mode = list(args), None
    for at, arg in enumerate(rest):
        found = re.fullmatch(r"(?:-([pv]*)m|--mode=)([0-7]{3,4})?", arg)
        if found is not None:
            text = found[2] or (rest.pop(at + 1) if at + 1 < len(rest) else "")
            if not re.fullmatch(r"[0-7]{3,4}", text):
                return refused(f"mkdir: invalid mode '{text}'")
            mode, rest[at] = int(text, 8), f"-{found[1]}" if found[1] else "-v"
            break
    letters, names, strange = _read(rest, "pv")
    if strange is not None:
        return refused(f"mkdir: invalid option -- '{strange}'")
    if not names:
        return refused("mkdir: missing operand")
    complaints: list[str] = []
    for name in names:
        path = call.path(name)
        try:
            new = call.guest.disk.find(path) is None
            if "p" in letters:
                _demand_folders(posixpath.dirname(path), call)
            call.guest.disk.make_folder(path, parents="p" in letters)
            if mode is not None and new:
                call.guest.disk.set_mode(path, mode)
        except OSError as error:
            complaints.append(f"mkdir: cannot create directory '{name}': {error}\n")
    return ExecResult("", "".join(complaints), 1 if complaints else 0)


def _demand_folders(path: str, call: Call) -> None:
    """Refuse a path on which there is a file: what is to be made below can't be."""
    while path != "/":
        if isinstance(call.guest.disk.find(path), File):
            raise NotADirectoryError("Not a directory")
        path = posixpath.dirname(path)


async def rmdir(args: list[str], call: Call) -> ExecResult:
    """`rmdir [-pv] FOLDER…`."""
    letters, names, strange = _read(args, "pv")
    if strange is not None:
        return refused(f"rmdir: invalid option -- '{strange}'")
    complaints: list[str] = []
    for name in names:
        path = call.path(name)
        while path != "/":
            try:
                if not isinstance(call.guest.disk.look(path, follow=False), Folder):
                    raise NotADirectoryError("Not a directory")
                call.guest.disk.remove(path)
            except OSError as error:
                complaints.append(f"rmdir: failed to remove '{name}': {error}\n")
                break
            path = posixpath.dirname(path) if "p" in letters else "/"
    return ExecResult("", "".join(complaints), 1 if complaints else 0)


async def umask(args: list[str], _: Call) -> ExecResult:
    """`umask [MODE]`: what is made in a simulated desktop has the usual permissions whatever is asked for."""
    if args and not re.fullmatch(r"[0-7]{1,4}", args[0]):
        return refused(f"bash: umask: {args[0]}: octal number out of range")
    return done() if args else done("0022\n")
