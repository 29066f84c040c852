"""What is the same on every simulated screen, drawn once: fonts, colours, the wallpaper, the pictures of icons.

Invariant: nothing here depends on a desktop, on the host's fonts or on time.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from drums.local.machines.sim.windows import layout

if TYPE_CHECKING:
    from drums.local.machines.sim.files.listing import Kind

Colour = tuple[int, int, int]

SKY: tuple[Colour, Colour, Colour] = ((28, 44, 82), (62, 70, 128), (136, 96, 140))
"""The wallpaper from top to bottom."""
BAR: Colour = (22, 24, 34)
DOCK: Colour = (30, 33, 48)
LIGHT: Colour = (245, 246, 250)
INK: Colour = (36, 38, 48)
FAINT: Colour = (120, 124, 140)
LINE: Colour = (206, 209, 218)
ACCENT: Colour = (52, 120, 246)
ACCENT_SOFT: Colour = (205, 222, 252)
TITLE_ACTIVE: Colour = (226, 229, 238)
TITLE_BACK: Colour = (240, 241, 245)
TERMINAL: Colour = (24, 26, 34)
TERMINAL_INK: Colour = (222, 226, 234)
TERMINAL_PROMPT: Colour = (126, 211, 140)
CLOSE: Colour = (224, 84, 84)
SHADE: Colour = (8, 10, 20)
SHADOW = 12
"""How far a window's shadow reaches around it."""
SHADOW_DROP = 4
"""How much lower it lies."""
SUPERSAMPLING = 4
"""Icons are drawn so much larger and made smaller, for smooth edges."""


@cache
def font(size: int, mono: bool = False) -> ImageFont.FreeTypeFont:
    """The simulator's own font at a size in pixels; `mono` has characters of one width."""
    name = "DejaVuSansMono.ttf" if mono else "DejaVuSans.ttf"
    content = (files("drums.local.machines.sim.picture") / "fonts" / name).read_bytes()
    return ImageFont.truetype(BytesIO(content), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=8192)
def line(text: str, size: int, mono: bool = False) -> Image.Image:
    """A line of text as a mask, its height that of the font. Most lines on a screen are those of the picture before."""
    used = font(size, mono)
    ascent, descent = used.getmetrics()
    mask = Image.new("L", (max(1, round(used.getlength(text))), ascent + descent))
    ImageDraw.Draw(mask).text((0, 0), text, font=used, fill=255)
    return mask


@cache
def backdrop() -> Image.Image:
    """The screen with nothing on it but the wallpaper, the bar and the dock."""
    picture = Image.new("RGB", (layout.SCREEN.width, layout.SCREEN.height))
    draw = ImageDraw.Draw(picture)
    for y in range(layout.SCREEN.height):
        draw.line((0, y, layout.SCREEN.width, y), fill=_sky(y / layout.SCREEN.height))
    draw.rectangle(_inclusive(layout.DOCK), fill=DOCK)
    draw.rectangle(_inclusive(layout.BAR), fill=BAR)
    for name, left in (("Drums", 16), ("user", layout.SCREEN.right - 16 - line("user", 15).width)):
        mask = line(name, 15)
        draw.bitmap((left, (layout.BAR_HEIGHT - mask.height) // 2), mask, fill=LIGHT)
    for index, app in enumerate(layout.DOCK_APPS):
        slot = layout.dock_slot(index)
        image = app_icon(app, 48)
        picture.paste(image, (slot.left + (slot.width - 48) // 2, slot.top + (slot.height - 48) // 2), image)
    return picture


def _sky(at: float) -> Colour:
    first, second, part = (SKY[0], SKY[1], at * 2) if at < 0.5 else (SKY[1], SKY[2], at * 2 - 1)
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _inclusive(box: layout.Box) -> tuple[int, int, int, int]:
    return box.left, box.top, box.right - 1, box.bottom - 1


# Icons, on a canvas of 60 units.


class _Canvas:
    def __init__(self, size: int) -> None:
        self._size = size
        self._scale = size * SUPERSAMPLING / 60
        self.image = Image.new("RGBA", (size * SUPERSAMPLING, size * SUPERSAMPLING))
        self._draw = ImageDraw.Draw(self.image)

    def box(self, left: float, top: float, right: float, bottom: float, fill: Colour, *, radius: float = 0) -> None:
        corners = tuple(value * self._scale for value in (left, top, right, bottom))
        self._draw.rounded_rectangle(corners, radius * self._scale, fill=fill)

    def polygon(self, points: list[tuple[float, float]], fill: Colour) -> None:
        self._draw.polygon([(x * self._scale, y * self._scale) for x, y in points], fill=fill)

    def circle(self, x: float, y: float, radius: float, fill: Colour) -> None:
        self.box(x - radius, y - radius, x + radius, y + radius, fill, radius=radius)

    def text(self, x: float, y: float, text: str, size: float, fill: Colour) -> None:
        used = font(round(size * self._scale), mono=True)
        self._draw.text((x * self._scale, y * self._scale), text, font=used, fill=fill, anchor="mm")

    def finished(self) -> Image.Image:
        return self.image.resize((self._size, self._size), Image.Resampling.LANCZOS)


@cache
def entry_icon(kind: Kind, size: int = layout.ICON_SIZE) -> Image.Image:
    """The picture of a file or folder."""
    canvas = _Canvas(size)
    if kind == "folder":
        canvas.box(4, 10, 28, 24, (205, 140, 42), radius=4)
        canvas.box(4, 15, 56, 52, (205, 140, 42), radius=4)
        canvas.box(4, 20, 56, 52, (247, 185, 85), radius=4)
        canvas.box(4, 20, 56, 23, (255, 206, 122), radius=1.5)
    else:
        _sheet(canvas)
        _SHEETS[kind](canvas)
    return canvas.finished()


def _sheet(canvas: _Canvas) -> None:
    canvas.box(11, 4, 49, 56, (176, 180, 194), radius=3)
    canvas.box(12, 5, 48, 55, (252, 252, 254), radius=3)
    canvas.polygon([(37, 4), (49.5, 16), (37, 16)], (212, 216, 226))
    canvas.polygon([(37.4, 3.5), (50, 3.5), (50, 16)], (0, 0, 0))
    _cut_corner(canvas)


def _cut_corner(canvas: _Canvas) -> None:
    """Make the corner that is folded over transparent."""
    scale = canvas.image.width / 60
    mask = Image.new("L", canvas.image.size, 255)
    ImageDraw.Draw(mask).polygon([(37.4 * scale, 3 * scale), (51 * scale, 3 * scale), (51 * scale, 16 * scale)], fill=0)
    canvas.image.putalpha(Image.composite(canvas.image.getchannel("A"), Image.new("L", mask.size), mask))


def _text_sheet(canvas: _Canvas) -> None:
    for index, right in enumerate((34, 42, 42, 38, 42, 30)):
        canvas.box(18, 18 + index * 5.6, right, 20 + index * 5.6, (150, 156, 172))


def _image_sheet(canvas: _Canvas) -> None:
    canvas.box(16, 20, 44, 46, (122, 178, 240), radius=2)
    canvas.circle(36, 27, 3.4, (255, 222, 110))
    canvas.polygon([(16, 46), (26, 30), (36, 46)], (74, 138, 92))
    canvas.polygon([(28, 46), (36, 35), (44, 46)], (58, 116, 78))


def _archive_sheet(canvas: _Canvas) -> None:
    for index in range(7):
        left = 27 if index % 2 else 30.5
        canvas.box(left, 8 + index * 4.4, left + 3.5, 12 + index * 4.4, (176, 136, 74))
    canvas.box(26, 39, 35, 49, (206, 160, 88), radius=2)


def _program_sheet(canvas: _Canvas) -> None:
    canvas.box(16, 22, 44, 46, (38, 42, 56), radius=2)
    canvas.text(25, 33, ">_", 12, (126, 211, 140))


def _plain_sheet(canvas: _Canvas) -> None:
    canvas.text(30, 36, "?", 20, (186, 190, 204))


_SHEETS = {
    "text": _text_sheet,
    "image": _image_sheet,
    "archive": _archive_sheet,
    "program": _program_sheet,
    "file": _plain_sheet,
}


@cache
def app_icon(app: str, size: int) -> Image.Image:
    """The picture of an app in the dock."""
    canvas = _Canvas(size)
    if app == "terminal":
        canvas.box(4, 6, 56, 54, (92, 96, 114), radius=8)
        canvas.box(6, 8, 54, 52, TERMINAL, radius=6)
        canvas.text(22, 26, ">_", 19, TERMINAL_PROMPT)
    elif app == "editor":
        canvas.box(8, 4, 52, 56, (238, 240, 246), radius=6)
        for index, right in enumerate((40, 46, 44, 46, 34)):
            canvas.box(14, 14 + index * 8, right, 17 + index * 8, (140, 146, 166))
        canvas.polygon([(30, 50), (50, 24), (56, 29), (37, 54), (29, 56)], (242, 160, 61))
        canvas.polygon([(30, 50), (37, 54), (29, 56)], (60, 62, 72))
    else:
        canvas.box(4, 12, 30, 26, (42, 98, 196), radius=4)
        canvas.box(4, 17, 56, 52, (42, 98, 196), radius=5)
        canvas.box(4, 23, 56, 52, (88, 148, 246), radius=5)
        canvas.box(20, 36, 40, 40, (226, 236, 254), radius=2)
    return canvas.finished()


@cache
def pointer() -> Image.Image:
    """The mouse pointer; its tip is the upper left corner."""
    scale = SUPERSAMPLING
    image = Image.new("RGBA", (20 * scale, 28 * scale))
    shape = [(1, 1), (1, 21), (6, 16.5), (9.5, 24.5), (13, 23), (9.6, 15.2), (16, 15.2)]
    points = [(x * scale, y * scale) for x, y in shape]
    draw = ImageDraw.Draw(image)
    draw.polygon(points, fill=(12, 12, 16))
    draw.line([*points, points[0], points[1]], fill=(255, 255, 255), width=round(1.4 * scale), joint="curve")
    return image.resize((20, 28), Image.Resampling.LANCZOS)


@cache
def shadow(width: int, height: int) -> Image.Image:
    """The soft shadow of a window of this size, `SHADOW` pixels larger on each side."""
    image = Image.new("L", (width + 2 * SHADOW, height + 2 * SHADOW))
    draw = ImageDraw.Draw(image)
    for ring in range(SHADOW):
        draw.rounded_rectangle((ring, ring, image.width - 1 - ring, image.height - 1 - ring), 14, fill=5 * (ring + 1))
    return image
