"""Waiting for a verdict: what a report says, and that nobody asks in a tight loop, however a server answers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from drums._core.gate_wait import (
    SERVER_WAIT_S,
    SHORTEST_PAUSE_S,
    asked_wait,
    open_gates,
    pause_before_next,
    verdict_in,
)
from drums.records import GateReport
from tests import strategies as our
from tests.spec_strategies import schema_values

PASSED = {"name": "network", "status": "passed"}
PENDING = {"name": "processes_alive", "status": "pending"}
FAILED = {"name": "mounts", "status": "failed", "detail": "one is missing"}
spans = st.floats(0, 1000)


def report(verdict: str | None, *gates: dict[str, Any]) -> GateReport:
    return GateReport({"gates": list(gates), "validity": None if verdict is None else {"verdict": verdict}})


@pytest.mark.parametrize(
    ("verdict", "gates", "expected"),
    [
        ("valid", [PASSED], "valid"),
        ("valid", [], "valid"),
        (None, [PASSED], "valid"),
        (None, [], "pending"),
        ("pending", [], "pending"),
        ("pending", [PASSED], "pending"),
        ("valid", [PASSED, PENDING], "pending"),
        ("valid", [PASSED, FAILED], "invalid"),
        ("pending", [FAILED, PENDING], "invalid"),
        ("invalid", [PASSED], "invalid"),
        ("a newer word", [PASSED], "invalid"),
        ("valid", [{"name": "network", "status": "a newer word"}], "invalid"),
    ],
)
def test_a_report_is_valid_only_when_its_verdict_and_its_gates_say_so(
    verdict: str | None, gates: list[dict[str, Any]], expected: str
) -> None:
    assert verdict_in(report(verdict, *gates)) == expected


@given(schema_values("GateReport"))
@example({"gates": [PASSED], "validity": {"verdict": "valid"}})
def test_no_mixture_is_valid_with_a_gate_that_did_not_pass(raw: dict[str, Any]) -> None:
    found = verdict_in(GateReport(raw))
    event(found)
    if found == "valid":
        assert all(gate["status"] == "passed" for gate in raw["gates"])
        assert (raw.get("validity") or {}).get("verdict") in {None, "valid"}


def test_the_gates_that_are_not_passed_are_named_with_what_was_seen() -> None:
    assert open_gates(report("invalid", PASSED, FAILED, PENDING)) == (
        "gate mounts failed: one is missing, gate processes_alive pending"
    )
    assert open_gates(report("invalid", PASSED)) == "the server names no gate"


@given(st.floats(-10, 1e9))
def test_the_server_is_asked_to_wait_no_longer_than_a_proxy_allows_or_the_caller_waits(left_s: float) -> None:
    assert 0 <= asked_wait(left_s) <= min(max(left_s, 0), SERVER_WAIT_S)


@given(st.integers(1, 10**6), spans, spans, spans)
def test_two_questions_are_a_pause_apart_or_the_first_took_its_time(
    asked: int, waited_s: float, took_s: float, left_s: float
) -> None:
    pause_s = pause_before_next(asked, waited_s, took_s, left_s)
    assert 0 <= pause_s <= min(2.0, left_s)
    assert took_s + pause_s >= min(SHORTEST_PAUSE_S, left_s) - 1e-9


@given(st.lists(st.floats(0, 0.1), min_size=40, max_size=40), our.seconds)
def test_a_server_that_does_not_wait_is_asked_ever_more_rarely(answers: list[float], timeout_s: float) -> None:
    now, asked, pauses = 0.0, 0, list[float]()
    while now < timeout_s and asked < len(answers):
        took_s = answers[asked]
        asked += 1
        now += took_s
        pauses.append(pause_before_next(asked, asked_wait(timeout_s - now), took_s, timeout_s - now))
        now += pauses[-1]
    whole = pauses[:-1]
    assert whole == sorted(whole)
    assert asked <= 4 + timeout_s / 2 + 1
