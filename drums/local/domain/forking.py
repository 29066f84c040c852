"""What a fork is made of: a saved state, and children that start from it at the same time.

It decides neither when nor for whom (`branching`, `prefork`). Invariant: a child is written down before it is
started, with its parent's task and without its setup, whose effects are in the saved state.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from drums.local.domain import lifecycle, saving
from drums.local.domain.leases import Lease
from drums.local.domain.quiescence import DEFAULT_TIMEOUT_S
from drums.local.domain.refusals import Refusal

if TYPE_CHECKING:
    from drums.local.domain.host import Host
    from drums.local.domain.limits import Promise
    from drums.local.domain.live import LiveSlot
    from drums.local.store import CheckpointRow, SlotRow


@dataclass(frozen=True, slots=True)
class Fork:
    """What is asked for."""

    n: int
    quiesce_timeout_s: float = DEFAULT_TIMEOUT_S
    delete_state_with_children: bool = False
    lease: Lease = field(default_factory=Lease)
    """Of each child."""
    state_lease: Lease = field(default_factory=Lease)


async def save_for(
    host: Host, slot: LiveSlot, fork: Fork, *, held: bool = False, stop: asyncio.Event | None = None
) -> saving.Saved:
    """Save the desktop that children are to start from, within a turn.

    Args:
        host: The daemon.
        slot: The parent.
        fork: What is asked for.
        held: Whether it is a prefork's.
        stop: Ends the wait for a still desktop when it is set.

    Raises:
        Refusal: Nothing was captured.
    """
    plan = saving.Plan(saving.free_id(host, None), fork.state_lease, fork.delete_state_with_children, held)
    return await saving.save(host, slot, "branch", plan, quiesce_timeout_s=fork.quiesce_timeout_s, stop=stop)


async def add_children(
    host: Host, parent: SlotRow, fork: Fork, state: CheckpointRow, promise: Promise
) -> list[LiveSlot]:
    """Write the children of a state down, each with its turn taken; `come_up` must follow, it gives the turns back."""
    rows = [
        lifecycle.new_row(host, state.id, parent.task, fork.lease, setup=False, child_of=parent, held=state.held)
        for _ in range(fork.n)
    ]
    with host.store.transaction():
        children = [host.add(row) for row in rows]
    promise.kept(slots=fork.n, states=1)
    for child in children:
        await child.turn.acquire()  # nobody had it yet, so this does not wait
    return children


async def come_up(host: Host, children: list[LiveSlot]) -> None:
    """Start the children at the same time; one that does not come up is destroyed, and its row tells why."""
    await asyncio.gather(*(_come_up(host, child) for child in children))


async def _come_up(host: Host, child: LiveSlot) -> None:
    try:
        await lifecycle.bring_up(host, child, None)
        if child.row.state == "down":
            await lifecycle.end_for_good(host, child, child.row.last_error or "did not come up")
    except Refusal as refusal:  # it stays as a record that is down, until its lease ends
        host.log.warning("%s", refusal)
    finally:
        child.turn.release()
