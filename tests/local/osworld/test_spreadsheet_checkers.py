"""The rules of `compare_table` pass what is equal, and nothing else; what is not built is refused by name."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drums.local.osworld.checkers import CHECKERS, CheckerFault
from drums.local.osworld.task import check, read_task
from tests.local.osworld.checking import score
from tests.local.osworld.office_files import BOTH, cell, passes, workbook
from tests.local.osworld.tasks import a_task

if TYPE_CHECKING:
    from drums.local.machines.machine import Desktop

CELLS = st.dictionaries(
    st.tuples(st.integers(1, 4), st.integers(1, 4)),
    st.one_of(
        st.integers(-99, 99),
        st.floats(-1e6, 1e6).map(lambda number: round(number, 3)),
        st.booleans(),
        st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), min_size=1, max_size=5).filter(
            lambda text: not text.startswith("=") and text.strip() == text
        ),
        st.datetimes(datetime.datetime(1990, 1, 1), datetime.datetime(2090, 1, 1)).map(
            lambda moment: moment.replace(microsecond=0)
        ),
    ),
    min_size=1,
    max_size=6,
)


def filled(cells: dict[tuple[int, int], object]) -> bytes:
    def change(book: Any) -> None:
        sheet = book.create_sheet("Data", 0)
        for (row, column), value in cells.items():
            sheet.cell(row, column, value)

    return workbook(change)


@settings(max_examples=15, deadline=None)
@given(cells=CELLS, other=CELLS)
def test_two_sheets_hold_the_same_if_every_value_is_the_same(
    cells: dict[tuple[int, int], object], other: dict[tuple[int, int], object]
) -> None:
    assert passes(filled(cells), filled(cells), type="sheet_data", **BOTH)
    same = {place: (type(value) is bool, value) for place, value in cells.items()} == {
        place: (type(value) is bool, value) for place, value in other.items()
    }
    assert passes(filled(cells), filled(other), type="sheet_data", **BOTH) == same


@settings(max_examples=10, deadline=None)
@given(cells=CELLS, data=st.data())
def test_one_value_that_is_missing_is_seen(cells: dict[tuple[int, int], object], data: st.DataObject) -> None:
    place = data.draw(st.sampled_from(sorted(cells)))
    fewer = {key: value for key, value in cells.items() if key != place}
    assert not passes(filled(fewer), filled(cells), type="sheet_data", **BOTH)
    assert not passes(filled(cells), filled(fewer), type="sheet_data", **BOTH)


@pytest.mark.parametrize(
    ("ours", "theirs", "more", "wanted"),
    [
        (1.00004, 1.00001, {}, True),
        (1.001, 1.002, {}, False),
        (1.001, 1.002, {"precision": 2}, True),
        (1, 1.0, {}, True),
        (0.30000000000000004, 0.3, {"precision": 16}, True),
        ("Tea", "tea", {}, False),
        ("Tea", "tea", {"ignore_case": True}, True),
        ("1", 1, {}, False),
        (True, 1, {}, False),
        (True, True, {}, True),
        (None, "", {}, True),
        (datetime.datetime(2020, 1, 2), datetime.date(2020, 1, 2), {}, True),
        (datetime.datetime(2020, 1, 2), datetime.date(2020, 1, 3), {}, False),
        (datetime.time(1, 2), datetime.time(1, 2), {}, True),
        (datetime.time(1, 2), datetime.time(1, 3), {}, False),
        (datetime.datetime(2020, 1, 2), 43832, {}, False),
    ],
)
def test_values_are_the_same_as_they_are_seen(
    ours: object, theirs: object, more: dict[str, object], wanted: bool
) -> None:
    left, right = workbook(cell("E9", ours)), workbook(cell("E9", theirs))
    assert passes(left, right, type="sheet_data", **BOTH, **more) == wanted


def test_sheets_are_named_by_position_and_by_name_in_the_result_and_in_the_expected_file() -> None:
    def copy(book: Any) -> None:
        book.copy_worksheet(book["Sheet1"]).title = "Copy"

    ours, theirs = workbook(copy), workbook()
    for first, second in [(0, 1), ("RI0", 1), ("RNSheet1", "RNCopy"), (1, "EI0"), ("RNCopy", "ENSheet1"), ("EI0", 1)]:
        assert passes(ours, theirs, type="sheet_data", sheet_idx0=first, sheet_idx1=second)
    assert not passes(theirs, ours, type="sheet_data", sheet_idx0="RNCopy", sheet_idx1="ENSheet1")
    assert not passes(theirs, ours, type="sheet_data", sheet_idx0=7, sheet_idx1="ENSheet1")
    with pytest.raises(CheckerFault, match="expected file has no sheet 'Copy'"):
        passes(ours, theirs, type="sheet_data", sheet_idx0=0, sheet_idx1="ENCopy")
    with pytest.raises(CheckerFault, match="no sheet 0"):
        passes(ours, None, type="sheet_data", **BOTH)


def test_names_of_sheets_are_compared_in_their_order() -> None:
    def more(*names: str) -> bytes:
        return workbook(*[lambda book, name=name: book.create_sheet(name) for name in names])

    assert passes(more("a", "b"), more("a", "b"), type="sheet_name")
    assert not passes(more("b", "a"), more("a", "b"), type="sheet_name")
    assert not passes(more("a"), more("a", "b"), type="sheet_name")
    with pytest.raises(CheckerFault, match="does not name"):
        passes(more(), None, type="sheet_name")


def test_a_sheet_is_shown_as_its_export_says() -> None:
    table = workbook()
    assert passes([table, b"a,b\r\n1,2\r\n"], [table, b"\xef\xbb\xbfa,b\n1,2\n\n"], type="sheet_print", **BOTH)
    assert not passes([table, b"a,b\n1,3\n"], [table, b"a,b\n1,2\n"], type="sheet_print", **BOTH)
    assert not passes([table, b"A,B"], [table, b"a,b"], type="sheet_print", **BOTH)
    assert passes([table, b"A,B"], [table, b"a,b"], type="sheet_print", ignore_case=True, **BOTH)
    assert not passes([table, None], [table, b"a"], type="sheet_print", **BOTH)
    with pytest.raises(CheckerFault, match="no export"):
        passes([table, b"a"], [table, None], type="sheet_print", **BOTH)
    with pytest.raises(CheckerFault, match="not 3 files"):
        passes([table, b"a", b"b"], [table, b"a"], type="sheet_print", **BOTH)


@pytest.mark.parametrize(
    ("ours", "theirs", "fuzzy", "wanted"),
    [
        ("Tea", "Tea", {"type": "exact_match"}, True),
        ("Tea", "tea", {"type": "exact_match"}, False),
        ("Tea", "tea", {"type": "exact_match", "ignore_case": True}, True),
        (3.0, "3", {"type": "exact_match"}, True),
        (" Tea ", "Tea", {"type": "exact_match", "trim_leadings": " ", "trim_trailings": " "}, True),
        ("First Author", "author", {"type": "includes", "ignore_case": True}, True),
        ("author", "First Author", {"type": "includes", "ignore_case": True}, False),
        ("author", "first author", {"type": "included_by"}, True),
        ("+852 (12) 34-5", "852 12345", {"type": "includes", "trim_leadings": "+ ", "ignore_chars": " ()-"}, True),
        ("1 Wong St, Hong Kong", "1 Wong Street, Hong Kong", {"type": "exact_match"}, False),
        (
            "1 Stone St, Hong Kong",
            "1 Stone Street, Hong Kong",
            {"type": "exact_match", "normalization": [["St", "Street"]]},
            True,
        ),
        ("12 Hollywood Road", "12 Hollywod Road", {"type": "fuzzy_match", "threshold": 90}, True),
        ("12 Hollywood Road", "4 Nathan Road", {"type": "fuzzy_match", "threshold": 90}, False),
        (None, "x", {"type": "includes"}, False),
    ],
)
def test_cells_match_in_the_way_that_their_range_says(
    ours: object, theirs: object, fuzzy: dict[str, object], wanted: bool
) -> None:
    left, right = workbook(cell("B5", ours)), workbook(cell("B5", theirs))
    entry = {"range": ["A1:B1", "B5"], **fuzzy}
    assert passes(left, right, type="sheet_fuzzy", rules=[entry], **BOTH) == wanted
    assert passes(left, right, type="sheet_fuzzy", rules=[{**entry, "range": ["A1:C3"]}], **BOTH)


@pytest.mark.parametrize(
    ("rule", "named"),
    [
        ({"type": "sparkline", **BOTH}, "the rule 'sparkline'"),
        ({"type": "sheet_data", "sheet_idx0": "X1", "sheet_idx1": 0}, "sheet_idx0"),
        ({"type": "sheet_data", "sheet_idx0": 0}, "sheet_idx1"),
        ({"type": "sheet_data", "tolerance": 1, **BOTH}, "'tolerance'"),
        ({"type": "sheet_data", "precision": True, **BOTH}, "precision"),
        ({"type": "chart", "chart_props": ["legend"], **BOTH}, "'legend'"),
        ({"type": "pivot_table", "pivot_props": ["selection"], **BOTH}, "'selection'"),
        ({"type": "style", "props": ["hyperlink"], **BOTH}, "'hyperlink'"),
        ({"type": "row_props", "props": ["height"], **BOTH}, "'height'"),
        ({"type": "zoom", "sheet_idx": 0, "method": "near", "ref": 1}, "'near'"),
        ({"type": "check_cell", "sheet_idx": 0, "coordinate": "1A", "props": {}}, "'1A'"),
        ({"type": "check_cell", "sheet_idx": 0, "coordinate": "A1", "props": {"x": {}}}, "'x'"),
        ({"type": "check_cell", "sheet_idx": 0, "coordinate": "A1", "props": {"value": {"method": "no"}}}, "'no'"),
        ({"type": "sheet_fuzzy", "rules": [{"type": "sounds_like", "range": ["A1"]}], **BOTH}, "'sounds_like'"),
        ({"type": "sheet_fuzzy", "rules": [{"type": "includes", "range": ["A0"]}], **BOTH}, "range"),
        ({"type": "sheet_fuzzy", "rules": [{"type": "includes", "range": ["A1:ZZ9999999"]}], **BOTH}, "1000000"),
        ({"type": "sheet_fuzzy", "rules": [{"type": "includes", "normalization": ["x"]}], **BOTH}, "normalization"),
        ({}, "type"),
        (7, "an object"),
    ],
)
def test_what_is_not_built_is_refused_by_name_before_anything_is_opened(rule: object, named: str) -> None:
    refuse = CHECKERS["compare_table"].refuse
    assert refuse is not None
    assert named in (refuse({"rules": [rule]}) or "")
    with pytest.raises(CheckerFault):
        score("compare_table", None, None, {"rules": [rule]})


def test_rules_have_to_be_there() -> None:
    refuse = CHECKERS["compare_table"].refuse
    assert refuse is not None
    assert "no rule" in (refuse({"rules": []}) or "")
    assert "rules" in (refuse({}) or "")
    assert refuse({"rules": [{"type": "sheet_name"}]}) is None


def test_cities_stand_one_below_the_other_in_some_column() -> None:
    def listed(*cities: str) -> bytes:
        return workbook(*[cell(f"C{row}", city) for row, city in enumerate(cities, 5)])

    wanted = {"expected": ["Beijing", ["Los Angeles", "LA"], "Vancouver"]}
    check = "compare_conference_city_in_order"
    assert score(check, listed("Beijing, China", "la", "Vancouver"), wanted) == 1.0
    assert score(check, listed("Beijing", "Dallas", "Vancouver"), wanted) == 0.0
    assert score(check, listed("Beijing", "Vancouver", "LA"), wanted) == 0.0
    assert score(check, listed("Beijing", "LA"), wanted) == 0.0
    assert score(check, None, wanted) == 0.0


async def test_a_task_compares_a_spreadsheet_and_its_export_on_a_desktop(desktop: Desktop) -> None:
    def files(name: str) -> dict[str, object]:
        paths = [f"/home/user/{name}.xlsx", f"/home/user/{name}-Sheet1.csv"]
        return {"type": "vm_file", "path": paths, "dest": [path.rpartition("/")[2] for path in paths], "multi": True}

    evaluator = {
        "func": "compare_table",
        "result": files("table"),
        "expected": files("gold"),
        "options": {"rules": [{"type": "sheet_print", **BOTH}]},
    }
    task = read_task(a_task(config=[], evaluator=evaluator))
    for name in ("table", "gold"):
        await desktop.write_file(f"/home/user/{name}.xlsx", workbook())
    assert (await check(task, desktop)).checker_error is not None  # no export of the gold: nobody's score
    await desktop.write_file("/home/user/gold-Sheet1.csv", b"1.00\n")
    assert (await check(task, desktop)).score == 0.0
    await desktop.write_file("/home/user/table-Sheet1.csv", b"1\n")
    assert (await check(task, desktop)).score == 0.0
    await desktop.write_file("/home/user/table-Sheet1.csv", b"1.00\n")
    assert (await check(task, desktop)).score == 1.0
