"""What a picture shows, for telling whether two files show the same.

It judges nothing else about a picture. Invariant: a picture larger than the limit is never unpacked.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from .base import CheckerFault

if TYPE_CHECKING:
    from collections.abc import Hashable

    from PIL import Image

PIXEL_LIMIT = 64_000_000
_SIDE = 16
_ALIKE = 0.04
"""How far two small copies may differ, as a part of the way from black to white."""


def pixels(data: bytes) -> Hashable:
    """What a picture shows, in a form that is equal for equal pictures; the file itself where it is of no known kind.

    Raises:
        CheckerFault: It is larger than what is judged.
    """
    image = _opened(data)
    return data if image is None else (image.size, image.tobytes())


def look_alike(one: bytes, other: bytes) -> bool:
    """Whether two files show the same picture, whatever their size and packing; true where one is of no known kind.

    Raises:
        CheckerFault: One is larger than what is judged.
    """
    left, right = _thumbnail(one), _thumbnail(other)
    if left is None or right is None:
        return True
    return sum(abs(a - b) for a, b in zip(left, right, strict=True)) <= _ALIKE * 255 * len(left)


def _thumbnail(data: bytes) -> bytes | None:
    from PIL import Image  # noqa: PLC0415  an extra

    image = _opened(data)
    return None if image is None else image.resize((_SIDE, _SIDE), Image.Resampling.BOX).convert("RGB").tobytes()


def _opened(data: bytes) -> Image.Image | None:
    """A picture with its transparency; None where it is of no known kind."""
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415  an extra

    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > PIXEL_LIMIT:
                raise CheckerFault(f"a picture of {image.width}x{image.height} is more than what is judged")
            return image.convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        return None
    except Image.DecompressionBombError as error:
        raise CheckerFault(f"a picture is more than what is judged: {error}") from error
