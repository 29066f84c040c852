"""Fork: save a desktop and start children of that state, or hand out those that a prefork has prepared.

Invariant: a fork is refused before anything starts, or it replies a state and exactly `n` children, each a record or an
error; the parent goes on in its episode either way.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.domain import forking, prefork, saving
from drums.local.domain.guest import turn

if TYPE_CHECKING:
    from drums.local.domain.forking import Fork
    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
    from drums.local.store import CheckpointRow, SlotRow


@dataclass(frozen=True, slots=True)
class Branched:
    """What came of a fork."""

    state: CheckpointRow
    children: tuple[SlotRow, ...]
    """In order; one that did not come up is `destroyed`, with `last_error`."""
    slots: int
    """How many live slots stand on the state."""
    seconds: float
    """Without the wait for a still desktop."""


async def branch(host: Host, id: str, fork: Fork) -> Branched:
    """Save a slot's desktop and start `n` children of it at the same time.

    Raises:
        Refusal: Too many, no place, not `ready`, or not still; nothing was captured.
    """
    host.admission.check_fork(fork.n)
    return await host.deed(_branch(host, id, fork))


async def _branch(host: Host, id: str, fork: Fork) -> Branched:
    with host.using(id) as slot, ExitStack() as timing:
        await prefork.prepared(slot, fork)
        async with turn(host, slot, "branch"):
            timing.enter_context(host.timed("fork", slot))
            began = host.clock.monotonic()
            if claimed := await prefork.claim(host, slot, fork):
                return _told(host, slot, *claimed, began)
            await prefork.cleaned_up(slot)
            with host.admission.promise(slots=fork.n, states=1) as promise:
                saved = await forking.save_for(host, slot, fork)
                children = await forking.add_children(host, slot.row, fork, saved.row, promise)
        await forking.come_up(host, children)
        branched = _told(host, slot, saved.row, children, began + saved.waited_s)
        await saving.delete_if_childless(host, saved.row.id)
        return branched


def _told(host: Host, slot: LiveSlot, state: CheckpointRow, children: list[LiveSlot], began: float) -> Branched:
    rows = tuple(child.row for child in children)
    names = [row.id for row in rows]
    failed = [row.id for row in rows if row.state == "destroyed"]
    seconds = host.clock.monotonic() - began
    host.store.log(host.clock.now(), "forked", slot.row.id, state=state.id, children=names, failed=failed)
    host.log.info("fork %s -> %s %.1f s", slot.row.id, " ".join(names), seconds)
    return Branched(state, rows, len(rows) - len(failed), seconds)
