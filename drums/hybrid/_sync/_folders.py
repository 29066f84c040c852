# Generated from drums/hybrid/aio/_folders.py by tools/generate_sync.py. Edit that file.
"""Whole files and folders between this host and a desktop.

The invariant: nothing is written on the host but below the path that its user named, and no link is followed or made on
either side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums.hybrid import _scripts as scripts
from drums.hybrid._chunks import IN_FLIGHT
from drums.hybrid._facts import listed, told
from drums.hybrid._host import (
    HostFile,
    HostFolder,
    NewHostFile,
    is_folder,
    make_folder_for,
    tree_of,
)
from drums.hybrid._names import below, path_word, shown
from drums.hybrid._sync._content import Fetch, Meter, Write, fetch, store
from drums.hybrid.errors import FileError
from drums.hybrid.results import Transfer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from drums.hybrid._names import GuestPath
    from drums.hybrid._sync._desktop import Desktop
    from drums.hybrid.results import FileInfo

UPLOAD = "files.upload()"
DOWNLOAD = "files.download()"


def upload(
    desktop: Desktop,
    source: Path,
    target: GuestPath,
    *,
    overwrite: bool,
    progress: Callable[[int, int], object] | None,
) -> Transfer:
    """As `Files.upload`."""
    if not is_folder(source):
        file = HostFile(source)
        write = Write(target, UPLOAD, mode=usual(file.mode), overwrite=overwrite)
        store(desktop, file, write, Meter(progress, file.size))
        return Transfer(1, file.size)
    folders, names, others = tree_of(source)
    files = [HostFile(source.joinpath(*parts)) for parts in names]
    meter = Meter(progress, sum(file.size for file in files))
    for parts in [(), *folders]:
        path = below(target, parts)
        desktop.about(shown(path), UPLOAD, scripts.MKDIR, path_word(path), "yes", "yes")

    def send(index: int) -> None:
        file = files[index]
        write = Write(below(target, names[index]), UPLOAD, mode=usual(file.mode), overwrite=overwrite)
        store(desktop, file, write, meter)

    desktop.each(send, range(len(files)), IN_FLIGHT)
    skipped = tuple(str(source.joinpath(*parts)) for parts in others)
    return Transfer(len(files), sum(file.size for file in files), skipped)


def download(
    desktop: Desktop,
    source: GuestPath,
    target: Path,
    *,
    overwrite: bool,
    progress: Callable[[int, int], object] | None,
) -> Transfer:
    """As `Files.download`."""
    word = path_word(source)
    if told(desktop.about(shown(source), DOWNLOAD, scripts.STAT, word, "follow")).kind != "folder":
        make_folder_for(target)
        return Transfer(1, _save(desktop, source, target, overwrite, lambda size: Meter(progress, size)))
    bounds = (str(scripts.DEEPEST), str(scripts.LIST_BYTES))
    found = listed(desktop.about(shown(source), DOWNLOAD, scripts.LIST, word, *bounds))
    if found.cut:
        hint = "Download its folders one by one, or pack it with tar first"
        raise FileError(shown(source), "it holds too much to list", tried=desktop.tried(DOWNLOAD), hint=hint)
    files = [entry for entry in found.entries if entry.kind == "file"]
    folders = [found.below(entry) for entry in found.entries if entry.kind == "folder"]
    host = HostFolder(target)
    for names in [*folders, *map(found.below, files)]:
        host.place(names)  # all are looked at before anything is written
    for names in folders:
        host.make_folder(names)
    meter = Meter(progress, sum(entry.size for entry in files))

    def receive(entry: FileInfo) -> int:
        names = found.below(entry)
        host.make_folder(names[:-1])
        return _save(desktop, entry.path, host.place(names), overwrite, lambda _: meter)

    sizes = desktop.each(receive, files, IN_FLIGHT)
    skipped = tuple(entry.path for entry in found.entries if entry.kind in {"link", "other"})
    return Transfer(len(files), sum(sizes), skipped)


def _save(desktop: Desktop, source: GuestPath, target: Path, overwrite: bool, meter: Callable[[int], Meter]) -> int:
    """Read a file of the desktop into one of the host; its size in bytes."""
    sink = NewHostFile(target, overwrite=overwrite)
    try:
        info = fetch(desktop, sink, Fetch(source, DOWNLOAD), meter)
        return sink.finish(info.mode)
    finally:
        sink.drop()


def usual(mode: int) -> int:
    """Permission bits that a host's file has in a desktop: for all to read, to execute where its owner may."""
    return 0o755 if mode & 0o100 else 0o644
