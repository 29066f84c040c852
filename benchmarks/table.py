"""One line of the table: what was measured, for us and for a peer, and the ratio that was aimed at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Row:
    """One comparison."""

    what: str
    ours: float
    unit: str
    peer: str = ""
    """What it is compared with; empty for a figure that stands alone."""
    theirs: float | None = None
    most: float | None = None
    """The ratio not to exceed, or without a peer the figure itself; None where nothing was aimed at."""

    @property
    def ratio(self) -> float | None:
        """Our figure as a part of theirs."""
        return None if not self.theirs else self.ours / self.theirs

    @property
    def reached(self) -> bool | None:
        """Whether the aim is reached; None where there is none."""
        if self.most is None:
            return None
        return (self.ours if self.ratio is None else self.ratio) <= self.most

    def cells(self) -> tuple[str, ...]:
        """The row as texts."""
        ratio, aim = self.ratio, ""
        if self.most is not None:
            aim = f"{self.most:g}" if ratio is not None else f"{self.most:g} {self.unit}"
            aim = f"<= {aim} {'reached' if self.reached else 'MISSED'}"
        theirs = "" if self.theirs is None else f"{self.theirs:.4g} {self.unit}"
        return (self.what, f"{self.ours:.4g} {self.unit}", self.peer, theirs, f"{ratio:.2f}" if ratio else "", aim)


HEAD = ("what", "drums", "peer", "theirs", "ratio", "aim")


def printed(rows: Iterable[Row]) -> None:
    """Print the table."""
    lines = [HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    for number, line in enumerate(lines):
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
