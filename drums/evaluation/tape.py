"""What a rollout has come to so far, and the record that is made of it at its end: scored, invalid or an error.

It asks nobody. Invariant: a score gets into a record only from a reward that is valid, of a rollout that nothing else
spoke against.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from drums._quote import excerpt, mapping_at, text_at
from drums.errors import (
    ActionFailed,
    DrumsError,
    EnvFailed,
    EnvGone,
    GateFailed,
    GuestError,
    NotQuiescent,
    Overloaded,
    QuotaExceeded,
    RestoreFailed,
    TaskSetupFailed,
    TaskUnsupported,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from drums.evaluation.choice import Chosen
    from drums.evaluation.policy import Usage
    from drums.evaluation.records import (
        CostRecord,
        Ended,
        ErrorKind,
        GateRecord,
        Outcome,
        RolloutRecord,
        TurnRecord,
        UsageRecord,
    )
    from drums.evaluation.settings import Prices
    from drums.records import Gate
    from drums.reward import Reward

QUARANTINE: Final = "quarantine"
"""Stands in for a gate where a quarantine, and no gate, speaks against an episode."""
UNKNOWN: Final = "unknown"
MOST_BEYOND: Final = 10
"""Things touched beyond a task's scope that are recorded."""

_KINDS: Final[tuple[tuple[type[DrumsError], ErrorKind], ...]] = (
    (TaskUnsupported, "task_unsupported"),
    (TaskSetupFailed, "task_setup"),
    (RestoreFailed, "restore"),
    (EnvGone, "lease"),
    (Overloaded, "full"),
    (QuotaExceeded, "full"),
    (GuestError, "desktop"),
    (ActionFailed, "desktop"),
    (NotQuiescent, "desktop"),
    (EnvFailed, "desktop"),
)


def kind_of(fault: DrumsError) -> ErrorKind:
    """Which kind of error a failure of the SDK is."""
    for cls, kind in _KINDS:
        if isinstance(fault, cls):
            return kind
    return "server"


@dataclass(frozen=True, slots=True)
class Rollout:
    """One attempt at one task."""

    task: Chosen
    attempt: int
    """From 0."""

    @property
    def id(self) -> str:
        """Its name among all of the run."""
        return f"{self.task.id}#{self.attempt}"


class Tape:
    """What a rollout has come to so far.

    Args:
        rollout: Which.
        prices: Of the model; None: not known.
        parent: The desktop that its own is forked from.
    """

    def __init__(self, rollout: Rollout, prices: Prices | None = None, *, parent: str | None = None) -> None:
        self.rollout = rollout
        self.env: str | None = None
        self.turns: list[TurnRecord] = []
        self.last_screenshot: str | None = None
        self.ended: Ended | None = None
        self.play_seconds: float | None = None
        self.usage: Usage | None = None
        self.parent = parent
        self._prices = prices
        self._started_at = time.time()
        self._began = time.monotonic()

    def rewarded(self, reward: Reward, *, spoiled: EnvFailed | None = None) -> RolloutRecord:
        """The record of an episode that was verified.

        Args:
            reward: What the server said.
            spoiled: What spoke against the episode before; then no reward makes it valid.
        """
        gates = [_gate(gate) for gate in reward.gates]
        audit: dict[str, Any] = {
            "trusted": reward.trusted,
            "audit_flags": reward.audit_flags,
            "beyond": _beyond(reward),
            "gates": gates,
        }
        if not reward.valid:
            skipped = [reward.checker_skipped] if reward.checker_skipped else []
            reasons = list(dict.fromkeys([*reward.invalid_reasons, *skipped]))
            blamed = _blamed(reward.gates, reward.bad_gates, reasons)
            return self._record("invalid", reasons=reasons, bad_gates=blamed, **audit)
        if spoiled is not None:
            return self.invalid(spoiled)
        if reward.checker_error or reward.score is None:
            kind: ErrorKind = "checker" if reward.checker_error else "no_score"
            why = reward.checker_error or reward.checker_skipped or "the checker gave neither a score nor a reason"
            return self._record("error", error={"kind": kind, "message": excerpt(why)}, **audit)
        return self._record("scored", score=float(reward.score), **audit)

    def invalid(self, fault: EnvFailed) -> RolloutRecord:
        """The record of an episode that turned out invalid before it was verified."""
        gates = [] if fault.gates is None else fault.gates.gates
        validity = mapping_at(fault.record, "validity") or {}
        listed = [str(name) for name in cast("list[object]", validity.get("gates") or [])]
        why = text_at(fault.record, "reason")
        # A record lists gates that are pending beside those that failed; its reason names the one that did.
        bad = [name for name in listed if name in (why or "").split()] or listed
        reasons = [excerpt(why)] if why else [f"gate {name} failed" for name in bad] or [excerpt(fault.message)]
        blamed = _blamed(gates, bad, [*reasons, str(fault.record.get("state"))])
        told = [_gate(gate) for gate in gates] or [_failed_gate(name) for name in bad]
        return self._record("invalid", reasons=reasons, bad_gates=blamed, gates=told)

    def failed(self, kind: ErrorKind, message: str) -> RolloutRecord:
        """The record of a rollout that came to nothing."""
        return self._record("error", error={"kind": kind, "message": message})

    def failed_by(self, fault: DrumsError) -> RolloutRecord:
        """The record of a rollout that a failure of desktop or server ended: invalid after a gate's, else an error."""
        if isinstance(fault, GateFailed):
            return self.invalid(fault)
        why = f" ({excerpt(fault.closed_reason)})" if isinstance(fault, EnvGone) and fault.closed_reason else ""
        return self.failed(kind_of(fault), f"{fault}{why}")

    def _record(self, outcome: Outcome, **facts: Any) -> RolloutRecord:
        task, usage = self.rollout.task, self.usage
        record: dict[str, Any] = {
            "kind": "rollout",
            "id": self.rollout.id,
            "task_id": task.id,
            "domain": task.domain,
            "instruction": task.instruction,
            "attempt": self.rollout.attempt,
            "outcome": outcome,
            "score": None,
            "trusted": None,
            "audit_flags": [],
            "beyond": [],
            "reasons": [],
            "bad_gates": [],
            "gates": [],
            "error": None,
            "ended": self.ended,
            "env": self.env,
            "parent": self.parent,
            "turns": self.turns,
            "last_screenshot": self.last_screenshot,
            "started_at": self._started_at,
            "seconds": time.monotonic() - self._began,
            "play_seconds": self.play_seconds,
            "usage": None if usage is None else cast("UsageRecord", asdict(usage)),
            "cost": self._cost(),
            **facts,
        }
        return cast("RolloutRecord", record)

    def _cost(self) -> CostRecord:
        usage, prices = self.usage, self._prices
        if usage is None or prices is None:
            return {"model": None, "host": None}
        return {"model": prices.of(usage.prompt_tokens, usage.completion_tokens), "host": None}


def _beyond(reward: Reward) -> list[str]:
    """What the audit saw touched beyond the task's scope: `file /home/user/.bashrc changed`."""
    changes = [] if reward.audit is None else reward.audit.beyond[:MOST_BEYOND]
    return [excerpt(" ".join(filter(None, (one.kind, one.name, one.change)))) for one in changes]


def _failed_gate(name: str) -> GateRecord:
    return {"name": name, "status": "failed", "detail": None}


def _gate(gate: Gate) -> GateRecord:
    return {"name": gate.name, "status": gate.status, "detail": gate.detail}


def _blamed(gates: Sequence[Mapping[str, object]], bad: Sequence[str], reasons: Iterable[str]) -> list[str]:
    """Names of the gates that failed; where no report tells, of all that are not known to have passed."""
    failed = [str(gate.get("name")) for gate in gates if gate.get("status") not in {"passed", "pending"}]
    if failed or bad:
        return failed or list(bad)
    return [QUARANTINE if any("quarantine" in reason.lower() for reason in reasons) else UNKNOWN]
