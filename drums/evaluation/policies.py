"""Policies to try things with: they need no model. For `drums eval --policy drums.evaluation.policies:scripted`.

`scripted` plays what solves each task of the pack that comes with drums, so a sound host scores 1; `noop` does nothing
and `give_up` says that it can't be done, so that a task which pays for either is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums.evaluation.policy import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drums.actions import Action, SignalName
    from drums.evaluation.policy import Seen


def noop(seen: Seen) -> SignalName:
    """Look once, and say that it is done."""
    del seen
    return "DONE"


def give_up(seen: Seen) -> SignalName:
    """Look once, and say that it can't be done."""
    del seen
    return "FAIL"


class scripted:  # noqa: N801 - it is named on command lines, beside functions
    """Play the task's own solution, one action a turn. Needs `drums-sdk[local]`, where the pack lies."""

    def __init__(self) -> None:
        self._left: list[Action] | None = None

    def __call__(self, seen: Seen) -> Action:
        """The next action of the solution.

        Raises:
            PolicyError: The task has none.
        """
        if self._left is None:
            self._left = list(solution_of(seen.task_id))
        return self._left.pop(0) if self._left else "DONE"


def solution_of(task_id: str) -> Sequence[Action]:
    """The actions that solve a task of the pack.

    Raises:
        PolicyError: The pack has no solution for it.
    """
    from drums.local.osworld.proofs import own_proofs  # noqa: PLC0415 - needs the extra, and only this policy does

    proofs = own_proofs()
    if task_id not in proofs:
        raise PolicyError(f"the pack has no solution for task {task_id}")
    return list(proofs[task_id].oracle)
