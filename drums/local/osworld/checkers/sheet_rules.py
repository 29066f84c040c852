"""The rules of `compare_table`: each reads its terms when the task is loaded, and gives the check that they describe.

Nothing is opened here. Invariant: a check looks at the two spreadsheets that it is given and at nothing else; what it
cannot see in them, such as a colour that depends on a value, is a CheckerFault and never a pass.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .base import CheckerFault
from .cells import cell_of
from .charts import CHART_PROPS, PIVOT_PROPS, charts_of, pivots_of
from .likeness import likeness
from .matching import knows, matches
from .terms import Refused, Terms, read_comparisons

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .cells import Place, SheetIndex
    from .workbook import Book, Sheet

    Check = Callable[[Book, Book | None], bool]
    CheckOfTwo = Callable[[Sheet, Sheet], bool]

STYLE_NAMES = frozenset(
    {"font_name", "font_color", "font_bold", "font_italic", "font_underline", "font_size", "bgcolor", "merge"}
)
"""What rules may ask of the look of a cell; `workbook.STYLES` reads it."""
_SHOWN = STYLE_NAMES - {"merge"}
"""What a conditional format can change."""
_VALIDATION_PROPS = {
    "ranges": "sqref",
    "type": "type",
    "operator": "operator",
    "formula1": "formula1",
    "formula2": "formula2",
}
_FUZZY_KINDS = frozenset({"exact_match", "fuzzy_match", "includes", "included_by"})


def read_rule(value: object, where: str) -> Check:
    """The check that a rule describes.

    Raises:
        Refused: The rule or a term of it is not built.
    """
    terms = Terms(value, where)
    kind = terms.text("type")
    if kind not in RULES:
        raise Refused(f"{where}: the rule {kind!r} is not supported")
    check = RULES[kind](terms)
    terms.done()
    return check


def _sheet_name(_: Terms) -> Check:
    """Both have sheets of the same names in the same order."""
    return lambda result, expected: result.names == _needed(expected).names


def _sheet_data(terms: Terms) -> Check:
    """Two sheets hold the same values, as saved: numbers to `precision` decimals."""
    precision, ignore_case = terms.whole("precision", 4), terms.flag("ignore_case")

    def same(left: Sheet, right: Sheet) -> bool:
        from .workbook import same_value  # noqa: PLC0415  an extra

        ours, theirs = left.values(), right.values()
        return ours.keys() == theirs.keys() and all(
            same_value(value, theirs[place], precision, ignore_case) for place, value in ours.items()
        )

    return _of_two(terms, same)


def _sheet_print(terms: Terms) -> Check:
    """Two sheets show the same, as exported beside the spreadsheets with every value as it is displayed."""
    ignore_case = terms.flag("ignore_case")

    def same(left: Sheet, right: Sheet) -> bool:
        ours, theirs = left.book.printed(), right.book.printed()
        if theirs is None:
            raise CheckerFault("the task brings no export of the expected sheet")
        if ours is None:
            return False
        return ours == theirs or (ignore_case and [line.lower() for line in ours] == [line.lower() for line in theirs])

    return _of_two(terms, same)


def _sheet_fuzzy(terms: Terms) -> Check:
    """Cells of two sheets match as texts, each range in its own way."""
    checks = [_read_fuzzy(rule, f"{terms.where}.rules[{index}]") for index, rule in enumerate(terms.items("rules"))]
    return _of_two(terms, lambda left, right: all(check(left, right) for check in checks))


def _read_fuzzy(value: object, where: str) -> CheckOfTwo:
    terms = Terms(value, where)
    kind, places = terms.text("type"), [place for area in terms.areas("range") for place in area.cells()]
    if kind not in _FUZZY_KINDS:
        raise Refused(f"{where}: the comparison {kind!r} is not supported")
    threshold, clean = terms.whole("threshold", 85), _read_cleaning(terms)
    terms.done()

    def same(place: Place, left: Sheet, right: Sheet) -> bool:
        from .workbook import text_of  # noqa: PLC0415  an extra

        ours, theirs = clean(text_of(left.value(place))), clean(text_of(right.value(place)))
        if kind == "includes":
            return theirs in ours
        if kind == "included_by":
            return ours in theirs
        return ours == theirs or (kind == "fuzzy_match" and 100 * likeness(ours, theirs) >= threshold)

    return lambda left, right: all(same(place, left, right) for place in places)


def _read_cleaning(terms: Terms) -> Callable[[str], str]:
    """What is done to both texts before they are compared."""
    ignore_case, ignored = terms.flag("ignore_case"), terms.text("ignore_chars", "")
    leading, trailing = terms.text("trim_leadings", ""), terms.text("trim_trailings", "")
    words = list[tuple[str, str]]()
    for pair in terms.items("normalization"):
        match pair:
            case [str(old), str(new)]:
                words.append((rf"\b{re.escape(old)}\b", new.replace("\\", r"\\")))
            case _:
                raise Refused(f"{terms.where}: normalization has to be pairs of words")
    drop = str.maketrans("", "", ignored)

    def clean(text: str) -> str:
        for pattern, new in words:
            text = re.sub(pattern, new, text)
        text = text.lstrip(leading) if leading else text
        text = text.rstrip(trailing) if trailing else text
        text = text.translate(drop)
        return text.lower() if ignore_case else text

    return clean


def _chart(terms: Terms) -> Check:
    """Two sheets have charts of the same data and with the same `chart_props`."""
    props = terms.chosen("chart_props", CHART_PROPS)
    return _of_two(terms, lambda left, right: _charts(left, props) == _charts(right, props))


def _charts(sheet: Sheet, props: tuple[str, ...]) -> list[tuple[object, ...]]:
    return charts_of(sheet.book.package, sheet.name, props)


def _pivot_table(terms: Terms) -> Check:
    """Two sheets have pivot tables of the same sources and with the same `pivot_props`."""
    props = terms.chosen("pivot_props", PIVOT_PROPS)
    return _of_two(terms, lambda left, right: _pivots(left, props) == _pivots(right, props))


def _pivots(sheet: Sheet, props: tuple[str, ...]) -> list[tuple[object, ...]]:
    return pivots_of(sheet.book.package, sheet.name, props)


def _style(terms: Terms) -> Check:
    """The cells of two sheets look the same in the named ways."""
    props = terms.chosen("props", STYLE_NAMES)

    def same(left: Sheet, right: Sheet) -> bool:
        if _SHOWN.intersection(props) and left.conditional != right.conditional:
            raise CheckerFault("the look of cells depends on their values (conditional formats), which is not judged")
        places = {*left.cells, *right.cells}
        return all(left.style(place, prop) == right.style(place, prop) for place in places for prop in props)

    return _of_two(terms, same)


def _freeze(terms: Terms) -> Check:
    """Two sheets keep the same rows and columns in sight."""
    return _of_two(terms, lambda left, right: left.frozen == right.frozen)


def _row_props(terms: Terms) -> Check:
    """The rows of two sheets have the same properties."""
    terms.chosen("props", {"hidden"})
    return _of_two(terms, lambda left, right: left.hidden_rows == right.hidden_rows)


def _zoom(terms: Terms) -> Check:
    """A sheet is shown at a zoom, in percent, that compares with `ref` as the `method` says."""
    index, method, ref = terms.sheet("sheet_idx"), terms.text("method"), terms.take("ref")
    if not knows(method):
        raise Refused(f"{terms.where}: the method {method!r} is not supported")
    return lambda result, expected: matches(method, ref, _find(index, result, expected).zoom)


def _data_validation(terms: Terms) -> Check:
    """The validations of a sheet and those in `dv_props` are each other's match."""
    index = terms.sheet("sheet_idx")
    wanted = [
        read_comparisons(value, f"{terms.where}.dv_props[{number}]", _VALIDATION_PROPS)
        for number, value in enumerate(terms.items("dv_props"))
    ]

    def check(result: Book, expected: Book | None) -> bool:
        found = _find(index, result, expected).validations(_VALIDATION_PROPS)
        fits = [[all(test(entry[prop]) for prop, test in tests.items()) for tests in wanted] for entry in found]
        return all(any(row) for row in fits) and all(any(row[number] for row in fits) for number in range(len(wanted)))

    return check


def _check_cell(terms: Terms) -> Check:
    """One cell has a value or look that compares as its `props` say."""
    index, name = terms.sheet("sheet_idx"), terms.text("coordinate")
    place = cell_of(name)
    if place is None:
        raise Refused(f"{terms.where}: there is no cell {name!r}")
    tests = terms.comparisons("props", STYLE_NAMES | {"value"})

    def check(result: Book, expected: Book | None) -> bool:
        sheet = _find(index, result, expected)
        if _SHOWN & tests.keys() and sheet.is_conditional(place):
            raise CheckerFault(f"the look of {name} depends on a value (a conditional format), which is not judged")
        return all(
            test(sheet.value(place) if prop == "value" else sheet.style(place, prop)) for prop, test in tests.items()
        )

    return check


RULES: Mapping[str, Callable[[Terms], Check]] = {
    "sheet_name": _sheet_name,
    "sheet_data": _sheet_data,
    "sheet_print": _sheet_print,
    "sheet_fuzzy": _sheet_fuzzy,
    "chart": _chart,
    "pivot_table": _pivot_table,
    "style": _style,
    "freeze": _freeze,
    "row_props": _row_props,
    "zoom": _zoom,
    "data_validation": _data_validation,
    "check_cell": _check_cell,
}
"""Every rule that is built, by OSWorld's name for it."""


def _of_two(terms: Terms, same: CheckOfTwo) -> Check:
    """A check of the two sheets that a rule names."""
    first, second = terms.sheet("sheet_idx0"), terms.sheet("sheet_idx1")

    def check(result: Book, expected: Book | None) -> bool:
        reference = _find(second, result, expected)
        return same(_find(first, result, expected), reference)

    return check


def _find(index: SheetIndex, result: Book, expected: Book | None) -> Sheet:
    from .workbook import find_sheet  # noqa: PLC0415  an extra

    return find_sheet(index, result, expected)


def _needed(expected: Book | None) -> Book:
    if expected is None:
        raise CheckerFault("the rule compares with a file that the task does not name")
    return expected
