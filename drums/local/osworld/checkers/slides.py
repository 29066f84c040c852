"""Checkers of presentations: the comparison of two with its `examine_…` options, and those of single tasks.

A look counts as it is seen: the layout or master gives it as well as the shape itself. Invariant: slides and shapes are
compared in their order, and what is compared is what the options say; a picture is the same if it shows the same,
however it was packed.
"""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import TYPE_CHECKING

from .base import CheckerFault, CheckerSpec, as_list, as_text, rule, score
from .deck import A, Deck, P, attribute_of, child_of
from .office import alone, compared
from .pictures import look_alike

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from xml.etree.ElementTree import Element

    from .deck import Box, Paragraph, Shape, Slide
    from .office import Package

_SLACK = 1000
"""How far, in EMU, two lengths may differ in any case: applications round to 0.01 mm, which is 360."""
_OUTER = 0.6
"""A shape is at a side of the slide if its middle is beyond this part of the way there."""

# What two pieces of text look like.


def _is_on(value: str | None) -> bool:
    return value in {"1", "true"}


def _colour(paragraph: Paragraph, look: list[Element]) -> str | None:
    fill = child_of(look, "solidFill")
    return paragraph.shape.slide.colour(fill) if fill is not None else None


def _font(paragraph: Paragraph, look: list[Element]) -> str | None:
    latin = child_of(look, "latin")
    return paragraph.shape.slide.theme_font(latin.get("typeface", "")) if latin is not None else None


_LOOKS: Mapping[str, Callable[[Paragraph, list[Element]], object]] = {
    "examine_font_name": _font,
    "examine_font_size": lambda _, look: attribute_of(look, "sz") or "1800",
    "examine_font_bold": lambda _, look: _is_on(attribute_of(look, "b")),
    "examine_font_italic": lambda _, look: _is_on(attribute_of(look, "i")),
    "examine_font_underline": lambda _, look: attribute_of(look, "u") or "none",
    "examine_strike_through": lambda _, look: attribute_of(look, "strike") or "noStrike",
    "examine_color_rgb": _colour,
}


class _Options:
    """What is compared."""

    def __init__(self, options: Mapping[str, object]) -> None:
        self._options = options
        tolerance = options.get("approximately_tolerance", 0.005)
        if isinstance(tolerance, bool) or not isinstance(tolerance, int | float):
            raise CheckerFault(f"options.approximately_tolerance has to be a number, not {tolerance!r}")
        self.tolerance = float(tolerance)
        self.looks = [read for name, read in _LOOKS.items() if self.on(name)]

    def on(self, name: str, *, default: bool = True) -> bool:
        """Whether an option is on."""
        return bool(self._options.get(name, default))

    def near(self, left: int, right: int) -> bool:
        """Whether two lengths are the same."""
        return abs(left - right) <= max(_SLACK, self.tolerance * max(abs(left), abs(right)))

    def same_place(self, left: Box, right: Box) -> bool:
        """Whether two boxes begin at the same point."""
        return self.near(left[0], right[0]) and self.near(left[1], right[1])


# Comparing.


def _compare_files(ours: Package, theirs: Package, options: Mapping[str, object]) -> float:
    """Two presentations have the same slides: as many, with the same notes, backgrounds, shapes and text.

    On unless said otherwise: `examine_shape` (place and size; with `examine_shape_lenient_height` not the height),
    `examine_background_color`, `examine_alignment`, `examine_bullets`, `examine_run_count`, and of each letter
    `examine_font_name`, `_size`, `_bold`, `_italic`, `_underline`, `examine_color_rgb`, `examine_strike_through`.
    Off unless said: `examine_image_size`, `examine_modify_height` (of pictures), and where the expected slides show
    how it was before: `examine_title_bottom_position`, `examine_table_bottom_position`, `examine_right_position`,
    `examine_top_position` (of a picture): one such thing or more moved there, and nothing else moved.
    """
    asked = _Options(options)
    left, right = Deck(ours), Deck(theirs)
    if len(left.slides) != len(right.slides):
        return 0.0
    pairs = list(zip(left.slides, right.slides, strict=True))
    moves = [move for name, move in _MOVES.items() if asked.on(name, default=False)]
    return score(
        all(_same_slide(one, two, asked) for one, two in pairs) and (not moves or _is_moved(pairs, moves, asked))
    )


def _same_slide(ours: Slide, theirs: Slide, asked: _Options) -> bool:
    if asked.on("examine_background_color") and ours.background != theirs.background:
        return False
    return (
        " ".join(ours.notes.split()) == " ".join(theirs.notes.split())
        and len(ours.shapes) == len(theirs.shapes)
        and all(_same_shape(one, two, asked) for one, two in zip(ours.shapes, theirs.shapes, strict=True))
    )


def _same_shape(ours: Shape, theirs: Shape, asked: _Options) -> bool:
    left, right = ours.cells, theirs.cells
    return (
        ours.kind == theirs.kind
        and _same_size(ours, theirs, asked)
        and [len(row) for row in left] == [len(row) for row in right]
        and _same_text(ours.paragraphs, theirs.paragraphs, asked)
        and all(
            _same_text(one, two, asked)
            for our_row, their_row in zip(left, right, strict=True)
            for one, two in zip(our_row, their_row, strict=True)
        )
        and _same_picture(ours.picture, theirs.picture)
    )


def _same_size(ours: Shape, theirs: Shape, asked: _Options) -> bool:
    left, right = ours.box, theirs.box
    if asked.on("examine_shape") and not (asked.same_place(left, right) and asked.near(left[2], right[2])):
        return False
    is_picture = theirs.kind == "pic"
    of_image = is_picture and asked.on("examine_image_size", default=False)
    lenient = asked.on("examine_shape_lenient_height", default=False)
    if of_image and not asked.near(left[2], right[2]):
        return False
    height = (
        of_image
        or (is_picture and asked.on("examine_modify_height", default=False))
        or (asked.on("examine_shape") and not lenient)
    )
    return not height or asked.near(left[3], right[3])


def _same_picture(ours: bytes | None, theirs: bytes | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return ours == theirs or look_alike(ours, theirs)


def _same_text(ours: list[Paragraph], theirs: list[Paragraph], asked: _Options) -> bool:
    """Blank paragraphs at the start and end do not count, nor does how blank ones look."""
    if _said(ours) != _said(theirs):
        return False
    left, right = ([entry for entry in side if entry.text.strip()] for side in (ours, theirs))
    return all(_same_paragraph(one, two, asked) for one, two in zip(left, right, strict=True))


def _said(paragraphs: list[Paragraph]) -> str:
    return "\n".join(paragraph.text.rstrip() for paragraph in paragraphs).strip()


def _same_paragraph(ours: Paragraph, theirs: Paragraph, asked: _Options) -> bool:
    if ours.level != theirs.level:
        return False
    if asked.on("examine_alignment") and ours.alignment != theirs.alignment:
        return False
    if asked.on("examine_bullets") and ours.bullet != theirs.bullet:
        return False
    if asked.on("examine_run_count") and _run_count(ours) != _run_count(theirs):
        return False
    return all(one == two for one, two in zip_longest(_letters(ours, asked), _letters(theirs, asked)))


def _run_count(paragraph: Paragraph) -> int:
    return sum(1 for text, _ in paragraph.runs if text)


def _letters(paragraph: Paragraph, asked: _Options) -> list[tuple[object, ...]]:
    """Each letter that can be seen, with its look."""
    found = list[tuple[object, ...]]()
    for text, run in paragraph.runs:
        look = paragraph.look(run)
        seen = tuple(read(paragraph, look) for read in asked.looks)
        found += [(letter, *seen) for letter in text if letter.strip()]
    return found


# What was moved.


def _to_bottom(before: Box, after: Box, deck: Deck) -> bool:
    return after[1] > before[1] and after[1] + after[3] / 2 > _OUTER * deck.height


def _to_top(before: Box, after: Box, deck: Deck) -> bool:
    return after[1] < before[1] and after[1] + after[3] / 2 < (1 - _OUTER) * deck.height


def _to_right(before: Box, after: Box, deck: Deck) -> bool:
    return after[0] > before[0] and after[0] + after[2] / 2 > _OUTER * deck.width


def _is_title(shape: Shape) -> bool:
    """The title, or on a slide that has none by that name, the topmost text."""
    shapes = shape.slide.shapes
    if any(other.is_title for other in shapes):
        return shape.is_title
    texts = [other for other in shapes if "".join(entry.text for entry in other.paragraphs).strip()]
    return bool(texts) and shape is min(texts, key=lambda other: other.box[1])


_Move = tuple["Callable[[Shape], bool]", "Callable[[Box, Box, Deck], bool]"]
_MOVES: Mapping[str, _Move] = {
    "examine_title_bottom_position": (_is_title, _to_bottom),
    "examine_table_bottom_position": (lambda shape: shape.is_table, _to_bottom),
    "examine_right_position": (lambda shape: shape.kind == "pic", _to_right),
    "examine_top_position": (lambda shape: shape.kind == "pic", _to_top),
}


def _is_moved(slides: list[tuple[Slide, Slide]], moves: list[_Move], asked: _Options) -> bool:
    shapes = [pair for ours, theirs in slides for pair in zip(ours.shapes, theirs.shapes, strict=True)]
    moved = [(after, before) for after, before in shapes if not asked.same_place(after.box, before.box)]
    return bool(moved) and all(
        any(is_meant(before) and arrived(before.box, after.box, after.slide.deck) for is_meant, arrived in moves)
        for after, before in moved
    )


# Single tasks.


def _check_transition(package: Package, rules: object) -> float:
    """The slide `rules.slide_idx` (from 0) comes in with the transition `rules.transition_type`."""
    index, kind = rule(rules, "slide_idx"), as_text(rule(rules, "transition_type"), "rules.transition_type")
    if not isinstance(index, int) or index < 0:
        raise CheckerFault(f"rules.slide_idx has to be a position from 0, not {index!r}")
    slides = Deck(package).slides
    transitions = slides[index].root.iter(f"{P}transition") if index < len(slides) else ()
    return score(any(effect.tag.rpartition("}")[2] == kind for transition in transitions for effect in transition))


def _check_orientation(package: Package, _: object) -> float:
    """The slides are higher than they are wide."""
    deck = Deck(package)
    return score(deck.height > deck.width)


def _evaluate_fill(package: Package, rules: object) -> float:
    """How near the backgrounds of all slides came to `rules.rgb`, from `rules.original_rgb` which is 0."""
    wanted, original = (_rgb(rule(rules, name), f"rules.{name}") for name in ("rgb", "original_rgb"))
    whole, slides = math.dist(wanted, original), Deck(package).slides
    if not whole:
        raise CheckerFault("rules.rgb is rules.original_rgb: there is no way to go")
    if not slides:
        return 0.0
    return 1 - sum(min(1.0, _distance(slide.background, wanted) / whole) for slide in slides) / len(slides)


def _rgb(value: object, what: str) -> tuple[int, ...]:
    parts = as_list(value, what)
    if len(parts) != 3 or not all(isinstance(part, int) for part in parts):
        raise CheckerFault(f"{what} has to be red, green and blue, not {value!r}")
    return tuple(part for part in parts if isinstance(part, int))


def _parsed(colour: str | None) -> tuple[int, ...] | None:
    try:
        found = tuple(bytes.fromhex(colour or ""))
    except ValueError:
        return None
    return found if len(found) == 3 else None


def _distance(background: str, wanted: tuple[int, ...]) -> float:
    colour = _parsed(background)
    return math.dist(colour, wanted) if colour else math.inf


def _check_stretched(ours: Package, theirs: Package, _: Mapping[str, object]) -> float:
    """The picture of the first slide, in its proportions, spans the slide one way or both, and is in its middle."""
    left, right = Deck(ours), Deck(theirs)
    before = [shape for slide in right.slides[:1] for shape in slide.shapes if shape.picture]
    if not before:
        raise CheckerFault("the first expected slide has no picture")
    after = [shape for slide in left.slides[:1] for shape in slide.shapes if shape.picture]
    return score(any(_is_stretched(shape, original, left) for shape in after for original in before))


def _is_stretched(shape: Shape, original: Shape, deck: Deck) -> bool:
    (x, y, width, height), (_, _, old_width, old_height) = shape.box, original.box
    if not _same_picture(shape.picture, original.picture) or not (height and old_height and width and old_width):
        return False
    return (
        math.isclose(width / height, old_width / old_height, rel_tol=0.02)
        and (math.isclose(width, deck.width, rel_tol=0.01) or math.isclose(height, deck.height, rel_tol=0.01))
        and abs(x + width / 2 - deck.width / 2) <= 0.01 * deck.width
        and abs(y + height / 2 - deck.height / 2) <= 0.01 * deck.height
    )


_CHANNELS = ("red", "green", "blue")
_DOMINANCE = 50
"""How much more of a colour's own channel there has to be than of the others."""


def _check_page_numbers(package: Package, rules: object) -> float:
    """The slides show their numbers, all in a shade of `rules.color`: red, green or blue."""
    wanted = rule(rules, "color")
    if wanted not in _CHANNELS:
        raise CheckerFault(f"rules.color has to be one of {', '.join(_CHANNELS)}, not {wanted!r}")
    colours = [colour for slide in Deck(package).slides for shape in slide.shapes for colour in _number_colours(shape)]
    return score(bool(colours) and all(_is_shade(colour, _CHANNELS.index(str(wanted))) for colour in colours))


def _number_colours(shape: Shape) -> list[str | None]:
    """The colours of the slide's number."""
    return [
        _colour(paragraph, paragraph.look(part.find(f"{A}rPr")))
        for paragraph in shape.paragraphs
        for part in paragraph.element
        if part.tag == f"{A}fld" and part.get("type") == "slidenum"
    ]


def _is_shade(colour: str | None, channel: int) -> bool:
    found = _parsed(colour)
    return found is not None and all(
        found[channel] >= other + _DOMINANCE for number, other in enumerate(found) if number != channel
    )


_OPTIONS = frozenset(
    {
        "_note",
        "approximately_tolerance",
        "examine_alignment",
        "examine_background_color",
        "examine_bullets",
        "examine_image_size",
        "examine_modify_height",
        "examine_run_count",
        "examine_shape",
        "examine_shape_lenient_height",
        *_LOOKS,
        *_MOVES,
    }
)
_XML, _PICTURES = ("defusedxml",), ("defusedxml", "PIL")

CHECKERS: Mapping[str, CheckerSpec] = {
    "compare_pptx_files": CheckerSpec(compared(_compare_files, "presentation"), _OPTIONS, libraries=_PICTURES),
    "check_transition": CheckerSpec(alone(_check_transition, "presentation"), libraries=_XML),
    "check_slide_orientation_Portrait": CheckerSpec(
        alone(_check_orientation, "presentation"), expected=False, libraries=_XML
    ),
    "evaluate_presentation_fill_to_rgb_distance": CheckerSpec(alone(_evaluate_fill, "presentation"), libraries=_XML),
    "check_image_stretch_and_center": CheckerSpec(compared(_check_stretched, "presentation"), libraries=_PICTURES),
    "check_page_number_colors": CheckerSpec(alone(_check_page_numbers, "presentation"), libraries=_XML),
}
