"""Rules of `compare_table` for more than values: looks, charts, pivot tables, and single cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Color, Font, GradientFill, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from drums.local.osworld.checkers import CheckerFault
from drums.local.osworld.checkers.sheet_rules import STYLE_NAMES
from drums.local.osworld.checkers.workbook import STYLES
from tests.local.osworld.office_files import BOTH, cell, on_sheet, part, passes, resaved, rezipped, workbook

if TYPE_CHECKING:
    from tests.local.osworld.office_files import Change


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


@pytest.mark.long
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
