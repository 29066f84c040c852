"""Editing text: a value with a cursor and a selection, as plain data and pure functions.

Every place where one can type is one of these: a terminal's line, an editor's page, a name being changed.
Invariant: 0 <= cursor, anchor <= length; the selection is what lies between them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class TextField:
    """A text, where the cursor is in it, and where the selection began."""

    value: str = ""
    cursor: int = 0
    anchor: int | None = None
    """The other end of the selection; None: nothing is selected."""

    @classmethod
    def at_end(cls, value: str) -> TextField:
        """A text with the cursor behind it."""
        return cls(value, len(value))

    @classmethod
    def selected(cls, value: str) -> TextField:
        """A text that is wholly selected: what is typed next replaces it."""
        return cls(value, len(value), 0)

    @property
    def span(self) -> tuple[int, int]:
        """Start and end of the selection; both the cursor where there is none."""
        other = self.cursor if self.anchor is None else self.anchor
        return min(self.cursor, other), max(self.cursor, other)

    @property
    def selection(self) -> str:
        """The selected text."""
        start, end = self.span
        return self.value[start:end]

    def typed(self, text: str) -> TextField:
        """With `text` in place of the selection."""
        start, end = self.span
        return TextField(self.value[:start] + text + self.value[end:], start + len(text))

    def erased(self, forward: bool = False) -> TextField:
        """Without the selection; without the character before (or after) the cursor where there is none."""
        start, end = self.span
        if start == end:
            start, end = (start, min(end + 1, len(self.value))) if forward else (max(start - 1, 0), end)
        return TextField(self.value[:start] + self.value[end:], start)

    def moved_to(self, cursor: int, extend: bool = False) -> TextField:
        """With the cursor elsewhere; `extend` keeps or begins a selection."""
        anchor = (self.cursor if self.anchor is None else self.anchor) if extend else None
        return replace(self, cursor=max(0, min(cursor, len(self.value))), anchor=anchor)

    def all_selected(self) -> TextField:
        """With everything selected."""
        return TextField.selected(self.value)


EMPTY = TextField()


def line_start(value: str, cursor: int) -> int:
    """Where the cursor's line begins."""
    return value.rfind("\n", 0, cursor) + 1


def line_end(value: str, cursor: int) -> int:
    """Where the cursor's line ends, before its line break."""
    end = value.find("\n", cursor)
    return len(value) if end < 0 else end


def line_above(value: str, cursor: int) -> int:
    """The same column one line up; the beginning in the first line."""
    start = line_start(value, cursor)
    if start == 0:
        return 0
    above = line_start(value, start - 1)
    return min(above + cursor - start, start - 1)


def line_below(value: str, cursor: int) -> int:
    """The same column one line down; the end in the last line."""
    end = line_end(value, cursor)
    if end == len(value):
        return end
    return min(end + 1 + cursor - line_start(value, cursor), line_end(value, end + 1))
