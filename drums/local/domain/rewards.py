"""Verifying: what an episode is worth. What else is looked at, and what speaks against a score, is auditing's.

Invariant: a score is given only for an episode whose every gate passed on a slot that is ready when the checker
is done; whatever goes wrong in a checker is an error and no score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.domain import auditing, episodes, tasks
from drums.local.domain.guest import turn
from drums.local.domain.refusals import Refusal

if TYPE_CHECKING:
    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
    from drums.local.domain.refusals import GateReport
    from drums.local.store import SlotRow, SlotState


@dataclass(frozen=True, slots=True)
class Reward:
    """What one episode is worth."""

    report: GateReport
    state: SlotState
    task_id: str | None
    look: auditing.Look | None
    """None when the checker was not run."""
    skipped: str | None
    """Why it was not."""
    flags: tuple[str, ...]
    """What the audit found."""
    seconds: float

    @property
    def valid(self) -> bool:
        """Whether the episode is."""
        return self.state == "ready" and self.report.verdict == "valid"

    @property
    def score(self) -> float | None:
        """The score, if the episode is valid and there is one."""
        return self.look.first.score if self.valid and self.look else None

    @property
    def trusted(self) -> bool:
        """Whether nothing speaks against the score."""
        return self.score is not None and not self.flags

    @property
    def invalid_reasons(self) -> list[str]:
        """Why the episode is not valid; empty exactly when it is."""
        reasons = [] if self.state == "ready" else [f"env is {self.state}"]
        if self.skipped is not None and self.skipped not in {self.state, None}:
            reasons.append(self.skipped)
        reasons += [f"gate {gate.name} {gate.status}" for gate in self.report.gates if gate.status != "passed"]
        return reasons


async def verify(host: Host, id: str) -> Reward:
    """Wait for the episode's last gate, run the task's checker, and audit what it says.

    Raises:
        Refusal: The slot has no task; or the desktop is gone, or being destroyed.
    """
    return await host.deed(_verify(host, id))


async def _verify(host: Host, id: str) -> Reward:
    with host.using(id) as slot:
        async with turn(host, slot, "verify"):
            began = host.clock.monotonic()
            with host.timed("verify", slot):
                await slot.guest(_settled(slot))
                await episodes.look_after(host, slot)
                task = tasks.load(host, slot.row.task, taken=True)
                skipped = _why_skipped(slot.row)
                if skipped is None and task is None:
                    words = f"{slot.row.id} has no task to verify; give it one with set_task"
                    raise Refusal("conflict", words, slot=slot.row)
                look = None if skipped or task is None else await auditing.look(host, slot, task)
                await episodes.look_after(host, slot)
            return _rewarded(host, slot, look, skipped, host.clock.monotonic() - began)


async def _settled(slot: LiveSlot) -> None:
    await slot.settled.wait()


def _why_skipped(row: SlotRow) -> str | None:
    if row.state == "quarantined":
        return f"quarantined: {row.reason}"
    return None if row.state == "ready" else row.state


def _rewarded(host: Host, slot: LiveSlot, look: auditing.Look | None, skipped: str | None, seconds: float) -> Reward:
    row = slot.row
    reward = Reward(
        report=episodes.report(row),
        state=row.state,
        task_id=None if row.task is None else str(row.task["id"]),
        look=look,
        skipped=skipped,
        flags=auditing.flags_of(look),
        seconds=seconds,
    )
    for ledger in (host.window.ledger, slot.ledger):
        ledger.rewarded(reward.score, valid=reward.valid)
    host.store.log(
        host.clock.now(),
        "verified",
        row.id,
        episode=row.episode,
        score=reward.score,
        valid=reward.valid,
        error=look and look.first.checker_error,
        flags=list(reward.flags),
    )
    host.log.info("verify %s: score %s valid %s %.1f s", row.id, reward.score, reward.valid, seconds)
    return reward
