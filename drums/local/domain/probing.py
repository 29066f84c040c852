"""Desktops of the daemon's own: a copy of a slot's, or a fresh one, on which an audit looks and that no caller sees.

They have no row, no lease, no episode and no figures, and few exist at once: where there is no place for one, there is
none. Invariant: none is left behind. Each is written down as an intent before it is made and ended when its block ends;
one that a killed daemon left is nobody's at the next start, and is ended there.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from drums.local.domain.quiescence import NotStill, wait_still
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import CheckpointId, MachineError, SlotId

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Generator

    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
    from drums.local.machines.machine import Desktop

STILL_WITHIN_S = 2.0
"""How long a desktop may take to become still, to be copied."""
STILL_FOR_S = 0.3
"""How long it must have been still; the capture itself checks the rest."""
RETRY_S = 30.0
"""How long after it could not be ended it is tried again."""


@contextmanager
def place(host: Host, *, states: int = 0) -> Generator[bool]:
    """A place for one desktop of the daemon's own until the block ends; False where there is none now."""
    try:
        promise = host.admission.promise(slots=1, states=states) if host.probes < host.limits.probes else None
    except Refusal:
        promise = None
    if promise is None:
        yield False
        return
    host.probes += 1
    try:
        with promise:
            yield True
    finally:
        host.probes -= 1


@asynccontextmanager
async def saved(host: Host, slot: LiveSlot) -> AsyncGenerator[CheckpointId | None]:
    """A slot's desktop as it is now, within a turn, to start one copy from; None where it can't be had at once.

    Raises:
        Refusal: `gone`: the slot is being destroyed.
    """
    with place(host, states=1) as free:
        if not free or not host.machine.live_fork or slot.desktop is None:
            yield None
            return
        state = _free_id(host)
        host.names_in_work.add(state)
        intent = host.store.begin("probe", checkpoint=state)
        try:
            yield state if await _captured(host, slot, slot.desktop, state) else None
        finally:
            await _end(host, intent, state, partial(host.machine.delete, state))


@asynccontextmanager
async def started(host: Host, source: CheckpointId) -> AsyncGenerator[Desktop | None]:
    """A desktop from an image or a state whose first gates have passed; None where it did not come up like that."""
    slot = SlotId(f"p{host.store.next_number('probe')}")
    intent = host.store.begin("probe", [slot])
    try:
        yield await _sound(host, slot, source)
    finally:
        await _end(host, intent, slot, partial(host.machine.destroy, slot))


def _free_id(host: Host) -> CheckpointId:
    """An id that neither a state nor an image has; a caller may have taken one that looks like ours."""
    taken = {image.id for image in host.machine.images()} | host.states.keys() | host.names_in_work
    while True:
        fresh = CheckpointId(f"p{host.store.next_number('probe')}")
        if fresh not in taken:
            return fresh


async def _captured(host: Host, slot: LiveSlot, desktop: Desktop, state: CheckpointId) -> bool:
    try:
        waiting = wait_still(desktop, host.clock, timeout_s=STILL_WITHIN_S, window_s=STILL_FOR_S)
        still = await slot.guest(waiting)
        await host.machine.capture(slot.row.id, state, still.tree)
    except (NotStill, MachineError) as why:
        host.log.info("%s was not copied for an audit: %s", slot.row.id, why)
        return False
    return True


async def _sound(host: Host, slot: SlotId, source: CheckpointId) -> Desktop | None:
    try:
        desktop = await host.machine.create(slot, source)
        at_once = [spec.name for spec in desktop.gates if not spec.after_s]
        readings = await asyncio.gather(*(desktop.take_gate(name) for name in at_once))
    except MachineError as why:
        host.log.info("no desktop for an audit from %s: %s", source, why)
        return None
    if all(reading.passed for reading in readings):
        return desktop
    bad = [name for name, reading in zip(at_once, readings, strict=True) if not reading.passed]
    host.log.info("no sound desktop for an audit from %s: gates %s", source, ", ".join(bad))
    return None


async def _end(host: Host, intent: int, what: str, end: Callable[[], Awaitable[None]]) -> None:
    if not await _ended(host, intent, what, end):
        host.in_background(_end_later(host, intent, what, end))


async def _end_later(host: Host, intent: int, what: str, end: Callable[[], Awaitable[None]]) -> None:
    """Try until it is gone; a daemon that stops meanwhile leaves the intent to the next start."""
    while True:
        await host.clock.sleep(RETRY_S)
        if await _ended(host, intent, what, end):
            return


async def _ended(host: Host, intent: int, what: str, end: Callable[[], Awaitable[None]]) -> bool:
    try:
        await end()
    except MachineError as error:
        host.log.warning("%s, made for an audit, could not be ended: %s", what, error)
        return False
    host.store.finish(intent)
    host.names_in_work.discard(CheckpointId(what))
    return True
