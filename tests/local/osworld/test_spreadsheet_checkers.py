"""The rules of `compare_table` pass what is equal, and nothing else; what is not built is refused by name."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Color, Font, GradientFill, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from drums.local.osworld.checkers import CHECKERS, CheckerFault
from drums.local.osworld.checkers.likeness import likeness
from drums.local.osworld.checkers.matching import knows, matches
from drums.local.osworld.checkers.sheet_rules import STYLE_NAMES
from drums.local.osworld.checkers.workbook import STYLES
from tests.local.osworld.checking import score
from tests.local.osworld.office_files import part, resaved, rezipped, workbook

if TYPE_CHECKING:
    from collections.abc import Callable

Change = Any
BOTH = {"sheet_idx0": 0, "sheet_idx1": "EI0"}
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


def rules(*entries: dict[str, object]) -> dict[str, object]:
    return {"rules": list(entries)}


def passes(result: object, expected: object, **rule: object) -> bool:
    return score("compare_table", result, expected, rules(rule)) == 1.0


def cell(name: str, value: object) -> Change:
    return lambda book: book["Sheet1"].__setitem__(name, value)


def on_sheet(change: Callable[[Any], object], name: str = "Sheet1") -> Change:
    return lambda book: change(book[name])


def filled(cells: dict[tuple[int, int], object]) -> bytes:
    def change(book: Any) -> None:
        sheet = book.create_sheet("Data", 0)
        for (row, column), value in cells.items():
            sheet.cell(row, column, value)

    return workbook(change)


@settings(max_examples=40, deadline=None)
@given(cells=CELLS, other=CELLS)
def test_two_sheets_hold_the_same_if_every_value_is_the_same(
    cells: dict[tuple[int, int], object], other: dict[tuple[int, int], object]
) -> None:
    assert passes(filled(cells), filled(cells), type="sheet_data", **BOTH)
    same = {place: (type(value) is bool, value) for place, value in cells.items()} == {
        place: (type(value) is bool, value) for place, value in other.items()
    }
    assert passes(filled(cells), filled(other), type="sheet_data", **BOTH) == same


@settings(max_examples=30, deadline=None)
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


def chart(
    kind: type[Any] = BarChart, *, title: str | None = "Sales", column: int = 2, direction: str = "col"
) -> Change:
    def add(sheet: Any) -> None:
        made: Any = kind()
        made.title = title
        if kind is BarChart:
            made.type = direction
        made.add_data(Reference(sheet, min_col=column, min_row=1, max_row=3), titles_from_data=True)
        made.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=3))
        sheet.add_chart(made, "F2")

    return on_sheet(add)


def test_charts_show_the_same_data_in_the_same_way() -> None:
    every = {"type": "chart", "chart_props": ["type", "title", "direction"], **BOTH}
    gold = workbook(chart(), chart(LineChart, column=3))
    assert passes(workbook(chart(LineChart, column=3), chart()), gold, **every)
    line = chart(LineChart, column=3)
    for other in (
        workbook(line),
        workbook(chart(), line, line),
        workbook(chart(title="Sold"), line),
        workbook(chart(title=None), line),
        workbook(chart(column=3), line),
        workbook(chart(LineChart), line),
        workbook(chart(direction="bar"), line),
    ):
        assert not passes(other, gold, **every)
    assert passes(workbook(chart(title="x", direction="bar"), line), gold, **{**every, "chart_props": ["type"]})


RELATION_IDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PIVOT_TYPE = f"{RELATION_IDS}/pivot"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'


def pivot(
    *, rows: str = "0", columns: str = "", pages: str = "2", data: str = "1", function: str = "sum", area: str = "A1:C3"
) -> bytes:
    """A spreadsheet with a pivot table of fields that are named by their numbers."""

    def listed(outer: str, inner: str, attribute: str, numbers: str) -> str:
        return (
            f"<{outer}>" + "".join(f'<{inner} {attribute}="{number}"/>' for number in numbers.split()) + f"</{outer}>"
        )

    fields = "".join(f'<cacheField name="{name}"><sharedItems/></cacheField>' for name in ("Item", "Price", "Sold"))
    source = f'<cacheSource type="worksheet"><worksheetSource ref="{area}" sheet="Sheet1"/></cacheSource>'
    table = (
        listed("rowFields", "field", "x", rows)
        + listed("colFields", "field", "x", columns)
        + listed("pageFields", "pageField", "fld", pages)
        + f'<dataFields><dataField name="Sum - x" fld="{data}" subtotal="{function}"/></dataFields>'
    )
    cache = f'<pivotCacheDefinition xmlns="{MAIN}">{source}<cacheFields>{fields}</cacheFields></pivotCacheDefinition>'
    head = f'<pivotTableDefinition xmlns="{MAIN}" name="p" cacheId="1" dataCaption="v">'
    place = '<location ref="A3:B6" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/>'

    def relation(kind: str, target: str) -> str:
        return f'<Relationship Id="p1" Type="{PIVOT_TYPE}{kind}" Target="{target}"/>'

    plain = workbook()
    book, relations = (part(plain, name).decode() for name in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels"))
    listing = f'<pivotCaches><pivotCache cacheId="1" xmlns:r="{RELATION_IDS}" r:id="p1"/></pivotCaches></workbook>'
    own_cache = relation("CacheDefinition", "pivotCache/c1.xml") + "</Relationships>"
    return rezipped(
        plain,
        {
            "xl/workbook.xml": book.replace("</workbook>", listing).encode(),
            "xl/_rels/workbook.xml.rels": relations.replace("</Relationships>", own_cache).encode(),
            "xl/worksheets/_rels/sheet1.xml.rels": RELATIONS.format(
                relation("Table", "../pivotTables/p1.xml")
            ).encode(),
            "xl/pivotTables/_rels/p1.xml.rels": RELATIONS.format(
                relation("CacheDefinition", "../pivotCache/c1.xml")
            ).encode(),
            "xl/pivotTables/p1.xml": f"{head}{place}{table}</pivotTableDefinition>".encode(),
            "xl/pivotCache/c1.xml": cache.encode(),
        },
    )


def test_pivot_tables_have_the_same_source_and_fields() -> None:
    every = {"type": "pivot_table", "pivot_props": ["col_fields", "filter", "row_fields", "data_fields"], **BOTH}
    assert passes(pivot(), pivot(), **every)
    for other in (
        pivot(rows="0 2"),
        pivot(columns="-2"),
        pivot(pages=""),
        pivot(data="2"),
        pivot(function="count"),
        pivot(area="A1:C2"),
        pivot(rows="77"),
        workbook(),
    ):
        assert not passes(other, pivot(), **every)
    assert passes(pivot(pages=""), pivot(), **{**every, "pivot_props": ["row_fields"]})


def styled(**fields: object) -> Change:
    def change(sheet: Any) -> None:
        for name, value in fields.items():
            setattr(sheet["B2"], name, value)

    return on_sheet(change)


RED = PatternFill("solid", fgColor="FFFF0000")


@pytest.mark.parametrize(
    ("prop", "change"),
    [
        ("font_color", styled(font=Font(color="FF00FF00"))),
        ("font_name", styled(font=Font(name="Courier"))),
        ("font_bold", styled(font=Font(bold=True))),
        ("font_italic", styled(font=Font(italic=True))),
        ("font_underline", styled(font=Font(underline="single"))),
        ("font_size", styled(font=Font(size=20))),
        ("bgcolor", styled(fill=RED)),
        ("bgcolor", styled(fill=PatternFill("lightUp", fgColor="FFFF0000"))),
        ("bgcolor", styled(fill=GradientFill(stop=("FF000000", "FFFFFFFF")))),
        ("merge", on_sheet(lambda sheet: sheet.merge_cells("B5:C5"))),
    ],
)
def test_a_look_of_one_cell_is_seen(prop: str, change: Change) -> None:
    changed = workbook(change)
    assert passes(changed, changed, type="style", props=[prop], **BOTH)
    assert not passes(changed, workbook(), type="style", props=[prop], **BOTH)
    assert not passes(workbook(), changed, type="style", props=[prop], **BOTH)


def test_every_name_of_a_look_is_read() -> None:
    assert set(STYLES) == STYLE_NAMES


def test_a_look_that_depends_on_values_is_not_judged() -> None:
    formatting: Any = CellIsRule
    conditional = workbook(
        on_sheet(lambda sheet: sheet.conditional_formatting.add("B2:B3", formatting("greaterThan", ["2"], fill=RED)))
    )
    with pytest.raises(CheckerFault, match="conditional"):
        passes(conditional, workbook(), type="style", props=["bgcolor"], **BOTH)
    assert passes(conditional, conditional, type="style", props=["bgcolor"], **BOTH)
    with pytest.raises(CheckerFault, match="conditional"):
        checked(conditional, "B3", bgcolor={"method": "eq", "ref": "FFFF0000"})
    assert checked(conditional, "B4", bgcolor={"method": "eq", "ref": None})


def checked(result: object, name: str, **props: object) -> bool:
    return passes(result, None, type="check_cell", sheet_idx="RNSheet1", coordinate=name, props=props)


def test_one_cell_is_checked_by_value_and_look() -> None:
    table = workbook(
        styled(fill=RED, font=Font(color="FFFFFFFF", bold=True)), on_sheet(lambda s: s.merge_cells("A5:B5"))
    )
    assert checked(
        table, "B2", value={"method": "approx:0.1", "ref": 2.55}, bgcolor={"method": "eq", "ref": "FFFF0000"}
    )
    assert checked(table, "B2", font_color={"method": "eq", "ref": "FFFFFFFF"}, font_bold={"method": "eq", "ref": True})
    assert not checked(table, "B2", value={"method": "approx:0.01", "ref": 2.55})
    assert not checked(table, "B3", bgcolor={"method": "eq", "ref": "FFFF0000"})
    assert checked(table, "B5", merge={"method": "eq", "ref": True})
    assert checked(table, "C5", merge={"method": "eq", "ref": False})
    assert not checked(table, "C5", merge={"method": "eq", "ref": True})
    assert not checked(table, "Z99", value={"method": "eq", "ref": "x"})
    assert not passes(
        table,
        None,
        type="check_cell",
        sheet_idx="RNSheet2",
        coordinate="A1",
        props={"value": {"method": "eq", "ref": 1}},
    )


def test_what_stays_in_sight_is_compared() -> None:
    def frozen(place: str) -> bytes:
        return workbook(on_sheet(lambda sheet: setattr(sheet, "freeze_panes", place)))

    assert passes(frozen("B2"), frozen("B2"), type="freeze", **BOTH)
    for other in (frozen("A2"), frozen("C2"), workbook()):
        assert not passes(other, frozen("B2"), type="freeze", **BOTH)


def test_the_zoom_is_compared_with_a_number() -> None:
    def zoomed(zoom: int) -> bytes:
        return workbook(on_sheet(lambda sheet: setattr(sheet.sheet_view, "zoomScale", zoom)))

    rule = {"type": "zoom", "sheet_idx": 0, "method": "lt", "ref": 260}
    assert passes(zoomed(259), None, **rule)
    assert not passes(zoomed(260), None, **rule)
    assert passes(workbook(), None, **{**rule, "method": "eq", "ref": 100})


def test_hidden_rows_are_compared() -> None:
    def hidden(*rows: int) -> bytes:
        def hide(sheet: Any) -> None:
            for row in rows:
                sheet.row_dimensions[row].hidden = True

        return workbook(on_sheet(hide))

    rule = {"type": "row_props", "props": ["hidden"], **BOTH}
    assert passes(hidden(2, 3), hidden(2, 3), **rule)
    for other in (hidden(2), hidden(2, 3, 4), hidden()):
        assert not passes(other, hidden(2, 3), **rule)


def test_the_rules_for_entering_values_are_compared_with_what_is_asked() -> None:
    def validated(area: str, values: str = '"Fail, Pass,Held"', kind: Any = "list") -> Change:
        def add(sheet: Any) -> None:
            entry = DataValidation(type=kind, formula1=values)
            entry.add(area)
            sheet.add_data_validation(entry)

        return on_sheet(add)

    wanted = {
        "ranges": {"method": "spreadsheet_range", "ref": ["D2:D29", "D1:D1048576"]},
        "type": {"method": "eq", "ref": "list"},
        "formula1": {"method": "str_set_eq", "ref": ["Pass", "Fail", "Held"]},
    }
    rule = {"type": "data_validation", "sheet_idx": 0, "dv_props": [wanted]}
    assert passes(workbook(validated("D2:D29")), None, **rule)
    assert passes(workbook(validated("D1:D100")), None, **rule)
    for other in (
        workbook(),
        workbook(validated("D2:D28")),
        workbook(validated("C2:D29")),
        workbook(validated("D2:D29", '"Pass,Fail"')),
        workbook(validated("D2:D29", kind="custom")),
        workbook(validated("D2:D29"), validated("E2", '"x"')),
    ):
        assert not passes(other, None, **rule)


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


@pytest.mark.parametrize(
    ("method", "ref", "value", "wanted"),
    [
        ("eq", 1, 1.0, True),
        ("eq", True, 1, False),
        ("ne", True, 1, True),
        ("lt", 2, 1, True),
        ("lt", 2, "1", False),
        ("ge", 2, 2, True),
        ("approx:0.5", 2, 2.5, True),
        ("approx:0.5", 2, "2.4", True),
        ("approx:0.5", 2, 2.6, False),
        ("approx:0.5", 2, None, False),
        ("approx:0.5", 2, float("nan"), False),
        ("re", "^a+$", "aa", True),
        ("re", "^a+$", "AA", False),
        ("re.IGNORECASE", "^a+$", "AA", True),
        ("re", "1", 1, False),
        ("range.te", [1, 2], 2, True),
        ("range.te", [1, 2], 1, False),
        ("range.et", [1, 2], 1, True),
        ("range.et", [1, 2], 2, False),
        ("str_list_eq", ["a", "b"], '"a, b"', True),
        ("str_list_eq", ["a", "b"], "b,a", False),
        ("str_set_eq", ["a", "b"], "b,a", True),
        ("spreadsheet_range", ["A1:A2", "A1:A9"], "A1 A2:A3", False),
        ("spreadsheet_range", ["A1:A2", "A1:A9"], "$A$1:$A$3", True),
        ("spreadsheet_range", ["A1:A2", "A1:A9"], "A1:B3", False),
        ("spreadsheet_range", ["A1:A2", "A1:A9"], "x", False),
    ],
)
def test_a_comparison_means_what_its_name_says(method: str, ref: object, value: object, wanted: bool) -> None:
    assert knows(method)
    assert matches(method, ref, value) == wanted


@pytest.mark.parametrize(
    ("method", "ref"),
    [("no", 1), ("approx:x", 1), ("approx:1", "x"), ("re", "("), ("re", 1), ("range.te", [1]), ("re.NO", "x"),
     ("str_set_eq", "a"), ("spreadsheet_range", ["A1", "x"])],
)  # fmt: skip
def test_a_comparison_that_makes_no_sense_is_the_tasks_fault(method: str, ref: object) -> None:
    with pytest.raises(CheckerFault):
        matches(method, ref, "x")


@given(left=st.text("ab", max_size=8), right=st.text("ab", max_size=8))
def test_likeness_is_the_same_both_ways_and_1_only_for_equal_texts(left: str, right: str) -> None:
    assert likeness(left, right) == likeness(right, left)
    assert (likeness(left, right) == 1.0) == (left == right)
    assert likeness(left + right, right) >= 2 * len(right) / (len(left) + 2 * len(right) or 1)


def test_likeness_counts_the_letters_that_stand_in_the_same_order() -> None:
    assert likeness("abcd", "xacy") == 0.5
    assert likeness("ab", "ba") == 0.5
    assert likeness("ab", "xy") == 0.0
    assert likeness("", "") == 1.0
    assert likeness("ab" * 20_000, "ba" * 20_000) > 0.99


def test_files_that_libreoffice_wrote_are_judged_alike() -> None:
    made = workbook(
        chart(),
        styled(fill=RED, font=Font(color="FF00FF00")),
        on_sheet(lambda sheet: setattr(sheet.row_dimensions[3], "hidden", True)),
        cell("D2", "=B2*2"),
    )
    ours = resaved(made, "xlsx")
    assert checked(ours, "D2", value={"method": "eq", "ref": 5})
    assert checked(
        ours, "B2", bgcolor={"method": "eq", "ref": "FFFF0000"}, font_color={"method": "eq", "ref": "FF00FF00"}
    )
    assert passes(ours, made, type="chart", chart_props=["type", "title", "direction"], **BOTH)
    assert passes(ours, made, type="row_props", props=["hidden"], **BOTH)
    assert passes(ours, made, type="sheet_name")
    assert not passes(ours, made, type="sheet_data", **BOTH)  # what openpyxl writes has no computed value
    assert passes(ours, resaved(made, "xlsx"), type="sheet_data", **BOTH)


def test_a_theme_gives_its_colours() -> None:
    def themed(book: Any) -> None:
        book["Sheet1"]["B2"].font = Font(color=Color(theme=4))

    made = workbook(themed)
    assert b"accent1" in part(made, "xl/theme/theme1.xml")
    assert checked(made, "B2", font_color={"method": "re", "ref": "^FF[0-9A-F]{6}$"})
    assert not passes(made, workbook(), type="style", props=["font_color"], **BOTH)
