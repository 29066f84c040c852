"""How content is cut for its way into and out of a desktop.

Pure. Linux takes at most 128 KiB in one argument, and some 2 MB in all of a command's; a server has a limit for a
request. The invariant: the parts of a whole, one after the other, are the whole.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ARGUMENT: Final = 98_301
"""Bytes that one argument carries: in base64 four short of Linux's 131,072, of which the last is a NUL."""
UPLOAD_PART: Final = 10 * ARGUMENT
"""Bytes that one request carries into a desktop, in ten arguments."""
DOWNLOAD_PART: Final = 3 * 1024 * 1024
"""Bytes that one request carries out of a desktop."""
LARGEST_FILE: Final = 1024**4
"""Bytes of a file that is taken out of a desktop."""
LARGEST_IN_MEMORY: Final = 512 * 1024 * 1024
"""Bytes of a file that is read into memory, unless asked otherwise."""
IN_FLIGHT: Final = 3
"""Requests under way at a time: the next is there when the desktop has done one."""


def parts_of(size: int, part: int) -> list[tuple[int, int]]:
    """(offset, length) of each part of a whole; none of nothing."""
    return [(offset, min(part, size - offset)) for offset in range(0, size, part)]


def arguments_of(data: bytes) -> list[str]:
    """Bytes as arguments, which put together and read as base64 are these bytes."""
    return list(_arguments(data))


def _arguments(data: bytes) -> Iterator[str]:
    for offset in range(0, len(data), ARGUMENT):
        yield base64.b64encode(data[offset : offset + ARGUMENT]).decode("ascii")
