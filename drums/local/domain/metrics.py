"""Figures: how long operations took, how episodes ended, what failed, what was earned and what it cost. No I/O.

A `Ledger` is kept for the daemon's current window and for each live slot; `Window` adds when it was opened.
Invariant: every number is a count or a sum since the ledger was opened, percentiles come from a sample of bounded size.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

SAMPLE_SIZE = 512
"""Latencies that are kept of each operation, enough for a p95 within about two percentiles."""

OperationName = Literal[
    "create",
    "reset",
    "fork",
    "prefork",
    "step",
    "screenshot",
    "verify",
    "task",
    "capture",
    "quiescent",
    "release",
    "close",
]
Cause = str
"""`restore`, `task_setup`, `gate:<name>`, `guest`, `desktop`, `checker`, `not_quiescent`, `capture`."""
Verdict = Literal["pending", "valid", "invalid"]


@dataclass(slots=True)
class Latency:
    """How long one operation took; all in seconds."""

    count: int = 0
    failures: int = 0
    total_s: float = 0.0
    max_s: float = 0.0
    sample: list[float] = field(default_factory=list[float])
    _dice: random.Random = field(default_factory=lambda: random.Random(0), repr=False)  # noqa: S311 - a sample, no secret

    def add(self, seconds: float, *, failed: bool = False) -> None:
        """Count one; each has the same chance to be in the sample (algorithm R, with a fixed seed)."""
        self.count += 1
        self.failures += failed
        self.total_s += seconds
        self.max_s = max(self.max_s, seconds)
        if len(self.sample) < SAMPLE_SIZE:
            self.sample.append(seconds)
        elif (place := self._dice.randrange(self.count)) < SAMPLE_SIZE:
            self.sample[place] = seconds

    @property
    def mean_s(self) -> float | None:
        """The mean of all; None when there were none."""
        return self.total_s / self.count if self.count else None

    def percentile(self, share: float) -> float | None:
        """What `share` of the sampled ones did not exceed (nearest rank); None when there were none."""
        if not self.sample:
            return None
        return sorted(self.sample)[max(0, math.ceil(share * len(self.sample)) - 1)]


@dataclass(slots=True)
class Rewards:
    """Rewards that were given."""

    count: int = 0
    """Times that verify was answered."""
    verified: int = 0
    """Of these: valid, with a score."""
    total_score: float = 0.0
    """Sum of the verified scores."""

    @property
    def mean_score(self) -> float | None:
        """The mean of the verified scores; None when there were none."""
        return self.total_score / self.verified if self.verified else None


@dataclass(slots=True)
class Ledger:
    """What was counted since it was opened."""

    operations: dict[OperationName, Latency] = field(default_factory=dict[OperationName, Latency])
    episodes: Counter[Verdict] = field(default_factory=Counter[Verdict])
    """Each episode once, when its verdict settles or when it ends; one that is spoilt later moves to `invalid`."""
    failures: Counter[Cause] = field(default_factory=Counter[Cause])
    retries: Counter[Cause] = field(default_factory=Counter[Cause])
    rewards: Rewards = field(default_factory=Rewards)

    def took(self, operation: OperationName, seconds: float, *, failed: bool) -> None:
        """Count one operation."""
        self.operations.setdefault(operation, Latency()).add(seconds, failed=failed)

    def rewarded(self, score: float | None, *, valid: bool) -> None:
        """Count one answer of verify; an episode that is not valid never adds to a score."""
        self.rewards.count += 1
        if valid and score is not None:
            self.rewards.verified += 1
            self.rewards.total_score += score


@dataclass(slots=True)
class Window:
    """One span of time and its ledger."""

    id: int
    started_at: float
    """Seconds since 1970."""
    opened: float
    """On the monotonic clock."""
    ledger: Ledger = field(default_factory=Ledger)


@dataclass(frozen=True, slots=True)
class Price:
    """What the host costs."""

    per_hour: float | None = None
    """In `currency`; None when it is not known."""
    currency: str = "USD"

    def of(self, host_seconds: float) -> float | None:
        """The cost of so many seconds of the whole host; None when the price is not known."""
        return None if self.per_hour is None else self.per_hour * host_seconds / 3600

    def each(self, host_seconds: float, count: int) -> float | None:
        """The cost for each of `count` things; None when there were none."""
        cost = self.of(host_seconds)
        return cost / count if cost is not None and count else None


class HostTime:
    """Shares the host's time evenly among the slots that live at each moment.

    Args:
        now: The monotonic clock's reading.
    """

    def __init__(self, now: float) -> None:
        self._now = now
        self._live = 0
        self._each = 0.0

    def changed(self, now: float, live: int) -> None:
        """From `now` on so many slots live."""
        self._each = self.mark(now)
        self._now = now
        self._live = live

    def mark(self, now: float) -> float:
        """Host seconds that a slot would have used that lives since the start; two marks' difference is a use."""
        return self._each + (now - self._now) / self._live if self._live else self._each
