"""The domain's results as the spec's records: from rows to the generated models, field by field.

It decides nothing and reads no clock. Invariant: every field that the spec names is there, null where there is
nothing to tell, so that a reply never depends on what happened to be known.
"""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from drums_api import models

from drums.local.domain import episodes
from drums.local.osworld.task import read_summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from drums.local.domain.acting import Stepped
    from drums.local.domain.auditing import Look
    from drums.local.domain.branching import Branched
    from drums.local.domain.figures import SlotFigures, WindowFigures
    from drums.local.domain.metrics import Latency, Ledger
    from drums.local.domain.prefork import Prefork
    from drums.local.domain.refusals import GateReport
    from drums.local.domain.rewards import Reward
    from drums.local.machines.machine import ImageInfo
    from drums.local.osworld import TaskSummary, Verdict
    from drums.local.store import CheckpointRow, GateRow, SlotRow

CHANGES_TOLD = 20
"""The most changes beyond a task's scope that a reward names."""


def slot_of(row: SlotRow) -> models.Slot:
    """A slot's record."""
    return models.Slot(id=row.id, state=row.state, **_slot_fields(row))


def child_of(row: SlotRow) -> models.BranchChild:
    """A child's record, or why there is none."""
    if row.state == "destroyed":
        return models.BranchChild(error=row.last_error, code="restore_failed")
    return models.BranchChild(id=row.id, state=row.state, error=None, code=None, **_slot_fields(row))


def state_of(row: CheckpointRow, slots: int) -> models.Checkpoint:
    """A saved state's record."""
    return models.Checkpoint(
        id=row.id,
        kind="state",
        parent=row.parent,
        task=_task_ref(row.task),
        bytes_=row.size_bytes,
        created_at=_moment(row.created_at),
        last_used_at=_moment(row.last_used_at),
        slots=slots,
        idle_timeout_s=row.idle_timeout_s,
        ttl_s=row.ttl_s,
        delete_with_children=row.delete_with_children,
    )


def image_of(image: ImageInfo, slots: int) -> models.Checkpoint:
    """An image's record; it has no lease."""
    return models.Checkpoint(
        id=image.id,
        kind="image",
        parent=None,
        task=None,
        bytes_=image.size_bytes,
        created_at=None,
        last_used_at=None,
        slots=slots,
        idle_timeout_s=0,
        ttl_s=0,
        delete_with_children=False,
    )


def summary_of(task: TaskSummary) -> models.TaskSummary:
    """A task in a list."""
    return models.TaskSummary(task.id, task.domain, task.instruction, list(task.related_apps))


def gate_report_of(report: GateReport) -> models.GateReport:
    """The gates of an episode."""
    return models.GateReport(_gates(report.gates), report.slot, report.episode, validity_of(report.gates))


def validity_of(gates: Iterable[GateRow]) -> models.Validity:
    """What an episode's gates say."""
    known = tuple(gates)
    return models.Validity(episodes.verdict(known), episodes.open_gates(known))


def step_of(stepped: Stepped) -> models.StepReply:
    """What an action did."""
    results = [models.ActionResult(one.returncode, one.output, one.error, one.pid) for one in stepped.outcomes]
    reply = models.StepReply(
        result=results[-1],
        results=results if stepped.batch else None,
        slot=stepped.report.slot,
        episode=stepped.report.episode,
        validity=validity_of(stepped.report.gates),
        seconds=stepped.seconds,
    )
    if stepped.png is not None:
        reply.screenshot_png_b64 = b64encode(stepped.png).decode("ascii")
    return reply


def reward_of(reward: Reward) -> models.RewardReply:
    """What an episode is worth."""
    return models.RewardReply(
        slot=reward.report.slot,
        valid=reward.valid,
        episode=reward.report.episode,
        task_id=reward.task_id,
        state=reward.state,
        score=_score(reward.score),
        validity=validity_of(reward.report.gates),
        checker_error=None if reward.look is None else reward.look.first.checker_error,
        checker_skipped=reward.skipped,
        gates=_gates(reward.report.gates),
        seconds=reward.seconds,
        invalid_reasons=reward.invalid_reasons,
        audit=_audit(reward),
    )


def _audit(reward: Reward) -> models.Audit:
    return models.Audit(
        trusted=reward.trusted,
        flags=list(reward.flags),
        recheck=_recheck(reward.look),
        redundant=None if reward.look is None else reward.look.second_agrees,
        redundant_score=_score_in(None if reward.look is None else reward.look.second),
        scope=_scope(reward.look),
        beyond=_beyond(reward.look),
        start_score=None if reward.look is None else _score(reward.look.start_score),
        checker_seconds=None if reward.look is None else reward.look.seconds,
        notes=None if reward.look is None else list(reward.look.first.notes) or None,
    )


def branch_of(branched: Branched) -> models.BranchReply:
    """A saved state and the children that were started from it."""
    return models.BranchReply(
        state=branched.state.id,
        children=[child_of(row) for row in branched.children],
        checkpoint=state_of(branched.state, branched.slots),
        seconds=branched.seconds,
    )


def prefork_of(slot: str, prepared: Prefork, max_age_s: float) -> models.PreforkReply:
    """A fork that is being prepared."""
    return models.PreforkReply(
        slot=slot,
        n=prepared.fork.n,
        delete_state_with_children=prepared.fork.delete_state_with_children,
        status=prepared.status,
        created_at=_moment(prepared.created_at),
        max_age_s=max_age_s,
    )


def metrics_of(figures: WindowFigures) -> models.Metrics:
    """One window's figures."""
    ledger, price, window = figures.window.ledger, figures.price, figures.window
    return models.Metrics(
        window=models.MetricsWindow(window.id, _moment(window.started_at), _moment(figures.ended_at), figures.seconds),
        episodes=_counts(figures.episodes),
        cost=models.Cost(
            currency=price.currency,
            host_price_per_hour=price.per_hour,
            amount=price.of(figures.seconds),
            per_valid_episode=price.each(figures.seconds, figures.episodes["valid"]),
            per_verified_reward=price.each(figures.seconds, ledger.rewards.verified),
        ),
        **_ledger_fields(ledger),
    )


def slot_metrics_of(figures: SlotFigures) -> models.SlotMetrics:
    """One slot's figures."""
    return models.SlotMetrics(
        usage=models.SlotUsage(
            slot_seconds=figures.lifetime_s,
            share=figures.host_s / figures.lifetime_s if figures.lifetime_s else None,
            cost=figures.price.of(figures.host_s),
        ),
        slot=figures.slot,
        episodes=_counts(figures.episodes),
        lifetime_s=figures.lifetime_s,
        **_ledger_fields(figures.ledger),
    )


def _slot_fields(row: SlotRow) -> dict[str, Any]:
    return {
        "episode": row.episode,
        "checkpoint": row.checkpoint,
        "task": _task_ref(row.task),
        "validity": validity_of(row.gates),
        "last_error": row.last_error,
        "reason": row.reason,
        "closed_reason": row.closed_reason,
        "created_at": _moment(row.created_at),
        "last_used_at": _moment(row.last_used_at),
        "idle_timeout_s": row.idle_timeout_s,
        "ttl_s": row.ttl_s,
        "parent": row.parent,
    }


def _ledger_fields(ledger: Ledger) -> dict[str, Any]:
    operations = models.Latencies()
    operations.additional_properties = {name: _latency(latency) for name, latency in ledger.operations.items()}
    rewards = ledger.rewards
    return {
        "operations": operations,
        "failures": _counts(ledger.failures),
        "retries": _counts(ledger.retries),
        "rewards": models.RewardMetrics(rewards.count, rewards.verified, rewards.mean_score),
    }


def _latency(latency: Latency) -> models.Latency:
    return models.Latency(
        count=latency.count,
        failures=latency.failures,
        mean_s=latency.mean_s,
        p50_s=latency.percentile(0.5),
        p95_s=latency.percentile(0.95),
        max_s=latency.max_s if latency.count else None,
    )


def _counts(counts: Mapping[Any, int]) -> models.Counts:
    model = models.Counts()
    model.additional_properties = dict(counts)
    return model


def _gates(gates: Iterable[GateRow]) -> list[models.Gate]:
    return [models.Gate(gate.name, gate.status, gate.detail, gate.seconds) for gate in gates]


def _recheck(look: Look | None) -> models.AuditRecheck | None:
    if look is None:
        return None
    again = look.again
    return models.AuditRecheck(
        ran=again is not None,
        desktop=None if again is None else again.desktop,
        agrees=look.agrees,
        score=_score_in(None if again is None else again.verdict),
    )


def _scope(look: Look | None) -> str | None:
    if look is None or look.scope is None or look.scope.beyond is None:
        return None
    return "beyond" if look.scope.beyond else "within"


def _beyond(look: Look | None) -> list[models.AuditChange] | None:
    if look is None or look.scope is None or look.scope.beyond is None:
        return None
    told = look.scope.beyond[:CHANGES_TOLD]
    return [models.AuditChange(change.kind, change.name, change.change) for change in told]


def _score_in(verdict: Verdict | None) -> float | None:
    return None if verdict is None else _score(verdict.score)


def _score(score: float | None) -> float | None:
    """A whole score without a fraction, as checkers' 0 and 1 are written: `1`, not `1.0`."""
    return int(score) if score is not None and score == int(score) else score


def _task_ref(task: Mapping[str, Any] | None) -> models.TaskRef | None:
    if task is None:
        return None
    summary = read_summary(task)
    return models.TaskRef(summary.id, summary.instruction, summary.domain)


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
