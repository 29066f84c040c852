"""The names of cells and areas of a spreadsheet, as `B2` and `A1:C9`.

It knows neither files nor values. Invariant: columns and rows count from 1; an area's first corner is its top left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells, its corners included."""

    left: int
    top: int
    right: int
    bottom: int

    def covers(self, other: Area) -> bool:
        """Whether all of another area is in this one."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    @property
    def size(self) -> int:
        """How many cells it has."""
        return (self.right - self.left + 1) * (self.bottom - self.top + 1)

    def cells(self) -> Iterator[tuple[int, int]]:
        """Its cells as (row, column), row by row."""
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield row, column


def cell_of(name: str) -> tuple[int, int] | None:
    """Row and column of a cell such as `B2` or `$B$2`; None for any other text."""
    match = _CELL.fullmatch(name.strip())
    if match is None:
        return None
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(match[2]), column


def area_of(name: str) -> Area | None:
    """The area of a text such as `A1:C9` or `B2`; None for any other text."""
    first, _, last = name.partition(":")
    start, end = cell_of(first), cell_of(last or first)
    if start is None or end is None:
        return None
    (top, left), (bottom, right) = start, end
    return Area(min(left, right), min(top, bottom), max(left, right), max(top, bottom))
