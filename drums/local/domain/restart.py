"""After a start: make the store agree with what still runs. And at an orderly end: write down what has ended.

Whatever an earlier daemon was doing when it was killed is finished or undone here, from its intents and its
rows alone. Invariant: afterwards every live row has its desktop or is `down`, every desktop and every state has
its row, and no intent is left; and doing it again changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from drums.local.domain import episodes, figures, saving, slots
from drums.local.machines.machine import MachineError

if TYPE_CHECKING:
    from drums.local.domain.host import Host
    from drums.local.machines.machine import CheckpointId, Desktop, SlotId
    from drums.local.store import SlotRow

RESTARTED = "daemon restarted"
STOPPED = "daemon stopped"


async def reconcile(host: Host) -> None:
    """Finish or undo what was half done, adopt what still runs, remove what nobody knows."""
    desktops, states = await host.machine.survivors()
    await _reconcile_states(host, {state.id for state in states})
    ends = {slot: intent.detail for intent in host.store.intents() if intent.kind == "destroy" for slot in intent.slots}
    for row in host.store.live_slots():
        why = ends.get(row.id) or _why_not_adopted(host, row, desktops.get(row.id))
        if why is None:
            await _adopt(host, row, desktops.get(row.id))
        else:
            await _end(host, row, why)
    for unknown in desktops.keys() - host.slots.keys():
        host.log.warning("%s runs and nobody knows it: ended", unknown)
        await _destroy(host, unknown)
    for state in list(host.states.values()):
        await saving.delete_if_childless(host, state.id)
    with host.store.transaction():
        for intent in host.store.intents():
            host.store.finish(intent.id)
        host.store.forget_unused_baselines()


def write_down_the_end(host: Host) -> None:
    """Every desktop has ended with the machine: leave the records of destroyed slots, and close the window."""
    with host.store.transaction():
        for slot in list(host.slots.values()):
            episodes.end(host, slot)
            _destroyed(host, slot.row, STOPPED)
            host.remove(slot)
        figures.close_window(host)


async def _reconcile_states(host: Host, surviving: set[CheckpointId]) -> None:
    going = {intent.checkpoint for intent in host.store.intents() if intent.kind == "delete_state"}
    for state in host.store.checkpoints():
        if state.id in surviving and state.id not in going and not state.held:
            host.states[state.id] = state
            continue
        await _delete(host, state.id)
        host.store.forget_checkpoint(state.id)
        host.log.warning("state %s is gone: %s", state.id, RESTARTED)
    for unknown in surviving - host.states.keys():
        await _delete(host, unknown)


def _why_not_adopted(host: Host, row: SlotRow, desktop: Desktop | None) -> str | None:
    """Why a slot of an earlier daemon can't go on; None when it can."""
    if row.held or row.state == "creating":
        return RESTARTED
    if row.state == "down":
        known = {image.id for image in host.machine.images()} | host.states.keys()
        return None if row.checkpoint in known else RESTARTED
    return RESTARTED if desktop is None else None


async def _adopt(host: Host, row: SlotRow, desktop: Desktop | None) -> None:
    """Go on with a slot. Gates that were pending are taken as if its episode began now, which is later than it did."""
    if row.state == "down":
        await _destroy(host, row.id)
        desktop = None
    slot = host.add(replace(row, last_used_at=host.clock.now()))
    slot.desktop = desktop
    slot.episode_began = host.clock.monotonic()
    verdict = episodes.verdict(row.gates)
    if verdict != "pending":
        slot.counted = (replace(host.window), verdict)  # in a window of the earlier daemon
        slot.settled.set()
    elif desktop is not None:
        episodes.watch(host, slot, desktop)


async def _end(host: Host, row: SlotRow, why: str) -> None:
    await _destroy(host, row.id)
    with host.store.transaction():
        _destroyed(host, row, why)
    host.log.warning("%s was %s and is ended: %s", row.id, row.state, why)


async def _destroy(host: Host, slot: SlotId) -> None:
    """End a desktop; one that can't be ended keeps no daemon from starting, and is unknown to the next one."""
    try:
        await host.machine.destroy(slot)
    except MachineError as error:
        host.log.error("%s could not be ended and is left running: %s", slot, error)  # noqa: TRY400 - the message is all


async def _delete(host: Host, state: CheckpointId) -> None:
    try:
        await host.machine.delete(state)
    except MachineError as error:
        host.log.error("state %s could not be deleted and is left: %s", state, error)  # noqa: TRY400 - as above


def _destroyed(host: Host, row: SlotRow, why: str) -> None:
    now = host.clock.now()
    if row.held:
        host.store.forget_slot(row.id)
        return
    host.store.put_slot(slots.destroyed(row, why, now))
    host.store.log(now, "destroyed", row.id, why=why, episodes=row.episode)
