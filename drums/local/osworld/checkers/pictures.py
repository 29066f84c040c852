"""A picture's pixels, for telling whether two files show the same.

It judges nothing else about a picture. Invariant: a picture larger than the limit is never unpacked.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from .base import CheckerFault

if TYPE_CHECKING:
    from collections.abc import Hashable

PIXEL_LIMIT = 64_000_000


def pixels(data: bytes) -> Hashable:
    """What a picture shows, in a form that is equal for equal pictures; the file itself where it is of no known kind.

    Raises:
        CheckerFault: It is larger than what is judged.
    """
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415  an extra

    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > PIXEL_LIMIT:
                raise CheckerFault(f"a picture of {image.width}x{image.height} is more than what is judged")
            return image.size, image.convert("RGBA").tobytes()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        return data
    except Image.DecompressionBombError as error:
        raise CheckerFault(f"a picture is more than what is judged: {error}") from error
