"""Between what a model sees and the screen: coordinates, the size of screenshots, names of keys.

Pure, but for Pillow. Invariant: the first and the last pixel that the model sees are the first and last of the screen,
and what is outside is refused and never moved inside.
"""

from __future__ import annotations

from io import BytesIO
from typing import Final

SCREEN_WIDTH_PX: Final = 1920
SCREEN_HEIGHT_PX: Final = 1080

GRID: Final = 1000
"""ScaleCUA's coordinates go from 0 to this, both included."""


class ArgumentError(ValueError):
    """What the model gave can't be done; the message is for the model."""


def on_screen(value: float, last: float, screen_px: int, name: str) -> int:
    """The screen pixel of a coordinate.

    Args:
        value: The model's coordinate.
        last: The largest that it may give.
        screen_px: Pixels of the screen on that side.
        name: Of the coordinate, for the refusal.

    Raises:
        ArgumentError: It is outside.
    """
    if not 0 <= value <= last:  # false for NaN too
        raise ArgumentError(f"{name}={str(value)[:20]} is outside the screen: it goes from 0 to {last:g}")
    return round(value * (screen_px - 1) / last)


def scaled(png: bytes, width: int, height: int) -> bytes:
    """A screenshot as a PNG of that size; the same bytes where nothing is to be done."""
    from PIL import Image  # noqa: PLC0415 - Pillow takes a while to import, and only the tools need it

    with Image.open(BytesIO(png)) as picture:
        if picture.size == (width, height):
            return png
        small = picture.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
    out = BytesIO()
    small.save(out, "PNG", compress_level=1)
    return out.getvalue()


_OTHER_NAMES: Final = {
    "control": "ctrl",
    "ctl": "ctrl",
    "super": "win",
    "meta": "win",
    "cmd": "win",
    "command": "win",
    "windows": "win",
    "option": "alt",
    "return": "enter",
    "escape": "esc",
    "del": "delete",
    "ins": "insert",
    "page_up": "pageup",
    "pgup": "pageup",
    "page_down": "pagedown",
    "pgdn": "pagedown",
    "arrowup": "up",
    "arrowdown": "down",
    "arrowleft": "left",
    "arrowright": "right",
    "spacebar": "space",
    "caps_lock": "capslock",
    "plus": "+",
    "minus": "-",
}
_NAMED: Final = {
    *("enter", "tab", "backspace", "delete", "esc", "space", "up", "down", "left", "right", "home", "end"),
    *("pageup", "pagedown", "insert", "shift", "shiftleft", "shiftright", "ctrl", "ctrlleft", "ctrlright"),
    *("alt", "altleft", "altright", "win", "winleft", "winright", "capslock", "numlock", "scrolllock"),
    *("printscreen", "pause", "menu"),
    *(f"f{number}" for number in range(1, 25)),
}


def key_name(name: str) -> str:
    """What pyautogui calls a key.

    Raises:
        ArgumentError: There is no such key.
    """
    if len(name) == 1 and name.isprintable():
        return "space" if name == " " else name
    lower = name.strip().lower()
    known = _OTHER_NAMES.get(lower, lower)
    if known in _NAMED or (len(known) == 1 and known.isprintable()):
        return known
    raise ArgumentError(f"there is no key {name[:40]!r}; keys are characters and {', '.join(sorted(_NAMED))}")


def keys_of(chord: str) -> list[str]:
    """The keys of `ctrl+shift+s`, in order; `+` alone or at the end is the plus key.

    Raises:
        ArgumentError: It names no key, or one that there is not.
    """
    if chord == " ":
        return ["space"]
    if not chord.strip():
        raise ArgumentError("keys is empty; give a key such as enter, or a chord such as ctrl+s")
    names = [name.strip() for name in chord.strip().split("+")]
    if names[-2:] == ["", ""]:
        names = [*names[:-2], "+"]
    return [key_name(name) for name in names]
