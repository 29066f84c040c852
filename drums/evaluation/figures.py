"""The figures of a run, from counts: Wilson's interval, pass@k, quantiles. Pure.

Invariant: of nothing there is no figure: where no rollout counts, the answer is None and never 0.
"""

from __future__ import annotations

from math import comb, sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Z_95: Final = 1.959963984540054
"""Quantile of the normal distribution for an interval of 95 %."""


def wilson(successes: int, n: int, z: float = Z_95) -> tuple[float, float] | None:
    """Wilson's score interval for a share of successes.

    Args:
        successes: How many.
        n: Of how many.
        z: Half its width in standard deviations.

    Returns:
        Lower and upper bound, 0 to 1, around `successes / n`; None for `n` 0.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """
    if n <= 0:
        return None
    share, square = successes / n, z * z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = z / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
    return max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share))


def pass_at_k(n: int, successes: int, k: int) -> float | None:
    """The unbiased estimate of the chance that one of `k` attempts at a task succeeds.

    Args:
        n: Attempts that count.
        successes: Of these.
        k: From 1.

    Returns:
        None where fewer than `k` attempts count.

    Source: M. Chen et al., Evaluating large language models trained on code, 2021.
    """
    if k < 1 or n < k:
        return None
    return 1.0 - comb(n - successes, k) / comb(n, k)


def mean(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    held = list(values)
    return fmean(held) if held else None


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which a share of them lies, between the two nearest ones; None of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
