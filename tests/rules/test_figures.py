"""Sums, percentiles and shares of the daemon's metrics."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from drums.local.domain.metrics import SAMPLE_SIZE, HostTime, Latency, Ledger, Price

seconds = st.floats(0, 1000)


def measured(values: list[float]) -> Latency:
    latency = Latency()
    for value in values:
        latency.add(value)
    return latency


@given(st.lists(seconds, min_size=1, max_size=200))
def test_percentiles_are_values_that_occurred_in_order(values: list[float]) -> None:
    latency = measured(values)
    median, late = latency.percentile(0.5), latency.percentile(0.95)

    assert median in values
    assert late in values
    assert median is not None
    assert late is not None
    assert min(values) <= median <= late <= latency.max_s == max(values)
    assert sum(value <= median for value in values) * 2 >= len(values)


@given(st.lists(seconds, max_size=3 * SAMPLE_SIZE))
def test_the_sample_is_bounded_and_the_counts_are_exact(values: list[float]) -> None:
    latency = measured(values)

    assert len(latency.sample) == min(len(values), SAMPLE_SIZE)
    assert latency.count == len(values)
    assert math.isclose(latency.total_s, sum(values))
    assert not set(latency.sample) - set(values)


def test_a_long_run_is_sampled_evenly() -> None:
    late = measured([float(number) for number in range(20 * SAMPLE_SIZE)]).percentile(0.5)

    assert late is not None
    assert abs(late / (20 * SAMPLE_SIZE) - 0.5) < 0.1


def test_nothing_measured_is_nothing_told() -> None:
    latency = Latency()

    assert (latency.mean_s, latency.percentile(0.5)) == (None, None)


@given(st.lists(st.tuples(st.none() | st.floats(0, 1), st.booleans()), max_size=30))
def test_only_valid_scored_rewards_count_as_verified(rewards: list[tuple[float | None, bool]]) -> None:
    ledger = Ledger()
    for score, valid in rewards:
        ledger.rewarded(score, valid=valid)
    scores = [score for score, valid in rewards if valid and score is not None]

    assert (ledger.rewards.count, ledger.rewards.verified) == (len(rewards), len(scores))
    assert (
        ledger.rewards.mean_score is None
        if not scores
        else math.isclose(ledger.rewards.mean_score or 0.0, sum(scores) / len(scores), abs_tol=1e-9)
    )


@given(st.lists(st.tuples(st.integers(0, 100), st.sampled_from(["open", "close"])), max_size=30))
def test_the_slots_shares_add_up_to_the_time_in_which_any_lived(moves: list[tuple[int, str]]) -> None:
    host, now, busy = HostTime(0.0), 0.0, 0.0
    marks: list[float] = []
    used = 0.0
    for wait, move in moves:
        busy += wait if marks else 0.0
        now += wait
        if move == "open":
            host.changed(now, len(marks) + 1)
            marks.append(host.mark(now))
        elif marks:
            used += host.mark(now) - marks.pop()
            host.changed(now, len(marks))
    used += sum(host.mark(now) - mark for mark in marks)

    assert math.isclose(used, busy, abs_tol=1e-6)


@given(st.floats(0, 100), seconds, st.integers(0, 50))
def test_a_cost_is_split_among_all_or_not_told(per_hour: float, spent: float, count: int) -> None:
    each = Price(per_hour).each(spent, count)

    assert (each is None) == (count == 0)
    assert each is None or math.isclose(each * count, per_hour * spent / 3600, abs_tol=1e-9)
