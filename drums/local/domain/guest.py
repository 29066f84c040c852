"""Whose turn it is on a desktop, and what follows when it does not answer or is gone.

Invariant: what drives or changes a desktop is decided and done inside one `turn`, so two requests never mix on
a desktop, and the state that was decided on is the state that is acted on.
"""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from drums.local.domain import episodes, slots
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import DesktopGone, MachineError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
    from drums.local.machines.machine import Desktop
    from drums.local.store import SlotState


@asynccontextmanager
async def turn(host: Host, slot: LiveSlot, operation: slots.Operation) -> AsyncGenerator[SlotState]:
    """Wait until nobody else drives the slot, decide, and keep it until the block ends; gives the state that follows.

    Input throws a prepared fork away: before the wait, because the preparation may be what is waited for, and after it,
    because another one may have begun meanwhile.

    Raises:
        Refusal: The slot's state forbids it, or the slot is being destroyed.
    """
    _drop_prefork(host, slot, operation)
    async with slot.turn:
        state = decide(slot, operation)
        _drop_prefork(host, slot, operation)
        yield state


def decide(slot: LiveSlot, operation: slots.Operation) -> SlotState:
    """The state that follows; a slot that is being destroyed refuses everything but the deed that destroys it."""
    if slot.closing is not None and slot.row.state != "destroyed":
        words = f"{slot.row.id} is being destroyed ({slot.closing})"
        raise Refusal("gone", words, slot=slot.row, closed_reason=slot.closing)
    return slots.decide(slot.row, operation)


@contextmanager
def guest_errors(host: Host, slot: LiveSlot) -> Generator[Desktop]:
    """The slot's desktop; what goes wrong in it inside the block becomes a refusal, and is counted.

    Raises:
        Refusal: `guest_error`: what was asked may have been done in part.
    """
    desktop = slot.desktop
    if desktop is None:  # the state said that there is one, and nothing ends a desktop without changing the state
        raise AssertionError(f"{slot.row.id} is {slot.row.state} and has no desktop")
    try:
        yield desktop
    except DesktopGone as error:
        episodes.lose_desktop(host, slot, desktop, error)
        words = f"the desktop of {slot.row.id} is gone: {error}"
        raise Refusal("guest_error", words, slot=slot.row, gates=episodes.report(slot.row)) from error
    except MachineError as error:
        host.failed("guest", slot)
        raise Refusal("guest_error", f"{slot.row.id}: {error}", slot=slot.row) from error


def _drop_prefork(host: Host, slot: LiveSlot, operation: slots.Operation) -> None:
    if operation in slots.INPUT and slots.TABLE[slot.row.state, operation] is not None:
        host.drop_prefork(slot, f"{operation} came first")
