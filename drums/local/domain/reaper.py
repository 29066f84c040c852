"""Ends the leases that are over, in the background. What is due when is `leases`' rule.

Invariant: it sleeps until the earliest moment at which anything can be due, and is woken when that moment may
have come nearer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums.local.domain import leases, lifecycle, saving
from drums.local.domain.clock import within
from drums.local.domain.refusals import Refusal

if TYPE_CHECKING:
    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
    from drums.local.store import CheckpointRow

RETRY_S = 60.0
"""How long after a failed attempt the next one is made."""
LONGEST_NAP_S = 3600.0


async def watch(host: Host) -> None:
    """Reap for as long as the daemon runs."""
    while True:
        host.leases_changed.clear()
        wait_s = min(reap(host) - host.clock.now(), LONGEST_NAP_S)
        try:
            await within(host.clock, max(0.0, wait_s), host.leases_changed.wait())
        except TimeoutError:
            continue


def reap(host: Host) -> float:
    """Begin to end everything that is due; the moment at which the next thing may be due."""
    now = host.clock.now()
    upcoming = leases.NEVER
    standing = saving.slots_on(host)
    for slot in list(host.slots.values()):
        ends_at = leases.slot_ends_at(slot.row, now=now, in_use=slot.requests > 0)
        if ends_at > now:
            upcoming = min(upcoming, ends_at)
        elif slot.closing is None:
            why = leases.why_ended(slot.row, now)
            slot.close_soon(why)
            host.in_background(_end_slot(host, slot, why))
    for state in list(host.states.values()):
        ends_at = leases.state_ends_at(state, slots=standing[state.id])
        if ends_at > now:
            upcoming = min(upcoming, ends_at)
        else:
            host.in_background(_end_state(host, state, leases.why_ended(state, now)))
    return upcoming


async def _end_slot(host: Host, slot: LiveSlot, why: str) -> None:
    try:
        await lifecycle.close(host, slot, why)
    except Refusal as refusal:
        if refusal.kind != "gone":
            host.log.warning("%s is due (%s) and still there: %s", slot.row.id, why, refusal)
            await host.clock.sleep(RETRY_S)
            host.leases_changed.set()


async def _end_state(host: Host, state: CheckpointRow, why: str) -> None:
    try:
        await host.deed(_delete_if_due(host, state, why))
    except Refusal as refusal:
        host.log.warning("%s is due (%s) and still there: %s", state.id, why, refusal)
        await host.clock.sleep(RETRY_S)
        host.leases_changed.set()


async def _delete_if_due(host: Host, state: CheckpointRow, why: str) -> None:
    # Between the decision and now a slot may have been started from it, or it may have been deleted.
    if host.states.get(state.id) is state and not saving.slots_on(host)[state.id]:
        await saving.delete_state(host, state, why)
