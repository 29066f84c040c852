"""Leases as the running daemon keeps them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from drums.local.domain import acting, branching, lifecycle, looking, saving
from drums.local.domain.forking import Fork
from drums.local.domain.leases import Lease
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import MachineError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .conftest import World


async def test_an_unused_slot_is_reaped_after_half_an_hour(world: World) -> None:
    slot = await world.a_slot()
    await world.clock.advance(1799)
    assert world.live() == [slot]

    await world.clock.advance(1)

    assert world.live() == []
    assert world.row(slot).closed_reason == "idle for 1800 s"
    assert world.machine.desktops == {}


async def test_0_is_no_limit(world: World) -> None:
    slot = await world.a_slot(lease=Lease(0, 0))

    await world.clock.advance(10_000_000)

    assert world.live() == [slot]


async def get(world: World, slot: str) -> object:
    return looking.slot(world.host, slot)


USES: dict[str, Callable[[World, str], Awaitable[object]]] = {
    "get": get,
    "gates": lambda world, slot: looking.gates(world.host, slot),
    "screenshot": lambda world, slot: acting.screenshot(world.host, slot),
    "step": lambda world, slot: acting.step(world.host, slot, acting.Pyautogui("1")),
    "capture": lambda world, slot: saving.capture(world.host, slot),
    "reset": lambda world, slot: lifecycle.reset(world.host, slot),
}


@pytest.mark.parametrize("use", USES)
async def test_any_request_that_names_a_slot_uses_it(world: World, use: str) -> None:
    slot = await world.a_slot(lease=Lease(60))
    await world.clock.advance(50)

    await USES[use](world, slot)
    await world.clock.advance(50)

    assert world.live() == [slot]
    await world.clock.advance(11)
    assert world.live() == []


async def test_also_a_refused_request_uses_the_slot(world: World) -> None:
    slot = await world.a_slot(lease=Lease(60))
    await lifecycle.quarantine(world.host, slot, "client")
    await world.clock.advance(50)

    with pytest.raises(Refusal):
        await acting.step(world.host, slot, acting.Pyautogui("1"))
    await world.clock.advance(50)

    assert world.live() == [slot]


async def test_listing_uses_nothing(world: World) -> None:
    await world.a_slot(lease=Lease(60))
    await world.clock.advance(50)

    assert len(looking.live_slots(world.host)) == 1
    looking.page(world.host)
    await world.clock.advance(10)

    assert world.live() == []


async def test_a_slot_is_not_idle_while_it_serves_a_request(world: World) -> None:
    slot = await world.a_slot(lease=Lease(60))
    sleeping = asyncio.create_task(acting.step(world.host, slot, acting.Sleep(500)))

    await world.clock.advance(499)
    assert world.live() == [slot]

    await world.clock.advance(1)
    await sleeping
    await world.clock.advance(61)
    assert world.live() == []


async def test_the_ttl_ends_a_slot_that_is_in_use(world: World) -> None:
    slot = await world.a_slot(lease=Lease(0, 60))
    sleeping = asyncio.create_task(acting.step(world.host, slot, acting.Sleep(500)))

    await world.clock.advance(60)

    assert world.live() == []
    with pytest.raises(Refusal) as refused:
        await sleeping
    assert (refused.value.kind, refused.value.closed_reason) == ("gone", "ttl of 60 s over")


async def test_a_states_idle_time_counts_from_its_last_slots_close(world: World) -> None:
    slot = await world.a_slot(lease=Lease(0))
    state = await saving.capture(world.host, slot, lease=Lease(100))
    child = await lifecycle.create(world.host, state.id, lease=Lease(0))
    await world.clock.advance(1000)
    assert state.id in world.machine.states

    await lifecycle.delete(world.host, child.id)
    await world.clock.advance(99)
    assert state.id in world.machine.states

    await world.clock.advance(1)
    assert world.machine.states == {}
    assert world.host.states == {}


async def test_a_states_ttl_waits_for_the_slots_that_stand_on_it(world: World) -> None:
    slot = await world.a_slot(lease=Lease(0))
    branched = await branching.branch(world.host, slot, Fork(1, lease=Lease(0), state_lease=Lease(0, 60)))
    await world.clock.advance(100)
    assert branched.state.id in world.machine.states

    await lifecycle.delete(world.host, branched.children[0].id)
    await world.clock.settle()

    assert world.machine.states == {}


async def test_what_could_not_be_reaped_is_tried_again(world: World) -> None:
    await world.a_slot(lease=Lease(60))
    world.machine.fails["destroy"].append(MachineError("busy"))
    await world.clock.advance(60)
    assert world.live() == ["s1"]

    await world.clock.advance(60)

    assert world.live() == []


async def test_a_short_lease_is_kept_beside_a_long_one(world: World) -> None:
    await world.a_slot(lease=Lease(3000))
    await world.clock.advance(10)
    await world.a_slot(lease=Lease(5))

    await world.clock.advance(5)

    assert world.live() == ["s1"]
