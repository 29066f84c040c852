"""How slots come to be, start over, are barred and end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from drums.local.domain import acting, episodes, lifecycle, looking
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import DesktopGone, GuestError, MachineError, RestoreError

from .conftest import TASK
from .fake_machine import IMAGE

if TYPE_CHECKING:
    from .conftest import World

FAILING_SETUP = {**TASK, "config": [{"type": "execute", "parameters": {"command": ["fail"]}}]}


async def test_a_created_slot_is_ready_in_episode_1_with_its_last_gate_pending(world: World) -> None:
    row = await lifecycle.create(world.host, "default")

    assert (row.id, row.state, row.episode, row.checkpoint) == ("s1", "ready", 1, IMAGE)
    assert (row.idle_timeout_s, row.ttl_s) == (1800, 0)
    await world.clock.settle()
    assert episodes.open_gates(world.row("s1").gates) == ["processes_alive"]


async def test_an_unknown_checkpoint_is_refused_before_anything_starts(world: World) -> None:
    with pytest.raises(Refusal) as refused:
        await lifecycle.create(world.host, "nowhere")

    assert refused.value.kind == "not_found"
    assert world.machine.desktops == {}


async def test_a_restore_that_fails_leaves_a_record_that_says_so(world: World) -> None:
    world.machine.fails["create"].append(RestoreError("no memory"))

    row = await lifecycle.create(world.host, IMAGE)

    assert (row.state, row.last_error) == ("down", "restore failed: no memory")
    assert episodes.report(row).verdict == "invalid"
    assert world.host.window.ledger.failures == {"restore": 1}


async def test_a_setup_that_fails_takes_the_slot_down_and_ends_its_desktop(world: World) -> None:
    row = await lifecycle.create(world.host, IMAGE, FAILING_SETUP)

    assert row.state == "down"
    assert (row.last_error or "").startswith("task setup failed: ")
    assert episodes.report(row).verdict == "invalid"
    assert world.machine.desktops == {}


async def test_a_reset_starts_a_sound_episode_from_the_checkpoint(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await acting.step(world.host, slot, acting.Run("execute", ["touch", "done"]))

    row = await lifecycle.reset(world.host, slot)

    assert (row.state, row.episode) == ("ready", 2)
    assert world.desktop(slot).content.files == {"prepared"}
    assert episodes.report(row).verdict == "pending"
    await world.clock.advance(5)
    assert (await looking.gates(world.host, slot)).verdict == "valid"


async def test_a_reset_brings_a_slot_back_that_did_not_come_up(world: World) -> None:
    world.machine.fails["create"].append(RestoreError("no memory"))
    row = await lifecycle.create(world.host, IMAGE)

    row = await lifecycle.reset(world.host, row.id)

    assert (row.state, row.episode, row.last_error) == ("ready", 2, None)


async def test_a_failed_gate_quarantines_and_keeps_the_desktop(world: World) -> None:
    world.machine.bad_gates[None, "processes_alive"] = "1 of 3 processes is gone"
    slot = await world.a_slot()

    await world.clock.advance(5)

    row = world.row(slot)
    assert row.state == "quarantined"
    assert row.reason == "gate processes_alive failed: 1 of 3 processes is gone"
    assert world.desktop(slot).alive
    assert await acting.screenshot(world.host, slot)


async def test_a_gate_that_can_not_be_taken_has_failed(world: World) -> None:
    world.machine.fails["gate"].append(GuestError("no answer"))
    slot = await world.a_slot()

    await world.clock.settle()

    assert world.row(slot).state == "quarantined"
    assert "no answer" in (world.row(slot).reason or "")


async def test_a_gate_of_an_episode_that_is_over_changes_nothing(world: World) -> None:
    slot = await world.a_slot()
    await lifecycle.reset(world.host, slot)
    world.machine.bad_gates[None, "processes_alive"] = "too late"

    await world.clock.advance(4.9)

    assert world.row(slot).state == "ready"


async def test_a_quarantined_slot_stays_invalid_until_it_is_released_and_reset(world: World) -> None:
    slot = await world.a_valid_slot()

    row = await lifecycle.quarantine(world.host, slot, "client")
    assert (row.state, row.reason, episodes.report(row).verdict) == ("quarantined", "client", "invalid")
    again = await lifecycle.quarantine(world.host, slot, "another")
    assert again.reason == "client"

    row = await lifecycle.release(world.host, slot)
    assert (row.state, episodes.report(row).verdict) == ("down", "invalid")
    assert world.machine.desktops == {}

    row = await lifecycle.reset(world.host, slot)
    assert (row.state, row.reason, row.episode) == ("ready", None, 2)


async def test_a_desktop_that_vanishes_takes_its_slot_down(world: World) -> None:
    slot = await world.a_valid_slot()
    world.desktop(slot).alive = False

    with pytest.raises(Refusal) as refused:
        await acting.step(world.host, slot, acting.Pyautogui("pyautogui.click(1, 2)"))

    assert refused.value.kind == "guest_error"
    row = world.row(slot)
    assert (row.state, episodes.report(row).verdict) == ("down", "invalid")
    assert episodes.open_gates(row.gates) == ["desktop"]
    with pytest.raises(Refusal) as refused:
        await acting.step(world.host, slot, acting.Pyautogui("1"))
    assert refused.value.kind == "conflict"


async def test_a_guest_that_does_not_answer_is_told_and_the_slot_goes_on(world: World) -> None:
    slot = await world.a_slot()
    world.machine.fails["execute"].append(GuestError("no answer in 120 s"))

    with pytest.raises(Refusal) as refused:
        await acting.step(world.host, slot, acting.Run("execute", "sleep 900"))

    assert refused.value.kind == "guest_error"
    assert world.row(slot).state == "ready"


async def test_a_deleted_slot_is_gone_with_its_reason(world: World) -> None:
    slot = await world.a_slot()

    row = await lifecycle.delete(world.host, slot)

    assert (row.state, row.closed_reason) == ("destroyed", "closed by a client")
    assert world.machine.desktops == {}
    with pytest.raises(Refusal) as refused:
        looking.slot(world.host, slot)
    assert (refused.value.kind, refused.value.closed_reason) == ("gone", "closed by a client")


async def test_ids_are_never_used_again(world: World) -> None:
    await lifecycle.delete(world.host, await world.a_slot())

    assert await world.a_slot() == "s2"


async def test_deleting_cuts_an_action_short_that_hangs(world: World) -> None:
    slot = await world.a_slot()
    world.machine.holds["execute"] = asyncio.Event()
    action = asyncio.create_task(acting.step(world.host, slot, acting.Run("execute", "sleep 900")))
    await world.clock.settle()

    await lifecycle.delete(world.host, slot)

    with pytest.raises(Refusal) as refused:
        await action
    assert (refused.value.kind, refused.value.closed_reason) == ("gone", "closed by a client")
    assert world.row(slot).state == "destroyed"


async def test_deleting_waits_for_a_slot_that_is_coming_up(world: World) -> None:
    world.machine.holds["created"] = asyncio.Event()
    creating = asyncio.create_task(lifecycle.create(world.host, IMAGE, TASK))
    await world.clock.settle()
    deleting = asyncio.create_task(lifecycle.delete(world.host, "s1"))
    await world.clock.settle()
    assert not deleting.done()

    world.machine.holds["created"].set()
    await creating

    assert (await deleting).state == "destroyed"
    assert world.machine.desktops == {}


async def test_a_slot_that_can_not_be_ended_stays_and_can_be_deleted_later(world: World) -> None:
    slot = await world.a_slot()
    world.machine.fails["destroy"].append(MachineError("busy"))

    with pytest.raises(Refusal) as refused:
        await lifecycle.delete(world.host, slot)
    assert refused.value.kind == "unavailable"
    assert world.row(slot).state == "ready"

    assert (await lifecycle.delete(world.host, slot)).state == "destroyed"


async def test_of_two_deletions_one_finds_it_gone(world: World) -> None:
    slot = await world.a_slot()

    results = await asyncio.gather(
        lifecycle.delete(world.host, slot), lifecycle.delete(world.host, slot), return_exceptions=True
    )

    assert [type(result).__name__ for result in results] == ["SlotRow", "Refusal"]


async def test_a_client_that_goes_away_leaves_a_whole_slot(world: World) -> None:
    world.machine.holds["create"] = asyncio.Event()
    creating = asyncio.create_task(lifecycle.create(world.host, IMAGE, TASK))
    await world.clock.settle()
    creating.cancel()
    await world.clock.settle()

    world.machine.holds["create"].set()
    await lifecycle.reset(world.host, "s1")  # its turn comes when the creation has ended

    assert (world.row("s1").state, world.row("s1").episode) == ("ready", 2)
    assert world.desktop("s1").content.files == {"prepared"}


async def test_a_slow_slot_does_not_hold_up_another(world: World) -> None:
    slow, quick = await world.a_slot(), await world.a_slot()
    world.machine.holds["pyautogui"] = asyncio.Event()
    hanging = asyncio.create_task(acting.step(world.host, slow, acting.Pyautogui("1")))
    await world.clock.settle()

    stepped = await acting.step(world.host, quick, acting.Run("execute", "touch a"))

    assert stepped.outcome.returncode == 0
    world.machine.holds["pyautogui"].set()
    await hanging


async def test_actions_on_one_slot_are_done_one_after_the_other(world: World) -> None:
    slot = await world.a_slot()
    world.machine.holds["pyautogui"] = asyncio.Event()
    first = asyncio.create_task(acting.step(world.host, slot, acting.Pyautogui("1")))
    second = asyncio.create_task(acting.step(world.host, slot, acting.Run("execute", "touch a")))
    await world.clock.settle()

    assert ("execute", slot) not in world.machine.calls
    world.machine.holds["pyautogui"].set()
    await asyncio.gather(first, second)
    assert ("execute", slot) in world.machine.calls


async def test_a_desktop_lost_while_its_task_is_set_up_is_a_failed_setup(world: World) -> None:
    world.machine.fails["execute"].append(DesktopGone("it crashed"))

    row = await lifecycle.create(world.host, IMAGE, TASK)

    assert (row.state, row.last_error) == ("down", "task setup failed: it crashed")


async def test_a_task_for_a_running_slot_is_set_up_now_and_after_every_reset(world: World) -> None:
    slot = await world.a_slot()

    row = await acting.set_task(world.host, slot, TASK)
    assert (row.state, row.episode) == ("ready", 1)
    assert world.desktop(slot).content.files == {"prepared"}

    await lifecycle.reset(world.host, slot)
    assert world.desktop(slot).content.files == {"prepared"}


@pytest.mark.parametrize(
    ("task", "kind"),
    [({"id": "x"}, "bad_request"), ({**TASK, "config": [{"type": "googledrive"}]}, "task_unsupported")],
)
async def test_a_task_that_can_not_be_run_is_refused_before_anything_starts(
    world: World, task: dict[str, object], kind: str
) -> None:
    with pytest.raises(Refusal) as refused:
        await lifecycle.create(world.host, IMAGE, task)

    assert refused.value.kind == kind
    assert world.live() == []


async def test_waiting_for_the_gates_ends_with_the_verdict_or_with_the_time(world: World) -> None:
    slot = await world.a_slot()

    early = asyncio.create_task(looking.gates(world.host, slot, 2))
    late = asyncio.create_task(looking.gates(world.host, slot, 60))
    await world.clock.advance(2)
    assert (await early).verdict == "pending"
    assert not late.done()
    await world.clock.advance(3)
    assert (await late).verdict == "valid"


async def test_waiting_for_the_gates_of_a_slot_that_is_destroyed_ends_at_once(world: World) -> None:
    slot = await world.a_slot()
    waiting = asyncio.create_task(looking.gates(world.host, slot, 60))
    await world.clock.settle()

    await lifecycle.delete(world.host, slot)

    with pytest.raises(Refusal) as refused:
        await waiting
    assert refused.value.kind == "gone"
