"""Parts and sizes of a screenshot.

Pure, but for Pillow, which is loaded when a picture has to be changed. The invariant: what is asked for is what comes
out; a part that is off the picture is refused and never moved.
"""

from __future__ import annotations

from io import BytesIO

from drums.hybrid.errors import Unsupported
from drums.hybrid.gestures import refusal, whole_number
from drums.hybrid.results import Box
from drums.observation import png_size

LARGEST_SIDE_PX = 16_384


def region_of(region: Box | tuple[int, int, int, int]) -> Box:
    """A part of the screen.

    Raises:
        BadRequest: It is not four whole numbers, or has no size.
    """
    try:
        box = Box(*(whole_number(value, "region") for value in region))
    except TypeError:
        raise _bad_region(region) from None
    if box.x < 0 or box.y < 0 or box.width < 1 or box.height < 1:
        raise _bad_region(region)
    return box


def place_of(box: Box | tuple[int, int, int, int]) -> Box:
    """Where a window is to be; it may be partly off the screen.

    Raises:
        BadRequest: It is not four whole numbers of a size that a screen has, or has no size.
    """
    try:
        found = Box(*(whole_number(value, "box") for value in box))
    except TypeError:
        raise _bad_region(box) from None
    if max(map(abs, found)) > LARGEST_SIDE_PX or found.width < 1 or found.height < 1:
        raise _bad_region(box)
    return found


def scale_of(scale: float) -> float:
    """A factor for both sides of a picture.

    Raises:
        BadRequest: It is not from 0.01 to 8.
    """
    if isinstance(scale, bool) or not 0.01 <= scale <= 8:  # false for NaN too
        raise refusal(f"scale={scale!r} is no number from 0.01 to 8", "Give 0.5 for half the size")
    return float(scale)


def changed(png: bytes, region: Box | None, scale: float | None) -> bytes:
    """A part of a picture, in another size, as PNG; the same bytes where nothing is to be done.

    Raises:
        BadRequest: The part is not all on the picture, or what comes out would be too large.
        Unsupported: Pillow is not installed.
    """
    width, height = png_size(png)
    whole = Box(0, 0, width, height)
    box = region or whole
    if box.x + box.width > width or box.y + box.height > height:
        raise _bad_region(box)
    size = (max(1, round(box.width * (scale or 1.0))), max(1, round(box.height * (scale or 1.0))))
    if box == whole and size == (width, height):
        return png
    if max(size) > LARGEST_SIDE_PX:
        raise refusal(f"a picture of {size[0]}x{size[1]} pixels is too large", "Give a smaller scale")
    try:
        from PIL import Image  # noqa: PLC0415  only who asks for it pays for it
    except ImportError:
        raise Unsupported(
            "region and scale need Pillow",
            hint="Install it: pip install 'drums-sdk[mcp]', or take the whole screenshot",
        ) from None
    with Image.open(BytesIO(png), formats=("PNG",)) as picture:
        part = picture.convert("RGB").crop((box.x, box.y, box.x + box.width, box.y + box.height))
    if part.size != size:
        part = part.resize(size, Image.Resampling.LANCZOS)
    out = BytesIO()
    part.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _bad_region(region: object) -> Exception:
    return refusal(f"region={region!r} is no part of the screen", "Give left, top, width and height, in pixels")
