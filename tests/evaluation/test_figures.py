"""The figures of a run: what must hold of them whatever the counts are."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.evaluation.figures import pass_at_k, quantile, wilson
from drums.evaluation.summary import summary_of
from tests.evaluation.stage import a_record

if TYPE_CHECKING:
    from drums.evaluation.records import RolloutRecord

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts)
def test_wilsons_interval_lies_around_the_share_and_within_0_and_1(pair: tuple[int, int]) -> None:
    successes, n = pair
    interval = wilson(successes, n)
    assert interval is not None
    assert 0.0 <= interval[0] <= successes / n <= interval[1] <= 1.0
    assert interval[0] < interval[1]


@given(counts)
def test_more_of_the_same_makes_wilsons_interval_narrower(pair: tuple[int, int]) -> None:
    successes, n = pair
    few, many = wilson(successes, n), wilson(10 * successes, 10 * n)
    assert few is not None
    assert many is not None
    assert many[1] - many[0] < few[1] - few[0]


def test_wilsons_interval_is_that_of_the_tables() -> None:
    assert wilson(8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775328), abs=1e-6)


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_k_is_the_share_of_all_choices_of_k_attempts_with_a_success(case: tuple[int, int, int]) -> None:
    n, successes, k = case
    choices = list(combinations(range(n), k))
    with_success = sum(any(attempt < successes for attempt in choice) for choice in choices)
    assert pass_at_k(n, successes, k) == pytest.approx(float(Fraction(with_success, len(choices))))


@given(st.integers(2, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n - 1))))
def test_pass_at_k_never_falls_with_k_nor_with_successes(case: tuple[int, int, int]) -> None:
    n, successes, k = case
    now, more_tries = pass_at_k(n, successes, k), pass_at_k(n, successes, k + 1)
    better = pass_at_k(n, min(n, successes + 1), k)
    assert now is not None
    assert more_tries is not None
    assert better is not None
    assert now <= more_tries + 1e-12
    assert now <= better + 1e-12


def test_of_nothing_there_is_no_figure() -> None:
    assert wilson(0, 0) is None
    assert pass_at_k(2, 1, 3) is None
    assert quantile([], 0.5) is None


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0, 1))
def test_a_quantile_is_between_the_smallest_and_the_largest(values: list[float], share: float) -> None:
    found = quantile(values, share)
    assert found is not None
    assert min(values) - 1e-6 <= found <= max(values) + 1e-6


scored = st.builds(
    lambda task, attempt, score: a_record(task_id=task, attempt=attempt, score=score),
    st.sampled_from(["t1", "t2", "t3"]),
    st.integers(0, 99),
    st.sampled_from([0.0, 0.25, 1.0]),
)
unscored = st.builds(
    lambda task, attempt, outcome: a_record(task_id=task, attempt=attempt, outcome=outcome, bad_gates=["network"]),
    st.sampled_from(["t1", "t2", "t3"]),
    st.integers(100, 199),
    st.sampled_from(["invalid", "error"]),
)


@given(st.lists(scored), st.lists(unscored))
def test_invalid_episodes_and_errors_change_no_score(good: list[RolloutRecord], bad: list[RolloutRecord]) -> None:
    alone, mixed = summary_of(good, 4).total, summary_of([*good, *bad], 4).total
    assert mixed.counts.mean_score == alone.counts.mean_score
    assert (mixed.interval, mixed.success_rate, mixed.pass_at) == (alone.interval, alone.success_rate, alone.pass_at)
    assert mixed.counts.invalid + mixed.counts.errors == len(bad)


@given(st.lists(unscored, min_size=1))
def test_where_nothing_is_valid_there_is_no_number(bad: list[RolloutRecord]) -> None:
    total = summary_of(bad, 4).total
    assert total.counts.mean_score is None
    assert total.success_rate is None
    assert total.interval is None
    assert total.pass_at == {}
    assert total.told()["mean_score"] is None


def test_a_partial_score_counts_in_the_mean_and_is_no_success() -> None:
    total = summary_of([a_record(score=0.5), a_record(attempt=1, score=1.0)], 2).total
    assert total.counts.mean_score == 0.75
    assert total.success_rate == 0.5
    assert total.pass_at == {1: 0.5, 2: 1.0}


def test_figures_are_given_by_domain_and_in_all() -> None:
    records = [
        a_record(domain="files"),
        a_record(domain="text", task_id="t2", outcome="invalid", bad_gates=["network", "mounts"]),
        a_record(domain="text", task_id="t3", score=0.0, seconds=3.0, cost={"model": 0.5, "host": None}),
        a_record(domain="text", task_id="t4", outcome="error", cost={"model": 0.25, "host": 0.1}),
    ]
    summary = summary_of(records, 1)
    assert [row.name for row in summary.domains] == ["files", "text"]
    text = summary.domains[1].told()
    assert text["invalid_by_gate"] == {"network": 1, "mounts": 1}
    assert text["invalid_rate"] == 0.5
    assert text["errors_by_kind"] == {"policy": 1}
    assert (text["cost_model"], text["cost_host"]) == (0.75, 0.1)
    assert summary.total.told()["rollouts"] == 4
