"""Checkers of pictures: their size, whether two show the same, and what was done to one.

OSWorld's notes name these checks and not all of their figures: the thresholds below are ours. Invariant: a file that
is no picture scores 0; a reference that is none is a CheckerFault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base import CheckerFault, CheckerSpec, as_bytes, as_list, as_many, kind, rule, score
from .pictures import pixels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PIL.Image import Image

    from .base import Checker

    Judge = Callable[[Image, Image, Mapping[str, object]], bool]

ALIKE = 0.9
"""The structural similarity from which two pictures show the same thing."""
MIRRORED = 0.99
CHANGED_ALIKE = 0.65
"""The same for a picture whose contrast or brightness was changed, which changes its structure."""
DIFFERENT = 0.03
"""The mean squared difference from which pictures of the same brightness do not show the same thing."""
_LIBRARIES = ("PIL", "numpy", "drums.local.osworld.checkers.similarity")


def check_image_size(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The picture has `rules.width` and `rules.height`, where named; `ignore_transparent`: without its empty margin."""
    from .similarity import opaque_part, opened  # noqa: PLC0415  an extra

    wanted = [rule(rules, name, None) for name in ("width", "height")]
    for value in wanted:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise CheckerFault(f"rules.width and rules.height must be numbers of pixels, not {kind(value)}")
    picture = None if result is None else opened(result, "the result")
    if picture is None:
        return 0.0
    if rule(rules, "ignore_transparent", default=False):
        picture = opaque_part(picture)
    return score(all(side in {None, found} for side, found in zip(wanted, picture.size, strict=True)))


def compare_images(result: object, expected: object, options: Mapping[str, object]) -> float:
    """How alike two pictures are in gray and at the smaller size, counted from `reference_base_result` (0) up to 1."""
    from .similarity import gray_structure, resized  # noqa: PLC0415  an extra

    base = options.get("reference_base_result") or 0.0
    if isinstance(base, bool) or not isinstance(base, int | float) or not 0 <= base < 1:
        raise CheckerFault(f"reference_base_result must be a similarity below 1, not {base!r}")
    pair = _pair(result, expected)
    if pair is None:
        return 0.0
    width, height = (min(sides) for sides in zip(pair[0].size, pair[1].size, strict=True))
    found = gray_structure(*(resized(picture, (width, height)) for picture in pair))
    return min(1.0, max(0.0, (found - base) / (1 - base)))


def compare_image_list(result: object, expected: object, _: Mapping[str, object]) -> float:
    """Each of the pictures has the same pixels as the expected one at its place."""
    references = [as_bytes(picture, "an expected picture") for picture in as_many(expected)]
    found = [] if result is None else as_list(as_many(result), "the results")
    if len(found) != len(references) or None in found:
        return 0.0
    pictures = [as_bytes(picture, "a result") for picture in found]
    return score(all(pixels(one) == pixels(other) for one, other in zip(pictures, references, strict=True)))


def _compared(meaning: str, judge: Judge, *, either: bool) -> Checker:
    """A checker of two pictures; where either may be the desktop's, the second may be missing as well."""

    def check(result: object, expected: object, options: Mapping[str, object]) -> float:
        if either and expected is None:
            return 0.0
        pair = _pair(result, expected)
        return 0.0 if pair is None else score(judge(*pair, options))

    check.__doc__ = meaning
    return check


def _pair(result: object, expected: object) -> tuple[Image, Image] | None:
    from .similarity import opened  # noqa: PLC0415  an extra

    reference = opened(expected, "the expected picture")
    if reference is None:
        raise CheckerFault("the expected file is no picture")
    picture = None if result is None else opened(result, "the result")
    return None if picture is None else (picture, reference)


def _threshold(options: Mapping[str, object], name: str, default: float) -> float:
    value = options.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CheckerFault(f"{name} must be a number, not {kind(value)}")
    return value


def _alike(picture: Image, reference: Image, least: float = ALIKE) -> bool:
    from .similarity import structure  # noqa: PLC0415  an extra

    return picture.size == reference.size and structure(picture, reference) >= least


def _alike_as_said(picture: Image, reference: Image, options: Mapping[str, object]) -> bool:
    return _alike(picture, reference, _threshold(options, "ssim_threshold", ALIKE))


def _alike_resized(picture: Image, reference: Image, _: Mapping[str, object]) -> bool:
    from .similarity import opaque_part, resized  # noqa: PLC0415  an extra

    part = opaque_part(picture)
    return min(part.size) > 0 and _alike(resized(part, reference.size), reference)


def _darker(picture: Image, reference: Image, options: Mapping[str, object]) -> bool:
    from .similarity import brightness, difference, evened, gray_structure  # noqa: PLC0415  an extra

    most = _threshold(options, "threshold", DIFFERENT)
    if picture.size != reference.size or brightness(picture) >= brightness(reference):
        return False
    one, other = evened(picture), evened(reference)
    return difference(one, other) < most and gray_structure(one, other) >= CHANGED_ALIKE


def _more_contrast(picture: Image, reference: Image, _: Mapping[str, object]) -> bool:
    from .similarity import contrast  # noqa: PLC0415  an extra

    return contrast(picture) > contrast(reference) and _alike(picture, reference, CHANGED_ALIKE)


def _more_colour(picture: Image, reference: Image, _: Mapping[str, object]) -> bool:
    from .similarity import gray_structure, saturation  # noqa: PLC0415  an extra

    return (
        picture.size == reference.size
        and saturation(picture) > saturation(reference)
        and gray_structure(picture, reference) >= ALIKE
    )


def _mirrored(picture: Image, reference: Image, _: Mapping[str, object]) -> bool:
    from PIL.Image import Transpose  # noqa: PLC0415  an extra

    return _alike(picture, reference.transpose(Transpose.FLIP_LEFT_RIGHT), MIRRORED)


def _with_palette(picture: Image, reference: Image, _: Mapping[str, object]) -> bool:
    return picture.mode == "P" and _alike(picture, reference)


def _spec(meaning: str, judge: Judge, *options: str, either: bool = False) -> CheckerSpec:
    return CheckerSpec(_compared(meaning, judge, either=either), frozenset(options), libraries=_LIBRARIES)


CHECKERS: Mapping[str, CheckerSpec] = {
    "check_image_size": CheckerSpec(check_image_size, libraries=_LIBRARIES),
    "compare_images": CheckerSpec(compare_images, frozenset({"reference_base_result"}), libraries=_LIBRARIES),
    "compare_image_list": CheckerSpec(compare_image_list, libraries=_LIBRARIES, all_files=True),
    "check_structure_sim": _spec(
        "Two pictures have one size and show the same: a structural similarity of 0.9.",
        lambda picture, reference, _: _alike(picture, reference),
    ),
    "check_file_exists_and_structure_sim": _spec(
        "The file is there and shows what the expected one does.",
        lambda picture, reference, _: _alike(picture, reference),
    ),
    "check_structure_sim_with_threshold": _spec(
        "Two pictures have one size and a structural similarity of `ssim_threshold`.", _alike_as_said, "ssim_threshold"
    ),
    "check_structure_sim_resized": _spec(
        "The picture without its empty margin shows what the expected one does, at that one's size.", _alike_resized
    ),
    "check_brightness_decrease_and_structure_sim": _spec(
        "The first picture is darker and else the same: a mean squared difference under `threshold` (0.03).",
        _darker,
        "threshold",
        either=True,
    ),
    "check_contrast_increase_and_structure_sim": _spec(
        "The picture has more contrast than the expected one and shows the same.", _more_contrast
    ),
    "check_saturation_increase_and_structure_sim": _spec(
        "The picture has more colour than the expected one and shows the same in gray.", _more_colour
    ),
    "check_image_mirror": _spec("The picture is the expected one with left and right exchanged.", _mirrored),
    "check_palette_and_structure_sim": _spec(
        "The picture has a palette of colours and shows what the expected one does.", _with_palette
    ),
}
