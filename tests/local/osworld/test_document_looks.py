"""Looks of text documents count as they are seen; LibreOffice's settings by their names."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK, WD_COLOR_INDEX, WD_TAB_ALIGNMENT
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Inches, Pt

from drums.local.osworld.checkers import CheckerFault
from tests.local.osworld.checking import score
from tests.local.osworld.office_files import (
    document,
    odt,
    on_paragraph,
    on_runs,
    picture,
    resaved,
    same,
    setting,
    table,
)

if TYPE_CHECKING:
    from tests.local.osworld.office_files import Change


# Looks.


def styles(path: str, value: object, name: str = "Normal") -> Change:
    return lambda made: setting(path, value)(made.styles[name])


def test_line_spacing_counts_as_it_is_seen() -> None:
    def spaced(*values: float | None) -> bytes:
        changes = [
            on_paragraph(number, setting("paragraph_format.line_spacing", value)) for number, value in enumerate(values)
        ]
        return document(*changes)

    check = "compare_line_spacing"
    gold = spaced(2.0, 2.0)
    assert same(check, spaced(2.0, 2.0), gold)
    assert same(check, document(styles("paragraph_format.line_spacing", 2.0)), gold)
    assert same(check, spaced(1.15, None), spaced(None, None))
    for other in (document(), spaced(2.0, None), spaced(2.0, 1.5), spaced(2.0, 2.0)[:-30]):
        assert not same(check, other, gold)
    assert not same(check, document(styles("paragraph_format.line_spacing", 2.0), text=("A title", "other")), gold)
    assert not same(
        check, document(on_paragraph(0, setting("paragraph_format.line_spacing", Pt(24)))), spaced(2.0, None)
    )


def test_the_first_paragraph_that_says_something_is_centred() -> None:
    centre = WD_ALIGN_PARAGRAPH.CENTER
    check = "is_first_line_centered"
    assert same(check, document(on_paragraph(0, setting("alignment", centre))), None)
    assert same(check, document(styles("paragraph_format.alignment", centre)), None)
    assert same(check, document(on_paragraph(1, setting("alignment", centre)), text=(" ", "A title")), None)
    for other in (
        document(),
        document(text=("",)),
        document(on_paragraph(1, setting("alignment", centre))),
        document(on_paragraph(0, setting("alignment", centre)), text=("", "A title")),
        document(on_paragraph(0, setting("alignment", WD_ALIGN_PARAGRAPH.RIGHT))),
        None,
    ):
        assert not same(check, other, None)


def tabbed(*stops: tuple[float, WD_TAB_ALIGNMENT], text: str = "one two three\tand the rest") -> bytes:
    def add(paragraph: Any) -> None:
        for inches, alignment in stops:
            paragraph.paragraph_format.tab_stops.add_tab_stop(Inches(inches), alignment)

    return document(on_paragraph(0, add), text=(text,))


def test_tab_stops_are_compared_by_kind_and_place() -> None:
    right, left = WD_TAB_ALIGNMENT.RIGHT, WD_TAB_ALIGNMENT.LEFT
    gold, options = tabbed((6, right)), {"word_number_split_by_tabstop": 3, "index": 0}
    check = "check_tabstops"
    assert score(check, tabbed((6, right)), gold, options) == 1.0
    assert score(check, tabbed((3, right)), gold, options) == pytest.approx(0.5)  # 3 of 6 inches off
    assert score(check, tabbed((0, left), (6, right)), gold, options) == 1.0
    for other in (
        tabbed((6, left)),
        tabbed(),
        tabbed((6, right), (3, left)),
        tabbed((6, right), text="one two\tthree and the rest"),
        tabbed((6, right), text="one two three and the rest"),
        tabbed((6, right), text="one two three\tand more"),
        document(text=("",)),
    ):
        assert score(check, other, gold, options) == 0.0
    assert score(check, tabbed((6, right), text="one\ttwo three and the rest"), gold, {}) == 1.0
    with pytest.raises(CheckerFault, match="position"):
        score(check, gold, gold, {"index": "0"})


def test_page_breaks_are_counted() -> None:
    def broken(count: int) -> bytes:
        def add(made: Any) -> None:
            for _ in range(count):
                made.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
            made.add_paragraph().add_run().add_break(WD_BREAK.LINE)

        return document(add)

    check = "contains_page_break"
    assert same(check, broken(2), {"page_break_count": 2})
    assert not same(check, broken(1), {"page_break_count": 2})
    assert not same(check, broken(3), {"page_break_count": 2})
    assert same(check, broken(1), None)
    assert not same(check, broken(0), None)


def footers(*kinds: str, field: str = "PAGE", first: bool = False, even: bool = False) -> Change:
    def add(made: Any) -> None:
        section = made.sections[0]
        section.different_first_page_header_footer = first
        made.settings.odd_and_even_pages_header_footer = even
        for kind in kinds:
            paragraph = getattr(section, kind).paragraphs[0]
            if not field:
                paragraph.add_run("1")
                continue
            for kind_of_mark in ("begin", None, "end"):
                mark = OxmlElement("w:fldChar" if kind_of_mark else "w:instrText")
                if kind_of_mark:
                    mark.set(qn("w:fldCharType"), kind_of_mark)
                else:
                    mark.text = f" {field} \\* MERGEFORMAT "
                paragraph.add_run()._r.append(mark)

    return add


def test_every_page_shows_its_number_as_a_field() -> None:
    check = "has_page_numbers_in_footers"
    assert same(check, document(footers("footer")), None)
    assert same(check, document(footers("footer", "first_page_footer", first=True)), None)
    assert same(check, document(footers("footer", "even_page_footer", even=True)), None)
    assert same(check, document(footers("footer"), lambda made: made.add_section()), None)
    for other in (
        document(),
        document(footers("footer", field="")),
        document(footers("footer", field="NUMPAGES")),
        document(footers("footer", first=True)),
        document(footers("footer", even=True)),
        document(footers("first_page_footer", first=True)),
        None,
    ):
        assert not same(check, other, None)

    def unlinked(made: Any) -> None:
        made.add_section().footer.is_linked_to_previous = False

    assert not same(check, document(footers("footer"), unlinked), None)


def in_simple_field(made: Any) -> None:
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    made.sections[0].footer.paragraphs[0]._p.append(field)


def test_a_simple_field_shows_the_number_too() -> None:
    assert same("has_page_numbers_in_footers", document(in_simple_field), None)


def test_all_text_is_in_a_font_wherever_that_is_said() -> None:
    rules = {"font_name": "Times New Roman"}
    name = setting("font.name", "Times New Roman")
    check = "compare_font_names"
    both = (on_runs(0, name), on_runs(1, name))
    assert same(check, document(*both), rules)
    assert same(check, document(styles("font.name", "Times New Roman")), rules)
    for other in (
        document(),
        document(on_runs(0, name)),
        document(*both, lambda made: made.add_paragraph().add_run("x")),
        document(*both, table(("in a table",))),
        document(styles("font.name", "Times New Roman"), on_runs(1, setting("font.name", "Arial"))),
        document(text=("",)),
        None,
    ):
        assert not same(check, other, rules)
    assert same(check, document(*both, lambda made: made.add_paragraph().add_run(" ")), rules)
    with pytest.raises(CheckerFault, match="font_name"):
        score(check, document(), {})


def test_a_theme_names_the_font_where_nothing_else_does() -> None:
    # python-docx's template has theme fonts in its defaults: Cambria for the body.
    assert same("compare_font_names", document(), {"font_name": "Cambria"}) or same(
        "compare_font_names", document(), {"font_name": "Calibri"}
    )


def water(*lowered: int) -> bytes:
    def add(made: Any) -> None:
        paragraph = made.add_paragraph()
        for place, letter in enumerate("H2O is H2O"):
            paragraph.add_run(letter).font.subscript = place in lowered or None

    return document(add)


def test_subscripts_are_where_they_should_be_and_of_the_same_letters() -> None:
    check = "compare_subscript_contains"
    assert same(check, water(1), water(1))
    assert same(check, water(1, 8), water(1))
    for other in (water(), water(8), water(1, 2), document()):
        assert not same(check, other, water(1))


def struck(*runs: str, last: str = "", double: bool = False) -> bytes:
    def add(made: Any) -> None:
        paragraph = made.add_paragraph()
        for text in runs:
            run = paragraph.add_run(text.removeprefix("-"))
            setting("font.double_strike" if double else "font.strike", text.startswith("-"))(run)
        made.add_paragraph(last)

    return document(add)


def test_all_of_the_last_paragraph_is_struck_through() -> None:
    check, gold = "evaluate_strike_through_last_paragraph", struck("one", "two")
    assert same(check, struck("-one", "-two"), gold)
    assert same(check, struck("-one", "-two", double=True), gold)
    for other in (struck("-one", "two"), gold, struck("-one"), struck("-one", "-two", last="x"), document(text=("",))):
        assert not same(check, other, gold)
    assert not same(check, struck("-one", "-two", last="x"), struck("one", "two", last="x"))


def test_all_that_is_italic_has_the_size() -> None:
    def sized(*runs: tuple[str, bool, float | None]) -> bytes:
        def add(made: Any) -> None:
            for text, italic, size in runs:
                run = made.paragraphs[0].add_run(text)
                run.italic, run.font.size = italic, Pt(size) if size else None

        return document(add)

    check, gold = "check_italic_font_size_14", sized(("a", True, 12), ("b", False, 12))
    assert same(check, sized(("a", True, 14), ("b", False, 12)), gold)
    for other in (
        gold,
        sized(("a", True, None), ("b", False, 12)),
        sized(("a", False, 14), ("b", False, 14)),
        sized(("x", True, 14), ("b", False, 12)),
    ):
        assert not same(check, other, gold)


LIT = "<style:style style:name='{}'><style:text-properties fo:background-color='{}'/></style:style>"


def test_nothing_is_highlighted() -> None:
    body = "<text:p>a <text:span text:style-name='T1'>b</text:span></text:p>"
    gold = odt(body)
    check = "check_highlighted_words"
    assert same(check, gold, gold)
    assert same(check, odt(body, LIT.format("T1", "transparent")), gold)
    assert same(check, odt(body, LIT.format("T9", "#ffff00")), gold)
    assert not same(check, odt(body, LIT.format("T1", "#ffff00")), gold)
    assert not same(check, odt(body.replace("b<", "x<")), gold)
    paragraph = "<text:p text:style-name='P1'>a b</text:p>"
    assert not same(check, odt(paragraph, LIT.format("P1", "#00ff00")), gold)
    assert not same(check, document(text=("a b",)), gold)


def test_a_chain_of_styles_that_never_ends_is_cut() -> None:
    def loop(made: Any) -> None:
        made.styles["Normal"].base_style = made.styles["Normal"]

    assert not same("is_first_line_centered", document(loop), None)


# LibreOffice's settings.


def registry(path: str, name: str, value: str) -> bytes:
    return (
        '<?xml version="1.0"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">'
        f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        "</oor:items>"
    ).encode()


AUTOSAVE, START = "/org.openoffice.Office.Recovery/AutoSave", "/org.openoffice.Office.Impress/Misc/Start"
FONT = "/org.openoffice.Office.Writer/DefaultFont"


@pytest.mark.parametrize(
    ("name", "rules", "passing", "failing"),
    [
        (
            "check_auto_saving_time",
            {"minutes": 3},
            registry(AUTOSAVE, "TimeIntervall", "3"),
            [registry(AUTOSAVE, "TimeIntervall", "30"), registry(AUTOSAVE, "Enabled", "true")],
        ),
        (
            "check_presenter_console_disable",
            None,
            registry(START, "EnablePresenterScreen", "false"),
            [registry(START, "EnablePresenterScreen", "true"), registry(START, "EnableSdremote", "false")],
        ),
        (
            "find_default_font",
            {"font_name": "Times New Roman"},
            registry(FONT, "Standard", "Times New Roman"),
            [registry(FONT, "Heading", "Times New Roman"), registry(FONT, "Standard", "Times")],
        ),
    ],
)
def test_a_setting_is_found_by_its_name(name: str, rules: object, passing: bytes, failing: list[bytes]) -> None:
    assert same(name, passing, rules)
    bomb = b'<!DOCTYPE x [<!ENTITY a "3">]>' + passing.removeprefix(b'<?xml version="1.0"?>')
    for other in (*failing, None, b"", b"text", passing[:-3], bomb, registry("/other", "TimeIntervall", "3")):
        assert not same(name, other, rules)


def test_saving_by_itself_has_to_be_on() -> None:
    both = registry(AUTOSAVE, "TimeIntervall", "3").replace(
        b"</oor:items>", registry(AUTOSAVE, "Enabled", "false").split(b">", 2)[2]
    )
    assert both.count(b"<item") == 2
    assert not same("check_auto_saving_time", both, {"minutes": 3})


@pytest.mark.long
def test_documents_that_libreoffice_wrote_are_judged_alike() -> None:
    centre = WD_ALIGN_PARAGRAPH.CENTER
    made = document(
        on_paragraph(0, setting("alignment", centre)),
        on_paragraph(1, setting("paragraph_format.line_spacing", 2.0)),
        on_runs(0, setting("font.name", "Arial")),
        on_runs(1, setting("font.name", "Arial")),
        on_runs(1, setting("font.strike", True)),
        on_runs(1, setting("font.highlight_color", WD_COLOR_INDEX.YELLOW)),
        footers("footer"),
        text=("A title", "Some text here."),
    )
    wrote = resaved(made, "docx")
    for name in ("compare_docx_files", "compare_line_spacing", "evaluate_strike_through_last_paragraph"):
        assert same(name, wrote, made), name
    assert same("is_first_line_centered", wrote, None)
    assert same("has_page_numbers_in_footers", wrote, None)
    assert same("compare_font_names", wrote, {"font_name": "Arial"})
    more = document(table(("a", "b"), ("c", "d")), lambda made: made.add_picture(io.BytesIO(picture())))
    again = resaved(more, "docx")
    assert same("compare_docx_tables", again, more)
    assert same("compare_docx_images", again, more)
