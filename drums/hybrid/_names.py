"""Paths and words on their way into a desktop: as a user gives them, as its system has them, as one argument.

Servers take arguments as text, some expand a leading `~/`, and none can carry bytes that are no UTF-8. So a word
travels behind a letter that says how to read it, and `_scripts.WORD` reads it. The invariant: whatever a word is, it
arrives as exactly these bytes, and neither the server nor a shell finds anything in it to interpret.
"""

from __future__ import annotations

import base64
import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeAlias

from drums._quote import excerpt
from drums.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

GuestPath: TypeAlias = str | bytes | PurePosixPath
"""A path in a desktop: text, bytes, or a `PurePosixPath`. Relative ones and `~/…` begin at the user's home folder."""

LONGEST_PATH = 4095
"""Bytes of a path that Linux takes."""


def path_word(path: GuestPath) -> str:
    """A path as an argument.

    Raises:
        BadRequest: It is no path: empty, too long, or with a NUL.
    """
    raw = bytes_of(path)
    if raw == b"~" or raw.startswith(b"~/"):
        return _word("h", "H", raw[2:].strip(b"/"))
    return _word("l", "L", raw) if raw.startswith(b"/") else _word("h", "H", raw)


def bytes_of(path: GuestPath) -> bytes:
    """A path as the desktop's system has it, without slashes at its end.

    Raises:
        BadRequest: It is no path: empty, too long, or with a NUL.
    """
    raw = path if isinstance(path, bytes) else _encoded(str(path), "a path")
    short = raw.rstrip(b"/") or raw[:1]
    if not short or b"\0" in short or len(short) > LONGEST_PATH:
        raise BadRequest(
            400,
            f"a path has 1 to {LONGEST_PATH} bytes and no NUL, got {excerpt(repr(raw[:80]))}",
            sent="no",
            hint="Give a path such as ~/Desktop/note.txt",
        )
    return short


def folder_word(path: GuestPath) -> str:
    """The folder of a path as an argument."""
    raw = bytes_of(path)
    folder, slash, _ = raw.rpartition(b"/")
    return path_word(folder or slash or b"~")


def text_of(raw: bytes) -> str:
    """A path of a desktop as text; bytes that are no UTF-8 become surrogates."""
    return raw.decode("utf-8", "surrogateescape")


def text_word(text: str | bytes) -> str:
    """Any text as an argument.

    Raises:
        BadRequest: It holds a NUL, or half a character.
    """
    raw = text if isinstance(text, bytes) else _encoded(text, "an argument")
    if b"\0" in raw:
        raise BadRequest(400, "an argument holds a NUL", sent="no", hint="Leave it out; no program can be given one")
    return _word("l", "L", raw)


def shown(path: GuestPath) -> str:
    """A path as its user wrote it, as text."""
    return text_of(path) if isinstance(path, bytes) else str(path)


def below(path: GuestPath, names: Sequence[str]) -> GuestPath:
    """A path that names lead to from another."""
    return b"/".join([bytes_of(path).rstrip(b"/"), *(os.fsencode(name) for name in names)]) if names else path


def parent_of(path: str) -> str:
    """The folder of a path, as far as its text says."""
    folder, slash, _ = path.rstrip("/").rpartition("/")
    return folder or slash or "~"


def yes_no(value: bool) -> str:
    """A truth value as the scripts read it."""
    return "yes" if value else "no"


def demand_range(offset: int, length: int | None) -> None:
    """Refuse a part of a file that begins or is less than nothing.

    Raises:
        BadRequest: It is.
    """
    if offset < 0 or (length is not None and length < 0):
        told = f"offset={offset} and length={length} are no part of a file"
        raise BadRequest(400, told, sent="no", hint="Give numbers from 0 up")


def _word(plain: str, coded: str, raw: bytes) -> str:
    try:
        return plain + raw.decode()
    except UnicodeDecodeError:
        return coded + base64.b64encode(raw).decode()


def _encoded(text: str, what: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise BadRequest(400, f"{what} holds half a character", sent="no", hint="Give whole characters") from None
