"""Checkers of spreadsheets: `compare_table`, made of rules, and the one that looks for a list of cities.

They read what the application saved and compute no formula. Invariant: every rule of a task is read when the task is
loaded, and one that is not built is refused there by its name; a rule is never skipped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from .base import CheckerFault, CheckerSpec, as_list, as_texts, rule, score
from .office import document_of, reference_of
from .sheet_rules import read_rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .office import Package
    from .sheet_rules import Check


def compare_table(result: object, expected: object, options: Mapping[str, object]) -> float:
    """A spreadsheet passes every one of the task's `rules`, most of them by comparison with the expected one."""
    from .workbook import Book, SheetMissing  # noqa: PLC0415  an extra

    checks = _read_rules(options)
    (ours, our_print), (theirs, their_print) = _files(result), _files(expected)
    reference = None if theirs is None and expected is None else Book(reference_of(theirs, "workbook"), their_print)
    package = document_of(ours, "workbook")
    if package is None:
        return 0.0
    book = Book(package, our_print)
    try:
        return score(all(check(book, reference) for check in checks))
    except SheetMissing:
        return 0.0


def _read_rules(options: Mapping[str, object]) -> list[Check]:
    """The checks that the options describe.

    Raises:
        CheckerFault: There is none, or one is not built.
    """
    rules = as_list(options.get("rules"), "options.rules")
    if not rules:
        raise CheckerFault("options.rules has no rule")
    return [read_rule(value, f"rules[{index}]") for index, value in enumerate(rules)]


def _refuse(options: Mapping[str, object]) -> str | None:
    try:
        _read_rules(options)
    except CheckerFault as error:
        return f"compare_table: {error}"
    return None


def _files(value: object) -> tuple[object, object]:
    """A spreadsheet and, where the getter fetches two files, its export as it is shown."""
    if not isinstance(value, list):
        return value, None
    match as_list(cast("object", value), "the files"):
        case [table]:
            return table, None
        case [table, printed]:
            return table, printed
        case files:
            raise CheckerFault(f"compare_table takes a spreadsheet and one export, not {len(files)} files")


def compare_conference_city_in_order(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Some column names the cities of `rules.expected` one below the other; a list is a choice of names for one."""
    cities = as_list(rule(rules, "expected"), "rules.expected")
    choices = [as_texts([city] if isinstance(city, str) else city, "the names of a city") for city in cities]
    wanted = [[name.casefold() for name in names] for names in choices]
    package = document_of(result, "workbook")
    return 0.0 if package is None else score(any(_stands_in(wanted, column) for column in _columns(package)))


def _columns(package: Package) -> list[dict[int, str]]:
    """The texts of each column of the first sheet, by row."""
    from .workbook import Book, text_of  # noqa: PLC0415  an extra

    sheet = Book(package).sheet(0)
    columns = dict[int, dict[int, str]]()
    for (row, column), value in (sheet.values() if sheet else {}).items():
        columns.setdefault(column, {})[row] = text_of(value).casefold()
    return list(columns.values())


def _stands_in(wanted: list[list[str]], column: dict[int, str]) -> bool:
    def names(row: int, choice: list[str]) -> bool:
        return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", column.get(row, "")) for name in choice)

    return any(all(names(start + step, choice) for step, choice in enumerate(wanted)) for start in column)


CHECKERS: Mapping[str, CheckerSpec] = {
    "compare_table": CheckerSpec(
        compare_table,
        frozenset({"rules"}),
        expected=False,
        libraries=("openpyxl", "defusedxml"),
        refuse=_refuse,
        all_files=True,
    ),
    "compare_conference_city_in_order": CheckerSpec(
        compare_conference_city_in_order, libraries=("openpyxl", "defusedxml")
    ),
}
