"""What a script's end means: a typed error.

Pure. A script of `_scripts` runs in the C locale and ends with one of these statuses, or with a program's own and, as
the end of its last words, what the system said. The invariant: a path in those words never decides anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drums.hybrid.errors import (
    FileDenied,
    FileError,
    FileMissing,
    FileTaken,
    IsAFolder,
    NotAFolder,
    TransferBroken,
    Unsupported,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_SUCH_PROGRAM: Final = 127
NO_FOLDER_FOR_TARGET: Final = 48
SEE_WORDS: Final = 49
"""The script tidied up after the program that failed; its words still say why."""


class LinkMetError(FileError):
    """The path is a link, and what it leads to is meant; met again and again it is an error like any other."""

    words = "it is a link that leads on"


TAKEN: Final = 42

_STATUSES: Mapping[int, type[FileError]] = {
    TAKEN: FileTaken,
    43: NotAFolder,
    44: IsAFolder,
    45: FileDenied,
    46: TransferBroken,
    50: LinkMetError,
}
_NO_FILE = 47

_ENDINGS: Mapping[str, type[FileError]] = {
    "No such file or directory": FileMissing,
    "No such file": FileMissing,
    "Directory nonexistent": FileMissing,
    "Not a directory": NotAFolder,
    "Is a directory": IsAFolder,
    "Directory not empty": IsAFolder,
    "File exists": FileTaken,
    "Permission denied": FileDenied,
    "Operation not permitted": FileDenied,
    "Read-only file system": FileDenied,
}
_OTHERS = (
    "No space left on device",
    "Disk quota exceeded",
    "File name too long",
    "File too large",
    "Too many levels of symbolic links",
    "Input/output error",
    "Text file busy",
    "Device or resource busy",
)


def refusal(path: str, status: int, complaint: str, tried: str) -> FileError | Unsupported:
    """The error of a script about files that ended with another status than 0.

    Args:
        path: What it was about.
        status: The script's.
        complaint: What its programs said.
        tried: The call, for the message.
    """
    said = [line.strip() for line in complaint.splitlines() if line.strip()]
    full = next((ending for line in said for ending in _OTHERS if line.endswith(ending)), None)
    if full is not None and status not in {TAKEN, 43, 44}:
        return FileError(path, full, tried=tried)
    if status in _STATUSES:
        return _STATUSES[status](path, tried=tried)
    if status == _NO_FILE:
        return FileError(path, "it is a device, a socket or a pipe", tried=tried)
    if status == NO_SUCH_PROGRAM:
        return Unsupported(f"the desktop lacks a program: {said[-1] if said else 'it does not say which'}", tried=tried)
    last = said[-1] if said else ""
    kind = next((kind for ending, kind in _ENDINGS.items() if last.endswith(ending)), None)
    return kind(path, tried=tried) if kind is not None else FileError(path, last, tried=tried)
