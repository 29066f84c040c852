"""Checkers of pictures tell the same from the changed, and a picture from what is none."""

from __future__ import annotations

import io
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageEnhance

from drums.local.osworld.checkers import CheckerFault, images
from drums.local.osworld.checkers.similarity import PIXEL_LIMIT, WINDOW, opened, structure
from tests.local.osworld.checking import FAILS, PASSES, Row, found, json_values, score, seen

OURS = set(images.CHECKERS)


def saved(picture: Image.Image, sort: str = "PNG", **options: Any) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, sort, **options)
    return stream.getvalue()


def scene(width: int = 64, height: int = 48) -> Image.Image:
    """Something with edges, colours and soft parts, and nothing that is the same in a mirror."""
    picture = Image.radial_gradient("L").resize((width, height)).convert("RGB")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((4, 4, width // 3, height // 2), fill=(150, 110, 80))
    draw.line((0, height - 1, width // 2, height // 3), fill=(20, 120, 60), width=3)
    return picture


def with_margin(picture: Image.Image) -> Image.Image:
    whole = Image.new("RGBA", (picture.width + 20, picture.height + 10), (255, 0, 0, 0))
    whole.paste(picture, (5, 5))
    return whole


def cut_out(picture: Image.Image) -> Image.Image:
    """All but a corner made transparent; the colours stay in the file."""
    clear = picture.convert("RGBA")
    alpha = Image.new("L", clear.size, 0)
    ImageDraw.Draw(alpha).rectangle((0, 0, clear.width // 2, clear.height // 2), fill=255)
    clear.putalpha(alpha)
    return clear


HALF = [level // 2 for level in range(256)] * 3
SCENE, OTHER = scene(), scene().rotate(180)
ORIGINAL = saved(SCENE)
JPEG = saved(SCENE, "JPEG", quality=95)
DARKER = saved(SCENE.point(HALF))
VIVID = saved(ImageEnhance.Color(SCENE).enhance(2.0))
STRONG = saved(ImageEnhance.Contrast(SCENE).enhance(1.5))
PALE = saved(ImageEnhance.Contrast(SCENE).enhance(0.5))
MIRROR = saved(SCENE.transpose(Image.Transpose.FLIP_LEFT_RIGHT))
PALETTE = saved(SCENE.quantize(64))
SIM = "check_structure_sim"

CASES: list[Row] = [
    ("check_image_size", ORIGINAL, {"width": 64, "height": 48}, {}, PASSES),
    ("check_image_size", ORIGINAL, {"height": 48}, {}, PASSES),
    ("check_image_size", ORIGINAL, {"width": 48, "height": 64}, {}, FAILS),
    ("check_image_size", saved(with_margin(SCENE)), {"height": 48, "ignore_transparent": True}, {}, PASSES),
    ("check_image_size", saved(with_margin(SCENE)), {"height": 48}, {}, FAILS),
    ("check_image_size", saved(Image.new("RGBA", (3, 3))), {"height": 3, "ignore_transparent": True}, {}, FAILS),
    ("check_image_size", b"no picture", {"height": 48}, {}, FAILS),
    ("check_image_size", None, {"height": 48}, {}, FAILS),
    ("compare_images", ORIGINAL, ORIGINAL, {}, PASSES),
    ("compare_images", ORIGINAL, ORIGINAL, {"reference_base_result": 0.5}, PASSES),
    ("compare_images", saved(OTHER), ORIGINAL, {"reference_base_result": 0.99}, FAILS),
    ("compare_images", b"", ORIGINAL, {}, FAILS),
    ("compare_images", None, ORIGINAL, {}, FAILS),
    ("compare_image_list", [ORIGINAL, JPEG], [saved(SCENE, "BMP"), JPEG], {}, PASSES),
    ("compare_image_list", ORIGINAL, ORIGINAL, {}, PASSES),
    ("compare_image_list", [JPEG], [ORIGINAL], {}, FAILS),
    ("compare_image_list", [ORIGINAL], [ORIGINAL, ORIGINAL], {}, FAILS),
    ("compare_image_list", [None], [ORIGINAL], {}, FAILS),
    ("compare_image_list", None, [ORIGINAL], {}, FAILS),
    (SIM, JPEG, ORIGINAL, {}, PASSES),
    (SIM, saved(OTHER), ORIGINAL, {}, FAILS),
    (SIM, saved(scene(65)), ORIGINAL, {}, FAILS),
    (SIM, None, ORIGINAL, {}, FAILS),
    ("check_file_exists_and_structure_sim", JPEG, ORIGINAL, {}, PASSES),
    ("check_file_exists_and_structure_sim", None, ORIGINAL, {}, FAILS),
    (SIM, saved(cut_out(SCENE)), saved(cut_out(SCENE.convert("L"))), {}, PASSES),
    (SIM, ORIGINAL, saved(cut_out(SCENE)), {}, FAILS),
    ("check_structure_sim_with_threshold", saved(OTHER), ORIGINAL, {"ssim_threshold": 0.01}, PASSES),
    ("check_structure_sim_with_threshold", JPEG, ORIGINAL, {"ssim_threshold": 1.01}, FAILS),
    ("check_structure_sim_resized", saved(with_margin(SCENE.resize((96, 72)))), ORIGINAL, {}, PASSES),
    ("check_structure_sim_resized", saved(OTHER), ORIGINAL, {}, FAILS),
    ("check_structure_sim_resized", saved(Image.new("RGBA", (3, 3))), ORIGINAL, {}, FAILS),
    ("check_brightness_decrease_and_structure_sim", DARKER, ORIGINAL, {}, PASSES),
    ("check_brightness_decrease_and_structure_sim", ORIGINAL, ORIGINAL, {}, FAILS),
    ("check_brightness_decrease_and_structure_sim", ORIGINAL, DARKER, {}, FAILS),
    ("check_brightness_decrease_and_structure_sim", DARKER, ORIGINAL, {"threshold": 0}, FAILS),
    ("check_brightness_decrease_and_structure_sim", saved(OTHER.point(HALF)), ORIGINAL, {}, FAILS),
    ("check_brightness_decrease_and_structure_sim", DARKER, None, {}, FAILS),
    ("check_contrast_increase_and_structure_sim", STRONG, ORIGINAL, {}, PASSES),
    ("check_contrast_increase_and_structure_sim", PALE, ORIGINAL, {}, FAILS),
    ("check_contrast_increase_and_structure_sim", ORIGINAL, ORIGINAL, {}, FAILS),
    ("check_saturation_increase_and_structure_sim", VIVID, ORIGINAL, {}, PASSES),
    ("check_saturation_increase_and_structure_sim", ORIGINAL, VIVID, {}, FAILS),
    ("check_image_mirror", MIRROR, ORIGINAL, {}, PASSES),
    ("check_image_mirror", ORIGINAL, ORIGINAL, {}, FAILS),
    ("check_image_mirror", saved(OTHER), ORIGINAL, {}, FAILS),
    ("check_palette_and_structure_sim", PALETTE, ORIGINAL, {}, PASSES),
    ("check_palette_and_structure_sim", ORIGINAL, ORIGINAL, {}, FAILS),
    ("check_palette_and_structure_sim", saved(OTHER.quantize(64)), ORIGINAL, {}, FAILS),
]


@pytest.mark.parametrize(("name", "result", "expected", "options", "wanted"), CASES)
def test_a_checker_scores_what_was_done_to_a_picture(
    name: str, result: object, expected: object, options: dict[str, object], wanted: float
) -> None:
    assert score(name, result, expected, options) == pytest.approx(wanted)


def test_every_checker_is_seen_to_pass_and_to_fail() -> None:
    assert seen(CASES, PASSES) == OURS
    assert seen(CASES, FAILS) == OURS


def test_pictures_that_are_somewhat_alike_score_between() -> None:
    noisy = saved(SCENE.resize((32, 24)).resize((64, 48)))
    plain = score("compare_images", noisy, ORIGINAL)
    assert 0 < score("compare_images", noisy, ORIGINAL, {"reference_base_result": 0.4}) < plain < 1


@pytest.mark.parametrize(
    ("name", "result", "expected", "options"),
    [
        (SIM, ORIGINAL, None, {}),
        (SIM, None, b"no picture", {}),
        (SIM, "a path", ORIGINAL, {}),
        ("check_structure_sim_with_threshold", ORIGINAL, ORIGINAL, {"ssim_threshold": "high"}),
        ("compare_images", ORIGINAL, ORIGINAL, {"reference_base_result": 1}),
        ("compare_image_list", [ORIGINAL], [None], {}),
        ("check_image_size", ORIGINAL, {"width": "64"}, {}),
    ],
)
def test_what_a_checker_cannot_judge_is_a_fault_and_never_a_score(
    name: str, result: object, expected: object, options: dict[str, object]
) -> None:
    with pytest.raises(CheckerFault):
        score(name, result, expected, options)


@given(name=st.sampled_from(sorted(OURS)), result=json_values, expected=json_values, data=st.data())
def test_whatever_a_checker_is_given_it_scores_from_0_to_1_or_says_that_it_cannot(
    name: str, result: object, expected: object, data: Any
) -> None:
    judged = found(name, result, expected, data)
    assert isinstance(judged, str) or (isinstance(judged, float) and 0 <= judged <= 1)


@pytest.mark.filterwarnings("ignore")  # Pillow warns of what is spoiled; a child's warnings lead nowhere
@pytest.mark.parametrize("sort", ["PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP"])
def test_a_picture_that_is_cut_short_or_spoiled_is_a_score_or_a_fault(sort: str) -> None:
    whole, dice = saved(SCENE, sort), random.Random(7)
    for _ in range(60):
        spoiled = bytearray(whole[: dice.randrange(len(whole))])
        for _ in range(min(3, len(spoiled))):
            spoiled[dice.randrange(len(spoiled))] = dice.randrange(256)
        try:
            assert 0 <= score(SIM, bytes(spoiled), ORIGINAL) <= 1
        except CheckerFault:
            continue


def test_a_picture_of_too_many_pixels_is_not_unpacked() -> None:
    bomb = saved(Image.new("1", (6000, PIXEL_LIMIT // 6000 + 1)))
    assert len(bomb) < 10_000
    for name in (SIM, "check_image_size", "compare_images"):
        with pytest.raises(CheckerFault, match="is more than what is judged"):
            score(name, bomb, {"width": 1} if name == "check_image_size" else ORIGINAL)


def by_hand(left: Any, right: Any) -> float:
    """The index of Wang et al. with a square window, one window after the other."""
    results: list[float] = []
    for row in range(left.shape[0] - WINDOW + 1):
        for column in range(left.shape[1] - WINDOW + 1):
            one, other = (
                side[row : row + WINDOW, column : column + WINDOW].astype(float).ravel() for side in (left, right)
            )
            covariance = np.cov(one, other)
            first, second = one.mean(), other.mean()
            c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
            results.append(
                (2 * first * second + c1)
                * (2 * covariance[0, 1] + c2)
                / ((first**2 + second**2 + c1) * (covariance[0, 0] + covariance[1, 1] + c2))
            )
    return float(np.mean(results))


levels = st.binary(min_size=9 * 8, max_size=9 * 8).map(lambda data: np.frombuffer(data, np.uint8).reshape(9, 8))


@settings(max_examples=40, deadline=None)
@given(levels, levels)
def test_structure_is_the_index_that_its_authors_give(left: Any, right: Any) -> None:
    one, other = Image.fromarray(left), Image.fromarray(right)
    assert structure(one, other) == pytest.approx(by_hand(left, right), abs=1e-6)
    assert structure(one, one) == pytest.approx(1.0)


def test_structure_does_not_depend_on_how_a_large_picture_is_cut_into_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    from drums.local.osworld.checkers import similarity

    left, right = opened(ORIGINAL, "x"), opened(saved(SCENE, "JPEG", quality=20), "x")
    assert left is not None
    assert right is not None
    whole = structure(left, right)
    monkeypatch.setattr(similarity, "_BAND_PIXELS", 64 * 5)
    assert structure(left, right) == pytest.approx(whole)
