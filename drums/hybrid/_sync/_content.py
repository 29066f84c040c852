# Generated from drums/hybrid/aio/_content.py by tools/generate_sync.py. Edit that file.
"""Content on its way between host and desktop, in parts, several at a time, checked by its SHA-256.

The invariant: a target is replaced by the whole of what was sent or stays as it was.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from drums._io import sync as io
from drums.errors import DrumsError
from drums.hybrid import _scripts as scripts
from drums.hybrid._chunks import (
    DOWNLOAD_PART,
    IN_FLIGHT,
    LARGEST_FILE,
    UPLOAD_PART,
    arguments_of,
    parts_of,
)
from drums.hybrid._facts import decoded, sum_in, told
from drums.hybrid._host import Memory
from drums.hybrid._names import folder_word, path_word, shown, yes_no
from drums.hybrid._refusals import LinkMetError, refusal
from drums.hybrid.errors import FileError, TransferBroken

if TYPE_CHECKING:
    from collections.abc import Callable

    from drums.hybrid._host import Sink, Source
    from drums.hybrid._names import GuestPath
    from drums.hybrid._sync._desktop import Desktop
    from drums.hybrid.results import FileInfo


class Meter:
    """Tells how far a transfer is.

    Args:
        progress: What to tell; None: nobody.
        total: Bytes of the whole.
    """

    def __init__(self, progress: Callable[[int, int], object] | None, total: int) -> None:
        self._progress = progress
        self._lock = io.thread_lock()
        self._done = 0
        self._total = total
        self.add(0)

    def add(self, size: int) -> None:
        """So many bytes more are done."""
        if self._progress is None:
            return
        with self._lock:
            self._done += size
            self._progress(min(self._done, self._total), self._total)


class Write:
    """How a file is to be written.

    Args:
        path: The file.
        tried: The call, for errors.
        mode: Permission bits; None: those that it has, else 0o644.
        parents: Whether to make missing folders.
        overwrite: Whether to replace a file.
    """

    def __init__(
        self, path: GuestPath, tried: str, *, mode: int | None = None, parents: bool = True, overwrite: bool = True
    ) -> None:
        self.aim(path)
        self.path: str = shown(path)
        self.tried = tried
        self.mode: str = "" if mode is None else f"{mode & 0o7777:o}"
        self.parents: str = yes_no(parents)
        self.overwrite: str = yes_no(overwrite)
        self.token: str = secrets.token_hex(8)

    def aim(self, path: GuestPath) -> None:
        """Write there; errors still name the path that was given."""
        self.word: str = path_word(path)
        self.folder: str = folder_word(path)

    @property
    def begin(self) -> tuple[str, ...]:
        """What a script that begins a file is called with."""
        return self.word, self.folder, self.parents, self.overwrite, self.token


def store(desktop: Desktop, source: Source, write: Write, meter: Meter) -> FileInfo:
    """Write content to a file of the desktop.

    Raises:
        FileError: The desktop refused; the file is as it was.
        TransferBroken: What arrived is not what was sent; the file is as it was.
    """
    size = source.size
    if size > UPLOAD_PART:
        return _in_parts(desktop, source, write, meter, scripts.FINISH)
    data = source.part(0, size)
    words = (hashlib.sha256(data).hexdigest(), write.mode, *arguments_of(data))
    output = _begun(desktop, write, scripts.PUT, *words)
    meter.add(size)
    return told(output)


def join(desktop: Desktop, data: bytes, write: Write) -> FileInfo:
    """Add content of any size to the end of a file of the desktop."""
    if len(data) > UPLOAD_PART:
        return _in_parts(desktop, Memory(data), write, Meter(None, len(data)), scripts.JOIN)
    return told(desktop.about(write.path, write.tried, scripts.APPEND, write.word, *arguments_of(data)))


def _begun(desktop: Desktop, write: Write, script: str, *words: str) -> str:
    """Run a script that begins a file; where there is a link, at what it leads to."""
    try:
        return desktop.about(write.path, write.tried, script, *write.begin, *words)
    except LinkMetError:
        output = desktop.about(write.path, write.tried, scripts.RESOLVE, write.word)
        write.aim(decoded(output).removesuffix(b"\n"))
        return desktop.about(write.path, write.tried, script, *write.begin, *words)


def _in_parts(desktop: Desktop, source: Source, write: Write, meter: Meter, end: str) -> FileInfo:
    """Begin a file, send its parts, and end it with a script."""
    part = path_word(decoded(_begun(desktop, write, scripts.BEGIN)))
    try:
        digest = _filled(desktop, source, part, write, meter)
        words = (part, write.word, digest, write.mode, write.overwrite)
        return told(desktop.about(write.path, write.tried, end, *words))
    except BaseException:
        with suppress(DrumsError):  # what went wrong before is what the caller has to know
            io.finish(desktop.script, scripts.DROP, part)
        raise


def _filled(desktop: Desktop, source: Source, part: str, write: Write, meter: Meter) -> str:
    """Send all parts of content to a file that was begun; its SHA-256."""

    def send(piece: tuple[int, int]) -> None:
        offset, length = piece
        data = source.part(offset, length)
        if len(data) != length:
            raise TransferBroken(write.path, tried=desktop.tried(write.tried))
        arguments = arguments_of(data)
        desktop.about(write.path, write.tried, scripts.FILL, part, str(offset), *arguments)
        meter.add(length)

    desktop.each(send, parts_of(source.size, UPLOAD_PART), IN_FLIGHT)
    return digest_of(source, source.size)


class Fetch:
    """A file of the desktop that is read.

    Args:
        path: The file.
        tried: The call, for errors.
        offset: Where to begin.
        length: How many bytes at most; None: to the end.
        limit: Bytes beyond which it is not read: a desktop can make a file of any size that takes no room there.
    """

    def __init__(
        self, path: GuestPath, tried: str, *, offset: int = 0, length: int | None = None, limit: int = LARGEST_FILE
    ) -> None:
        self.word: str = path_word(path)
        self.path: str = shown(path)
        self.tried = tried
        self.offset = offset
        self.length = length
        self.limit = limit


def fetch(desktop: Desktop, sink: Sink, what: Fetch, meter: Callable[[int], Meter]) -> FileInfo:
    """Read a file of the desktop.

    Args:
        desktop: Where it is.
        sink: Where its content goes.
        what: The file.
        meter: Gives what is told of the progress, once the size is known.

    Returns:
        The file as it was when it was begun.

    Raises:
        FileError: The desktop refused, or it is larger than there is room for.
        TransferBroken: It changed meanwhile.
    """
    most = DOWNLOAD_PART if what.length is None else min(what.length, DOWNLOAD_PART)
    info, data = _read(desktop, what, what.offset, most)
    rest = max(info.size - what.offset, len(data))
    total = rest if what.length is None else min(what.length, rest)
    if total > what.limit:
        hint = "Read a part of it with offset and length, raise limit, or download() it"
        told_size = f"it has {total} bytes, more than {what.limit}"
        raise FileError(what.path, told_size, tried=desktop.tried(what.tried), hint=hint)
    told_to = meter(total)
    sink.put(0, data)
    told_to.add(len(data))
    if total <= len(data) or len(data) < most:
        return info

    def receive(piece: tuple[int, int]) -> None:
        at, length = piece[0] + len(data), piece[1]
        _, more = _read(desktop, what, what.offset + at, length)
        if len(more) != length:
            raise TransferBroken(what.path, tried=desktop.tried(what.tried))
        sink.put(at, more)
        told_to.add(length)

    desktop.each(receive, parts_of(total - len(data), DOWNLOAD_PART), IN_FLIGHT)
    if what.offset == 0 and total == info.size:
        there = sum_in(desktop.about(what.path, what.tried, scripts.SUM, what.word))
        if there != digest_of(sink, total):
            raise TransferBroken(what.path, tried=desktop.tried(what.tried))
    return info


def _read(desktop: Desktop, what: Fetch, offset: int, length: int) -> tuple[FileInfo, bytes]:
    ran = desktop.script(scripts.READ, what.word, str(offset), str(length))
    if ran.status != 0 or ran.complaint:
        raise refusal(what.path, ran.status, ran.complaint, desktop.tried(what.tried))
    info = told(ran.output)
    lines = ran.output.splitlines()
    data = decoded(lines[2]) if len(lines) > 2 else b""
    if len(data) > length:
        raise TransferBroken(what.path, tried=desktop.tried(what.tried))
    return info, data


def digest_of(whole: Source | Sink, size: int) -> str:
    """The SHA-256 of content, in hexadecimal; others have their turn meanwhile."""
    digest = hashlib.sha256()
    for offset, length in parts_of(size, UPLOAD_PART):
        digest.update(whole.part(offset, length))
        io.sleep(0)
    return digest.hexdigest()
