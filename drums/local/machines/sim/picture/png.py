"""PNG files out of pictures, quickly: what did not change since a picture shortly before is not compressed again.

A picture is cut into strips that are compressed apart and joined to one stream. Invariant: the file holds exactly the
picture's pixels, whatever was remembered.
"""

from __future__ import annotations

import struct
import zlib
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

STRIP_ROWS = 40
REMEMBERED = 4
"""Former contents of each strip that are kept: about 6 MB for each on a 1920x1080 screen."""
LEVEL = 1
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ADLER_MODULUS = 65521
_RAW_DEFLATE = -15
_NO_FILTER = b"\0"
_RGB = 2


class PngWriter:
    """Writes pictures of one size."""

    def __init__(self) -> None:
        self._known: dict[int, deque[tuple[bytes, bytes, int]]] = {}

    def write(self, picture: Image.Image) -> bytes:
        """The picture (RGB) as a PNG file."""
        width, height = picture.size
        body, adler = [b"\x78\x01"], 1
        for top in range(0, height, STRIP_ROWS):
            bottom = min(top + STRIP_ROWS, height)
            pixels = picture.crop((0, top, width, bottom)).tobytes()
            packed, checksum = self._strip(top, pixels, width * 3)
            body.append(packed)
            adler = _joined(adler, checksum, len(pixels) + bottom - top)
        # The last block is an empty one that says it is the last.
        body += [b"\x03\x00", struct.pack(">I", adler)]
        header = struct.pack(">IIBBBBB", width, height, 8, _RGB, 0, 0, 0)
        return b"".join([_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", b"".join(body)), _chunk(b"IEND", b"")])

    def _strip(self, top: int, pixels: bytes, stride: int) -> tuple[bytes, int]:
        """A strip, compressed so that it can stand between any others, and the checksum of what it holds."""
        known = self._known.setdefault(top, deque(maxlen=REMEMBERED))
        for former, packed, checksum in known:
            if former == pixels:
                return packed, checksum
        rows = _NO_FILTER + _NO_FILTER.join(pixels[at : at + stride] for at in range(0, len(pixels), stride))
        compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, _RAW_DEFLATE)
        packed = compressor.compress(rows) + compressor.flush(zlib.Z_FULL_FLUSH)
        known.append((pixels, packed, zlib.adler32(rows)))
        return known[-1][1:]


def _joined(first: int, second: int, second_length: int) -> int:
    """The Adler-32 checksum of two pieces, from theirs. Source: adler32_combine of zlib."""
    length = second_length % _ADLER_MODULUS
    low = ((first & 0xFFFF) + (second & 0xFFFF) - 1) % _ADLER_MODULUS
    high = ((first >> 16) + (second >> 16) + length * ((first & 0xFFFF) - 1)) % _ADLER_MODULUS
    return high << 16 | low


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
