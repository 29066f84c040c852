"""Programs about files: cat, ls, mktemp, touch.

just-bash's own add a line end to what has none, show times and owners that are none of the files', and ask the host's
clock. Invariant: what they print is what is on the disk.
"""

from __future__ import annotations

import posixpath
import re
import stat
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from drums.local.machines.sim.files.tree import Folder, Link

from .call import Call, done, refused
from .timing import moment_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from just_bash import ExecResult

    from drums.local.machines.sim.files.tree import Node

LS_FLAGS = frozenset("laA1dhtSrRFpin")
FOLDER_BYTES = 4096


async def cat(args: list[str], call: Call) -> ExecResult:
    """`cat [-nbsETA] [FILE…]`."""
    flags = "".join(arg[1:] for arg in args if re.fullmatch(r"-[a-zA-Z]+", arg))
    texts: list[str] = []
    complaints: list[str] = []
    for name in [arg for arg in args if arg == "-" or not arg.startswith("-")] or ["-"]:
        try:
            texts.append(call.shell.stdin if name == "-" else await call.shell.fs.read_file(call.path(name)))
        except OSError as error:
            complaints.append(f"cat: {name}: {error}\n")
    text = "".join(texts)
    result = done(_shown(text, flags) if flags else text, 1 if complaints else 0)
    result.stderr = "".join(complaints)
    return result


def _shown(text: str, flags: str) -> str:
    """Text with lines numbered, and ends and tabs shown, as the flags ask."""
    if "s" in flags:
        text = re.sub(r"\n{3,}", "\n\n", text)
    shown: list[str] = []
    number = 0
    for line in text.splitlines(keepends=True):
        body, end = (line[:-1], "\n") if line.endswith("\n") else (line, "")
        if set(flags) & set("TAt"):
            body = body.replace("\t", "^I")
        if set(flags) & set("EAe"):
            end = end.replace("\n", "$\n")
        if "n" in flags or ("b" in flags and body):
            number += 1
            body = f"{number:6d}\t{body}"
        shown.append(body + end)
    return "".join(shown)


async def ls(args: list[str], call: Call) -> ExecResult:
    """`ls [-laA1dhtSrRFpi] [PATH…]`."""
    flags = "".join(arg[1:] for arg in args if re.fullmatch(r"-[a-zA-Z0-9]+", arg))
    unknown = [flag for flag in flags if flag not in LS_FLAGS]
    if unknown:
        return refused(f"ls: invalid option -- '{unknown[0]}'", 2)
    names = [arg for arg in args if not arg.startswith("-")] or ["."]
    blocks: list[str] = []
    files: dict[str, Node] = {}
    complaints: list[str] = []
    for name in names:
        try:
            node = call.guest.disk.look(
                call.path(name), follow=not {"l", "d"} & set(flags) or name.endswith(("/", "/."))
            )
            if isinstance(node, Folder) and "d" not in flags:
                blocks += await _folder_blocks(name, flags, call, titled=len(names) > 1 or "R" in flags)
            else:
                files[name] = node
        except OSError as error:
            reason = "cannot open directory" if isinstance(error, PermissionError) else "cannot access"
            complaints.append(f"ls: {reason} '{name}': {error}\n")
    if files:
        blocks.insert(0, _lines(files, flags))
    result = done("\n".join(blocks), 2 if complaints else 0)
    result.stderr = "".join(complaints)
    return result


async def _folder_blocks(name: str, flags: str, call: Call, *, titled: bool) -> list[str]:
    await call.pace.step()
    folder = call.path(name)
    entries: dict[str, Node] = dict(call.guest.disk.entries(folder))
    if not set(flags) & set("aA"):
        entries = {entry: node for entry, node in entries.items() if not entry.startswith(".")}
    below = [entry for entry, node in entries.items() if isinstance(node, Folder)] if "R" in flags else []
    if "a" in flags:
        above = call.guest.disk.look(posixpath.dirname(folder))
        entries = {".": call.guest.disk.look(folder), "..": above, **entries}
    total = f"total {sum(_blocks(node) for node in entries.values())}\n" if "l" in flags else ""
    blocks = [(f"{name}:\n" if titled else "") + total + _lines(entries, flags)]
    for entry in below:
        blocks += await _folder_blocks(posixpath.join(name, entry), flags, call, titled=True)
    return blocks


def _blocks(node: Node) -> int:
    """Kilobytes that a node takes on a disk with blocks of four."""
    return 4 if isinstance(node, Folder) else 0 if isinstance(node, Link) else (node.size_bytes + 4095) // 4096 * 4


def _lines(entries: dict[str, Node], flags: str) -> str:
    names = list(entries)
    if "t" in flags:
        names.sort(key=lambda name: -entries[name].mtime)
    if "S" in flags:
        names.sort(key=lambda name: -_size(entries[name]))
    if "r" in flags:
        names.reverse()
    shown = [_mark(name, entries[name], flags) for name in names]
    if "l" not in flags:
        return "".join(f"{name}\n" for name in shown)
    return "".join(_long(names, shown, entries, flags))


def _mark(name: str, node: Node, flags: str) -> str:
    if isinstance(node, Folder) and set(flags) & set("Fp"):
        return f"{name}/"
    if "F" in flags:
        return name + ("@" if isinstance(node, Link) else "*" if node.mode & 0o111 else "")
    return name


def _long(names: Sequence[str], shown: Sequence[str], entries: dict[str, Node], flags: str) -> list[str]:
    sizes = [_human(_size(entries[name])) if "h" in flags else str(_size(entries[name])) for name in names]
    width = max((len(size) for size in sizes), default=0)
    rows: list[str] = []
    for name, text, size in zip(names, shown, sizes, strict=True):
        node = entries[name]
        when = datetime.fromtimestamp(node.mtime, UTC)
        date = f"{when:%b} {when.day:2d} {when:%H:%M}"
        arrow = f" -> {node.target}" if isinstance(node, Link) else ""
        links = 2 if isinstance(node, Folder) else 1
        rows.append(f"{mode_text(node)} {links} {node.owner} {node.owner} {size:>{width}} {date} {text}{arrow}\n")
    return rows


def mode_text(node: Node) -> str:
    """Kind and permissions as `ls -l` shows them."""
    kind = stat.S_IFDIR if isinstance(node, Folder) else stat.S_IFLNK if isinstance(node, Link) else stat.S_IFREG
    return stat.filemode(kind | node.mode)


def _size(node: Node) -> int:
    return FOLDER_BYTES if isinstance(node, Folder) else len(node.target) if isinstance(node, Link) else node.size_bytes


def _human(size: float) -> str:
    for unit in ("", "K", "M"):
        if size < 1024:
            return f"{size:.1f}{unit}" if unit and size < 10 else f"{size:.0f}{unit}"
        size /= 1024
    return f"{size:.1f}G"


async def mktemp(args: list[str], call: Call) -> ExecResult:
    """`mktemp [-d] [TEMPLATE]`: the first name that is free, not a random one."""
    templates = [arg for arg in args if not arg.startswith("-")] or ["/tmp/tmp.XXXXXXXXXX"]  # noqa: S108  the desktop's
    run = re.search(r"X{3,}", templates[0])
    if run is None:
        return refused(f"mktemp: too few X's in template '{templates[0]}'")
    for number in range(10_000):
        name = templates[0].replace(run[0], str(number).zfill(len(run[0])))
        path = call.path(name)
        if call.guest.disk.find(path, follow=False) is None:
            try:
                if "-d" in args:
                    call.guest.disk.make_folder(path)
                else:
                    call.guest.disk.write(path, b"", 0o600)
            except OSError as error:
                return refused(f"mktemp: failed to create file via template '{templates[0]}': {error}")
            return done(f"{name}\n")
    return refused(f"mktemp: no name is free for '{templates[0]}'")


async def touch(args: list[str], call: Call) -> ExecResult:
    """`touch [-c] [-d TEXT] FILE…`, by the desktop's clock."""
    rest = list(args)
    now, create = datetime.fromtimestamp(call.guest.clock_s, UTC), True
    names: list[str] = []
    while rest:
        arg = rest.pop(0)
        if arg in {"-d", "--date", "-t"} and rest:
            moment = moment_of(rest[0], now)
            if moment is None:
                return refused(f"touch: invalid date format '{rest[0]}'")
            now = moment
            rest.pop(0)
        elif arg in {"-c", "--no-create"}:
            create = False
        elif not arg.startswith("-"):
            names.append(arg)
    return await _touched(names, now.timestamp(), call, create=create)


async def _touched(names: list[str], mtime: float, call: Call, *, create: bool) -> ExecResult:
    disk = call.guest.disk
    complaints: list[str] = []
    for name in names:
        await call.pace.step()
        path = call.path(name)
        try:
            if disk.find(path) is None and create:
                disk.write(path, b"")
            if disk.find(path) is not None:
                disk.set_time(path, mtime)
        except OSError as error:
            complaints.append(f"touch: cannot touch '{name}': {error}")
    return refused("\n".join(complaints)) if complaints else done()
