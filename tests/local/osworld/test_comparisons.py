"""The comparisons that rules name mean what they say; likeness of texts has its bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.osworld.checkers import CheckerFault
from drums.local.osworld.checkers.likeness import likeness
from drums.local.osworld.checkers.matching import knows, matches


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
