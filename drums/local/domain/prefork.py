"""Forks prepared in the background, and the rules by which the next fork gets them or they are thrown away.

Invariant: whoever claims a prepared fork gets what a fork at that moment would have made: the desktop had no
input since, no process started or ended in it, its state hash is the same, and every prepared child is sound.
Nobody else can name a prepared child or its state.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from drums.local.domain import episodes, forking, lifecycle, saving
from drums.local.domain.guest import decide, guest_errors
from drums.local.domain.refusals import Refusal

if TYPE_CHECKING:
    from drums.local.domain.forking import Fork
    from drums.local.domain.host import Host
    from drums.local.domain.limits import Promise
    from drums.local.domain.live import LiveSlot
    from drums.local.machines.machine import ProcessTree
    from drums.local.store import CheckpointRow

DROPPED = "its prefork was dropped"
AT_ONCE_S = 0.001
"""An idle time that is over as soon as it is looked at; 0 would be for ever."""

Status = Literal["preparing", "ready", "claimed", "discarded", "failed"]


@dataclass(eq=False, slots=True)
class Prefork:
    """One prepared fork of one slot."""

    fork: Fork
    promise: Promise
    created_at: float
    status: Status = "preparing"
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is thrown away: the desktop need not become still for it."""
    likeness: tuple[ProcessTree, str] | None = None
    """The desktop as it was captured: its processes and its state hash."""
    state: CheckpointRow | None = None
    children: list[LiveSlot] = field(default_factory=list["LiveSlot"])
    preparation: asyncio.Task[None] | None = None
    has_turn: bool = False
    """Whether the preparation has had its turn on the parent; before that it has touched nothing."""
    expiry: asyncio.Task[None] | None = None

    def fits(self, fork: Fork) -> bool:
        """Whether it prepares what is asked for; leases and the time to wait do not matter."""
        return (self.fork.n, self.fork.delete_state_with_children) == (fork.n, fork.delete_state_with_children)

    @property
    def sound(self) -> bool:
        """Whether every child came up and no gate has failed since."""
        return self.status == "ready" and all(child.row.state == "ready" for child in self.children)


async def prefork(host: Host, id: str, fork: Fork) -> Prefork:
    """Begin to prepare a fork; a slot has one at a time, a later one replaces it.

    Raises:
        Refusal: Too many, no place, or the slot is not `ready`.
    """
    host.admission.check_fork(fork.n)
    with host.using(id) as slot:
        decide(slot, "prefork")
        while slot.prefork is not None or slot.clean_ups:
            drop(host, slot, "another prefork came")
            await cleaned_up(slot)
        decide(slot, "prefork")
        prepared = Prefork(fork, host.admission.promise(slots=fork.n, states=1), host.clock.now())
        slot.prefork = prepared
        prepared.preparation = host.begin(_prepare(host, slot, prepared))
        return prepared


async def prepared(slot: LiveSlot, fork: Fork) -> None:
    """Wait while the slot's prefork is being prepared, if it is what is asked for."""
    waiting = slot.prefork
    if waiting is not None and waiting.fits(fork) and waiting.preparation is not None:
        await asyncio.wait({waiting.preparation})


async def claim(host: Host, slot: LiveSlot, fork: Fork) -> tuple[CheckpointRow, list[LiveSlot]] | None:
    """Hand the prepared children out, within a turn; None when there are none that may be, and none are left.

    Raises:
        Refusal: The desktop is gone, or the slot is not `ready` any more.
    """
    prepared = slot.prefork
    if prepared is None:
        return None
    objection = await _objection(host, slot, prepared, fork)
    decide(slot, "branch")  # a gate may have failed meanwhile
    if objection is None and slot.prefork is prepared and prepared.sound and prepared.state is not None:
        return _hand_out(host, slot, prepared, prepared.state, fork), prepared.children
    drop(host, slot, objection or "it was thrown away meanwhile")
    return None


def drop(host: Host, slot: LiveSlot, why: str, status: Status = "discarded") -> None:
    """Throw the slot's prefork away, if it has one; `cleaned_up` waits until its places are free."""
    dropped = slot.prefork
    if dropped is None:
        return
    slot.prefork = None
    dropped.status = status
    dropped.stop.set()
    if dropped.preparation is not None and not dropped.has_turn:
        # Whoever drops it may have the turn that it waits for, and wait in it until its places are free.
        dropped.preparation.cancel()
    host.store.log(host.clock.now(), "prefork_dropped", slot.row.id, why=why)
    host.log.info("prefork of %s dropped: %s", slot.row.id, why)
    clean_up = host.begin(_clean_up(host, dropped))
    slot.clean_ups.add(clean_up)
    clean_up.add_done_callback(slot.clean_ups.discard)


async def cleaned_up(slot: LiveSlot) -> None:
    """Wait until nothing is left of the preforks that were thrown away."""
    if slot.clean_ups:
        await asyncio.wait(slot.clean_ups)


async def _prepare(host: Host, slot: LiveSlot, prepared: Prefork) -> None:
    try:
        async with slot.turn:
            prepared.has_turn = True
            if prepared.status != "preparing":
                return
            decide(slot, "prefork")
            with host.timed("prefork", slot):
                await _save(host, slot, prepared)
        await forking.come_up(host, prepared.children)
    except Refusal as refusal:
        if slot.prefork is prepared:
            drop(host, slot, str(refusal), "failed")
        return
    if slot.prefork is not prepared:
        return
    prepared.status = "ready"
    if prepared.sound:
        prepared.expiry = host.in_background(_expire(host, slot, prepared))
    else:
        drop(host, slot, "a child did not come up", "failed")


async def _save(host: Host, slot: LiveSlot, prepared: Prefork) -> None:
    saved = await forking.save_for(host, slot, prepared.fork, held=True, stop=prepared.stop)
    prepared.state = saved.row
    with guest_errors(host, slot) as desktop:
        prepared.likeness = (saved.tree, await slot.guest(desktop.state_hash()))
    prepared.children = await forking.add_children(host, slot.row, prepared.fork, saved.row, prepared.promise)


async def _expire(host: Host, slot: LiveSlot, prepared: Prefork) -> None:
    await host.clock.sleep(host.limits.prefork_max_age_s)
    if slot.prefork is prepared:
        drop(host, slot, f"not claimed in {host.limits.prefork_max_age_s:g} s")


async def _objection(host: Host, slot: LiveSlot, prepared: Prefork, fork: Fork) -> str | None:
    """Why the prepared children can't be handed out."""
    if not prepared.fits(fork):
        return "a fork of another kind came"
    if not prepared.sound:
        return "a child is not sound"
    with guest_errors(host, slot) as desktop:
        now = (await slot.guest(desktop.processes()), await slot.guest(desktop.state_hash()))
    return None if now == prepared.likeness else "the desktop has changed"


def _hand_out(host: Host, slot: LiveSlot, claimed: Prefork, state: CheckpointRow, fork: Fork) -> CheckpointRow:
    slot.prefork = None
    claimed.status = "claimed"
    claimed.promise.give_back()
    if claimed.expiry is not None:
        claimed.expiry.cancel()
    now = host.clock.now()
    since: dict[str, Any] = {"held": False, "created_at": now, "last_used_at": now}
    with host.store.transaction():
        row = replace(state, **since, **asdict(fork.state_lease))
        saving.put(host, row)
        for child in claimed.children:
            host.change(child, **since, **asdict(fork.lease))
            episodes.settle(host, child)
    host.leases_changed.set()
    return row


async def _clean_up(host: Host, dropped: Prefork) -> None:
    if dropped.expiry is not None:
        dropped.expiry.cancel()
    if dropped.preparation is not None:
        await asyncio.wait({dropped.preparation})
    for child in dropped.children:
        async with child.turn:
            await _end_child(host, child)
    if dropped.state is not None:
        await _end_state(host, dropped.state)
    dropped.promise.give_back()


async def _end_child(host: Host, child: LiveSlot) -> None:
    if child.row.state == "destroyed":
        return
    try:
        await lifecycle.end_for_good(host, child, DROPPED)
    except Refusal as refusal:
        host.log.warning("%s; it is shown, and its lease ends now", refusal)
        host.change(child, held=False, idle_timeout_s=AT_ONCE_S)
        host.leases_changed.set()


async def _end_state(host: Host, state: CheckpointRow) -> None:
    try:
        if not saving.slots_on(host)[state.id]:
            await saving.delete_state(host, state, DROPPED)
            return
    except Refusal as refusal:
        host.log.warning("%s; it is shown, and its lease ends now", refusal)
    saving.put(host, replace(state, held=False, delete_with_children=True))
    host.leases_changed.set()
