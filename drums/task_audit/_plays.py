"""What is played in an audit of a task, and what each play has to score: pure, from the task and its proof.

It sends nothing. Invariant: every play says what it expects before it is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast

if TYPE_CHECKING:
    from drums.actions import Action
    from drums.local.osworld.proofs import Proof

Kind = Literal["start", "no_op", "fail", "oracle", "near_miss", "recheck"]

FAIL: Final = "FAIL"
DONE: Final = "DONE"
SIGNALS: Final = "signals"
"""The capability of a server that takes FAIL and DONE."""


@dataclass(frozen=True, slots=True)
class Play:
    """Actions on a desktop right after the task's setup, and the score that they have to get."""

    kind: Kind
    actions: tuple[Action, ...]
    expected: float
    why: str
    """What it shows, in a few words."""


def plays_of(task: Mapping[str, object], proof: Proof | None, *, signals: bool = True) -> tuple[Play, ...]:
    """The plays of one task, in the order of a report.

    Args:
        task: The OSWorld task.
        proof: Its oracle and near misses; None: it has none, and only what needs none is played.
        signals: Whether the server takes FAIL and DONE; without it, the policies that give up are left out.
    """
    gives_up = 1.0 if is_infeasible(task) else 0.0
    plays = [Play("start", (), 0.0, "nothing was done")]
    if signals:
        plays.append(Play("no_op", (DONE,), 0.0, "done at once"))
        plays.append(Play("fail", (FAIL,), gives_up, "given up at once"))
    if proof is not None:
        plays.append(Play("oracle", tuple(proof.oracle), 1.0, "the oracle"))
        plays.extend(Play("near_miss", tuple(miss.actions), 0.0, miss.why) for miss in proof.near_misses)
    return tuple(plays)


def is_infeasible(task: Mapping[str, object]) -> bool:
    """Whether the right answer to a task is to give up."""
    evaluator = task.get("evaluator")
    if not isinstance(evaluator, Mapping):
        return False
    func = cast("Mapping[str, object]", evaluator).get("func")
    return func == "infeasible" or (isinstance(func, list) and func == ["infeasible"])


def last_signal(actions: Sequence[Action]) -> str | None:
    """The signal that actions end with: a fork begins a new episode, in which it has to be given again."""
    last = actions[-1] if actions else None
    if isinstance(last, str):
        return last if last in {FAIL, DONE} else None
    name: object = None
    if isinstance(last, Mapping) and last.get("type") == "signal":
        name = last.get("name")
    return name if isinstance(name, str) and name in {FAIL, DONE} else None
