"""Programs about archives: zip, unzip, and tar as it is called.

They read and write whole archives in memory. Invariant: what an archive holds is bounded by the desktop's disk before
it is unpacked, and no entry leaves the folder that it is unpacked to.
"""

from __future__ import annotations

import fnmatch
import io
import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from just_bash import ExecResult
from just_bash.commands import create_command_registry

from drums.local.machines.sim.files.disk import DISK_LIMIT_BYTES
from drums.local.machines.sim.files.tree import Folder

from .call import Call, done, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from just_bash import Command

_TAR: Command = create_command_registry()["tar"]
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
WARNED, NOTHING_MATCHED, NO_ARCHIVE, NOTHING_TO_DO = 1, 11, 9, 12
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of every entry: the earliest that the format knows. An archive of the same files is the same archive."""


async def tar(args: list[str], call: Call) -> ExecResult:
    """`tar` of just-bash, which wants the dash of the first argument and makes the folder of `-C`."""
    if args and not args[0].startswith("-"):
        args = [f"-{args[0]}", *args[1:]]
    for option, folder in pairwise(args):
        if option in {"-C", "--directory"} and not call.guest.disk.is_folder(call.path(folder)):
            return refused(f"tar: {folder}: Cannot open: No such file or directory", 2)
    return await _TAR.execute(args, call.shell)


@dataclass
class _Options:
    """A command line: letters, names, and the lists and values that some letters take."""

    letters: str = ""
    names: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])
    folder: str | None = None

    @classmethod
    def read(cls, args: list[str], *, known: str) -> _Options:
        """From arguments; `-x` takes all that come after it, `-d` takes one.

        Raises:
            ValueError: A letter is not known.
        """
        found = cls()
        rest = list(args)
        while rest:
            arg = rest.pop(0)
            if arg == "-x":
                found.left_out, rest = rest, []
            elif arg == "-d" and "d" in known:
                found.folder = rest.pop(0) if rest else ""
            elif arg == "--recurse-paths":
                found.letters += "r"
            elif re.fullmatch(r"-[A-Za-z0-9@]+", arg):
                strange = [letter for letter in arg[1:] if letter not in known]
                if strange:
                    raise ValueError(strange[0])
                found.letters += arg[1:]
            else:
                found.names.append(arg)
        return found

    def takes(self, name: str, wanted: list[str]) -> bool:
        """Whether an entry is wanted and not left out."""
        return (not wanted or _matches(name, wanted)) and not _matches(name, self.left_out)


def _matches(name: str, patterns: list[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


async def zip_(args: list[str], call: Call) -> ExecResult:
    """`zip [-rjq0-9@] ARCHIVE PATH… [-x PATTERN…]`: adds to the archive, replacing entries of the same name."""
    try:
        options = _Options.read(args, known="rjqyXD@0123456789")
    except ValueError as error:
        return refused(f"zip error: Invalid command arguments (short option '{error}' not supported)", 16)
    if not options.names:
        return refused("zip error: Nothing to do!", NOTHING_TO_DO)
    path = call.path(_with_ending(options.names[0]))
    names = options.names[1:] + (call.shell.stdin.splitlines() if "@" in options.letters else [])
    try:
        before = _read_entries(call, path) if call.guest.disk.find(path) is not None else {}
        added, missing = _collected(names, options, call, path)
        complaints = "".join(f"\tzip warning: name not matched: {name}\n" for name in missing)
        if not added:
            text = f"{complaints}\nzip error: Nothing to do! ({_with_ending(options.names[0])})\n"
            return ExecResult(text, "", NOTHING_TO_DO)
        await call.shell.fs.write_file(path, _packed(before | added))
    except (OSError, *_DAMAGED) as error:
        return refused(f"zip error: {options.names[0]}: {error}", 3)
    told = "" if "q" in options.letters else "".join(f"  adding: {name}\n" for name in added)
    return ExecResult(complaints + told, "", NOTHING_TO_DO if missing and not added else 0)


def _with_ending(name: str) -> str:
    return name if "." in posixpath.basename(name) else f"{name}.zip"


@dataclass(frozen=True, slots=True)
class _Entry:
    """One file or folder of an archive."""

    content: bytes | None
    """None: a folder."""
    mode: int


def _collected(names: list[str], options: _Options, call: Call, archive: str) -> tuple[dict[str, _Entry], list[str]]:
    """The entries that arguments stand for, and the arguments that stand for nothing."""
    found: dict[str, _Entry] = {}
    missing: list[str] = []
    for name in names:
        if call.guest.disk.find(call.path(name)) is None:
            missing.append(name)
            continue
        for shown, path in _walk(name.rstrip("/") or "/", call, deep="r" in options.letters):
            node = call.guest.disk.look(path)
            is_folder = isinstance(node, Folder)
            kept = posixpath.normpath(shown).lstrip("/") + ("/" if is_folder else "")
            kept = posixpath.basename(kept) if "j" in options.letters else kept
            if path == archive or kept in {"", "./"} or not options.takes(kept, []):
                continue
            if is_folder and "D" in options.letters:
                continue
            found[kept] = _Entry(None if is_folder else call.guest.disk.read(path), node.mode)
    return found, missing


def _walk(shown: str, call: Call, *, deep: bool) -> Iterator[tuple[str, str]]:
    path = call.path(shown)
    yield shown, path
    if deep and call.guest.disk.is_folder(path):
        for name in call.guest.disk.entries(path):
            yield from _walk(posixpath.join(shown, name), call, deep=True)


def _packed(entries: dict[str, _Entry]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, entry in entries.items():
            info = zipfile.ZipInfo(name, EARLIEST)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (entry.mode | (0o040000 if entry.content is None else 0o100000)) << 16
            archive.writestr(info, entry.content or b"")
    return buffer.getvalue()


def _read_entries(call: Call, path: str) -> dict[str, _Entry]:
    """What an archive holds.

    Raises:
        OSError: It can't be read, or holds more than the disk.
        BadZipFile: It is none; and what zipfile raises besides for a damaged one.
    """
    with zipfile.ZipFile(io.BytesIO(call.guest.disk.read(path))) as archive:
        if sum(info.file_size for info in archive.infolist()) > DISK_LIMIT_BYTES:
            raise OSError("No space left on device")
        return {info.filename: _entry(archive, info) for info in archive.infolist()}


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Entry:
    mode = info.external_attr >> 16 & 0o777
    if info.is_dir():
        return _Entry(None, mode or 0o755)
    with archive.open(info) as file:
        # The directory of an archive may tell a size that is not that of the content.
        return _Entry(file.read(info.file_size), mode or 0o644)


async def unzip(args: list[str], call: Call) -> ExecResult:
    """`unzip [-lopqntjZ1] ARCHIVE [NAME…] [-x NAME…] [-d FOLDER]`."""
    try:
        options = _Options.read(args, known="lopqntjZ1ud")
    except ValueError as error:
        return refused(f"unzip: the simulated desktop does not know the option -{error}", 10)
    if not options.names:
        return refused("Usage: unzip [-Z] [-opts[modifiers]] file[.zip] [list] [-x xlist] [-d exdir]", 10)
    name, *wanted = options.names
    path = call.path(name)
    path = path if call.guest.disk.find(path) is not None else f"{path}.zip"
    try:
        entries = _read_entries(call, path)
    except FileNotFoundError:
        return refused(f"unzip:  cannot find or open {name}, {name}.zip or {name}.ZIP.", NO_ARCHIVE)
    except (OSError, *_DAMAGED) as error:
        return refused(f"[{name}]\n  End-of-central-directory signature not found or damaged: {error}", NO_ARCHIVE)
    chosen = {name: entry for name, entry in entries.items() if options.takes(name, wanted)}
    if not chosen:
        return refused(f"caution: filename not matched:  {' '.join(wanted)}", NOTHING_MATCHED)
    if "Z" in options.letters:
        return done("".join(f"{name}\n" for name in chosen))
    if "l" in options.letters:
        return done(_listing(name, chosen))
    if "p" in options.letters:
        content = b"".join(entry.content or b"" for entry in chosen.values())
        return done(content.decode("utf-8", "surrogateescape"))
    if "t" in options.letters:
        return done(f"No errors detected in compressed data of {name}.\n")
    return await _unpacked(name, chosen, options, call)


def _listing(archive: str, entries: dict[str, _Entry]) -> str:
    sizes = [len(entry.content or b"") for entry in entries.values()]
    rows = [f"{size:9d}  1980-01-01 00:00   {name}\n" for size, name in zip(sizes, entries, strict=True)]
    count = f"{len(rows)} file{'' if len(rows) == 1 else 's'}"
    head = f"Archive:  {archive}\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n"
    foot = f"---------                     -------\n{sum(sizes):9d}                     {count}\n"
    return head + "".join(rows) + foot


async def _unpacked(archive: str, entries: dict[str, _Entry], options: _Options, call: Call) -> ExecResult:
    """Write the entries; what is there already stays unless `-o` says otherwise."""
    told = [f"Archive:  {archive}"]
    kept: list[str] = []
    shown = ""
    try:
        for name, entry in entries.items():
            shown = posixpath.basename(name) if "j" in options.letters else _inside(name)
            path = call.path(posixpath.join(options.folder or "", shown or "."))
            if entry.content is None:
                if "j" not in options.letters:
                    await call.shell.fs.mkdir(path, recursive=True)
                continue
            if call.guest.disk.find(path) is not None and "o" not in options.letters:
                kept.append(shown)
                continue
            await call.shell.fs.mkdir(posixpath.dirname(path), recursive=True)
            await call.shell.fs.write_file(path, entry.content)
            await call.shell.fs.chmod(path, entry.mode)
            told.append(f"  inflating: {posixpath.join(options.folder or '', shown)}")
    except OSError as error:
        return refused(f"error:  cannot create {shown}\n        {error}", 50)
    if "n" in options.letters:
        kept.clear()
    complaints = "".join(f"replace {name}? it stays: nobody answers\n" for name in kept)
    text = "" if "q" in options.letters else "\n".join(told) + "\n"
    return ExecResult(text, complaints, WARNED if complaints else 0)


def _inside(name: str) -> str:
    """An entry's name without what would lead out of the folder."""
    return "/".join(part for part in name.split("/") if part not in {"", ".", ".."})
