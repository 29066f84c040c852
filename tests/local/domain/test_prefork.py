"""Forks prepared in the background: when the next fork gets them, and when they are thrown away."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from drums.local.domain import acting, branching, episodes, lifecycle, looking, prefork, rewards, saving
from drums.local.domain.forking import Fork
from drums.local.domain.leases import Lease
from drums.local.domain.limits import Limits
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import RestoreError, SlotId

from .conftest import TASK, World

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


async def a_prepared_slot(world: World, fork: Fork | None = None) -> str:
    """A valid slot with two children prepared, whose gates have passed as well."""
    slot = await world.a_valid_slot(TASK)
    await prefork.prefork(world.host, slot, fork or Fork(2))
    await world.clock.advance(6)
    return slot


async def test_it_is_answered_at_once_and_prepared_in_the_background(world: World) -> None:
    slot = await world.a_slot()
    world.machine.holds["capture"] = asyncio.Event()

    prepared = await prefork.prefork(world.host, slot, Fork(2))
    statuses = [prepared.status]
    world.machine.holds["capture"].set()
    await world.clock.settle()

    assert [*statuses, prepared.status] == ["preparing", "ready"]


async def test_the_next_fork_gets_the_prepared_children(world: World) -> None:
    slot = await a_prepared_slot(world)
    world.machine.calls.clear()

    branched = await branching.branch(world.host, slot, Fork(2, lease=Lease(60), state_lease=Lease(90)))

    assert [child.state for child in branched.children] == ["ready", "ready"]
    assert not {call for call, _ in world.machine.calls} & {"capture", "create"}
    assert {child.idle_timeout_s for child in branched.children} == {60}
    assert branched.state.idle_timeout_s == 90
    assert episodes.report(branched.children[0]).verdict == "valid"
    assert world.live() == [slot, *(child.id for child in branched.children)]
    assert {child.created_at for child in branched.children} == {world.clock.now()}


async def test_a_fork_that_comes_during_the_preparation_waits_for_it(world: World) -> None:
    slot = await world.a_slot()
    world.machine.holds["create"] = asyncio.Event()
    await prefork.prefork(world.host, slot, Fork(2))
    forking = asyncio.create_task(branching.branch(world.host, slot, Fork(2)))
    await world.clock.settle()

    world.machine.holds["create"].set()

    assert [child.state for child in (await forking).children] == ["ready", "ready"]
    assert [call for call, _ in world.machine.calls].count("capture") == 1


async def test_prepared_children_can_not_be_named_or_seen(world: World) -> None:
    slot = await a_prepared_slot(world)

    assert world.live() == [slot]
    assert [row.id for row in looking.page(world.host, include_destroyed=True).rows] == [slot]
    assert saving.listed(world.host)[1] == []
    for ask in (
        lambda: looking.slot(world.host, "s2"),
        lambda: saving.source(world.host, "c1"),
    ):
        with pytest.raises(Refusal) as refused:
            ask()
        assert refused.value.kind == "not_found"


async def nothing_is_left(world: World, slot: str) -> bool:
    await world.clock.settle()
    return set(world.machine.desktops) == {slot} and not world.machine.states and len(world.host.slots) == 1


INPUT: dict[str, Callable[[World, str], Awaitable[object]]] = {
    "step": lambda world, slot: acting.step(world.host, slot, acting.Pyautogui("1")),
    "task": lambda world, slot: acting.set_task(world.host, slot, TASK),
    "reset": lambda world, slot: lifecycle.reset(world.host, slot),
    "verify": lambda world, slot: rewards.verify(world.host, slot),
    "quarantine": lambda world, slot: lifecycle.quarantine(world.host, slot, "client"),
}
LOOKING: dict[str, Callable[[World, str], Awaitable[object]]] = {
    "screenshot": lambda world, slot: acting.screenshot(world.host, slot),
    "gates": lambda world, slot: looking.gates(world.host, slot),
    "quiescent": lambda world, slot: saving.wait_quiescent(world.host, slot),
    "capture": lambda world, slot: saving.capture(world.host, slot),
}


@pytest.mark.parametrize("input", INPUT)
async def test_any_input_throws_it_away(world: World, input: str) -> None:
    slot = await a_prepared_slot(world)

    await INPUT[input](world, slot)

    assert await nothing_is_left(world, slot)


@pytest.mark.parametrize("look", LOOKING)
async def test_looking_leaves_it(world: World, look: str) -> None:
    slot = await a_prepared_slot(world)

    await LOOKING[look](world, slot)
    branched = await branching.branch(world.host, slot, Fork(2))

    assert [child.id for child in branched.children] == ["s2", "s3"]


async def test_input_during_the_wait_for_rest_does_not_wait(world: World) -> None:
    world.machine.quiet_s = None
    slot = await world.a_slot()
    await prefork.prefork(world.host, slot, Fork(2))
    await world.clock.advance(0.1)

    stepped = await acting.step(world.host, slot, acting.Run("execute", "touch a"))

    assert stepped.outcome.returncode == 0
    assert await nothing_is_left(world, slot)


@pytest.mark.parametrize("move", ["a process starts", "a process comes and goes", "a file changes"])
async def test_a_desktop_that_has_changed_is_forked_anew(world: World, move: str) -> None:
    slot = await a_prepared_slot(world)
    desktop = world.desktop(slot)
    if move == "a file changes":
        await desktop.execute("touch a", shell=False)
    else:
        process = desktop.start_process()
        if move == "a process comes and goes":
            desktop.end_process(process)

    branched = await branching.branch(world.host, slot, Fork(2))

    assert [child.id for child in branched.children] == ["s4", "s5"]
    await world.clock.settle()
    assert set(world.machine.states) == {branched.state.id}
    assert world.live() == [slot, "s4", "s5"]


@pytest.mark.parametrize("fork", [Fork(3), Fork(2, delete_state_with_children=True)])
async def test_a_fork_of_another_kind_does_not_get_it(world: World, fork: Fork) -> None:
    slot = await a_prepared_slot(world)

    branched = await branching.branch(world.host, slot, fork)

    assert len(branched.children) == fork.n
    assert "s2" not in {child.id for child in branched.children}
    await world.clock.settle()
    assert set(world.machine.states) == {branched.state.id}


async def test_unclaimed_it_is_thrown_away_after_its_age(world: World) -> None:
    slot = await a_prepared_slot(world)
    await world.clock.advance(113)
    assert len(world.host.slots) == 3

    await world.clock.advance(2)

    assert await nothing_is_left(world, slot)


async def test_one_with_a_child_that_did_not_come_up_is_not_handed_out(world: World) -> None:
    slot = await world.a_slot()
    world.machine.fails["create"].append(RestoreError("no memory"))
    await prefork.prefork(world.host, slot, Fork(2))
    await world.clock.settle()
    assert await nothing_is_left(world, slot)

    branched = await branching.branch(world.host, slot, Fork(2))

    assert [child.state for child in branched.children] == ["ready", "ready"]


async def test_one_with_a_child_whose_gate_failed_is_not_handed_out(world: World) -> None:
    slot = await world.a_valid_slot()
    await prefork.prefork(world.host, slot, Fork(2))
    await world.clock.settle()
    world.machine.bad_gates[SlotId("s2"), "processes_alive"] = "gone"
    await world.clock.advance(6)

    branched = await branching.branch(world.host, slot, Fork(2))

    assert [child.id for child in branched.children] == ["s4", "s5"]


async def test_a_later_one_replaces_the_earlier(world: World) -> None:
    slot = await a_prepared_slot(world)

    await prefork.prefork(world.host, slot, Fork(3))
    await world.clock.settle()

    assert set(world.machine.desktops) == {slot, "s4", "s5", "s6"}
    assert len(world.machine.states) == 1


async def test_a_fork_that_waited_for_its_turn_does_not_wait_for_one_that_came_later(world: World) -> None:
    slot = await world.a_slot()
    world.machine.holds["pyautogui"] = asyncio.Event()
    stepping = asyncio.create_task(acting.step(world.host, slot, acting.Pyautogui("1")))
    await world.clock.settle()
    forking = asyncio.create_task(branching.branch(world.host, slot, Fork(3)))
    await world.clock.settle()
    await prefork.prefork(world.host, slot, Fork(2))

    world.machine.holds["pyautogui"].set()
    await stepping

    assert len((await forking).children) == 3


async def test_its_places_count_and_are_free_again_when_it_is_dropped() -> None:
    world = World(limits=Limits(max_slots=3))
    await world.host.start()
    slot = await a_prepared_slot(world)
    with pytest.raises(Refusal) as refused:
        await world.a_slot()
    assert refused.value.kind == "overloaded"

    await acting.step(world.host, slot, acting.Pyautogui("1"))
    await world.clock.settle()

    await world.a_slot()
    await world.host.stop()


async def test_beyond_the_places_it_is_refused() -> None:
    world = World(limits=Limits(max_slots=2))
    await world.host.start()
    slot = await world.a_slot()

    with pytest.raises(Refusal) as refused:
        await prefork.prefork(world.host, slot, Fork(2))

    assert refused.value.kind == "overloaded"
    await world.host.stop()


async def test_the_parents_end_takes_it_along(world: World) -> None:
    slot = await a_prepared_slot(world)

    await lifecycle.delete(world.host, slot)
    await world.clock.settle()

    assert world.machine.desktops == {}
    assert world.machine.states == {}


async def test_the_parents_end_in_the_middle_of_the_preparation_leaves_nothing(world: World) -> None:
    slot = await world.a_slot()
    world.machine.holds["state_hash"] = asyncio.Event()
    await prefork.prefork(world.host, slot, Fork(2))
    await world.clock.settle()
    assert len(world.machine.states) == 1

    await lifecycle.delete(world.host, slot)
    await world.clock.settle()

    assert (world.machine.desktops, world.machine.states, world.host.slots) == ({}, {}, {})


async def test_prepared_episodes_are_nobodys_until_they_are_claimed(world: World) -> None:
    slot = await a_prepared_slot(world)
    assert world.host.window.ledger.episodes == {"valid": 1}

    await branching.branch(world.host, slot, Fork(2))

    assert world.host.window.ledger.episodes == {"valid": 3}
