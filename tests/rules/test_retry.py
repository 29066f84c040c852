"""When the SDK asks again on its own: properties of the schedule, without a clock."""

from __future__ import annotations

from itertools import takewhile

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from drums._core.retry import FIRST_DELAY_S, LONGEST_DELAY_S, UNREACHABLE, backoff, next_delay

METHODS = st.sampled_from(["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "get", ""])
STATUSES = st.one_of(st.sampled_from([UNREACHABLE, 200, 429, 500, 502, 503, 504]), st.integers(100, 599))
SPANS = st.floats(0, 1000)
ASKED = st.one_of(st.none(), st.floats(allow_nan=True), st.floats(0, 100))


@given(METHODS, STATUSES, st.integers(1, 10**6), SPANS, ASKED)
def test_only_a_get_that_did_not_arrive_or_found_no_service_is_sent_again(
    method: str, status: int, tries: int, retry_s: float, asked_s: float | None
) -> None:
    delay = next_delay(method, status, tries=tries, spent_s=0, retry_s=retry_s, retry_after_s=asked_s)
    event(f"sent again: {delay is not None}")
    if delay is not None:
        assert method == "GET"
        assert status in {UNREACHABLE, 503}


@given(st.sampled_from([UNREACHABLE, 503]), st.integers(1, 10**6), SPANS, SPANS, ASKED)
def test_no_pause_ends_later_than_it_is_worth(
    status: int, tries: int, spent_s: float, retry_s: float, asked_s: float | None
) -> None:
    delay = next_delay("GET", status, tries=tries, spent_s=spent_s, retry_s=retry_s, retry_after_s=asked_s)
    if delay is not None:
        assert delay > 0
        assert spent_s + delay < retry_s


@given(st.integers(1, 10**6), SPANS, SPANS, st.floats(0, 100))
def test_a_server_is_never_asked_sooner_than_it_wished(
    tries: int, spent_s: float, retry_s: float, asked_s: float
) -> None:
    delay = next_delay("GET", 503, tries=tries, spent_s=spent_s, retry_s=retry_s, retry_after_s=asked_s)
    assert delay is None or delay >= asked_s


@given(SPANS, st.floats(0, 5))
def test_a_whole_run_of_failures_ends_within_its_time(retry_s: float, each_s: float) -> None:
    spent_s, tries = each_s, 1
    while (delay := next_delay("GET", 503, tries=tries, spent_s=spent_s, retry_s=retry_s)) is not None:
        spent_s += delay + each_s
        tries += 1
    assert spent_s <= max(retry_s, 0) + each_s
    assert tries <= retry_s / FIRST_DELAY_S + 1


@given(st.integers(-5, 10**9))
@example(10**400)
def test_pauses_double_up_to_the_longest(tries: int) -> None:
    assert FIRST_DELAY_S <= backoff(tries) <= LONGEST_DELAY_S
    assert backoff(tries + 1) == min(2 * backoff(tries), LONGEST_DELAY_S) or tries < 1


def test_the_pauses_are_those_of_the_contract() -> None:
    assert [backoff(tries) for tries in range(1, 7)] == [0.25, 0.5, 1.0, 2.0, 2.0, 2.0]
    assert list(takewhile(lambda delay: delay < LONGEST_DELAY_S, map(backoff, range(1, 9)))) == [0.25, 0.5, 1.0]


@pytest.mark.parametrize("asked_s", [float("nan"), float("inf"), float("-inf"), -3.0])
def test_a_senseless_wish_of_the_server_is_not_obeyed(asked_s: float) -> None:
    assert next_delay("GET", 503, tries=1, spent_s=0, retry_s=60, retry_after_s=asked_s) == FIRST_DELAY_S


def test_a_server_that_asks_for_more_time_than_there_is_gets_no_further_request() -> None:
    assert next_delay("GET", 503, tries=1, spent_s=0, retry_s=60, retry_after_s=120) is None
    assert next_delay("GET", 503, tries=1, spent_s=0, retry_s=60, retry_after_s=30) == 30


def test_no_time_for_retries_means_one_try() -> None:
    assert next_delay("GET", UNREACHABLE, tries=1, spent_s=0, retry_s=0) is None
