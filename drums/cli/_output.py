"""What `drums` prints: one JSON document, or words and tables for people; and errors, each in one line.

Standard output holds the answer and nothing else; everything else goes to standard error.
Invariant: no control character of a desktop's or a daemon's reaches the terminal, and no text is read as Rich markup.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from drums._quote import redacted
from drums.cli._hints import hint_for
from drums.cli._status import Status, status_of
from drums.errors import DrumsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

COLUMN_GAP = 2


class Misused(typer.TyperException):
    """What was asked for on the command line can't be done; the message says what to write instead."""

    exit_code = Status.USAGE


def safe(text: object, *, lines: bool = False) -> str:
    r"""The text with every character that a terminal could obey written out, `\x1b` for an escape.

    Args:
        text: What a desktop or a daemon said; None: nothing.
        lines: Whether line ends and tabs stay what they are; else the result is one line.
    """
    if text is None:
        return ""
    kept = "\n\t" if lines else ""
    return "".join(
        char if char.isprintable() or char in kept else char.encode("unicode_escape", "surrogatepass").decode("ascii")
        for char in str(text)
    )


@dataclass(frozen=True, slots=True)
class Output:
    """Where a command's answer goes.

    Args:
        as_json: Whether it is one JSON document.
    """

    as_json: bool = False

    def document(self, value: Any) -> None:
        """Print a JSON document; only ASCII, so that it is safe on any terminal."""
        _write(json.dumps(value, indent=2, default=_as_json) + "\n")

    def line(self, text: object = "") -> None:
        """Print one line, made safe."""
        _write(safe(text) + "\n")

    def lines(self, texts: Iterable[object]) -> None:
        """Print several."""
        _write("".join(safe(text) + "\n" for text in texts))

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print a table: fitted to the width of a terminal, whole for a program that reads it."""
        cells = [[safe(cell) for cell in row] for row in rows]
        if sys.stdout.isatty():
            from rich.console import Console  # noqa: PLC0415 -- 40 ms that a pipe need not pay

            Console().print(rich_table(columns, cells))
        else:
            _write("".join(_plain([columns, *cells])))

    def pairs(self, pairs: Iterable[tuple[str, object]]) -> None:
        """Print names and values, one pair a line; a value that is None is left out."""
        told = [(f"{name}:", safe(value)) for name, value in pairs if value is not None]
        _write("".join(_plain(told)))


def rich_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """The table as Rich draws it, every cell made safe and taken literally; the first column, an id, is not folded."""
    from rich.table import Table  # noqa: PLC0415 -- only for a terminal
    from rich.text import Text  # noqa: PLC0415 -- as above

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, COLUMN_GAP, 0, 0))
    for number, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=number == 0)
    for row in rows:
        table.add_row(*(Text(safe(cell)) for cell in row))
    return table


def note(text: object) -> None:
    """Tell the user something that is not the answer, on standard error."""
    sys.stderr.write(f"drums: {safe(redacted(str(text)))}\n")


def fail(error: BaseException) -> int:
    """Tell an error in one line on standard error, with what to do, and give the exit status.

    A `DrumsError` has a hint, made one for the command line; of the others the message says it.
    """
    if isinstance(error, DrumsError):
        error.hint = hint_for(error)
    if isinstance(error, OSError) and error.strerror:
        note(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
    else:
        note(error)
    return status_of(error)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _plain(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    gap = " " * COLUMN_GAP
    return [
        gap.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n" for row in rows
    ]


def _as_json(value: object) -> object:
    if isinstance(value, DrumsError):
        return {"error": str(value), "status": value.status}
    return str(value)
