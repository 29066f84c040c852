"""Checkers of lines and of tables: printed lists, CSV files, SQLite databases.

A database is read from memory, never from a disk, and only the task's own query is run on it. Invariant: what is no
table scores 0; a query that the database can't answer is a CheckerFault.
"""

from __future__ import annotations

import csv
import io
import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from .base import (
    CheckerFault,
    CheckerSpec,
    as_bytes,
    as_content,
    as_list,
    as_many,
    as_object,
    as_text,
    as_texts,
    rule,
    score,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Row = Mapping[str, object]


def check_list(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Every pattern of `rules.expect` is found in some line and none of `rules.unexpect` in any."""
    expect, unexpect = _patterns(rules, "expect"), _patterns(rules, "unexpect")
    if result is None:
        return 0.0
    lines = _lines(result)
    if any(pattern.search(line) for pattern in unexpect for line in lines):
        return 0.0
    return score(all(any(pattern.search(line) for line in lines) for pattern in expect))


def check_csv(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Every set of values of `rules.expect` is in some row of the CSV file and none of `rules.unexpect` in any."""
    expect, unexpect = _rows_of(rules, "expect"), _rows_of(rules, "unexpect")
    if result is None:
        return 0.0
    try:
        rows = list(csv.DictReader(io.StringIO(_text(result), newline="")))
    except csv.Error:
        return 0.0

    def has(wanted: Row) -> bool:
        return any(all(row.get(key) == value for key, value in wanted.items()) for row in rows)

    return score(all(map(has, expect)) and not any(map(has, unexpect)))


def compare_csv(result: object, expected: object, options: Mapping[str, object]) -> float:
    """The file has the lines of one of the expected ones; `strict` false: without white space around; `ignore_case`."""
    accepted = [_csv_lines(as_bytes(reference, "the expected file"), options) for reference in as_many(expected)]
    return 0.0 if result is None else score(_csv_lines(as_bytes(result, "the result"), options) in accepted)


def run_sqlite3(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The first value that `rules.sql` gives on the SQLite database, as a score; 0 where it gives none."""
    sql = as_text(rule(rules, "sql"), "rules.sql")
    if result is None:
        return 0.0
    rows = query(as_bytes(result, "the result"), sql)
    if rows is None:
        return 0.0
    value = rows[0][0] if rows and rows[0] else None
    try:
        return float(str(value or 0))
    except ValueError as error:
        raise CheckerFault("the query gives no number") from error


def query(database: bytes, sql: str) -> list[tuple[object, ...]] | None:
    """All rows that a query gives on a database file; None where the file is none.

    Raises:
        CheckerFault: The database can't answer this query.
    """
    if not database.startswith(_SQLITE):
        return None
    # A file in write-ahead mode can't be read from memory; as OSWorld, which copies one file, we look at what is in it.
    content = database[:18] + b"\x01\x01" + database[20:]
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(content)
            connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            return connection.execute(sql).fetchall()
    except sqlite3.OperationalError as error:
        raise CheckerFault(f"the database can't answer: {error}") from error
    except sqlite3.DatabaseError:
        return None


_SQLITE = b"SQLite format 3\0"


def _text(result: object) -> str:
    """A file's text, or what a command printed."""
    return result if isinstance(result, str) else as_content(result, "the result")


def _lines(result: object) -> list[str]:
    """Lines without their ends; none of an empty text."""
    text = _text(result)
    return text.removesuffix("\n").split("\n") if text else []


def _patterns(rules: object, name: str) -> list[re.Pattern[str]]:
    try:
        return [re.compile(pattern) for pattern in as_texts(rule(rules, name, []), f"rules.{name}")]
    except re.error as error:
        raise CheckerFault(f"rules.{name} has no pattern: {error}") from error


def _rows_of(rules: object, name: str) -> list[dict[str, object]]:
    return [as_object(row, f"an element of rules.{name}") for row in as_list(rule(rules, name, []), f"rules.{name}")]


def _csv_lines(content: bytes, options: Mapping[str, object]) -> list[str]:
    """Lines of a file in UTF-8, or else in Latin 1; the last one's end does not matter."""

    def lines() -> Iterator[str]:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
        if options.get("ignore_case"):
            text = text.lower()
        for line in text.splitlines():
            yield line if options.get("strict", True) else line.strip()

    return list(lines())


CHECKERS: Mapping[str, CheckerSpec] = {
    "check_list": CheckerSpec(check_list),
    "check_csv": CheckerSpec(check_csv),
    "compare_csv": CheckerSpec(compare_csv, frozenset({"strict", "ignore_case"}), all_files=True),
    "run_sqlite3": CheckerSpec(run_sqlite3),
}
