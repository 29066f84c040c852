"""When the lease of a slot or a saved state ends. Pure.

A slot's idle time counts from its last use; a state's from its creation or its last slot's close, while no slot of it
lives. Invariant: a limit of 0 ends nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from drums.local.store import CheckpointRow, SlotRow

DEFAULT_IDLE_TIMEOUT_S = 1800.0
DEFAULT_TTL_S = 0.0
NEVER = math.inf


@dataclass(frozen=True, slots=True)
class Lease:
    """How long something may live; 0 is for ever."""

    idle_timeout_s: float = DEFAULT_IDLE_TIMEOUT_S
    ttl_s: float = DEFAULT_TTL_S


def slot_ends_at(row: SlotRow, *, now: float, in_use: bool) -> float:
    """When a slot is reaped if nothing more happens, in seconds since 1970.

    One that is in use is used right now; that does not hold off its TTL. A prepared slot has no lease of its own: the
    prefork's age ends it.
    """
    if row.held or row.state == "destroyed":
        return NEVER
    used_at = now if in_use else row.last_used_at
    return min(_after(row.created_at, row.ttl_s), _after(used_at, row.idle_timeout_s))


def state_ends_at(row: CheckpointRow, *, slots: int) -> float:
    """When a saved state is reaped if nothing more happens; never while one of its slots lives, they stand on it.

    One that is to go with its children is due as soon as none is left.
    """
    if row.held or slots:
        return NEVER
    if row.delete_with_children:
        return row.last_used_at
    return min(_after(row.created_at, row.ttl_s), _after(row.last_used_at, row.idle_timeout_s))


def why_ended(row: SlotRow | CheckpointRow, now: float) -> str:
    """The `closed_reason` of what is reaped at `now`."""
    if isinstance(row, CheckpointRow) and row.delete_with_children:
        return "its last child is closed"
    if _after(row.created_at, row.ttl_s) <= now:
        return f"ttl of {row.ttl_s:g} s over"
    return f"idle for {row.idle_timeout_s:g} s"


def _after(moment: float, span_s: float) -> float:
    return moment + span_s if span_s else NEVER
