"""Saved states: captures, what stands on a state, how it ends."""

from __future__ import annotations

import asyncio

import pytest

from drums.local.domain import lifecycle, saving
from drums.local.domain.leases import Lease
from drums.local.domain.limits import Limits
from drums.local.domain.refusals import Refusal

from .conftest import TASK, World
from .fake_machine import IMAGE


async def test_a_capture_keeps_the_desktop_and_the_slot_goes_on(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await world.desktop(slot).execute("touch a", shell=False)

    state = await saving.capture(world.host, slot, lease=Lease(60, 600))
    await world.desktop(slot).execute("touch b", shell=False)

    assert (state.id, state.parent, state.size_bytes) == ("c1", slot, 100)
    assert (state.idle_timeout_s, state.ttl_s) == (60, 600)
    assert world.row(slot).state == "ready"
    copy = await lifecycle.create(world.host, state.id)
    assert world.desktop(copy.id).content.files == {"prepared", "a"}


async def test_a_slot_from_a_state_goes_on_with_its_task_and_without_its_setup(world: World) -> None:
    slot = await world.a_slot(TASK)
    state = await saving.capture(world.host, slot)
    await world.desktop(slot).execute("rm prepared", shell=False)
    later = await saving.capture(world.host, slot, "later")

    row = await lifecycle.create(world.host, later.id)
    assert (row.task, row.setup) == (TASK, False)
    assert world.desktop(row.id).content.files == set()
    await lifecycle.reset(world.host, row.id)
    assert world.desktop(row.id).content.files == set()

    row = await lifecycle.create(world.host, later.id, setup=True)
    assert world.desktop(row.id).content.files == {"prepared"}
    assert state.task == TASK


async def test_a_name_that_is_taken_is_refused_and_free_again_after_the_deletion(world: World) -> None:
    slot = await world.a_slot()
    await saving.capture(world.host, slot, "warm")

    for name in ("warm", IMAGE, "default"):
        with pytest.raises(Refusal) as refused:
            await saving.capture(world.host, slot, name)
        assert refused.value.kind == "conflict"

    await saving.delete(world.host, "warm")
    assert (await saving.capture(world.host, slot, "warm")).id == "warm"


async def test_a_chosen_id_does_not_collide_with_a_given_name(world: World) -> None:
    slot = await world.a_slot()
    await saving.capture(world.host, slot, "c1")

    assert (await saving.capture(world.host, slot)).id == "c2"


async def test_a_name_that_is_being_captured_is_taken(world: World) -> None:
    first, second = await world.a_slot(), await world.a_slot()
    world.machine.holds["capture"] = asyncio.Event()
    capturing = asyncio.create_task(saving.capture(world.host, first, "warm"))
    await world.clock.settle()

    with pytest.raises(Refusal) as refused:
        await saving.capture(world.host, second, "warm")

    assert refused.value.kind == "conflict"
    world.machine.holds["capture"].set()
    await capturing


async def test_a_state_is_deleted_only_when_no_slot_stands_on_it(world: World) -> None:
    state = await saving.capture(world.host, await world.a_slot())
    child = await lifecycle.create(world.host, state.id)

    with pytest.raises(Refusal) as refused:
        await saving.delete(world.host, state.id)
    assert (refused.value.kind, child.id in refused.value.message) == ("conflict", True)

    await lifecycle.delete(world.host, child.id)
    await saving.delete(world.host, state.id)
    assert world.machine.states == {}
    with pytest.raises(Refusal) as refused:
        await saving.delete(world.host, state.id)
    assert refused.value.kind == "not_found"


async def test_an_image_is_not_deleted(world: World) -> None:
    with pytest.raises(Refusal) as refused:
        await saving.delete(world.host, IMAGE)

    assert refused.value.kind == "conflict"


async def test_a_desktop_that_moves_is_not_captured(world: World) -> None:
    world.machine.quiet_s = None
    slot = await world.a_slot()
    capturing = asyncio.create_task(saving.capture(world.host, slot, quiesce_timeout_s=3))
    for _ in range(8):
        await world.clock.advance(0.5)
        world.desktop(slot).start_process()

    with pytest.raises(Refusal) as refused:
        await capturing
    assert refused.value.kind == "not_quiescent"
    assert world.machine.states == {}
    assert world.store.intents() == []


async def test_a_zombie_is_named(world: World) -> None:
    slot = await world.a_slot()
    world.desktop(slot).start_process("zombie")

    waiting = asyncio.create_task(saving.wait_quiescent(world.host, slot, timeout_s=2))
    await world.clock.advance(3)

    with pytest.raises(Refusal, match=r"p2 \(pid 2, zombie\)"):
        await waiting


async def test_a_desktop_that_comes_to_rest_is_captured_a_window_later(world: World) -> None:
    world.machine.quiet_s = None
    slot = await world.a_slot()
    began = world.clock.elapsed
    capturing = asyncio.create_task(saving.capture(world.host, slot))
    await world.clock.advance(0.6)
    world.desktop(slot).start_process()
    await world.clock.advance(0.9)
    assert not capturing.done()

    await world.clock.advance(0.3)

    assert (await capturing).id == "c1"
    assert world.clock.elapsed - began < 2


async def test_a_process_that_starts_at_the_moment_of_the_capture_makes_it_try_again(world: World) -> None:
    slot = await world.a_slot()
    once = iter([True])

    def move(call: str) -> None:
        if call == "capture" and next(once, False):
            world.desktop(slot).start_process()

    world.machine.on_call = move
    capturing = asyncio.create_task(saving.capture(world.host, slot))
    await world.clock.advance(2)

    assert (await capturing).id == "c1"
    assert world.host.window.ledger.retries == {"not_quiescent": 1}


async def test_a_process_that_starts_at_every_capture_ends_in_a_refusal(world: World) -> None:
    slot = await world.a_slot()

    def move(call: str) -> None:
        if call == "capture":
            world.desktop(slot).start_process()

    world.machine.on_call = move
    capturing = asyncio.create_task(saving.capture(world.host, slot, quiesce_timeout_s=3))
    await world.clock.advance(5)

    with pytest.raises(Refusal) as refused:
        await capturing
    assert refused.value.kind == "not_quiescent"
    assert world.machine.states == {}


async def test_waiting_for_rest_does_not_hold_up_an_action_or_the_end(world: World) -> None:
    world.machine.quiet_s = None
    slot = await world.a_slot()
    waiting = asyncio.create_task(saving.wait_quiescent(world.host, slot, timeout_s=600, window_s=60))
    await world.clock.advance(1)

    await lifecycle.reset(world.host, slot)
    await world.clock.advance(1)
    with pytest.raises(Refusal):
        await waiting

    assert world.row(slot).state == "ready"


async def test_a_gate_that_fails_during_the_wait_forbids_the_capture(world: World) -> None:
    world.machine.quiet_s = None
    slot = await world.a_slot()
    world.machine.bad_gates[None, "processes_alive"] = "gone"
    await world.clock.advance(4.5)
    capturing = asyncio.create_task(saving.capture(world.host, slot))

    await world.clock.advance(3)

    with pytest.raises(Refusal, match="quarantined"):
        await capturing
    assert world.machine.states == {}


async def test_more_states_than_allowed_are_refused() -> None:
    world = World(limits=Limits(max_states=1))
    await world.host.start()
    slot = await world.a_slot()
    await saving.capture(world.host, slot)

    with pytest.raises(Refusal) as refused:
        await saving.capture(world.host, slot)

    assert refused.value.kind == "quota_exceeded"
    await world.host.stop()
