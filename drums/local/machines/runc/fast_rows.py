"""The rows of a PNG, filtered and deflated fast.

It needs what the extra `[desktops]` installs; `frame` does without it, slower. Invariant: the pixels are exactly those
given, whatever the encoder.
"""

from __future__ import annotations

import importlib
from typing import Any

from PIL import Image

numpy: Any = importlib.import_module("numpy")
isal_zlib: Any = importlib.import_module("isal.isal_zlib")

UP_FILTER = 2
"""Each byte less the one above it. Rows of a screen repeat, so what is left is mostly zeros."""
ISAL_LEVEL = 1


def deflated(bgrx: bytes, width: int, height: int) -> bytes:
    """The pixels' rows by the up filter, as a zlib stream."""
    rgb = Image.frombuffer("RGB", (width, height), bgrx, "raw", "BGRX", 0, 1).tobytes()
    colours = numpy.frombuffer(rgb, numpy.uint8).reshape(height, width * 3)
    rows = numpy.empty((height, 1 + width * 3), numpy.uint8)
    rows[:, 0] = UP_FILTER
    rows[0, 1:] = colours[0]
    numpy.subtract(colours[1:], colours[:-1], out=rows[1:, 1:])
    return bytes(isal_zlib.compress(rows, ISAL_LEVEL))
