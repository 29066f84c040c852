"""The names of cells, areas and sheets: `B2`, `A1:C9`, `RNSheet1`.

It knows neither files nor values. Invariant: columns and rows count from 1; an area's first corner is its top left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = tuple[int, int]
"""Row and column."""
_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")
_INDEX = re.compile(r"([RE])(?:I([0-9]{1,4})|N(.+))", re.DOTALL)


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

    def cells(self) -> Iterator[Place]:
        """Its cells as (row, column), row by row."""
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield row, column


@dataclass(frozen=True, slots=True)
class SheetIndex:
    """Which sheet of which file a rule means."""

    side: Literal["result", "expected"]
    key: int | str
    """Its position from 0, or its name."""

    @classmethod
    def read(cls, value: object) -> SheetIndex | None:
        """OSWorld's notation: a position in the result, or `RI0`, `RNname`, `EI0`, `ENname`; None for anything else."""
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return cls("result", value)
        match = _INDEX.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            return None
        return cls("result" if match[1] == "R" else "expected", match[3] if match[2] is None else int(match[2]))


def cell_of(name: str) -> Place | None:
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
