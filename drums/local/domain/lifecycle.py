"""How slots come to be, start over, are barred and end.

Invariant: whatever happens inside, a slot that was begun ends as a row that is `ready`, `quarantined`, `down`
or `destroyed`; a failed restore or setup is a record, not a refusal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drums.local.domain import episodes, saving, slots, starts, tasks
from drums.local.domain.guest import turn
from drums.local.domain.leases import Lease
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import MachineError, RestoreError, SlotId
from drums.local.store import SlotRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
    from drums.local.machines.machine import CheckpointId, Desktop
    from drums.local.osworld import LoadedTask


async def create(
    host: Host,
    checkpoint: str,
    task: Mapping[str, Any] | None = None,
    setup: bool | None = None,
    lease: Lease | None = None,
) -> SlotRow:
    """Start a desktop and its episode 1, and run the task's setup.

    Args:
        host: The daemon.
        checkpoint: An image or a saved state.
        task: The OSWorld task; None: the one that a saved state's desktop had.
        setup: Whether the task's setup runs now and after every reset; None: yes from an image, no from a saved state.
        lease: How long the slot may live.

    Raises:
        Refusal: There is no such checkpoint, the task can't be run here, or there is no place.
    """
    source = saving.source(host, checkpoint)
    state = host.states.get(source)
    raw = task if task is not None or state is None else state.task
    loaded = tasks.load(host, raw)
    with host.admission.promise(slots=1) as promise:
        row = new_row(host, source, raw, lease or Lease(), setup=state is None if setup is None else setup)
        slot = host.add(row)
        promise.kept(slots=1)
    await slot.turn.acquire()  # nobody had it yet, so this does not wait
    return await host.deed(_create(host, slot, loaded))


def new_row(
    host: Host,
    checkpoint: CheckpointId,
    task: Mapping[str, Any] | None,
    lease: Lease,
    *,
    setup: bool,
    child_of: SlotRow | None = None,
    held: bool = False,
) -> SlotRow:
    """The row of a slot that is about to be made, with an id that was never used."""
    number = host.store.next_number("slot")
    now = host.clock.now()
    return SlotRow(
        number=number,
        id=SlotId(f"s{number}"),
        state="creating",
        episode=1,
        checkpoint=checkpoint,
        created_at=now,
        last_used_at=now,
        idle_timeout_s=lease.idle_timeout_s,
        ttl_s=lease.ttl_s,
        parent=None if child_of is None else child_of.id,
        held=held,
        task=task,
        setup=setup,
        gates=episodes.first_gates(setup=setup and task is not None),
        **starts.going_on_from(host.states.get(checkpoint), task, setup=setup),
    )


async def bring_up(host: Host, slot: LiveSlot, task: LoadedTask | None) -> None:
    """Start the slot's desktop from its checkpoint and set the task up, within its turn; what fails is in the row."""
    desktop = await _restore(host, slot)
    if desktop is None:
        return
    episodes.begin(host, slot, desktop)
    if task is not None and slot.row.setup:
        await tasks.set_up(host, slot, task)
    host.change(slot, state=slots.follow(slot.row.state, "came_up"))


async def reset(host: Host, id: str) -> SlotRow:
    """Restore a slot from its checkpoint in a new episode, and run its task's setup again.

    Raises:
        Refusal: The slot is quarantined or destroyed.
    """
    return await host.deed(_reset(host, id))


async def quarantine(host: Host, id: str, reason: str) -> SlotRow:
    """Bar the running episode from ever being valid; a slot that is quarantined already keeps its first reason."""
    with host.using(id) as slot:
        async with turn(host, slot, "quarantine") as state:
            if slot.row.state != state:
                episodes.record(host, slot, episodes.QUARANTINE, reason, passed=False)
                host.change(slot, state=state, reason=reason)
                host.store.log(host.clock.now(), "quarantined", slot.row.id, reason=reason)
                host.log.info("quarantine %s: %s", slot.row.id, reason)
            return slot.row


async def release(host: Host, id: str) -> SlotRow:
    """End a quarantine: the desktop's processes are killed, the slot is down until it is reset."""
    return await host.deed(_release(host, id))


async def delete(host: Host, id: str) -> SlotRow:
    """End a slot for good."""
    with host.using(id) as slot:
        return await close(host, slot, "closed by a client")


async def close(host: Host, slot: LiveSlot, why: str) -> SlotRow:
    """End a slot for good; what waits for its desktop is cut short.

    Raises:
        Refusal: Somebody else has destroyed it meanwhile, or the machine could not end it.
    """
    if slot.closing is None:
        slot.close_soon(why)
    host.drop_prefork(slot, why)
    return await host.deed(_close(host, slot))


async def _create(host: Host, slot: LiveSlot, task: LoadedTask | None) -> SlotRow:
    try:
        with host.using(slot.row.id), host.timed("create", slot):
            await bring_up(host, slot, task)
    finally:
        slot.turn.release()
    row = slot.row
    host.store.log(
        host.clock.now(), "created", row.id, checkpoint=row.checkpoint, state=row.state, error=row.last_error
    )
    host.log.info("create %s from %s: %s", row.id, row.checkpoint, row.last_error or row.state)
    return row


async def _reset(host: Host, id: str) -> SlotRow:
    with host.using(id) as slot:
        async with turn(host, slot, "reset") as state:
            task = tasks.load(host, slot.row.task, taken=True)
            with host.timed("reset", slot):
                episodes.end(host, slot)
                slot.desktop = None
                begins = starts.going_on_from(host.states.get(slot.row.checkpoint), slot.row.task, setup=slot.row.setup)
                episodes.start_next(host, slot, state, begins, setup=slot.row.setup and task is not None)
                host.store.forget_unused_baselines()
                await bring_up(host, slot, task)
            row = slot.row
            host.log.info("reset %s to episode %d: %s", row.id, row.episode, row.last_error or row.state)
            return row


async def _release(host: Host, id: str) -> SlotRow:
    with host.using(id) as slot:
        async with turn(host, slot, "release") as state:
            with host.timed("release", slot):
                host.change(slot, state=state)
                await tasks.take_down(host, slot)
            host.store.log(host.clock.now(), "released", slot.row.id)
            host.log.info("release %s", slot.row.id)
            return slot.row


async def _close(host: Host, slot: LiveSlot) -> SlotRow:
    async with slot.turn:
        slots.decide(slot.row, "delete")
        why = slot.closing or "closed"
        with host.timed("close", slot):
            await end_for_good(host, slot, why)
    host.log.info("close %s: %s", slot.row.id, why)
    await saving.delete_if_childless(host, slot.row.checkpoint)
    return slot.row


async def end_for_good(host: Host, slot: LiveSlot, why: str) -> None:
    """End the desktop and leave the record of a destroyed slot, within its turn; of a prepared one nothing is left."""
    intent = host.store.begin("destroy", [slot.row.id], detail=why)
    episodes.end(host, slot)
    try:
        await host.machine.destroy(slot.row.id)
    except MachineError as error:
        slot.closing = None
        host.store.finish(intent)
        raise Refusal("unavailable", f"{slot.row.id} could not be ended: {error}", slot=slot.row) from error
    slot.desktop = None
    now = host.clock.now()
    with host.store.transaction():
        host.store.finish(intent)
        if slot.row.held:
            host.store.forget_slot(slot.row.id)
        else:
            host.store.put_slot(slots.destroyed(slot.row, why, now))
            host.store.log(now, "destroyed", slot.row.id, why=why, episodes=slot.row.episode)
            saving.left(host, slot.row.checkpoint, now)
        host.store.forget_unused_baselines()
    slot.row = slots.destroyed(slot.row, why, now)
    host.remove(slot)


async def _restore(host: Host, slot: LiveSlot) -> Desktop | None:
    try:
        if slot.row.episode > 1:
            await host.machine.destroy(slot.row.id)
        desktop = await host.machine.create(slot.row.id, slot.row.checkpoint)
        _count_tries(host, slot, desktop.tries)
        return desktop
    except MachineError as error:
        why = str(error)
        if isinstance(error, RestoreError):
            _count_tries(host, slot, error.tries)
    except Exception as error:
        host.log.exception("%s could not be started", slot.row.id)
        why = f"internal error ({type(error).__name__})"
    episodes.record(host, slot, episodes.RESTORE, why, passed=False)
    host.failed("restore", slot)
    state = slots.follow(slot.row.state, "restore_failed")
    host.change(slot, state=state, last_error=f"restore failed: {why}")
    return None


def _count_tries(host: Host, slot: LiveSlot, tries: int) -> None:
    for _ in range(1, tries):
        host.tried_again("restore", slot)
