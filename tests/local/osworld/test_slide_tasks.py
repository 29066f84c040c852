"""Checkers of presentations that a single task each uses."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
from pptx.util import Cm

from drums.local.osworld.checkers import CheckerFault
from tests.local.osworld.checking import score
from tests.local.osworld.office_files import deck, document, picture, same
from tests.local.osworld.slide_changes import RGB, background, child, on_slide, with_picture

if TYPE_CHECKING:
    from tests.local.osworld.office_files import Change


def with_transition(kind: str, number: int = 0) -> Change:
    def add(slide: Any) -> None:
        transition = child(slide._element, "p:transition")
        child(transition, f"p:{kind}")

    return on_slide(number, add)


def test_a_slide_has_its_transition() -> None:
    rules = {"slide_idx": 0, "transition_type": "dissolve"}
    assert same("check_transition", deck(with_transition("dissolve")), rules)
    for other in (deck(), deck(with_transition("wipe")), deck(with_transition("dissolve", 1)), deck(titles=()), None):
        assert not same("check_transition", other, rules)
    with pytest.raises(CheckerFault, match="slide_idx"):
        score("check_transition", deck(), {"slide_idx": -1, "transition_type": "dissolve"})


def sized(width: int, height: int) -> Change:
    def change(made: Any) -> None:
        made.slide_width, made.slide_height = width, height

    return change


def test_slides_stand_upright() -> None:
    check = "check_slide_orientation_Portrait"
    assert same(check, deck(sized(Cm(19), Cm(25))), None)
    for other in (deck(), deck(sized(Cm(19), Cm(19))), None, document()):
        assert not same(check, other, None)


def test_a_background_scores_by_how_near_it_came() -> None:
    check, rules = "evaluate_presentation_fill_to_rgb_distance", {"rgb": [0, 0, 255], "original_rgb": [255, 255, 255]}

    def painted(*colours: Any) -> bytes:
        changes = [background(colour) for colour in colours]
        return deck(*changes, titles=("First",))

    assert score(check, painted(RGB(0, 0, 255)), rules) == 1.0
    assert score(check, painted(RGB(255, 255, 255)), rules) == 0.0
    assert score(check, painted(RGB(0, 0, 128)), rules) == pytest.approx(1 - 127 / (255 * 2**0.5))
    assert score(check, painted(None), rules) == 0.0
    assert score(check, deck(background(RGB(0, 0, 255))), rules) == pytest.approx(0.5)  # the other is white
    assert score(check, deck(titles=()), rules) == 0.0
    assert score(check, None, rules) == 0.0
    for broken in ({"rgb": [0, 0], "original_rgb": [1, 1, 1]}, {"rgb": [1, 1, 1], "original_rgb": [1, 1, 1]}, {}):
        with pytest.raises(CheckerFault):
            score(check, deck(), broken)


def test_a_picture_fills_the_page_in_its_proportions() -> None:
    check = "check_image_stretch_and_center"
    original = deck(with_picture(size_of := picture(size=(40, 30))), titles=("First",))

    def placed(left: float, top: float, width: float, height: float, file: bytes = size_of) -> bytes:
        def add(slide: Any) -> None:
            slide.shapes.add_picture(io.BytesIO(file), Cm(left), Cm(top), Cm(width), Cm(height))

        return deck(on_slide(0, add), titles=("First",))

    assert same(check, placed(0, 0, 25.4, 19.05), original)
    for other in (
        original,
        placed(0, 0, 25.4, 15),
        placed(1, 0, 25.4, 19.05),
        placed(0, 3, 25.4, 19.05),
        placed(5, 4, 12.7, 9.525),
        placed(0, 0, 25.4, 19.05, picture((200, 0, 0), size=(40, 30))),
        deck(),
    ):
        assert not same(check, other, original)
    with pytest.raises(CheckerFault, match="no picture"):
        score(check, original, deck())


def test_the_numbers_of_slides_have_a_colour() -> None:
    check, rules = "check_page_number_colors", {"color": "red"}

    def numbered(*colours: str) -> bytes:
        def add(number: int, colour: str) -> Change:
            def field(slide: Any) -> None:
                paragraph = slide.shapes.add_textbox(Cm(1), Cm(1), Cm(2), Cm(1)).text_frame.paragraphs[0]._p
                element = child(paragraph, "a:fld")
                element.set("type", "slidenum")
                fill = child(child(element, "a:rPr"), "a:solidFill")
                child(fill, "a:srgbClr").set("val", colour)
                child(element, "a:t").text = "1"

            return on_slide(number, field)

        return deck(*[add(number, colour) for number, colour in enumerate(colours)])

    assert same(check, numbered("FF0000", "C00000"), rules)
    for other in (numbered("FF0000", "0000FF"), numbered("FFFFFF", "FF0000"), numbered("000000"), deck(), None):
        assert not same(check, other, rules)
    with pytest.raises(CheckerFault, match="color"):
        score(check, deck(), {"color": "mauve"})
