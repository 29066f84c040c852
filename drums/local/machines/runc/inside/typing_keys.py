"""Typing characters that are on no key: pyautogui drops them silently.

A spare keycode (one that nothing is on) is given the character, then pressed; programs learn of the change before the
key arrives. Invariant: a keycode keeps its character until all spare ones are used, so that a slow program never reads
a key by a later map.
"""

from __future__ import annotations

import time
from typing import Any

LATIN_1 = range(0xA0, 0x100)
UNICODE_KEYSYM = 0x01000000
KEY_PRESS, KEY_RELEASE = 2, 3
REUSE_PAUSE_S = 0.15
FIRST_KEYCODE, LAST_KEYCODE = 8, 255


def keysym_of(character: str) -> int:
    """X's number for a character."""
    code = ord(character)
    return code if code in LATIN_1 else UNICODE_KEYSYM | code


class SpareKeys:
    """Keycodes that hold nothing when the session starts."""

    def __init__(self, keys: Any) -> None:
        self.keys = keys
        rows = self.rows()
        self.spare: list[int] = [FIRST_KEYCODE + n for n, row in enumerate(rows) if not any(row)]
        self.turn: int = 0

    def rows(self) -> list[Any]:
        """The keysyms of each keycode, as the X server has them now."""
        return list(self.keys._display.get_keyboard_mapping(FIRST_KEYCODE, LAST_KEYCODE - FIRST_KEYCODE + 1))  # noqa: SLF001

    def keycode_for(self, character: str) -> int:
        """A keycode that gives the character, after making one if there is none."""
        wanted = keysym_of(character)
        rows = self.rows()
        for keycode in self.spare:
            if rows[keycode - FIRST_KEYCODE][0] == wanted:
                return keycode
        free = [keycode for keycode in self.spare if not any(rows[keycode - FIRST_KEYCODE])]
        keycode = free[0] if free else self.used_longest_ago()
        display = self.keys._display  # noqa: SLF001
        display.change_keyboard_mapping(keycode, [[wanted] * 2])
        display.sync()
        return keycode

    def used_longest_ago(self) -> int:
        """The next keycode to take from its character, once programs had time to read the keys before."""
        time.sleep(REUSE_PAUSE_S)
        self.turn += 1
        return self.spare[self.turn % len(self.spare)]


def install(keys: Any) -> None:
    """Let pyautogui's X11 half press characters that are on no key."""
    spare = SpareKeys(keys)
    known_down, known_up = keys._keyDown, keys._keyUp  # noqa: SLF001

    def on_no_key(key: str) -> bool:
        return len(key) == 1 and not key.isascii() and keys.keyboardMapping.get(key) is None

    def send(kind: int, key: str) -> None:
        keys.fake_input(keys._display, kind, spare.keycode_for(key))  # noqa: SLF001
        keys._display.sync()  # noqa: SLF001

    def key_down(key: str) -> None:
        if on_no_key(key):
            send(KEY_PRESS, key)
        else:
            known_down(key)

    def key_up(key: str) -> None:
        if on_no_key(key):
            send(KEY_RELEASE, key)
        else:
            known_up(key)

    keys._keyDown, keys._keyUp = key_down, key_up  # noqa: SLF001
