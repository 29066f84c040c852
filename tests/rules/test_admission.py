"""Limits: what lives and what is promised never exceed them together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.domain.limits import Admission, Limits, Promise
from drums.local.domain.refusals import Refusal


@given(st.lists(st.tuples(st.sampled_from(["ask", "make", "give back"]), st.integers(0, 4)), max_size=40))
def test_promises_and_lives_together_stay_within_the_limits(moves: list[tuple[str, int]]) -> None:
    live = 0
    promises: list[Promise] = []
    admission = Admission(Limits(max_slots=6, max_states=3), lambda: (live, 0))
    for move, n in moves:
        if move == "ask":
            try:
                promises.append(admission.promise(slots=n, states=1))
            except Refusal:
                assert live + sum(p.slots for p in promises) + n > 6 or len(promises) == 3
        elif promises and move == "make":
            made = min(n, promises[-1].slots)
            live += made
            promises[-1].kept(slots=made)
        elif promises:
            promises.pop().give_back()
        assert live + sum(promise.slots for promise in promises) <= 6
        assert len(promises) <= 3


def test_a_promise_is_given_back_at_the_end_of_its_block_also_after_an_error() -> None:
    admission = Admission(Limits(max_slots=1), lambda: (0, 0))
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), admission.promise(slots=1):
            raise ZeroDivisionError


def test_a_refusal_for_want_of_places_says_when_to_come_again() -> None:
    with pytest.raises(Refusal) as refused:
        Admission(Limits(max_slots=4), lambda: (3, 0)).promise(slots=2)

    assert (refused.value.kind, refused.value.message) == ("overloaded", "1 of 4 places are free, 2 are needed")
    assert refused.value.retry_after_s
