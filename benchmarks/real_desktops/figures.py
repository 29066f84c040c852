"""Medians, percentiles and the table that shows them."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


@dataclass
class Figures:
    """Measured spans in milliseconds, by what they are of."""

    spans: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    notes: list[str] = field(default_factory=list[str])

    def time(self, name: str, deed: Callable[[], T]) -> T:
        """Do something and note how long it took."""
        began = time.perf_counter()
        done = deed()
        self.add(name, time.perf_counter() - began)
        return done

    def add(self, name: str, seconds: float) -> None:
        """Note a span."""
        self.spans.setdefault(name, []).append(seconds * 1000)

    def show(self, title: str) -> None:
        """Print the table."""
        print(f"\n{title}\n{'':34}{'median':>10}{'p95':>10}{'best':>10}  rounds")
        for name, spans in self.spans.items():
            print(f"{name:34}{statistics.median(spans):10.1f}{p95(spans):10.1f}{min(spans):10.1f}  {len(spans)}")
        for note in self.notes:
            print(note)


def p95(spans: list[float]) -> float:
    """The 95th percentile; with few rounds the largest."""
    return sorted(spans)[max(0, -(-95 * len(spans) // 100) - 1)]
