"""What the scripts print about files, read with care.

Pure. What a script printed went through a desktop, so nothing in it is believed: it is what is expected, or an error.
The invariant: a record's path is below the folder that it was listed from.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from drums.hybrid._names import text_of
from drums.hybrid.errors import ToolError
from drums.hybrid.results import FileInfo, JobOutput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from drums.hybrid.results import Kind

_KINDS: Mapping[bytes, Kind] = {b"f": "file", b"d": "folder", b"l": "link"}
_FACTS = re.compile(rb"([a-zA-Z?]) (\d{1,20}) ([0-7]{1,6}) (-?\d{1,20}(?:\.\d{1,20})?) (.{1,255})", re.DOTALL)
_SUM = re.compile(r"([0-9a-f]{64})\b")
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
"""What stands for a byte that is no UTF-8."""
FIELDS: Final = 3
"""Fields of a record, each with a NUL behind it: facts, target of a link, path below the folder."""


def decoded(line: str) -> bytes:
    """The bytes of one line of base64.

    Raises:
        ToolError: It is none.
    """
    try:
        return base64.b64decode(line.strip().encode("ascii"), validate=True)
    except (ValueError, binascii.Error):
        raise _nonsense() from None


def told(output: str) -> FileInfo:
    """The one record that `told` printed, with its path before it.

    Raises:
        ToolError: It is none.
    """
    lines = output.splitlines()
    if len(lines) < 2:
        raise _nonsense()
    path, fields = decoded(lines[0]), decoded(lines[1]).split(b"\0")
    if len(fields) != FIELDS + 1:
        raise _nonsense()
    return _record(path, fields[0], fields[1])


class Listed(NamedTuple):
    """A listing."""

    folder: str
    """Path of the folder."""
    entries: list[FileInfo]
    """What is in it, sorted by path."""
    cut: bool
    """Whether there is more."""

    def below(self, entry: FileInfo) -> list[str]:
        """The names that lead from the folder to an entry."""
        return entry.path[len(self.folder.rstrip("/")) + 1 :].split("/")


def listed(output: str) -> Listed:
    """A listing as `_scripts.LIST` printed it.

    Raises:
        ToolError: It is none.
    """
    lines = output.splitlines()
    if not 1 <= len(lines) <= 2:
        raise _nonsense()
    folder = decoded(lines[0]).rstrip(b"/")
    fields = decoded(lines[1]).split(b"\0") if len(lines) == 2 else [b""]
    whole = (len(fields) - 1) // FIELDS
    cut = fields[-1] != b"" or len(fields) != whole * FIELDS + 1
    found = sorted(_records(folder, fields[: whole * FIELDS]), key=lambda record: record.path)
    return Listed(text_of(folder) or "/", found, cut)


def sum_in(output: str) -> str:
    """The SHA-256 that `sha256sum` printed, in hexadecimal.

    Raises:
        ToolError: It printed none.
    """
    found = _SUM.match(output.strip().splitlines()[-1]) if output.strip() else None
    if found is None:
        raise _nonsense()
    return found[1]


def job_output(lines: list[str]) -> JobOutput:
    """What a job has printed, of `out` and `err` each a line with its size and one with its end.

    Raises:
        ToolError: It is none of that.
    """
    if len(lines) < 4 or not (lines[0].isdigit() and lines[2].isdigit()):
        raise _nonsense()
    ends = decoded(lines[1]), decoded(lines[3])
    texts = [_end_of(int(size), end) for size, end in zip((lines[0], lines[2]), ends, strict=True)]
    cut = any(int(size) > len(end) for size, end in zip((lines[0], lines[2]), ends, strict=True))
    return JobOutput(texts[0], texts[1], cut, any(REPLACEMENT in text for text in texts))


def _end_of(size: int, end: bytes) -> str:
    """The end of a stream as text; where something is left out, a line says so."""
    text = end.decode("utf-8", "replace")
    left_out = size - len(end)
    return f"[… {left_out} bytes left out …]\n{text.lstrip(REPLACEMENT)}" if left_out > 0 else text


def _records(folder: bytes, fields: list[bytes]) -> Iterator[FileInfo]:
    for at in range(0, len(fields), FIELDS):
        facts, target, below = fields[at : at + FIELDS]
        parts = below.split(b"/")
        if not below or any(part in {b"", b".", b".."} for part in parts):
            raise _nonsense()
        yield _record(folder + b"/" + below, facts, target)


def _record(path: bytes, facts: bytes, target: bytes) -> FileInfo:
    found = _FACTS.fullmatch(facts)
    if found is None or not path.startswith(b"/"):
        raise _nonsense()
    letter, size, mode, modified, owner = found.groups()
    kind: Kind = _KINDS.get(letter, "other")
    return FileInfo(
        path=text_of(path),
        kind=kind,
        size=int(size),
        mode=int(mode, 8),
        modified=float(modified),
        owner=text_of(owner),
        target=text_of(target) if kind == "link" else None,
    )


def _nonsense() -> ToolError:
    return ToolError(
        "what the desktop's programs printed makes no sense", hint="Its shell or file programs are not GNU's"
    )
