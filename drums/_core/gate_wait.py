"""Waiting for an episode's verdict: what a gate report says, and when to ask again.

Pure: it knows no clock. A server that waits on its own (`wait_s`) is asked once and again at once; one that answers
straight away is asked ever more rarely. The invariant: however a server answers, two questions are `SHORTEST_PAUSE_S`
apart or more, or the one before took as long as it was allowed to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from drums._core.retry import FIRST_DELAY_S, backoff
from drums.validity import verdict_of

if TYPE_CHECKING:
    from drums.records import GateReport

SERVER_WAIT_S: Final = 20.0
"""Seconds that one question waits at most: less than the 30 s and 60 s after which proxies give up."""

SHORTEST_PAUSE_S: Final = FIRST_DELAY_S
"""Seconds between two questions to a server that does not wait."""


def verdict_in(report: GateReport) -> Literal["pending", "valid", "invalid"]:
    """The verdict that a report gives: valid only when its verdict and all of its gates say so."""
    told = report.validity.verdict if report.validity is not None else None
    gates = [(gate.name, gate.status) for gate in report.gates]
    found = verdict_of(gates) if gates or told is None else "valid"
    if told not in {None, "valid", "pending"} or found == "invalid":
        return "invalid"
    return "valid" if told in {None, "valid"} and found == "valid" else "pending"


def open_gates(report: GateReport) -> str:
    """The gates that are not passed, in words."""
    bad = [gate for gate in report.gates if gate.status != "passed"]
    told = [f"gate {gate.name} {gate.status}{f': {gate.detail}' if gate.detail else ''}" for gate in bad]
    return ", ".join(told) or "the server names no gate"


def asked_wait(left_s: float) -> float:
    """Seconds that the server is asked to wait, with so many left."""
    return max(0.0, min(left_s, SERVER_WAIT_S))


def pause_before_next(asked: int, waited_s: float, took_s: float, left_s: float) -> float:
    """Seconds to pause before the verdict is asked for again.

    Args:
        asked: How often it was asked for, at least 1.
        waited_s: Seconds that the server was asked to wait.
        took_s: Seconds that its answer took.
        left_s: Seconds until the caller gives up.
    """
    if took_s >= max(waited_s, SHORTEST_PAUSE_S):
        return 0.0
    return min(backoff(asked), max(left_s, 0.0))
