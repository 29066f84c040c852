"""Keys as pyautogui names them, and what they type.

A US keyboard, and besides it every printable character, as on the real desktops. Invariant: a name that is neither is
no key, and pressing it does nothing, as with pyautogui.
"""

from __future__ import annotations

SHIFTED = dict(zip('~!@#$%^&*()_+{}|:"<>?', "`1234567890-=[]\\;',./", strict=True))
"""Characters that need shift, and the key under them."""
UNSHIFTED = {plain: shifted for shifted, plain in SHIFTED.items()}

_PRINTABLE = [chr(code) for code in range(32, 127)]
_NAMED = """
enter return tab backspace delete del esc escape space up down left right home end pageup pgup pagedown pgdn
insert shift shiftleft shiftright ctrl ctrlleft ctrlright alt altleft altright option win winleft winright
command capslock numlock scrolllock printscreen prntscrn prtsc prtscr pause menu apps add subtract multiply
divide decimal num0 num1 num2 num3 num4 num5 num6 num7 num8 num9
"""
KEYS = frozenset([*_PRINTABLE, *_NAMED.split(), "\t", "\n", "\r", *(f"f{number}" for number in range(1, 25))])

SAME = {
    "return": "enter",
    "\n": "enter",
    "\r": "enter",
    "\t": "tab",
    "del": "delete",
    "escape": "esc",
    " ": "space",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "shiftleft": "shift",
    "shiftright": "shift",
    "ctrlleft": "ctrl",
    "ctrlright": "ctrl",
    "altleft": "alt",
    "altright": "alt",
    "option": "alt",
    "winleft": "win",
    "winright": "win",
    "command": "win",
    "apps": "menu",
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "decimal": ".",
    **{f"num{number}": str(number) for number in range(10)},
}
"""Names that mean the same key."""
MODIFIERS = frozenset({"shift", "ctrl", "alt", "win"})


def key_named(name: str) -> str | None:
    """The one name of a key; None where there is no such key. Only single characters keep their case."""
    name = name if len(name) == 1 else name.lower()
    known = name in KEYS or (len(name) == 1 and name.isprintable())
    return SAME.get(name, name) if known else None


def cap_of(key: str) -> tuple[str, bool]:
    """The key that has a character on it, and whether shift is needed for it."""
    if key in SHIFTED:
        return SHIFTED[key], True
    if len(key) == 1 and key.isascii() and key.isupper():
        return key.lower(), True
    return key, False


def typed_by(key: str, shift: bool) -> str | None:
    """The character that a key types; None for one that types none."""
    if key == "space":
        return " "
    if len(key) != 1:
        return None
    return UNSHIFTED.get(key, key.upper() if key.isascii() else key) if shift else key
