"""What a run came to: by domain and in all, from its records. Pure.

How scores are read: the mean score is over the scores as they are (0 to 1); a success is a score of 1, and Wilson's
interval and pass@k are about successes. Invariant: only valid episodes with a score enter any of these; where there are
none, there is no number. Invalid ones and errors are counted beside them, and scores that an audit flagged are named.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from drums.evaluation.figures import mean, pass_at_k, quantile, wilson
from drums.evaluation.records import is_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from drums.evaluation.records import RolloutRecord

SUCCESS = 1.0
TOTAL = "all"


@dataclass
class Counts:
    """What there is so far; `add` it a record."""

    scored: int = 0
    successes: int = 0
    invalid: int = 0
    errors: int = 0
    score_sum: float = 0.0
    by_gate: Counter[str] = field(default_factory=Counter[str])
    """Invalid episodes by gate; one with two bad gates counts for both."""
    by_kind: Counter[str] = field(default_factory=Counter[str])
    """Errors by kind."""
    flagged: int = 0
    """Scored ones that the server's audit does not trust; they are among the scored."""
    by_flag: Counter[str] = field(default_factory=Counter[str])
    """The audit's flags on them."""

    def add(self, record: RolloutRecord) -> None:
        """Count one more."""
        if is_number(record):
            score = record["score"] or 0.0
            self.scored += 1
            self.successes += score >= SUCCESS
            self.score_sum += score
            self.flagged += record["trusted"] is False
            self.by_flag.update(set(record["audit_flags"]))
        elif record["outcome"] == "invalid":
            self.invalid += 1
            self.by_gate.update(set(record["bad_gates"]))
        else:
            self.errors += 1
            self.by_kind[record["error"]["kind"] if record["error"] is not None else "server"] += 1

    @property
    def total(self) -> int:
        """How many were counted."""
        return self.scored + self.invalid + self.errors

    @property
    def mean_score(self) -> float | None:
        """Mean score of those that count; None of none."""
        return self.score_sum / self.scored if self.scored else None


@dataclass(frozen=True)
class Row:
    """The figures of one domain, or of all."""

    name: str
    tasks: int
    counts: Counts
    success_rate: float | None
    """Share of successes among the valid."""
    interval: tuple[float, float] | None
    """Wilson's, of 95 %, around `success_rate`."""
    pass_at: dict[int, float]
    """pass@k by k, the mean over the tasks with so many valid attempts; no entry where there is none."""
    pass_at_tasks: dict[int, int]
    """How many tasks that is."""
    seconds_p50: float | None
    """Of a rollout, whatever came of it."""
    seconds_p95: float | None
    model_cost: float | None
    """Sum of what is known."""
    host_cost: float | None

    @property
    def invalid_rate(self) -> float | None:
        """Share of invalid episodes among all that were played to a verdict; None of none."""
        played = self.counts.scored + self.counts.invalid
        return self.counts.invalid / played if played else None

    def told(self) -> dict[str, Any]:
        """The row as JSON."""
        counts = self.counts
        return {
            "name": self.name,
            "tasks": self.tasks,
            "rollouts": counts.total,
            "scored": counts.scored,
            "successes": counts.successes,
            "mean_score": counts.mean_score,
            "success_rate": self.success_rate,
            "wilson_95": None if self.interval is None else list(self.interval),
            "pass_at_k": {str(k): value for k, value in self.pass_at.items()},
            "pass_at_k_tasks": {str(k): tasks for k, tasks in self.pass_at_tasks.items()},
            "invalid": counts.invalid,
            "invalid_rate": self.invalid_rate,
            "invalid_by_gate": dict(counts.by_gate.most_common()),
            "flagged": counts.flagged,
            "flagged_by_flag": dict(counts.by_flag.most_common()),
            "errors": counts.errors,
            "errors_by_kind": dict(counts.by_kind.most_common()),
            "seconds_p50": self.seconds_p50,
            "seconds_p95": self.seconds_p95,
            "cost_model": self.model_cost,
            "cost_host": self.host_cost,
        }


@dataclass(frozen=True)
class Summary:
    """A run's figures."""

    total: Row
    domains: list[Row]

    def told(self) -> dict[str, Any]:
        """The summary as JSON."""
        return {"total": self.total.told(), "domains": [row.told() for row in self.domains]}


def summary_of(records: Iterable[RolloutRecord], attempts: int) -> Summary:
    """The figures of a run.

    Args:
        records: Its rollouts.
        attempts: How many each task was to have: the largest k of pass@k.
    """
    held = list(records)
    names = sorted({record["domain"] for record in held})
    domains = [_row(name, [record for record in held if record["domain"] == name], attempts) for name in names]
    return Summary(_row(TOTAL, held, attempts), domains)


def _row(name: str, records: Sequence[RolloutRecord], attempts: int) -> Row:
    counts = Counts()
    valid: Counter[str] = Counter()
    successes: Counter[str] = Counter()
    for record in records:
        counts.add(record)
        if is_number(record):
            valid[record["task_id"]] += 1
            successes[record["task_id"]] += (record["score"] or 0.0) >= SUCCESS
    by_k = {
        k: [found for task, n in valid.items() if (found := pass_at_k(n, successes[task], k)) is not None]
        for k in _ks(attempts)
    }
    seconds = [record["seconds"] for record in records]
    return Row(
        name=name,
        tasks=len({record["task_id"] for record in records}),
        counts=counts,
        success_rate=counts.successes / counts.scored if counts.scored else None,
        interval=wilson(counts.successes, counts.scored),
        pass_at={k: found for k, of_tasks in by_k.items() if (found := mean(of_tasks)) is not None},
        pass_at_tasks={k: len(of_tasks) for k, of_tasks in by_k.items() if of_tasks},
        seconds_p50=quantile(seconds, 0.5),
        seconds_p95=quantile(seconds, 0.95),
        model_cost=_sum(record["cost"]["model"] for record in records),
        host_cost=_sum(record["cost"]["host"] for record in records),
    )


def _ks(attempts: int) -> Iterator[int]:
    """1, 2, 4, … and the number of attempts."""
    k = 1
    while k < attempts:
        yield k
        k *= 2
    yield attempts


def _sum(amounts: Iterable[float | None]) -> float | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known else None
