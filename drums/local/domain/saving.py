"""Saved states: how a desktop is captured, what stands on a state, and how a state ends.

Invariant: a state with a live slot on it is never deleted; its id is taken from the decision to capture it
until it is gone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from drums.local.domain import episodes, leases
from drums.local.domain.guest import decide, guest_errors, turn
from drums.local.domain.quiescence import DEFAULT_TIMEOUT_S, DEFAULT_WINDOW_S, NotStill, Still, wait_still
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import CheckpointId, MachineError, TreeChanged
from drums.local.store import CheckpointRow

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from drums.local.domain import slots
    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
    from drums.local.machines.machine import ImageInfo, ProcessTree


@dataclass(frozen=True, slots=True)
class Plan:
    """What a saved state is to be like."""

    id: CheckpointId
    lease: leases.Lease
    delete_with_children: bool = False
    held: bool = False
    """Whether it belongs to a prefork."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved state, and what was captured in it."""

    row: CheckpointRow
    tree: ProcessTree
    waited_s: float


def source(host: Host, checkpoint: str) -> CheckpointId:
    """The id of the image or saved state that a slot is to be made from; an image's alias gives the image.

    Raises:
        Refusal: There is none.
    """
    for image in host.machine.images():
        if checkpoint == image.id or checkpoint in image.aliases:
            return image.id
    state = host.states.get(CheckpointId(checkpoint))
    if state is None or state.held:
        raise Refusal("not_found", f"there is no image and no saved state {checkpoint}")
    return state.id


def slots_on(host: Host) -> Counter[CheckpointId]:
    """How many live slots were made from each checkpoint."""
    return Counter(slot.row.checkpoint for slot in host.slots.values())


def listed(host: Host) -> tuple[Sequence[ImageInfo], list[CheckpointRow]]:
    """Every image, and every saved state that a caller may know of, oldest first."""
    return host.machine.images(), [state for state in host.states.values() if not state.held]


async def wait_quiescent(
    host: Host, id: str, timeout_s: float = DEFAULT_TIMEOUT_S, window_s: float = DEFAULT_WINDOW_S
) -> tuple[int, float]:
    """Wait until no process starts or ends in a desktop; it only looks, so it needs no turn.

    Returns:
        The episode, and the seconds that it took.

    Raises:
        Refusal: `not_quiescent`: it did not in time.
    """
    with host.using(id) as slot:
        decide(slot, "quiescent")
        episode = slot.row.episode
        with host.timed("quiescent", slot):
            still = await wait_for_rest(host, slot, timeout_s, window_s)
        if slot.row.episode != episode:
            raise Refusal("conflict", f"{id} was reset meanwhile", slot=slot.row)
        return episode, still.seconds


async def capture(
    host: Host,
    id: str,
    name: str | None = None,
    quiesce_timeout_s: float = DEFAULT_TIMEOUT_S,
    lease: leases.Lease | None = None,
) -> CheckpointRow:
    """Save a slot's desktop; it keeps running.

    Raises:
        Refusal: The id is taken, there is no room for a state, or the desktop did not become still.
    """
    return await host.deed(_capture(host, id, name, quiesce_timeout_s, lease or leases.Lease()))


async def delete(host: Host, id: str) -> CheckpointRow:
    """Delete a saved state.

    Raises:
        Refusal: There is none, it is an image, or a slot that was made from it lives.
    """
    return await host.deed(_delete(host, id))


async def _delete(host: Host, id: str) -> CheckpointRow:
    checkpoint = source(host, id)
    state = host.states.get(checkpoint)
    if state is None:
        raise Refusal("conflict", f"{id} is an image; only saved states are deleted here")
    standing = [slot.row.id for slot in host.slots.values() if slot.row.checkpoint == checkpoint]
    if standing:
        words = f"{checkpoint} can't be deleted while slots made from it live: {' '.join(standing[:8])}"
        raise Refusal("conflict", words)
    return await delete_state(host, state)


async def delete_state(host: Host, state: CheckpointRow, why: str = "deleted by a client") -> CheckpointRow:
    """Delete a saved state that was just found to have nothing standing on it; nobody finds it from now on."""
    del host.states[state.id]
    host.names_in_work.add(state.id)
    intent = host.store.begin("delete_state", checkpoint=state.id)
    try:
        await host.machine.delete(state.id)
        with host.store.transaction():
            host.store.forget_checkpoint(state.id)
            host.store.forget_unused_baselines()
            host.store.finish(intent)
            host.store.log(host.clock.now(), "state_deleted", state=state.id, why=why)
        for key in [key for key in host.scores_of_nothing if key[0] == state.id]:  # another may get its id
            del host.scores_of_nothing[key]
    except MachineError as error:
        host.states[state.id] = state
        host.store.finish(intent)
        raise Refusal("unavailable", f"{state.id} could not be deleted: {error}") from error
    finally:
        host.names_in_work.discard(state.id)
    host.log.info("delete state %s: %s", state.id, why)
    return state


def left(host: Host, checkpoint: CheckpointId, now: float) -> None:
    """A slot that was made from the checkpoint is closed: a state's idle time starts again."""
    state = host.states.get(checkpoint)
    if state is not None:
        put(host, replace(state, last_used_at=now))


async def delete_if_childless(host: Host, checkpoint: CheckpointId) -> None:
    """Delete a state that was to go with its last child, if that is gone."""
    state = host.states.get(checkpoint)
    if state is None or not state.delete_with_children or slots_on(host)[checkpoint]:
        return
    try:
        await delete_state(host, state, "its last child is closed")
    except Refusal as refusal:  # it is due, so it will be tried again
        host.log.warning("%s", refusal)


def put(host: Host, state: CheckpointRow) -> None:
    """A state is there, or has changed."""
    host.states[state.id] = state
    host.store.put_checkpoint(state)


def free_id(host: Host, name: str | None) -> CheckpointId:
    """The id for a state that is about to be saved.

    Raises:
        Refusal: It is taken.
    """
    taken = {image.id for image in host.machine.images()} | host.states.keys() | host.names_in_work
    taken |= {alias for image in host.machine.images() for alias in image.aliases}
    if name is not None:
        if name in taken:
            raise Refusal("conflict", f"there is a checkpoint {name} already")
        return CheckpointId(name)
    while True:
        fresh = CheckpointId(f"c{host.store.next_number('checkpoint')}")
        if fresh not in taken:
            return fresh


async def wait_for_rest(
    host: Host,
    slot: LiveSlot,
    timeout_s: float,
    window_s: float = DEFAULT_WINDOW_S,
    stop: asyncio.Event | None = None,
) -> Still:
    """Wait for a still desktop.

    Raises:
        Refusal: `not_quiescent`, or the desktop is gone, or the slot is being closed.
    """
    with guest_errors(host, slot) as desktop:
        try:
            waiting = wait_still(desktop, host.clock, timeout_s=timeout_s, window_s=window_s, stop=stop)
            return await slot.guest(waiting)
        except NotStill as error:
            raise _not_quiescent(host, slot, str(error)) from error


async def save(
    host: Host,
    slot: LiveSlot,
    operation: slots.Operation,
    plan: Plan,
    *,
    quiesce_timeout_s: float,
    stop: asyncio.Event | None = None,
) -> Saved:
    """Wait for a still desktop and capture it, within a turn; once more when something moved in between.

    Raises:
        Refusal: `not_quiescent`: nothing was captured. Or the slot is no longer `ready`.
    """
    began = host.clock.monotonic()
    host.names_in_work.add(plan.id)
    try:
        while True:
            left_s = began + quiesce_timeout_s - host.clock.monotonic()
            await episodes.look_after(host, slot)
            still = await wait_for_rest(host, slot, max(0.0, left_s), stop=stop)
            decide(slot, operation)  # a gate may have failed during the wait
            waited_s = host.clock.monotonic() - began
            row = await _try_capture(host, slot, plan, still.tree)
            if row is not None:
                return Saved(row, still.tree, waited_s)
            if waited_s >= quiesce_timeout_s:
                raise _not_quiescent(host, slot, "a process started or ended at the moment of the capture")
            host.tried_again("not_quiescent", slot)
            await host.clock.sleep(min(DEFAULT_WINDOW_S, quiesce_timeout_s - waited_s))
    finally:
        host.names_in_work.discard(plan.id)


async def _try_capture(host: Host, slot: LiveSlot, plan: Plan, expected: ProcessTree) -> CheckpointRow | None:
    """Capture the desktop; None when it was not as expected and nothing is left of it."""
    intent = host.store.begin("capture", [slot.row.id], plan.id)
    try:
        with guest_errors(host, slot):
            info = await _captured(host, slot, plan, expected)
    except Refusal:
        host.store.finish(intent)
        raise
    if info is None:
        host.store.finish(intent)
        return None
    now = host.clock.now()
    row = CheckpointRow(
        id=plan.id,
        parent=slot.row.id,
        created_at=now,
        last_used_at=now,
        idle_timeout_s=plan.lease.idle_timeout_s,
        ttl_s=plan.lease.ttl_s,
        task=slot.row.task,
        delete_with_children=plan.delete_with_children,
        held=plan.held,
        size_bytes=info.size_bytes,
        start_score=slot.row.start_score,
        baseline=slot.row.baseline,
    )
    with host.store.transaction():
        put(host, row)
        host.store.finish(intent)
        host.store.log(now, "captured", slot.row.id, state=row.id, size_bytes=row.size_bytes)
    host.leases_changed.set()
    return row


async def _captured(host: Host, slot: LiveSlot, plan: Plan, expected: ProcessTree) -> ImageInfo | None:
    try:
        return await host.machine.capture(slot.row.id, plan.id, expected)
    except TreeChanged:
        return None


async def _capture(
    host: Host, id: str, name: str | None, quiesce_timeout_s: float, lease: leases.Lease
) -> CheckpointRow:
    with host.using(id) as slot:
        async with turn(host, slot, "capture"):
            plan = Plan(free_id(host, name), lease)
            with host.admission.promise(states=1), host.timed("capture", slot):
                saved = await save(host, slot, "capture", plan, quiesce_timeout_s=quiesce_timeout_s)
            host.log.info("save %s -> %s", slot.row.id, saved.row.id)
            return saved.row


def _not_quiescent(host: Host, slot: LiveSlot, why: str) -> Refusal:
    host.failed("not_quiescent", slot)
    return Refusal("not_quiescent", f"{slot.row.id}: {why}; nothing was captured", slot=slot.row)
