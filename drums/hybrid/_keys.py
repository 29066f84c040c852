"""Names of keys: pyautogui's, and those of xdotool that agents use, become pyautogui's.

The invariant: a name that comes out is one that pyautogui presses; it does not know and ignores all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums.errors import BadRequest
from drums.screen import ArgumentError, key_name, keys_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_KEYS = 8
"""Keys of one chord."""

_SIDES = {"l": "left", "r": "right"}
_XDOTOOL = {
    **{f"control_{short}": f"ctrl{side}" for short, side in _SIDES.items()},
    **{f"shift_{short}": f"shift{side}" for short, side in _SIDES.items()},
    **{f"alt_{short}": f"alt{side}" for short, side in _SIDES.items()},
    **{f"super_{short}": f"win{side}" for short, side in _SIDES.items()},
    "prior": "pageup",
    "next": "pagedown",
    "kp_enter": "enter",
    "iso_left_tab": "tab",
    "print": "printscreen",
    "num_lock": "numlock",
    "scroll_lock": "scrolllock",
    "less": "<",
    "greater": ">",
    "comma": ",",
    "period": ".",
    "slash": "/",
    "backslash": "\\",
    "semicolon": ";",
    "colon": ":",
    "apostrophe": "'",
    "quotedbl": '"',
    "equal": "=",
    "underscore": "_",
    "bracketleft": "[",
    "bracketright": "]",
    "grave": "`",
    "asterisk": "*",
    "question": "?",
    "exclam": "!",
    "at": "@",
    "numbersign": "#",
    "dollar": "$",
    "percent": "%",
    "ampersand": "&",
}
"""Names that xdotool has and `drums.screen` does not, in lower case."""


def keys_named(keys: str | Sequence[str]) -> list[str]:
    """The keys of a chord as pyautogui names them, in order.

    Args:
        keys: `ctrl+shift+s`, one key, or a list of keys.

    Raises:
        BadRequest: It names no key, an unknown one, or too many.
    """
    try:
        names = _split(keys) if isinstance(keys, str) else [_one(key) for key in keys]
    except (ArgumentError, TypeError) as wrong:
        raise BadRequest(
            400, str(wrong), sent="no", hint="Give a key such as enter, or a chord such as ctrl+s"
        ) from None
    if not 1 <= len(names) <= MOST_KEYS:
        raise BadRequest(400, f"a chord has 1 to {MOST_KEYS} keys, got {len(names)}", sent="no", hint="Give fewer keys")
    return names


def held_keys(keys: str | Sequence[str]) -> list[str]:
    """As `keys_named`; nothing is no key."""
    return keys_named(keys) if keys else []


def _split(chord: str) -> list[str]:
    parts = chord.split("+")
    known = "+".join(_XDOTOOL.get(part.strip().lower(), part) if len(part.strip()) > 1 else part for part in parts)
    return keys_of(known)


def _one(name: object) -> str:
    if not isinstance(name, str):
        raise ArgumentError("a key is text")
    return key_name(_XDOTOOL.get(name.strip().lower(), name) if len(name) > 1 else name)
