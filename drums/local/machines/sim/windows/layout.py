"""Where everything is on a simulated screen: rectangles in pixels, from a scene and its folders.

It is the one place that knows geometry: screen.py draws by it and mouse.py finds by it, so what is seen is what is hit.
Invariant: pure; equal scenes give equal rectangles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from drums.local.machines.machine import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX

from .scene import Editor, Icons, Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .scene import Content, Menu, Window

BAR_HEIGHT = 34
DOCK_WIDTH = 76
DOCK_SLOT = 72
DOCK_APPS = ("files", "editor", "terminal")

TITLE_HEIGHT = 38
TOOLBAR_HEIGHT = 44
STATUS_HEIGHT = 28
BORDER = 1
BUTTON = 24

CELL_WIDTH, CELL_HEIGHT = 124, 116
ICON_SIZE = 60
TERMINAL_CELL_WIDTH, TERMINAL_LINE = 10, 21
EDITOR_CELL_WIDTH, EDITOR_LINE = 10, 22
PADDING = 10
MENU_WIDTH, MENU_ROW = 220, 34
QUESTION_WIDTH, QUESTION_HEIGHT = 520, 170
ANSWER_WIDTH, ANSWER_HEIGHT = 120, 38
TAB = 4


class Box(NamedTuple):
    """A rectangle: left, top, and right, bottom just outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Pixels across."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Pixels down."""
        return self.bottom - self.top

    def holds(self, x: int, y: int) -> bool:
        """Whether a point is in it."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def inset(self, by: int) -> Box:
        """A smaller one inside."""
        return Box(self.left + by, self.top + by, self.right - by, self.bottom - by)


SCREEN = Box(0, 0, SCREEN_WIDTH_PX, SCREEN_HEIGHT_PX)
BAR = Box(0, 0, SCREEN_WIDTH_PX, BAR_HEIGHT)
DOCK = Box(0, BAR_HEIGHT, DOCK_WIDTH, SCREEN_HEIGHT_PX)
DESKTOP = Box(DOCK_WIDTH, BAR_HEIGHT, SCREEN_WIDTH_PX, SCREEN_HEIGHT_PX)


def dock_slot(index: int) -> Box:
    """The place of an app in the dock."""
    top = DOCK.top + 8 + index * DOCK_SLOT
    return Box(DOCK.left, top, DOCK.right, top + DOCK_SLOT)


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a window."""

    outer: Box
    title: Box
    close: Box
    toolbar: Box
    """Empty where the window has none."""
    up: Box
    """The button to the folder above, in a file manager."""
    body: Box
    status: Box
    """Empty where the window has none."""


def frame(window: Window) -> Frame:
    """The parts of a window."""
    outer = Box(window.x, window.y, window.x + window.width, window.y + window.height)
    title = Box(outer.left, outer.top, outer.right, outer.top + TITLE_HEIGHT)
    edge = (TITLE_HEIGHT - BUTTON) // 2
    close = Box(title.right - edge - BUTTON, title.top + edge, title.right - edge, title.top + edge + BUTTON)
    has_toolbar = isinstance(window.content, Icons)
    has_status = isinstance(window.content, Editor)
    toolbar = Box(outer.left, title.bottom, outer.right, title.bottom + (TOOLBAR_HEIGHT if has_toolbar else 0))
    status = Box(outer.left, outer.bottom - (STATUS_HEIGHT if has_status else 0), outer.right, outer.bottom)
    body = Box(outer.left, toolbar.bottom, outer.right, status.top)
    up = Box(toolbar.left + 8, toolbar.top + 6, toolbar.left + 8 + 34, toolbar.bottom - 6) if has_toolbar else toolbar
    return Frame(outer, title, close, toolbar, up, body, status)


# Icons.


def icon_cells(icons: Icons, area: Box, names: Sequence[str], down: bool) -> Iterator[tuple[str, Box]]:
    """Each entry that is in sight with its cell: in columns on the desktop (`down`), in rows in a window."""
    across = max(1, area.width // CELL_WIDTH)
    high = max(1, area.height // CELL_HEIGHT)
    for index, name in enumerate(names):
        column, row = (index // high, index % high) if down else (index % across, index // across - icons.scroll)
        left, top = area.left + PADDING + column * CELL_WIDTH, area.top + PADDING + row * CELL_HEIGHT
        cell = Box(left, top, left + CELL_WIDTH, top + CELL_HEIGHT)
        if cell.top >= area.top and cell.bottom <= area.bottom + PADDING and cell.left < area.right:
            yield name, cell


# Text: fixed cells, so that a place in the text is a row and a column.


def rows(content: Terminal | Editor, body: Box) -> int:
    """Lines of text that fit."""
    line = TERMINAL_LINE if isinstance(content, Terminal) else EDITOR_LINE
    return max(1, (body.height - 2 * PADDING) // line)


def columns(content: Terminal | Editor, body: Box) -> int:
    """Characters that fit into a line."""
    cell = TERMINAL_CELL_WIDTH if isinstance(content, Terminal) else EDITOR_CELL_WIDTH
    return max(1, (body.width - 2 * PADDING) // cell)


def prompt(folder: str, home: str) -> str:
    """What a terminal shows before the line being typed."""
    shown = "~" + folder[len(home) :] if folder == home or folder.startswith(home + "/") else folder
    return f"user@drums:{shown}$ "


def wrapped(line: str, width: int) -> list[str]:
    """A line cut into rows of at most `width` characters; at least one row."""
    return [line[start : start + width] for start in range(0, len(line), width)] or [""]


def editor_offset(editor: Editor, body: Box, x: int, y: int) -> int:
    """The place in the text that is nearest to a point."""
    lines = editor.text.value.split("\n")
    row = editor.scroll + max(0, (y - body.top - PADDING) // EDITOR_LINE)
    if row >= len(lines):
        return len(editor.text.value)
    column = max(0, round((x - body.left - PADDING) / EDITOR_CELL_WIDTH))
    return sum(len(line) + 1 for line in lines[:row]) + min(column, len(lines[row]))


# Menus and questions.


def menu_box(menu: Menu) -> Box:
    """A menu, kept on the screen."""
    height = len(menu.items) * MENU_ROW + 8
    left = min(menu.x, SCREEN.right - MENU_WIDTH)
    top = min(menu.y, SCREEN.bottom - height)
    return Box(left, top, left + MENU_WIDTH, top + height)


def menu_rows(menu: Menu) -> list[Box]:
    """The places of a menu's items."""
    box = menu_box(menu)
    tops = [box.top + 4 + index * MENU_ROW for index in range(len(menu.items))]
    return [Box(box.left, top, box.right, top + MENU_ROW) for top in tops]


def question_box() -> Box:
    """A question, in the middle of the screen."""
    left = (SCREEN.width - QUESTION_WIDTH) // 2
    top = (SCREEN.height - QUESTION_HEIGHT) // 2
    return Box(left, top, left + QUESTION_WIDTH, top + QUESTION_HEIGHT)


def answer_boxes(count: int) -> list[Box]:
    """The places of a question's answers, from left to right."""
    box = question_box()
    right = box.right - 20
    lefts = [right - (count - index) * (ANSWER_WIDTH + 12) + 12 for index in range(count)]
    top = box.bottom - ANSWER_HEIGHT - 20
    return [Box(left, top, left + ANSWER_WIDTH, top + ANSWER_HEIGHT) for left in lefts]


SIZES = {"terminal": (860, 500), "editor": (900, 620), "files": (900, 600)}
"""Width and height of a window of each kind."""


def window_place(kind: str, number: int) -> Box:
    """Where the window with this number opens: each a step further to the lower right, and on the screen."""
    width, height = SIZES[kind]
    step = (number - 1) % 8
    left, top = 360 + step * 44, 150 + step * 40
    return Box(left, top, left + width, top + height)


def kind_of(content: Content) -> str:
    """Which kind of window shows this."""
    return {"Terminal": "terminal", "Editor": "editor", "Icons": "files"}[type(content).__name__]
