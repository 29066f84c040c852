"""The picture of a simulated desktop: a scene and its folders, drawn where layout.py says.

It reads state and changes none. Invariant: the same scene and files give the same pixels, on every host and in every
copy.
"""

from __future__ import annotations

import posixpath
from collections import OrderedDict
from typing import TYPE_CHECKING, Literal

from PIL import Image, ImageDraw

from drums.local.machines.sim.files.disk import HOME
from drums.local.machines.sim.files.listing import shown
from drums.local.machines.sim.windows import layout
from drums.local.machines.sim.windows.layout import Box
from drums.local.machines.sim.windows.scene import Editor, Icons, Terminal

from . import paint
from .png import PngWriter

if TYPE_CHECKING:
    from drums.local.machines.sim.files.listing import Kind
    from drums.local.machines.sim.files.tree import Folder
    from drums.local.machines.sim.guest import Guest
    from drums.local.machines.sim.windows.scene import Menu, Question, Scene, Window
    from drums.local.machines.sim.windows.text import TextField

Anchor = Literal["left", "centre", "right"]

PICTURES_KEPT = 64
"""Screens whose PNG is kept, for all desktops of a machine: forked children begin with their parent's."""


class Screens:
    """Draws desktops, and remembers the pictures of those that did not change."""

    def __init__(self) -> None:
        self._writer = PngWriter()
        self._kept: OrderedDict[tuple[int, int], tuple[Scene, Folder, bytes]] = OrderedDict()

    def png(self, guest: Guest) -> bytes:
        """The screen as a PNG file, pointer included."""
        # A scene and a folder never change: the same objects are the same picture. They are kept, so ids stay theirs.
        key = (id(guest.scene), id(guest.disk.root))
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][2]
        png = self._writer.write(drawn(guest))
        self._kept[key] = (guest.scene, guest.disk.root, png)
        if len(self._kept) > PICTURES_KEPT:
            self._kept.popitem(last=False)
        return png


def drawn(guest: Guest) -> Image.Image:
    """The screen, pointer included."""
    scene = guest.scene
    picture = paint.backdrop().copy()
    pen = _Pen(picture)
    pen.dock(scene)
    pen.icons(scene.desktop, layout.DESKTOP, shown(guest.disk, scene.desktop.folder), down=True, light=True)
    for window in scene.windows:
        pen.window(window, guest, focused=scene.focus is window)
    if scene.menu is not None:
        pen.menu(scene.menu)
    if scene.question is not None:
        pen.question(scene.question)
    image = paint.pointer()
    picture.paste(image, (scene.x, scene.y), image)
    return picture


class _Pen:
    """Draws the parts of a screen onto a picture."""

    def __init__(self, picture: Image.Image) -> None:
        self._picture = picture
        self._draw = ImageDraw.Draw(picture)

    def _box(self, box: Box, fill: paint.Colour | None, radius: int = 0, outline: paint.Colour | None = None) -> None:
        corners = (box.left, box.top, box.right - 1, box.bottom - 1)
        if radius:
            self._draw.rounded_rectangle(corners, radius, fill=fill, outline=outline)
        else:
            self._draw.rectangle(corners, fill=fill, outline=outline)

    def _text(self, x: int, y: int, text: str, size: int, fill: paint.Colour, *, anchor: Anchor = "left") -> None:
        """A line whose middle is at `y`, and whose left end, middle or right end is at `x`."""
        mask = paint.line(text, size)
        left = x - {"left": 0, "centre": mask.width // 2, "right": mask.width}[anchor]
        self._draw.bitmap((left, y - mask.height // 2), mask, fill=fill)

    def _shadow(self, box: Box) -> None:
        """A soft shadow around a box; what lies under the box itself is left as it is."""
        mask, edge = paint.shadow(box.width, box.height), paint.SHADOW
        left, top = box.left - edge, box.top - edge + paint.SHADOW_DROP
        rim = edge + paint.SHADOW_DROP
        across, down = mask.size
        for part in (
            (0, 0, across, rim),
            (0, down - rim, across, down),
            (0, rim, rim, down - rim),
            (across - rim, rim, across, down - rim),
        ):
            self._picture.paste(paint.SHADE, (left + part[0], top + part[1]), mask.crop(part))

    def dock(self, scene: Scene) -> None:
        """A mark beside each app that has a window."""
        open_kinds = {layout.kind_of(window.content) for window in scene.windows}
        for index, app in enumerate(layout.DOCK_APPS):
            if app in open_kinds:
                slot = layout.dock_slot(index)
                middle = (slot.top + slot.bottom) // 2
                self._box(Box(slot.left + 2, middle - 12, slot.left + 6, middle + 12), paint.ACCENT, 2)

    # Icons.

    def icons(self, icons: Icons, area: Box, entries: dict[str, Kind], *, down: bool, light: bool) -> None:
        """A folder's entries with their names."""
        for name, cell in layout.icon_cells(icons, area, list(entries), down=down):
            chosen = name == icons.selected
            if chosen:
                self._box(cell.inset(3), (92, 118, 186) if light else paint.ACCENT_SOFT, 8)
            image = paint.entry_icon(entries[name])
            left = cell.left + (cell.width - image.width) // 2
            self._picture.paste(image, (left, cell.top + 8), image)
            if chosen and icons.renaming is not None:
                self._name_field(icons.renaming, cell)
            else:
                self._label(name, cell, paint.LIGHT if light else paint.INK, shaded=light and not chosen)

    def _label(self, name: str, cell: Box, colour: paint.Colour, *, shaded: bool) -> None:
        lines = fitted(name, cell.width - 8, 2)
        for row, line in enumerate(lines):
            x, y = (cell.left + cell.right) // 2, cell.top + 80 + row * 17
            if shaded:
                self._text(x + 1, y + 1, line, 14, (18, 22, 40), anchor="centre")
            self._text(x, y, line, 14, colour, anchor="centre")

    def _name_field(self, field: TextField, cell: Box) -> None:
        used = paint.font(14)
        width = max(cell.width - 4, round(used.getlength(field.value)) + 16)
        left = (cell.left + cell.right - width) // 2
        box = Box(left, cell.top + 68, left + width, cell.top + 94)
        self._box(box, paint.LIGHT, 4, paint.ACCENT)
        start, end = (round(used.getlength(field.value[:at])) for at in field.span)
        x, y = box.left + 8, (box.top + box.bottom) // 2
        if start != end:
            self._box(Box(x + start, box.top + 4, x + end, box.bottom - 4), paint.ACCENT_SOFT)
        self._text(x, y, field.value, 14, paint.INK)
        cursor = x + round(used.getlength(field.value[: field.cursor]))
        self._draw.line((cursor, box.top + 4, cursor, box.bottom - 5), fill=paint.INK)

    # Windows.

    def window(self, window: Window, guest: Guest, *, focused: bool) -> None:
        """A window with its frame and what it shows."""
        parts = layout.frame(window)
        self._shadow(parts.outer)
        self._box(parts.outer, paint.LIGHT, 10, paint.LINE)
        self._title(parts, title_of(window), focused=focused)
        match window.content:
            case Icons():
                self._toolbar(parts, window.content.folder)
                entries = shown(guest.disk, window.content.folder)
                self.icons(window.content, parts.body, entries, down=False, light=False)
                if not entries:
                    middle = (parts.body.left + parts.body.right) // 2
                    self._text(middle, parts.body.top + 80, "This folder is empty", 16, paint.FAINT, anchor="centre")
            case Terminal():
                self._terminal(window.content, parts.body, focused=focused)
            case Editor():
                self._editor(window.content, parts, focused=focused)

    def _title(self, parts: layout.Frame, title: str, *, focused: bool) -> None:
        fill = paint.TITLE_ACTIVE if focused else paint.TITLE_BACK
        self._draw.rounded_rectangle(
            (parts.title.left, parts.title.top, parts.title.right - 1, parts.title.bottom - 1),
            10,
            fill=fill,
            outline=paint.LINE,
            corners=(True, True, False, False),
        )
        middle = (parts.title.top + parts.title.bottom) // 2
        text = fitted(title, parts.title.width - 120, 1, 15)[0]
        centre = (parts.title.left + parts.title.right) // 2
        self._text(centre, middle, text, 15, paint.INK if focused else paint.FAINT, anchor="centre")
        self._box(parts.close, paint.CLOSE if focused else paint.LINE, 12)
        cross = parts.close.inset(8)
        for line in (
            (cross.left, cross.top, cross.right - 1, cross.bottom - 1),
            (cross.left, cross.bottom - 1, cross.right - 1, cross.top),
        ):
            self._draw.line(line, fill=paint.LIGHT if focused else paint.FAINT, width=2)

    def _toolbar(self, parts: layout.Frame, folder: str) -> None:
        self._box(
            Box(parts.toolbar.left + 1, parts.toolbar.top, parts.toolbar.right - 1, parts.toolbar.bottom), paint.LIGHT
        )
        self._box(parts.up, paint.TITLE_ACTIVE, 6)
        x, y = (parts.up.left + parts.up.right) // 2, (parts.up.top + parts.up.bottom) // 2
        self._draw.line((x, y + 8, x, y - 7), fill=paint.INK, width=2)
        self._draw.line((x - 6, y - 1, x, y - 7, x + 6, y - 1), fill=paint.INK, width=2)
        field = Box(parts.up.right + 10, parts.up.top, parts.toolbar.right - 10, parts.up.bottom)
        self._box(field, (255, 255, 255), 6, paint.LINE)
        self._text(field.left + 12, y, fitted(folder, field.width - 24, 1, 15)[0], 15, paint.INK)
        self._draw.line(
            (parts.toolbar.left, parts.toolbar.bottom - 1, parts.toolbar.right - 1, parts.toolbar.bottom - 1),
            fill=paint.LINE,
        )

    # Text.

    def _terminal(self, terminal: Terminal, body: Box, *, focused: bool) -> None:
        self._draw.rounded_rectangle(
            (body.left, body.top, body.right - 1, body.bottom - 1),
            10,
            fill=paint.TERMINAL,
            corners=(False, False, True, True),
        )
        width, high = layout.columns(terminal, body), layout.rows(terminal, body)
        sign = layout.prompt(terminal.folder, HOME)
        typed = sign + terminal.field.value
        lines = [row for line in terminal.lines[-(high + terminal.scroll) :] for row in layout.wrapped(line, width)]
        first_typed = len(lines)
        lines += layout.wrapped(typed + " ", width)
        top = max(0, len(lines) - high - terminal.scroll)
        for row, line in enumerate(lines[top : top + high]):
            y = body.top + layout.PADDING + row * layout.TERMINAL_LINE
            self._mono(body.left + layout.PADDING, y, line, paint.TERMINAL_INK)
            if top + row == first_typed:
                self._mono(body.left + layout.PADDING, y, sign[:width], paint.TERMINAL_PROMPT)
        self._terminal_cursor(terminal, body, first_typed - top, width, focused=focused)

    def _terminal_cursor(self, terminal: Terminal, body: Box, first_row: int, width: int, *, focused: bool) -> None:
        row, column = divmod(len(layout.prompt(terminal.folder, HOME)) + terminal.field.cursor, width)
        x = body.left + layout.PADDING + column * layout.TERMINAL_CELL_WIDTH
        y = body.top + layout.PADDING + (first_row + row) * layout.TERMINAL_LINE
        box = Box(x, y, x + layout.TERMINAL_CELL_WIDTH, y + layout.TERMINAL_LINE - 2)
        if body.holds(x, y):
            self._box(box, paint.TERMINAL_INK if focused else None, outline=paint.TERMINAL_INK)

    def _mono(self, x: int, y: int, text: str, fill: paint.Colour) -> None:
        if text:
            self._draw.bitmap((x, y), paint.line(text, 16, mono=True), fill=fill)

    def _editor(self, editor: Editor, parts: layout.Frame, *, focused: bool) -> None:
        body = parts.body
        self._box(Box(body.left + 1, body.top, body.right - 1, body.bottom), (255, 255, 255))
        width = layout.columns(editor, body)
        at = sum(len(line) + 1 for line in editor.text.value.split("\n")[: editor.scroll])
        start, end = editor.text.span
        for row, line in enumerate(
            editor.text.value.split("\n")[editor.scroll : editor.scroll + layout.rows(editor, body)]
        ):
            x, y = body.left + layout.PADDING, body.top + layout.PADDING + row * layout.EDITOR_LINE
            if start != end and start <= at + len(line) and end > at:
                left, right = max(start - at, 0), min(end - at, len(line) + 1)
                self._box(
                    Box(
                        x + left * layout.EDITOR_CELL_WIDTH,
                        y,
                        x + right * layout.EDITOR_CELL_WIDTH,
                        y + layout.EDITOR_LINE,
                    ),
                    paint.ACCENT_SOFT,
                )
            self._mono(x, y + 1, line[:width], paint.INK)
            if focused and at <= editor.text.cursor <= at + len(line):
                cursor = x + min(editor.text.cursor - at, width) * layout.EDITOR_CELL_WIDTH
                self._draw.line((cursor, y, cursor, y + layout.EDITOR_LINE - 3), fill=paint.ACCENT, width=2)
            at += len(line) + 1
        self._status(editor, parts.status)

    def _status(self, editor: Editor, box: Box) -> None:
        self._draw.line((box.left, box.top, box.right - 1, box.top), fill=paint.LINE)
        middle = (box.top + box.bottom) // 2
        words = editor.notice or ("not saved" if editor.changed else "saved" if editor.path else "new file")
        self._text(box.left + 12, middle, words, 13, paint.CLOSE if editor.notice else paint.FAINT)
        row = editor.text.value.count("\n", 0, editor.text.cursor) + 1
        column = editor.text.cursor - editor.text.value.rfind("\n", 0, editor.text.cursor)
        self._text(box.right - 12, middle, f"line {row}, column {column}", 13, paint.FAINT, anchor="right")

    # What is on top of everything.

    def menu(self, menu: Menu) -> None:
        """A context menu."""
        self._box(layout.menu_box(menu), paint.LIGHT, 8, paint.LINE)
        for item, box in zip(menu.items, layout.menu_rows(menu), strict=True):
            self._text(box.left + 16, (box.top + box.bottom) // 2, item, 15, paint.INK)

    def question(self, question: Question) -> None:
        """A question with its answers."""
        box = layout.question_box()
        self._shadow(box)
        self._box(box, paint.LIGHT, 10, paint.LINE)
        self._text(
            (box.left + box.right) // 2,
            box.top + 48,
            fitted(question.text, box.width - 60, 1, 17)[0],
            17,
            paint.INK,
            anchor="centre",
        )
        answers = layout.answer_boxes(len(question.answers))
        for answer, place in zip(question.answers, answers, strict=True):
            last = answer == question.answers[-1]
            self._box(place, paint.ACCENT if last else paint.TITLE_ACTIVE, 8)
            x, y = (place.left + place.right) // 2, (place.top + place.bottom) // 2
            self._text(x, y, answer, 15, paint.LIGHT if last else paint.INK, anchor="centre")


def title_of(window: Window) -> str:
    """What a window's title bar says."""
    match window.content:
        case Icons(folder=folder):
            return posixpath.basename(folder) or "/"
        case Terminal(folder=folder):
            return f"Terminal: {folder}"
        case Editor(path=path):
            mark = "• " if window.content.changed else ""
            return f"{mark}{posixpath.basename(path) if path else 'Untitled'} - Text Editor"


def fitted(text: str, width: int, lines: int, size: int = 14) -> list[str]:
    """Text in at most so many lines of so many pixels, cut at blanks where there are some; the rest is an ellipsis."""
    used = paint.font(size)
    rows: list[str] = []
    rest = text
    while rest and len(rows) < lines:
        count = len(rest)
        while count > 1 and used.getlength(rest[:count]) > width:
            count -= 1
        blank = rest.rfind(" ", 1, count + 1)
        count = blank if count < len(rest) and blank > 0 else count
        rows.append(rest[:count])
        rest = rest[count:].removeprefix(" ")
    if rest:
        rows[-1] = rows[-1][:-1] + "…"
    return rows or [""]
