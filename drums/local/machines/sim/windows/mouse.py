"""What the pointer does on a simulated desktop: it finds what lies under it and lets that react.

Geometry is layout.py's, deeds are session.py's. Invariant: a press goes to what is seen under the pointer, and only
to that.
"""

from __future__ import annotations

import math
import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from drums.local.machines.sim.files.listing import shown

from . import layout
from .keyboard import begin_renaming, in_sight, open_entry, throw_away
from .scene import Click, Drag, Editor, Icons, Menu, Terminal
from .text import line_end, line_start

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .layout import Box
    from .scene import Button, Window
    from .session import Session

DOUBLE_CLICK_S = 0.5
DOUBLE_CLICK_PX = 4
SCROLL_LINES = 3
TITLE_LEFT_PX = 40
"""How much of a window's title bar must stay on the screen."""


def move(session: Session, x: int, y: int) -> None:
    """Move the pointer to a place on the screen, with what it drags."""
    scene = session.scene = replace(session.scene, x=x, y=y)
    drag = scene.drag
    window = scene.window(drag.window) if drag else None
    if drag is None or window is None:
        return
    if drag.kind == "window":
        left = max(TITLE_LEFT_PX - window.width, min(x - drag.dx, layout.SCREEN.right - TITLE_LEFT_PX))
        top = max(layout.BAR_HEIGHT, min(y - drag.dy, layout.SCREEN.bottom - layout.TITLE_HEIGHT))
        session.scene = scene.with_window(replace(window, x=left, y=top))
    elif isinstance(window.content, Editor):
        offset = layout.editor_offset(window.content, layout.frame(window).body, x, y)
        text = window.content.text.moved_to(offset, extend=True)
        session.scene = scene.with_content(window.id, replace(window.content, text=text))


def button_down(session: Session, button: Button) -> None:
    """Press a button where the pointer is."""
    scene = session.scene
    click = _click(session)
    session.scene = replace(scene, buttons=(*scene.buttons, button), click=click if button == "left" else None)
    if scene.question is not None:
        _answer(session, scene.x, scene.y)
        return
    if scene.menu is not None:
        session.scene = replace(session.scene, menu=None)
        if _choose(session, scene.menu, scene.x, scene.y):
            return
    _finish_renamings(session)
    window = _window_at(session, scene.x, scene.y)
    if window is not None:
        session.scene = session.scene.raised(window.id)
        _press_window(session, window, button, click.count)
    else:
        _press_desktop(session, button, click.count)


def button_up(session: Session, button: Button) -> None:
    """Let a button go."""
    held = tuple(other for other in session.scene.buttons if other != button)
    scene = replace(session.scene, buttons=held)
    session.scene = replace(scene, drag=None) if button == "left" else scene


def scroll(session: Session, clicks: int) -> None:
    """Turn the wheel where the pointer is: up for positive `clicks`."""
    window = _window_at(session, session.scene.x, session.scene.y)
    if window is None:
        return
    body = layout.frame(window).body
    content = window.content
    lines = clicks * SCROLL_LINES
    match content:
        case Editor():
            most = max(0, content.text.value.count("\n") + 1 - layout.rows(content, body))
            content = replace(content, scroll=max(0, min(content.scroll - lines, most)))
        case Terminal():
            content = replace(content, scroll=max(0, min(content.scroll + lines, len(content.lines))))
        case Icons():
            across = max(1, body.width // layout.CELL_WIDTH)
            most = max(0, math.ceil(len(shown(session.guest.disk, content.folder)) / across) - 1)
            content = replace(content, scroll=max(0, min(content.scroll - clicks, most)))
    session.scene = session.scene.with_content(window.id, content)


def _click(session: Session) -> Click:
    """This press, counted on from the last one where that was here and just now."""
    scene, now = session.scene, session.guest.clock_s
    last = scene.click
    near = (
        last is not None
        and abs(last.x - scene.x) <= DOUBLE_CLICK_PX
        and abs(last.y - scene.y) <= DOUBLE_CLICK_PX
        and now - last.at <= DOUBLE_CLICK_S
    )
    return Click(scene.x, scene.y, now, last.count % 3 + 1 if last is not None and near else 1)


def _window_at(session: Session, x: int, y: int) -> Window | None:
    return next((w for w in reversed(session.scene.windows) if layout.frame(w).outer.holds(x, y)), None)


def _finish_renamings(session: Session) -> None:
    """A press anywhere else takes a name that is being typed as meant."""
    scene = session.scene
    if scene.desktop.renaming is not None:
        session.scene = replace(session.scene, desktop=session.finish_renaming(scene.desktop))
    for window in scene.windows:
        if isinstance(window.content, Icons) and window.content.renaming is not None:
            session.scene = session.scene.with_content(window.id, session.finish_renaming(window.content))


# The desktop and the dock.


def _press_desktop(session: Session, button: Button, count: int) -> None:
    x, y = session.scene.x, session.scene.y
    if layout.DOCK.holds(x, y):
        if button == "left" and count == 1:
            _press_dock(session, x, y)
        return
    session.scene = replace(session.scene, desktop_focused=True)
    if layout.DESKTOP.holds(x, y):
        icons = session.scene.desktop
        name = _entry_at(session, icons, layout.DESKTOP, x, y, down=True)
        session.scene = replace(session.scene, desktop=replace(icons, selected=name))
        _press_entry(session, name, button, count, None)


def _press_dock(session: Session, x: int, y: int) -> None:
    """Bring the app's window up, or open one."""
    for index, app in enumerate(layout.DOCK_APPS):
        if layout.dock_slot(index).holds(x, y):
            open_ones = [w for w in session.scene.windows if layout.kind_of(w.content) == app]
            if open_ones:
                session.scene = session.scene.raised(open_ones[-1].id)
            else:
                session.open_app(app)


def _entry_at(session: Session, icons: Icons, area: Box, x: int, y: int, *, down: bool) -> str | None:
    names = list(shown(session.guest.disk, icons.folder))
    cells = layout.icon_cells(icons, area, names, down=down)
    return next((name for name, cell in cells if cell.holds(x, y)), None)


def _press_entry(session: Session, name: str | None, button: Button, count: int, window: Window | None) -> None:
    """React to a press in a folder: on an entry that was just selected, or beside all of them."""
    scene = session.scene
    icons = window.content if window else scene.desktop
    if button == "right":
        items = ENTRY_MENU if name else FOLDER_MENU
        session.scene = replace(scene, menu=Menu(scene.x, scene.y, tuple(items), window.id if window else None))
    elif button == "left" and count == 2 and name and isinstance(icons, Icons):
        open_entry(session, icons, name, window)


# Windows.


def _press_window(session: Session, window: Window, button: Button, count: int) -> None:
    parts = layout.frame(window)
    x, y = session.scene.x, session.scene.y
    if parts.close.holds(x, y):
        if button == "left":
            session.ask_to_close(window.id)
    elif parts.title.holds(x, y):
        if button == "left":
            session.scene = replace(session.scene, drag=Drag(window.id, x - window.x, y - window.y, "window"))
    elif isinstance(window.content, Icons):
        _press_folder(session, window, window.content, button, count)
    elif isinstance(window.content, Editor) and parts.body.holds(x, y) and button == "left":
        _press_text(session, window, window.content, count)


def _press_folder(session: Session, window: Window, icons: Icons, button: Button, count: int) -> None:
    parts = layout.frame(window)
    x, y = session.scene.x, session.scene.y
    if parts.up.holds(x, y):
        session.scene = session.scene.with_content(window.id, Icons(posixpath.dirname(icons.folder)))
    elif parts.body.holds(x, y):
        name = _entry_at(session, icons, parts.body, x, y, down=False)
        session.scene = session.scene.with_content(window.id, replace(icons, selected=name))
        _press_entry(session, name, button, count, session.scene.window(window.id))


def _press_text(session: Session, window: Window, editor: Editor, count: int) -> None:
    """Set the cursor; a double click takes the word, a triple click the line; a held shift selects up to here."""
    x, y = session.scene.x, session.scene.y
    value = editor.text.value
    at = layout.editor_offset(editor, layout.frame(window).body, x, y)
    if count == 1:
        text = editor.text.moved_to(at, extend="shift" in session.scene.keys)
        session.scene = replace(session.scene, drag=Drag(window.id, 0, 0, "text"))
    else:
        start, end = _word(value, at) if count == 2 else (line_start(value, at), line_end(value, at))
        text = editor.text.moved_to(start).moved_to(end, extend=True)
    session.scene = session.scene.with_content(window.id, in_sight(replace(editor, text=text)))


def _word(value: str, at: int) -> tuple[int, int]:
    start = end = at
    while start > 0 and (value[start - 1].isalnum() or value[start - 1] == "_"):
        start -= 1
    while end < len(value) and (value[end].isalnum() or value[end] == "_"):
        end += 1
    return start, end


# Menus and questions.


def _answer(session: Session, x: int, y: int) -> None:
    question = session.scene.question
    assert question is not None  # noqa: S101  asked only while there is one
    for answer, box in zip(question.answers, layout.answer_boxes(len(question.answers)), strict=True):
        if box.holds(x, y):
            session.answer(answer)


def _choose(session: Session, menu: Menu, x: int, y: int) -> bool:
    """Do what the item under the pointer says; whether the pointer was in the menu at all."""
    for item, box in zip(menu.items, layout.menu_rows(menu), strict=True):
        if box.holds(x, y):
            window = session.scene.window(menu.window) if menu.window is not None else None
            icons = window.content if window else session.scene.desktop
            if isinstance(icons, Icons):
                ({**ENTRY_MENU, **FOLDER_MENU})[item](session, icons, window)
            return True
    return layout.menu_box(menu).holds(x, y)


def _change(change: Callable[[Session, Icons], Icons]) -> Callable[[Session, Icons, Window | None], None]:
    """A menu's deed that changes how the folder is shown."""

    def act(session: Session, icons: Icons, window: Window | None) -> None:
        new = change(session, icons)
        if window is None:
            session.scene = replace(session.scene, desktop=new, desktop_focused=True)
        else:
            session.scene = session.scene.with_content(window.id, new)

    return act


def _open_selected(session: Session, icons: Icons, window: Window | None) -> None:
    if icons.selected:
        open_entry(session, icons, icons.selected, window)


ENTRY_MENU: Mapping[str, Callable[[Session, Icons, Window | None], object]] = {
    "Open": _open_selected,
    "Rename…": _change(begin_renaming),
    "Move to Trash": _change(throw_away),
}
FOLDER_MENU: Mapping[str, Callable[[Session, Icons, Window | None], object]] = {
    "New Folder": _change(lambda session, icons: session.new_folder(icons)),
    "Open Terminal Here": lambda session, icons, _: session.open_app("terminal", icons.folder),
    "Show in Files": lambda session, icons, _: session.open_app("files", icons.folder),
}
