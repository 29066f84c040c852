"""The screen, read from the X server's frame buffer file without asking it, and written as PNG.

The file is in XWD format (X11/XWDFile.h): a header, a colour table, then rows of blue, green, red, padding. The
desktop's user can write to it, so nothing in it is trusted. Invariant: what is returned is a PNG of exactly the
screen's size.
"""

from __future__ import annotations

import os
import stat
import struct
import zlib
from typing import TYPE_CHECKING

from drums.local.machines.machine import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX, GuestError
from drums.local.machines.runc import guest, layout

if TYPE_CHECKING:
    from pathlib import Path

XWD_VERSION = 7
HEADER_WORDS = 25
HEADER_SIZE, FILE_VERSION, PIXMAP_WIDTH, PIXMAP_HEIGHT, BITS_PER_PIXEL, BYTES_PER_LINE, COLOURS = 0, 1, 4, 5, 11, 12, 19
COLOUR_BYTES = 12
ROW_BYTES = SCREEN_WIDTH_PX * 4
FRAME_BYTES = ROW_BYTES * SCREEN_HEIGHT_PX
FILE_LIMIT_BYTES = FRAME_BYTES + (1 << 16)
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def pixels(folder: Path) -> bytes:
    """The screen's pixels, four bytes each.

    Raises:
        GuestError: The frame buffer is not there or not what the X server makes.
    """
    content = read(folder)
    if len(content) < HEADER_WORDS * 4:
        raise GuestError("the screen can't be read: its frame buffer is empty")
    words = struct.unpack_from(f">{HEADER_WORDS}I", content)
    shape = (
        words[FILE_VERSION],
        words[PIXMAP_WIDTH],
        words[PIXMAP_HEIGHT],
        words[BITS_PER_PIXEL],
        words[BYTES_PER_LINE],
    )
    start = words[HEADER_SIZE] + words[COLOURS] * COLOUR_BYTES
    if shape != (XWD_VERSION, SCREEN_WIDTH_PX, SCREEN_HEIGHT_PX, 32, ROW_BYTES) or len(content) < start + FRAME_BYTES:
        raise GuestError("the screen can't be read: its frame buffer has another format")
    return content[start : start + FRAME_BYTES]


def read(folder: Path) -> bytes:
    """The frame buffer file's bytes; a link or anything else that the user may have put there is refused."""
    try:
        fd = guest.open_beneath(folder, layout.FRAME_FILE, os.O_RDONLY | os.O_NONBLOCK)
    except OSError as missing:
        raise GuestError(f"the screen can't be read: {missing.strerror}") from missing
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise GuestError("the screen can't be read: its frame buffer is not a file")
        return file.read(FILE_LIMIT_BYTES)


def png(bgrx: bytes) -> bytes:
    """The pixels as PNG, encoded fast rather than small."""
    return b"".join([PNG_SIGNATURE, chunk(b"IHDR", HEADER), chunk(b"IDAT", compressed(bgrx)), chunk(b"IEND", b"")])


HEADER = struct.pack(">IIBBBBB", SCREEN_WIDTH_PX, SCREEN_HEIGHT_PX, 8, 2, 0, 0, 0)


def chunk(kind: bytes, content: bytes) -> bytes:
    """One part of a PNG file."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def compressed(bgrx: bytes) -> bytes:
    """The filtered rows, deflated, by the fastest way that is installed."""
    try:
        from drums.local.machines.runc import fast_rows  # noqa: PLC0415 - it may not be installed
    except ImportError:
        return zlib.compress(plain_rows(bgrx), 1)
    return fast_rows.deflated(bgrx, SCREEN_WIDTH_PX, SCREEN_HEIGHT_PX)


def plain_rows(bgrx: bytes) -> bytearray:
    """The rows as red, green, blue without a filter, by the standard library alone."""
    colours = bytearray(SCREEN_WIDTH_PX * SCREEN_HEIGHT_PX * 3)
    colours[0::3], colours[1::3], colours[2::3] = bgrx[2::4], bgrx[1::4], bgrx[0::4]
    width = SCREEN_WIDTH_PX * 3
    rows = bytearray()
    for start in range(0, len(colours), width):
        rows.append(0)
        rows += colours[start : start + width]
    return rows


def is_blank(bgrx: bytes) -> bool:
    """Whether the screen shows one colour only."""
    first = bgrx[:3]
    if bgrx[: 4 * 64] != bgrx[4 * 64 : 8 * 64]:
        return False
    return bgrx[2::4].count(first[2]) == bgrx[1::4].count(first[1]) == bgrx[0::4].count(first[0]) == len(bgrx) // 4
