"""What a key does on a simulated desktop: it finds who has the keyboard and lets that react.

It knows no pixels and no pyautogui. Invariant: a key that means nothing where the keyboard is does nothing.
"""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from drums.local.machines.sim.files.listing import shown

from .keys import MODIFIERS, typed_by
from .scene import Editor, Icons, Terminal
from .text import TextField, line_above, line_below, line_end, line_start

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums.local.machines.sim.pace import Pace

    from .scene import Window
    from .session import Session

INDENT = "    "
PAGE_LINES = 20


async def key_down(session: Session, key: str, pace: Pace) -> None:
    """Press a key; it stays held until `key_up`."""
    scene = session.scene
    if key not in scene.keys:
        session.scene = replace(scene, keys=(*scene.keys, key))
    if key not in MODIFIERS:
        await _react(session, key, pace)


def key_up(session: Session, key: str) -> None:
    """Let a key go."""
    session.scene = replace(session.scene, keys=tuple(held for held in session.scene.keys if held != key))


def chord(session: Session, key: str) -> str:
    """A key with the modifiers that are held, e.g. `ctrl+shift+c`; a shift that only makes a character is left out."""
    held = [name for name in ("ctrl", "alt", "win", "shift") if name in session.scene.keys]
    if held == ["shift"] and len(key) == 1:
        held = []
    return "+".join([*held, key.lower() if held else key])


async def _react(session: Session, key: str, pace: Pace) -> None:
    pressed = chord(session, key)
    scene = session.scene
    if scene.question is not None:
        if pressed in _ANSWERS:
            session.answer(_ANSWERS[pressed])
        return
    if scene.menu is not None:
        session.scene = replace(scene, menu=None)
        return
    if pressed in _EVERYWHERE:
        _EVERYWHERE[pressed](session)
        return
    window = scene.focus
    content = window.content if window else scene.desktop
    match content:
        case Icons():
            _in_icons(session, content, key, pressed, window)
        case Terminal():
            assert window is not None  # noqa: S101  the desktop shows icons
            await _in_terminal(session, window.id, content, key=key, pressed=pressed, pace=pace)
        case Editor():
            assert window is not None  # noqa: S101  the desktop shows icons
            _in_editor(session, window.id, content, key, pressed)


_ANSWERS = {"enter": "Save", "esc": "Cancel"}


def _close_focused(session: Session) -> None:
    if session.scene.focus is not None:
        session.ask_to_close(session.scene.focus.id)


def _next_window(session: Session) -> None:
    """The window that was in front before; from the desktop, the one in front."""
    windows = session.scene.windows
    if windows:
        behind = windows[-1] if session.scene.desktop_focused or len(windows) == 1 else windows[-2]
        session.scene = session.scene.raised(behind.id)


_EVERYWHERE: Mapping[str, Callable[[Session], object]] = {
    "ctrl+alt+t": lambda session: session.open_app("terminal"),
    "alt+f4": _close_focused,
    "alt+tab": _next_window,
}


# Text.


def edited(field: TextField, pressed: str, clipboard: str) -> tuple[TextField, str] | None:
    """A field and the clipboard after a key that edits any text; None where the key is none of those."""
    extend = "shift+" in pressed
    plain = pressed.replace("shift+", "")
    moves = {
        "left": field.span[0] if field.selection and not extend else field.cursor - 1,
        "right": field.span[1] if field.selection and not extend else field.cursor + 1,
        "home": line_start(field.value, field.cursor),
        "end": line_end(field.value, field.cursor),
        "ctrl+home": 0,
        "ctrl+end": len(field.value),
    }
    if plain in moves:
        return field.moved_to(moves[plain], extend=extend), clipboard
    changes: dict[str, Callable[[], tuple[TextField, str]]] = {
        "backspace": lambda: (field.erased(), clipboard),
        "delete": lambda: (field.erased(forward=True), clipboard),
        "ctrl+a": lambda: (field.all_selected(), clipboard),
        "ctrl+c": lambda: (field, field.selection or clipboard),
        "ctrl+x": lambda: (field.typed("") if field.selection else field, field.selection or clipboard),
        "ctrl+v": lambda: (field.typed(clipboard), clipboard),
    }
    return changes[plain]() if plain in changes else None


def _character(session: Session, key: str) -> str | None:
    if {"ctrl", "alt", "win"} & set(session.scene.keys):
        return None
    return typed_by(key, "shift" in session.scene.keys)


# Icons: the desktop and file managers.


def _in_icons(session: Session, icons: Icons, key: str, pressed: str, window: Window | None) -> None:
    if icons.renaming is not None:
        _renaming(session, icons, icons.renaming, key, pressed)
    elif pressed == "ctrl+w" and window is not None:
        session.close(window.id)
    elif pressed in _ICON_KEYS:
        session.scene = session.scene.with_focused_content(_ICON_KEYS[pressed](session, icons))
    elif pressed == "enter" and icons.selected:
        open_entry(session, icons, icons.selected, window)
    elif pressed in {"backspace", "alt+up"} and window is not None:
        session.scene = session.scene.with_focused_content(Icons(posixpath.dirname(icons.folder)))


def _renaming(session: Session, icons: Icons, field: TextField, key: str, pressed: str) -> None:
    if pressed == "enter":
        new = session.finish_renaming(icons)
    elif pressed == "esc":
        new = replace(icons, renaming=None)
    elif change := edited(field, pressed, session.scene.clipboard):
        session.scene = replace(session.scene, clipboard=change[1])
        new = replace(icons, renaming=change[0])
    else:
        character = _character(session, key)
        new = replace(icons, renaming=field.typed(character)) if character else icons
    session.scene = session.scene.with_focused_content(new)


def begin_renaming(_: Session, icons: Icons) -> Icons:
    """Let the selected entry's name be typed anew; the part before its ending is selected."""
    if not icons.selected:
        return icons
    stem = icons.selected.rpartition(".")[0] if "." in icons.selected[1:] else icons.selected
    return replace(icons, renaming=TextField(icons.selected, len(stem), 0))


def throw_away(session: Session, icons: Icons) -> Icons:
    """Move the selected entry to the trash."""
    if not icons.selected:
        return icons
    try:
        session.trash(f"{icons.folder}/{icons.selected}")
    except OSError:
        return icons
    return replace(icons, selected=None)


def open_entry(session: Session, icons: Icons, name: str, window: Window | None) -> None:
    """Open an entry: a folder in the same window, or in one of its own from the desktop; a file in an editor."""
    path = f"{icons.folder.rstrip('/')}/{name}"
    if window is not None and session.guest.disk.is_folder(path):
        session.scene = session.scene.with_content(window.id, Icons(path))
    else:
        session.open_path(path)


def _select(step: int) -> Callable[[Session, Icons], Icons]:
    def select(session: Session, icons: Icons) -> Icons:
        names = list(shown(session.guest.disk, icons.folder))
        if not names:
            return icons
        at = names.index(icons.selected) + step if icons.selected in names else 0
        return replace(icons, selected=names[max(0, min(at, len(names) - 1))])

    return select


def _deselect(_: Session, icons: Icons) -> Icons:
    return replace(icons, selected=None)


_ICON_KEYS: Mapping[str, Callable[[Session, Icons], Icons]] = {
    "f2": begin_renaming,
    "delete": throw_away,
    "esc": _deselect,
    "ctrl+shift+n": lambda session, icons: session.new_folder(icons),
    "down": _select(1),
    "right": _select(1),
    "up": _select(-1),
    "left": _select(-1),
    "home": _select(-(10**6)),
    "end": _select(10**6),
}


# The terminal.


async def _in_terminal(
    session: Session, window_id: int, terminal: Terminal, *, key: str, pressed: str, pace: Pace
) -> None:
    if pressed == "enter":
        await session.run_in_terminal(window_id, pace)
        return
    if pressed == "ctrl+d" and not terminal.field.value:
        session.close(window_id)
        return
    new = _terminal_after(session, terminal, key, pressed)
    session.scene = session.scene.with_content(window_id, replace(new, scroll=0))


def _terminal_after(session: Session, terminal: Terminal, key: str, pressed: str) -> Terminal:
    field = terminal.field
    match pressed:
        case "up" | "down":
            return _recalled(terminal, -1 if pressed == "up" else 1)
        case "ctrl+l":
            return replace(terminal, lines=())
        case "ctrl+c":
            return replace(terminal, field=TextField(), recalled=None)
        case "ctrl+u":
            return replace(terminal, field=TextField(field.value[field.cursor :]))
        case "ctrl+a" | "ctrl+e":
            return replace(terminal, field=field.moved_to(0 if pressed == "ctrl+a" else len(field.value)))
        case "ctrl+shift+v" | "shift+insert":
            return replace(terminal, field=field.typed(session.scene.clipboard.replace("\n", " ")))
        case _:
            change = None if "ctrl" in pressed else edited(field, pressed, "")
            character = _character(session, key)
            if change:
                return replace(terminal, field=change[0])
            return replace(terminal, field=field.typed(character)) if character else terminal


def _recalled(terminal: Terminal, step: int) -> Terminal:
    count = len(terminal.history)
    at = (count if terminal.recalled is None else terminal.recalled) + step
    if at < 0 or not count:
        return terminal
    if at >= count:
        return replace(terminal, field=TextField(), recalled=None)
    return replace(terminal, field=TextField.at_end(terminal.history[at]), recalled=at)


# The editor.


def _in_editor(session: Session, window_id: int, editor: Editor, key: str, pressed: str) -> None:
    if pressed == "ctrl+s":
        session.save(window_id)
        return
    if pressed in {"ctrl+w", "ctrl+q"}:
        session.ask_to_close(window_id)
        return
    text = editor.text
    if pressed in _VERTICAL:
        move, extend = _VERTICAL[pressed]
        text = text.moved_to(move(text.value, text.cursor), extend=extend)
    elif pressed in {"enter", "tab"}:
        text = text.typed("\n" if pressed == "enter" else INDENT)
    elif change := edited(text, pressed, session.scene.clipboard):
        text, clipboard = change
        session.scene = replace(session.scene, clipboard=clipboard)
    elif character := _character(session, key):
        text = text.typed(character)
    session.scene = session.scene.with_content(window_id, in_sight(replace(editor, text=text)))


def _many(step: Callable[[str, int], int]) -> Callable[[str, int], int]:
    def page(value: str, cursor: int) -> int:
        for _ in range(PAGE_LINES):
            cursor = step(value, cursor)
        return cursor

    return page


_VERTICAL: Mapping[str, tuple[Callable[[str, int], int], bool]] = {
    "up": (line_above, False),
    "down": (line_below, False),
    "shift+up": (line_above, True),
    "shift+down": (line_below, True),
    "pageup": (_many(line_above), False),
    "pagedown": (_many(line_below), False),
}


def in_sight(editor: Editor) -> Editor:
    """Scrolled so that the cursor's line can be seen."""
    row = editor.text.value.count("\n", 0, editor.text.cursor)
    scroll = min(editor.scroll, row)
    return replace(editor, scroll=max(scroll, row - PAGE_LINES))
