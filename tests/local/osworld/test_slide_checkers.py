"""The comparison of presentations sees each single difference that its options ask for; single tasks' checkers too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Cm, Emu, Pt

from drums.local.osworld.checkers import CHECKERS, CheckerFault
from drums.local.osworld.checkers.slides import CHECKERS as OURS
from tests.local.osworld.checking import score
from tests.local.osworld.office_files import deck, document, picture, resaved, same, setting
from tests.local.osworld.slide_changes import (
    RGB,
    background,
    child,
    frame,
    on_run,
    on_slide,
    on_title,
    with_picture,
    with_table,
)

if TYPE_CHECKING:
    from tests.local.osworld.office_files import Change

CHECK = "compare_pptx_files"
LOOKS = {
    "font.name": ("examine_font_name", "Courier"),
    "font.size": ("examine_font_size", Pt(33)),
    "font.bold": ("examine_font_bold", True),
    "font.italic": ("examine_font_italic", True),
    "font.underline": ("examine_font_underline", True),
    "font.color.rgb": ("examine_color_rgb", RGB(255, 0, 0)),
}


RED = RGB(255, 0, 0)
NOTE: Change = on_slide(0, lambda slide: setattr(slide.notes_slide.notes_text_frame, "text", "say this"))


def struck(run: Any) -> None:
    run._r.get_or_add_rPr().set("strike", "sngStrike")


def bulleted(slide: Any) -> None:
    properties = slide.placeholders[1].text_frame.paragraphs[0]._p.get_or_add_pPr()
    child(properties, "a:buChar").set("char", "→")


def halved(run: Any) -> None:
    """Make two runs of one, which looks the same."""
    run.text = "Fi"
    run._r.getparent().add_r().text = "rst"


DIFFERENCES: list[tuple[str, Change, dict[str, Any]]] = [
    *[(option, on_run(setting(path, value)), {option: False}) for path, (option, value) in LOOKS.items()],
    ("strike", on_run(struck), {"examine_strike_through": False}),
    ("shade", on_run(setting("font.color.theme_color", MSO_THEME_COLOR.ACCENT_2)), {"examine_color_rgb": False}),
    (
        "alignment",
        on_title(lambda title: setattr(title.text_frame.paragraphs[0], "alignment", PP_ALIGN.RIGHT)),
        {"examine_alignment": False},
    ),
    ("bullet", on_slide(0, bulleted), {"examine_bullets": False}),
    ("background", background(RED), {"examine_background_color": False}),
    ("gradient", background(None), {"examine_background_color": False}),
    ("place", on_title(lambda title: setattr(title, "left", Cm(5))), {"examine_shape": False}),
    ("width", on_title(lambda title: setattr(title, "width", Cm(5))), {"examine_shape": False}),
    ("height", on_title(lambda title: setattr(title, "height", Cm(9))), {"examine_shape_lenient_height": True}),
    ("runs", on_run(halved), {"examine_run_count": False}),
    ("text", on_title(lambda title: setattr(title.text_frame, "text", "first")), {}),
    ("notes", NOTE, {}),
    (
        "level",
        on_slide(0, lambda slide: setattr(slide.placeholders[1].text_frame.paragraphs[0], "level", 1)),
        {},
    ),
    ("slides", lambda made: made.slides.add_slide(made.slide_layouts[6]), {}),
    ("picture", with_picture(), {}),
    ("table", with_table("a"), {}),
]  # fmt: skip


@pytest.mark.parametrize(("change", "off"), [row[1:] for row in DIFFERENCES], ids=[row[0] for row in DIFFERENCES])
def test_each_single_difference_is_seen_unless_an_option_says_that_it_does_not_count(
    change: Change, off: dict[str, object]
) -> None:
    plain = deck()
    # Where a shape is given one length, python-pptx writes the others as 0: both get all four first.
    placed = deck(on_title(frame)) if "examine_shape" in off or "examine_shape_lenient_height" in off else plain
    changed = deck(on_title(frame), change) if placed is not plain else deck(change)
    assert same(CHECK, changed, changed)
    assert not same(CHECK, changed, placed)
    assert not same(CHECK, placed, changed)
    if off:
        assert same(CHECK, changed, placed, **off)


def test_a_look_counts_as_it_is_seen_wherever_it_is_said() -> None:
    def in_the_layout(made: Any) -> None:
        for slide in made.slides:
            levels = slide.slide_layout.placeholders[0]._element.txBody.find(qn("a:lstStyle"))
            for level in list(levels):
                levels.remove(level)
            run = child(child(levels, "a:lvl1pPr"), "a:defRPr")
            run.set("b", "1")
            break

    def bold(made: Any) -> None:
        for slide in made.slides:
            slide.shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True

    assert same(CHECK, deck(in_the_layout), deck(bold))
    assert not same(CHECK, deck(in_the_layout), deck())
    # The template's titles are centred by its master, at 44 points.
    explicit = deck(
        on_run(setting("font.size", Pt(44))),
        on_title(lambda title: setattr(title.text_frame.paragraphs[0], "alignment", PP_ALIGN.CENTER)),
    )
    assert same(CHECK, explicit, deck())


def test_lengths_may_differ_by_the_tolerance() -> None:
    def at(left: int) -> bytes:
        return deck(on_title(frame), on_title(lambda title: setattr(title, "left", Emu(left))))

    assert same(CHECK, at(1_000_000), at(1_004_000))
    assert not same(CHECK, at(1_000_000), at(1_020_000))
    assert same(CHECK, at(1_000_000), at(1_020_000), approximately_tolerance=0.05)
    assert same(CHECK, at(0), at(360))
    with pytest.raises(CheckerFault, match="tolerance"):
        score(CHECK, at(0), at(0), {"approximately_tolerance": "much"})


def test_tables_are_compared_cell_by_cell() -> None:
    gold = deck(with_table("a", "b", "c", "d"))
    assert same(CHECK, deck(with_table("a", "b", "c", "d")), gold)
    assert not same(CHECK, deck(with_table("a", "b", "c", "x")), gold)

    def bold(slide: Any) -> None:
        slide.shapes[-1].table.cell(0, 0).text_frame.paragraphs[0].runs[0].font.bold = True

    assert not same(CHECK, deck(with_table("a", "b", "c", "d"), on_slide(0, bold)), gold)


def test_pictures_are_the_same_if_they_show_the_same() -> None:
    gold = deck(with_picture())
    assert same(CHECK, deck(with_picture(picture(kind="JPEG"))), gold)
    assert same(CHECK, deck(with_picture(picture(size=(80, 60)))), gold)
    assert not same(CHECK, deck(with_picture(picture((200, 0, 0)))), gold)


@pytest.mark.parametrize("option", ["examine_image_size", "examine_modify_height"])
def test_the_size_of_pictures_can_be_asked_for_alone(option: str) -> None:
    options: dict[str, object] = {"examine_shape": False, "approximately_tolerance": 0.01}
    gold = deck(with_picture(height=4))
    assert same(CHECK, deck(with_picture(height=4, top=2)), gold, **options, **{option: True})
    assert not same(CHECK, deck(with_picture(height=5)), gold, **options, **{option: True})
    assert same(CHECK, deck(with_picture(height=5)), gold, **options)

    def wider(slide: Any) -> None:
        slide.shapes[-1].width = Cm(9)

    wide = deck(with_picture(height=4), on_slide(0, wider))
    assert same(CHECK, wide, gold, **options, **{option: True}) == (option == "examine_modify_height")


@pytest.mark.parametrize(
    ("option", "before", "after", "others"),
    [
        (
            "examine_title_bottom_position",
            [on_title(frame)],
            [on_title(frame), on_title(lambda title: setattr(title, "top", Cm(15)))],
            [
                [on_title(frame), on_title(lambda title: setattr(title, "top", Cm(4)))],
                [on_title(frame), on_slide(0, lambda slide: frame(slide.placeholders[1]))],
            ],
        ),
        (
            "examine_table_bottom_position",
            [with_table("a", top=3)],
            [with_table("a", top=15)],
            [[with_table("a", top=5)], [with_table("b", top=15)]],
        ),
        (
            "examine_right_position",
            [with_picture(left=2)],
            [with_picture(left=18)],
            [[with_picture(left=8)], [with_picture(left=0)], [with_picture(left=18), on_title(frame)]],
        ),
        (
            "examine_top_position",
            [with_picture(top=12)],
            [with_picture(top=0)],
            [[with_picture(top=9)], [with_picture(top=0), on_title(frame)]],
        ),
    ],
)
def test_what_is_asked_for_was_moved_there_and_nothing_else(
    option: str, before: list[Change], after: list[Change], others: list[list[Change]]
) -> None:
    options = {"examine_shape": False, option: True}
    original = deck(*before)
    assert same(CHECK, deck(*after), original, **options)
    assert not same(CHECK, original, original, **options)
    for other in others:
        assert not same(CHECK, deck(*other), original, **options)


def test_without_a_title_by_name_the_topmost_text_is_one() -> None:
    def boxes(*tops: float) -> bytes:
        def add(made: Any) -> None:
            slide = made.slides.add_slide(made.slide_layouts[6])
            for index, top in enumerate(tops):
                slide.shapes.add_textbox(Cm(1), Cm(top), Cm(9), Cm(2)).text_frame.text = f"text {index}"

        return deck(add, titles=())

    options = {"examine_shape": False, "examine_title_bottom_position": True}
    assert same(CHECK, boxes(16, 5), boxes(1, 5), **options)
    assert not same(CHECK, boxes(1, 16), boxes(1, 5), **options)


def test_members_of_groups_count_too() -> None:
    def grouped(text: str) -> bytes:
        def add(slide: Any) -> None:
            box = slide.shapes.add_group_shape().shapes.add_textbox(Cm(1), Cm(1), Cm(9), Cm(2))
            box.text_frame.text = text

        return deck(on_slide(0, add))

    assert same(CHECK, grouped("a"), grouped("a"))
    assert not same(CHECK, grouped("a"), grouped("b"))


# All of them.


@pytest.mark.parametrize("name", ["compare_pptx_files", "check_image_stretch_and_center"])
def test_a_missing_or_broken_presentation_scores_0_and_a_missing_or_broken_reference_is_a_fault(name: str) -> None:
    good = deck(with_picture())
    for result in (None, b"", b"text", good[: len(good) // 2], document()):
        assert score(name, result, good) == 0.0
    for reference in (None, b"", good[: len(good) // 2], document()):
        with pytest.raises(CheckerFault):
            score(name, good, reference)


def test_every_checker_of_presentations_is_offered_and_names_its_libraries() -> None:
    for name, spec in OURS.items():
        assert CHECKERS[name] is spec
        assert "defusedxml" in spec.libraries


@pytest.mark.long
def test_presentations_that_libreoffice_wrote_are_judged_alike() -> None:
    changes: list[Change] = [
        on_title(frame), on_run(setting("font.color.rgb", RED)), on_run(setting("font.bold", True)),
        on_run(struck), background(RGB(0, 128, 0)), NOTE, with_picture(), with_table("a", "b", "c", "d"),
    ]  # fmt: skip
    wrote = resaved(deck(*changes), "pptx")
    assert same(CHECK, resaved(deck(*changes), "pptx"), wrote)
    for index in range(len(changes)):
        fewer = resaved(deck(*changes[:index], *changes[index + 1 :]), "pptx")
        assert not same(CHECK, fewer, wrote), f"change {index} is not seen"
    # The looks that a table's style gives are not read: LibreOffice writes them out.
    untabled = deck(*changes[:-1])
    assert same(CHECK, resaved(untabled, "pptx"), untabled)
