"""Checkers of text documents pass what is as it should be, and see each single difference."""

from __future__ import annotations

import io
from typing import Any

import pytest
from docx.shared import RGBColor
from hypothesis import given, settings
from hypothesis import strategies as st

from drums.local.osworld.checkers import CHECKERS, CheckerFault
from drums.local.osworld.checkers.documents import CHECKERS as OURS
from drums.local.osworld.checkers.office_settings import CHECKERS as SETTINGS
from tests.local.osworld.checking import score
from tests.local.osworld.office_files import WORD, document, odt, picture, plain_document, rezipped, same, table

LINES = st.lists(st.text("ab C.", max_size=6), min_size=1, max_size=4)


# What a document says.


@settings(max_examples=40, deadline=None)
@given(ours=LINES, theirs=LINES)
def test_documents_are_the_same_if_every_paragraph_is(ours: list[str], theirs: list[str]) -> None:
    left, right = plain_document(ours), plain_document(theirs)
    assert same("compare_docx_files", left, left, ignore_blanks=False)
    assert same("compare_docx_files", left, right, ignore_blanks=False) == (ours == theirs)
    assert same("compare_docx_files", left, right) == (" ".join(ours).split() == " ".join(theirs).split())
    assert same("compare_docx_files", left, right, ignore_order=True, ignore_blanks=False) == (
        sorted(ours) == sorted(theirs)
    )
    assert same("compare_docx_files_and_ignore_new_lines", left, right, ignore_blanks=False) == (
        [line for line in ours if line.strip()] == [line for line in theirs if line.strip()]
    )


@pytest.mark.parametrize(
    ("ours", "theirs", "options", "wanted"),
    [
        (("A b",), ("a B",), {}, 0.0),
        (("A b",), ("a B",), {"ignore_case": True}, 1.0),
        (("a", "", "b"), ("a", "b"), {"ignore_blanks": False}, 0.0),
        (("a", "", "b"), ("a", "b"), {"ignore_blanks": False, "delete_empty_lines": True}, 1.0),
        (("abcd",), ("abxy",), {"fuzzy_match": True}, 0.5),
        (("abcd",), ("abcd",), {"fuzzy_match": True}, 1.0),
        (("ab", "cd"), ("ab cd",), {"content_only": True, "ignore_blanks": False}, 1.0),
        (("abcd",), ("abxy",), {"content_only": True}, 0.5),
        (("b", "a"), ("a", "b"), {"content_only": True, "ignore_order": True}, 1.0),
    ],
)
def test_options_say_what_does_not_count(
    ours: tuple[str, ...], theirs: tuple[str, ...], options: dict[str, object], wanted: float
) -> None:
    assert score("compare_docx_files", document(text=ours), document(text=theirs), options) == wanted


def test_what_was_deleted_or_stands_in_a_frame_is_not_the_text_but_links_and_insertions_are() -> None:
    word = f'xmlns:w="{WORD}"'
    run = "<w:r><w:t>{}</w:t></w:r>"
    body = (
        f"<w:p><w:hyperlink>{run.format('a')}</w:hyperlink><w:ins>{run.format('b')}</w:ins>"
        "<w:del><w:r><w:delText>x</w:delText></w:r></w:del><w:r><w:tab/><w:br/><w:noBreakHyphen/>"
        f"<w:pict><w:txbxContent><w:p>{run.format('y')}</w:p></w:txbxContent></w:pict></w:r></w:p>"
        f"<w:sdt><w:sdtContent><w:p>{run.format('c')}</w:p></w:sdtContent></w:sdt>"
    )
    ours = rezipped(
        document(), {"word/document.xml": f"<w:document {word}><w:body>{body}</w:body></w:document>".encode()}
    )
    assert same("compare_docx_files", ours, document(text=("ab\t\n-", "c")), ignore_blanks=False)


def test_an_opendocument_text_is_read_as_well() -> None:
    ours = odt(
        "<text:h>A title</text:h><text:list><text:list-item><text:p>b<text:s text:c='2'/>c<text:tab/>"
        "<text:span>d</text:span><text:line-break/>e</text:p></text:list-item></text:list>"
    )
    assert same("compare_docx_files", ours, document(text=("A title", "b  c\td\ne")), ignore_blanks=False)
    assert not same("compare_docx_files", ours, document(text=("A title", "b c\td\ne")), ignore_blanks=False)


def test_each_train_is_there_once_by_a_line_of_the_original() -> None:
    lines = ("06:00,T1,S1,1", "06:10,T2,S1,1", "06:20,T1,S2,1")
    expected = [document(text=lines[:2]), document(text=lines)]
    check = "compare_unique_train_records"
    assert same(check, document(text=lines[:2]), expected)
    assert same(check, document(text=(lines[1], "", lines[2])), expected)
    assert not same(check, document(text=lines), expected)
    assert not same(check, document(text=lines[:1]), expected)
    assert not same(check, document(text=("06:00,T1,S9,1", lines[1])), expected)
    assert not same(check, None, expected)
    for broken in (expected[0], expected[:1], [*expected[:1], None]):
        with pytest.raises(CheckerFault):
            score(check, document(text=lines[:2]), broken)


# Tables and pictures.


def test_tables_have_the_same_shape_and_text() -> None:
    gold = document(table(("a", "b"), ("c", "d")), table(("x",)))
    check = "compare_docx_tables"
    assert same(check, document(table(("a", " b "), ("c", "d")), table(("x",)), text=("other text",)), gold)
    for other in (
        document(),
        document(table(("a", "b"), ("c", "d"))),
        document(table(("x",)), table(("a", "b"), ("c", "d"))),
        document(table(("a", "b"), ("c", "e")), table(("x",))),
        document(table(("a", "b", ""), ("c", "d", "")), table(("x",))),
        document(table(("a", "b"), ("c", "d"), ("", "")), table(("x",))),
    ):
        assert not same(check, other, gold)


def test_cells_that_were_joined_are_seen() -> None:
    def joined(first: tuple[int, int], last: tuple[int, int]) -> bytes:
        return document(table(("", ""), ("", ""), change=lambda grid: grid.cell(*first).merge(grid.cell(*last))))

    wide, high = joined((0, 0), (0, 1)), joined((0, 0), (1, 0))
    for one in (wide, high):
        assert same("compare_docx_tables", one, one)
        assert not same("compare_docx_tables", one, document(table(("", ""), ("", ""))))
    assert not same("compare_docx_tables", wide, high)


def test_pictures_are_the_same_to_the_pixel_and_in_their_order() -> None:
    def shown(*files: bytes) -> bytes:
        return document(*[lambda made, file=file: made.add_picture(io.BytesIO(file)) for file in files])

    blue, red = picture(), picture((200, 0, 0))
    check = "compare_docx_images"
    assert same(check, shown(blue, red, blue), shown(picture(kind="BMP"), red, blue))
    for other in (shown(), shown(blue, red), shown(red, blue, blue), shown(blue, red, picture(size=(6, 8)))):
        assert not same(check, other, shown(blue, red, blue))


def test_words_in_tables_are_coloured_by_their_first_letter() -> None:
    def coloured(*words: tuple[str, str | None], **others: Any) -> bytes:
        def fill(grid: Any) -> None:
            for cell, (word, colour) in zip(grid.rows[0].cells, words, strict=True):
                run = cell.paragraphs[0].add_run(word)
                if colour:
                    run.font.color.rgb = RGBColor.from_string(colour)

        return document(table(("",) * len(words), change=fill), **others)

    gold = coloured(("apple", None), ("tree", None))
    check = "evaluate_colored_words_in_tables"
    assert same(check, coloured(("apple", "FF0000"), ("tree", "0000FF")), gold)
    assert same(check, coloured(("apple", "F00A00"), ("tree", "0000FF")), gold)
    for other in (
        gold,
        coloured(("apple", "0000FF"), ("tree", "FF0000")),
        coloured(("apple", "FF0000"), ("tree", None)),
        coloured(("apple", "FF0000"), ("tree", "2A6099")),
        coloured(("apple", "FF0000"), ("trees", "0000FF")),
        coloured(("apple", "FF0000"), ("tree", "0000FF"), text=("more",)),
        document(),
    ):
        assert not same(check, other, gold)


# All of them.

OF_TWO = sorted(
    name
    for name, spec in OURS.items()
    if spec.expected and name not in {"compare_font_names", "compare_unique_train_records"}
)


@pytest.mark.parametrize("name", OF_TWO)
def test_a_missing_or_broken_document_scores_0_and_a_missing_or_broken_reference_is_a_fault(name: str) -> None:
    good = odt("<text:p>a</text:p>") if name == "check_highlighted_words" else document()
    for result in (None, b"", b"PK\x03\x04", b"text", good[: len(good) // 2]):
        assert score(name, result, good) == 0.0
        for reference in (None, b"", good[: len(good) // 2]):
            with pytest.raises(CheckerFault):
                score(name, result, reference)
    with pytest.raises(CheckerFault):
        score(name, "a path", good)


def test_every_checker_of_documents_is_offered_and_names_its_libraries() -> None:
    for name, spec in {**OURS, **SETTINGS}.items():
        assert CHECKERS[name] is spec
        assert "defusedxml" in spec.libraries
