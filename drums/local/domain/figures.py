"""What the figures are now: of the daemon's window and of one slot.

`metrics` counts; here counts become what is shown and what is logged. Invariant: a window's figures are
complete when it is closed: its ledger goes to the event log in the same moment in which the next one is opened.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from drums.local.domain.metrics import Ledger, Window

if TYPE_CHECKING:
    from collections import Counter

    from drums.local.domain.host import Host
    from drums.local.domain.metrics import Price, Verdict


@dataclass(frozen=True, slots=True)
class WindowFigures:
    """One window."""

    window: Window
    ended_at: float | None
    """Seconds since 1970; None while it is open."""
    seconds: float
    episodes: Counter[Verdict]
    """Those that were counted, and those that are pending now."""
    price: Price


@dataclass(frozen=True, slots=True)
class SlotFigures:
    """One slot, over its whole life."""

    slot: str
    ledger: Ledger
    episodes: Counter[Verdict]
    lifetime_s: float
    host_s: float
    """Its part of the host's time: at each moment the host is shared evenly by the slots that live."""
    price: Price


def current(host: Host) -> WindowFigures:
    """The open window."""
    return _figures(host, ended_at=None)


def close_window(host: Host) -> WindowFigures:
    """Close the window, log its ledger, and open the next."""
    now = host.clock.now()
    closed = _figures(host, ended_at=now)
    with host.store.transaction():
        host.store.log(now, "metrics_window", **facts(closed))
        number = host.store.next_number("window")
    host.window = Window(number, now, host.clock.monotonic())
    return closed


def of_slot(host: Host, id: str) -> SlotFigures:
    """One slot's figures.

    Raises:
        Refusal: There is no such slot, or not any more.
    """
    with host.using(id) as slot:
        now = host.clock.monotonic()
        episodes = +slot.ledger.episodes
        if slot.counted is None:
            episodes["pending"] += 1
        used = host.host_time.mark(now) - slot.host_mark
        return SlotFigures(slot.row.id, slot.ledger, episodes, now - slot.born, used, host.price)


def facts(figures: WindowFigures) -> dict[str, Any]:
    """A window's ledger as the event log keeps it."""
    ledger = figures.window.ledger
    return {
        "window": figures.window.id,
        "started_at": figures.window.started_at,
        "ended_at": figures.ended_at,
        "seconds": figures.seconds,
        "operations": {
            name: {
                "count": latency.count,
                "failures": latency.failures,
                "mean_s": latency.mean_s,
                "p50_s": latency.percentile(0.5),
                "p95_s": latency.percentile(0.95),
                "max_s": latency.max_s,
            }
            for name, latency in ledger.operations.items()
        },
        "episodes": dict(figures.episodes),
        "failures": dict(ledger.failures),
        "retries": dict(ledger.retries),
        "rewards": {
            "count": ledger.rewards.count,
            "verified": ledger.rewards.verified,
            "mean_score": ledger.rewards.mean_score,
        },
        "cost": figures.price.of(figures.seconds),
        "currency": figures.price.currency,
    }


def _figures(host: Host, ended_at: float | None) -> WindowFigures:
    seconds = host.clock.monotonic() - host.window.opened
    episodes = +host.window.ledger.episodes
    episodes["pending"] += sum(slot.counted is None for slot in host.slots.values() if not slot.row.held)
    return WindowFigures(host.window, ended_at, seconds, +episodes, host.price)
