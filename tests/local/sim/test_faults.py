"""Faults: ordered for the next occasions, used up by them, and written as `drums up --fault` takes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.faults import BadFault, Faults, Hang, Refused


@given(times=st.integers(1, 5), asked=st.integers(0, 8))
def test_a_fault_happens_exactly_so_often(times: int, asked: int) -> None:
    faults = Faults()
    faults.drop_after("step_slot", times)
    assert [faults.take_drop_after("step_slot") for _ in range(asked)] == [turn < times for turn in range(asked)]


@given(skip=st.integers(0, 4), times=st.integers(1, 4))
def test_a_restore_fails_after_those_that_are_let_pass(skip: int, times: int) -> None:
    faults = Faults()
    faults.fail_restore(times, skip)
    wanted = [False] * skip + [True] * times + [False]
    assert [faults.take_restore() for _ in wanted] == wanted


def test_a_fault_of_one_desktop_or_operation_leaves_others_alone() -> None:
    faults = Faults()
    faults.fail_gate("network", slot="s2")
    faults.drop_before("create_slot")
    assert not faults.take_gate("network", "s1")
    assert not faults.take_gate("screen", "s2")
    assert not faults.take_drop_before("step_slot")
    assert not faults.take_drop_after("create_slot")
    assert faults.take_gate("network", "s2")
    assert faults.take_drop_before("create_slot")


def test_an_outage_lasts_from_the_first_request_that_meets_it() -> None:
    now = 0.0
    faults = Faults(clock=lambda: now)
    faults.unavailable(seconds=5)
    now = 100.0
    assert faults.take_refusal() == Refused(503)
    now = 104.9
    assert faults.take_refusal() == Refused(503)
    now = 105.0
    assert faults.take_refusal() is None


def test_an_outage_without_an_end_lasts_until_it_is_cleared() -> None:
    faults = Faults()
    faults.unavailable()
    assert [faults.take_refusal() for _ in range(50)] == [Refused(503)] * 50
    faults.clear()
    assert faults.take_refusal() is None


def test_refusals_come_in_order_and_carry_their_wait() -> None:
    faults = Faults()
    faults.overload(times=2, retry_after_s=1.5)
    faults.unavailable(times=1)
    refusals = [faults.take_refusal() for _ in range(4)]
    assert refusals == [Refused(503), Refused(429, 1.5), Refused(429, 1.5), None]


def test_marks_stay_until_they_are_taken_back() -> None:
    faults = Faults()
    faults.lose_desktop("s1")
    faults.keep_busy("s2")
    assert (faults.is_lost("s1"), faults.is_lost("s2"), faults.is_busy("s2")) == (True, False, True)
    faults.found("s1")
    faults.let_rest("s2")
    assert not faults.is_lost("s1")
    assert not faults.is_busy("s2")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gate:network", lambda f: [f.take_gate("network", "s1"), f.take_gate("network", "s1")] == [True, False]),
        ("gate:screen:2@s3", lambda f: [f.take_gate("screen", s) for s in ("s1", "s3", "s3", "s3")] == [0, 1, 1, 0]),
        ("restore:2", lambda f: [f.take_restore() for _ in range(3)] == [True, True, False]),
        ("restore+1", lambda f: [f.take_restore() for _ in range(3)] == [False, True, False]),
        ("hang", lambda f: [f.take_hang("s1"), f.take_hang("s1")] == [Hang(0.0), None]),
        ("hang:2:0.5s", lambda f: [f.take_hang("s1") for _ in range(3)] == [Hang(0.5), Hang(0.5), None]),
        ("lose:s4", lambda f: f.is_lost("s4")),
        ("busy:s4", lambda f: f.is_busy("s4")),
        ("429:3", lambda f: [f.take_refusal() for _ in range(4)] == [Refused(429)] * 3 + [None]),
        ("429:1:2s", lambda f: f.take_refusal() == Refused(429, 2.0)),
        ("503:1", lambda f: [f.take_refusal(), f.take_refusal()] == [Refused(503), None]),
        ("503:3600s", lambda f: [f.take_refusal() for _ in range(9)] == [Refused(503)] * 9),
        ("503", lambda f: [f.take_refusal() for _ in range(9)] == [Refused(503)] * 9),
        ("drop-before:create_slot", lambda f: f.take_drop_before("create_slot")),
        ("drop-after:branch_slot:2", lambda f: [f.take_drop_after("branch_slot") for _ in range(3)] == [1, 1, 0]),
    ],
)
def test_the_flags_text_orders_the_fault_that_it_names(text: str, shown: object) -> None:
    assert callable(shown)
    assert shown(Faults.parse(text))


@pytest.mark.parametrize("text", ["", "gate", "gate:", "503:soon", "restore:x", "explode", "gate:network:0", "429:0"])
def test_a_text_that_is_no_fault_is_refused(text: str) -> None:
    with pytest.raises(BadFault):
        Faults.parse("hang", text)


def test_the_refusal_of_an_unknown_text_lists_the_forms() -> None:
    with pytest.raises(BadFault, match=r"gate:NAME\[:TIMES\]\[@SLOT\], restore"):
        Faults.parse("explode")
