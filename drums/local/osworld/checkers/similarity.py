"""Pictures as numbers: how alike two are, how bright, how saturated, how strong in contrast.

It gives figures and sets no thresholds. Colour that is fully transparent counts as none. Invariant: a picture larger
than the limit is never unpacked, and memory stays a small multiple of what one takes.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageChops, ImageStat, TiffImagePlugin, UnidentifiedImageError, WebPImagePlugin

from .base import CheckerFault, as_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
    Numbers = NDArray[np.float64]

FORMATS = ("PNG", "JPEG", "GIF", "BMP", "PPM", "TIFF", "WEBP")
"""What a picture may be: a file can't choose a rare decoder, and none is looked for."""
PIXEL_LIMIT = 24_000_000
LEVELS = 255.0
WINDOW = 7
"""The side of the square in which structure is compared, in pixels."""
_STEADY = (0.01 * LEVELS) ** 2, (0.03 * LEVELS) ** 2
_BAND_PIXELS = 1_000_000
# The decoders are read now, and not in every check.
Image.preinit()
_MORE_DECODERS = (TiffImagePlugin, WebPImagePlugin)


def opened(value: object, what: str) -> Image.Image | None:
    """A picture, unpacked; None where the bytes are none.

    Raises:
        CheckerFault: It is larger than what is judged, or no file's content.
    """
    data = as_bytes(value, what)
    try:
        picture = Image.open(io.BytesIO(data), formats=FORMATS)
        if picture.width * picture.height > PIXEL_LIMIT:
            raise CheckerFault(f"a picture of {picture.width}x{picture.height} is more than what is judged")
        picture.load()
    except Image.DecompressionBombError as error:
        raise CheckerFault(f"a picture is more than what is judged: {error}") from error
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError):
        return None
    return picture


def resized(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture with another size."""
    return picture if picture.size == size else picture.convert("RGBA").resize(size)


def opaque_part(picture: Image.Image) -> Image.Image:
    """The picture without the fully transparent margin around it; of no size where all of it is."""
    colours = picture.convert("RGBA")
    return colours.crop(colours.getchannel("A").getbbox() or (0, 0, 0, 0))


def structure(left: Image.Image, right: Image.Image) -> float:
    """The mean structural similarity of two pictures of one size, over their channels; 1 where they are the same.

    It is the index of Wang et al. (2004) with a square window of 7 pixels, as scikit-image computes it.
    """
    transparent = any(picture.has_transparency_data for picture in (left, right))
    pairs = zip(_channels(left, transparent=transparent), _channels(right, transparent=transparent), strict=True)
    return float(np.mean([_similarity(one, other) for one, other in pairs]))


def gray_structure(left: Image.Image, right: Image.Image) -> float:
    """As `structure`, of levels of gray only."""
    return _similarity(np.asarray(left.convert("L")), np.asarray(right.convert("L")))


def evened(picture: Image.Image) -> Image.Image:
    """The picture with a mean level in the middle."""
    colours = picture.convert("RGB")
    factor = LEVELS / 2 / max(float(np.mean(ImageStat.Stat(colours).mean)), 1e-6)
    return colours.point([min(255, round(level * factor)) for level in range(256)] * 3)


def difference(left: Image.Image, right: Image.Image) -> float:
    """The mean squared difference of the levels of two pictures of one size, from 0 to 1."""
    squares = ImageStat.Stat(ImageChops.difference(left.convert("RGB"), right.convert("RGB"))).rms
    return float(np.mean(np.square(squares))) / LEVELS**2


def brightness(picture: Image.Image) -> float:
    """The mean level of gray."""
    return ImageStat.Stat(picture.convert("L")).mean[0]


def contrast(picture: Image.Image) -> float:
    """The standard deviation of the levels of gray."""
    return ImageStat.Stat(picture.convert("L")).stddev[0]


def saturation(picture: Image.Image) -> float:
    """The mean saturation."""
    return ImageStat.Stat(picture.convert("RGB").convert("HSV")).mean[1]


def _channels(picture: Image.Image, *, transparent: bool) -> list[Pixels]:
    """Red, green and blue; where transparency counts, each as far as it shows, and transparency itself."""
    whole = picture.convert("RGBA").convert("RGBa") if transparent else picture.convert("RGB")
    pixels: Pixels = np.asarray(whole)
    return [pixels[:, :, channel] for channel in range(pixels.shape[2])]


def _similarity(left: Pixels, right: Pixels) -> float:
    """The mean index over all windows, computed band by band so that memory does not grow with the picture."""
    height, width = left.shape
    if min(height, width) < WINDOW:
        return float(np.array_equal(left, right))
    rows = max(1, _BAND_PIXELS // width)
    total: float = 0.0
    for top in range(0, height - WINDOW + 1, rows):
        bottom = top + rows + WINDOW - 1
        total += float(np.sum(_indices(left[top:bottom].astype(np.float64), right[top:bottom].astype(np.float64))))
    return float(total / ((height - WINDOW + 1) * (width - WINDOW + 1)))


def _indices(left: Numbers, right: Numbers) -> Numbers:
    """The index of every window."""
    count = WINDOW * WINDOW
    unbiased = count / (count - 1)
    mean_left, mean_right = _window_means(left), _window_means(right)
    product = mean_left * mean_right
    squares = mean_left * mean_left + mean_right * mean_right
    together = unbiased * (_window_means(left * right) - product)
    apart = unbiased * (_window_means(left * left + right * right) - squares)
    index: Numbers = (2 * product + _STEADY[0]) * (2 * together + _STEADY[1])
    index /= (squares + _STEADY[0]) * (apart + _STEADY[1])
    return index


def _window_means(values: Numbers) -> Numbers:
    sums = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    np.cumsum(np.cumsum(values, axis=0), axis=1, out=sums[1:, 1:])
    windows: Numbers = sums[WINDOW:, WINDOW:] - sums[:-WINDOW, WINDOW:] - sums[WINDOW:, :-WINDOW]
    windows += sums[:-WINDOW, :-WINDOW]
    windows /= WINDOW * WINDOW
    return windows
