"""The daemon's token: made once, kept in a file that only its owner can read, never printed.

A client reads the same file (`DRUMS_TOKEN_FILE`), so the same rules hold on both sides: a file that others may read is
refused rather than repaired, because its token may already be known.
Invariant: at no moment does the file exist with other rights than 0600, or with half a token.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import sys
import tempfile
from pathlib import Path

from drums.local.errors import TokenError

PREFIX = "drums_sk_"
"""By this the SDK knows a token in a text, and blackens it."""
MAX_FILE_BYTES = 4096

_TOKEN = re.compile(r"[\x21-\x7e]{16,512}")


def token_from(path: Path) -> str:
    """The token in the file; one is made where there is no file.

    Raises:
        TokenError: The file is readable by others, is not this user's, or holds no token.
    """
    try:
        return read_token(path)
    except FileNotFoundError:
        return _make_token(path)


def read_token(path: Path) -> str:
    """The token in the file.

    Raises:
        FileNotFoundError: There is none.
        TokenError: The file is readable by others, is not this user's, or holds no token.
    """
    try:
        with path.open("rb") as file:
            _check_rights(path, os.fstat(file.fileno()))
            text = file.read(MAX_FILE_BYTES).decode("ascii", errors="replace").strip()
    except FileNotFoundError:
        raise
    except OSError as cause:
        message = f"the token file {path} can't be read: {cause.strerror}"
        raise TokenError(message) from cause
    if not _TOKEN.fullmatch(text):
        message = f"{path} holds no token: one line of 16 to 512 visible ASCII characters; remove it to get one made"
        raise TokenError(message)
    return text


def new_token() -> str:
    """A token that nobody can guess."""
    return PREFIX + secrets.token_urlsafe(32)


def _check_rights(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        message = f"the token file {path} is not a plain file"
        raise TokenError(message)
    if sys.platform == "win32":
        return
    if found.st_uid != os.geteuid():
        message = f"the token file {path} belongs to another user; name one of your own with --token-file"
        raise TokenError(message)
    if found.st_mode & 0o077:
        message = f"others can read the token file {path}; remove it to get a new token, or chmod 600 it"
        raise TokenError(message)


def _make_token(path: Path) -> str:
    """Write a new token; where another process was quicker, take its."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    token = new_token()
    handle, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{token}\n")
        Path(path).hardlink_to(draft)
    except FileExistsError:
        return read_token(path)
    except OSError as cause:
        message = f"the token file {path} can't be written: {cause.strerror}"
        raise TokenError(message) from cause
    finally:
        Path(draft).unlink()
    return token
