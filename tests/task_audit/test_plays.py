"""What is played in an audit of a task, and the signal with which a play ends."""

from __future__ import annotations

import pytest

from drums.local.osworld.proofs import read_proof
from drums.task_audit import plays_of
from drums.task_audit._plays import last_signal

PROOF = read_proof(
    {
        "difficulty": "easy",
        "sim": True,
        "image": "osworld-ubuntu",
        "oracle": [{"type": "execute", "command": ["true"]}],
        "near_misses": [{"why": "half of it", "actions": ["pass"]}, {"why": "the other half", "actions": ["pass"]}],
    }
)
FEASIBLE = {"evaluator": {"func": "exact_match"}}
INFEASIBLE = {"evaluator": {"func": "infeasible"}}


def test_a_task_with_a_proof_is_played_in_every_way() -> None:
    plays = plays_of(FEASIBLE, PROOF)
    assert [(play.kind, play.expected) for play in plays] == [
        ("start", 0.0),
        ("no_op", 0.0),
        ("fail", 0.0),
        ("oracle", 1.0),
        ("near_miss", 0.0),
        ("near_miss", 0.0),
    ]


def test_giving_up_is_right_where_a_task_is_infeasible() -> None:
    assert {play.kind: play.expected for play in plays_of(INFEASIBLE, None)} == {
        "start": 0.0,
        "no_op": 0.0,
        "fail": 1.0,
    }


def test_a_server_without_signals_is_not_asked_to_take_them() -> None:
    assert [play.kind for play in plays_of(FEASIBLE, None, signals=False)] == ["start"]


@pytest.mark.parametrize(
    ("actions", "signal"),
    [
        ((), None),
        (("pyautogui.click(1, 2)",), None),
        (("FAIL",), "FAIL"),
        (({"type": "signal", "name": "DONE"},), "DONE"),
        (({"type": "signal", "name": "WAIT"},), None),
        (("FAIL", "pyautogui.click(1, 2)"), None),
    ],
)
def test_the_signal_that_actions_end_with(actions: tuple[object, ...], signal: str | None) -> None:
    assert last_signal(actions) == signal  # type: ignore[arg-type]
