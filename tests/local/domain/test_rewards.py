"""What an episode is worth, and when it is worth nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from drums.local.domain import acting, branching, lifecycle, rewards
from drums.local.domain.forking import Fork
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import DesktopGone, GuestError, SlotId

from .conftest import TASK, World


async def done(world: World, slot: str) -> None:
    await acting.step(world.host, slot, acting.Run("execute", "touch done"))


async def test_a_done_task_is_worth_1_and_trusted(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await done(world, slot)

    reward = await rewards.verify(world.host, slot)

    assert (reward.score, reward.valid, reward.trusted) == (1.0, True, True)
    assert (reward.invalid_reasons, reward.flags, reward.skipped) == ([], (), None)
    assert reward.look
    assert reward.look.agrees
    assert (world.host.window.ledger.rewards.verified, world.host.window.ledger.rewards.mean_score) == (1, 1.0)


async def test_a_task_that_is_not_done_is_worth_0(world: World) -> None:
    reward = await rewards.verify(world.host, await world.a_valid_slot(TASK))

    assert (reward.score, reward.valid, reward.trusted) == (0.0, True, True)


async def test_verify_waits_for_the_last_gate(world: World) -> None:
    slot = await world.a_slot(TASK)
    verifying = asyncio.create_task(rewards.verify(world.host, slot))
    await world.clock.advance(4.9)
    assert not verifying.done()

    await world.clock.advance(0.1)

    assert (await verifying).valid


async def test_a_gate_that_fails_while_verify_waits_makes_it_worth_nothing(world: World) -> None:
    slot = await world.a_slot(TASK)
    world.machine.bad_gates[None, "processes_alive"] = "gone"
    verifying = asyncio.create_task(rewards.verify(world.host, slot))

    await world.clock.advance(5)

    reward = await verifying
    assert (reward.score, reward.valid, reward.trusted) == (None, False, False)
    assert reward.skipped == "quarantined: gate processes_alive failed: gone"
    assert "gate processes_alive failed" in reward.invalid_reasons


async def test_a_desktop_that_broke_after_its_gates_is_worth_nothing(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await done(world, slot)
    world.machine.desktops[SlotId(slot)].sick = "Xvfb, a part of the session, has ended"

    reward = await rewards.verify(world.host, slot)

    assert (reward.score, reward.valid, reward.state) == (None, False, "quarantined")
    assert "gate health failed" in reward.invalid_reasons


async def test_a_quarantined_slots_checker_is_not_run(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await done(world, slot)
    await lifecycle.quarantine(world.host, slot, "client")
    world.machine.calls.clear()

    reward = await rewards.verify(world.host, slot)

    assert (reward.score, reward.valid, reward.state, reward.look) == (None, False, "quarantined", None)
    assert reward.skipped == "quarantined: client"
    assert reward.invalid_reasons == ["env is quarantined", "quarantined: client", "gate quarantine failed"]
    assert world.machine.calls == []


async def test_a_slot_that_is_down_is_worth_nothing(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await lifecycle.quarantine(world.host, slot, "client")
    await lifecycle.release(world.host, slot)

    reward = await rewards.verify(world.host, slot)

    assert (reward.score, reward.valid, reward.skipped) == (None, False, "down")


async def test_a_slot_without_a_task_has_nothing_to_verify(world: World) -> None:
    with pytest.raises(Refusal) as refused:
        await rewards.verify(world.host, await world.a_valid_slot())

    assert refused.value.kind == "conflict"


async def test_a_checker_that_can_not_look_is_an_error_and_never_0(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    world.machine.fails["execute"].append(GuestError("no answer"))

    reward = await rewards.verify(world.host, slot)

    assert (reward.score, reward.valid, reward.trusted) == (None, True, False)
    assert reward.look
    assert reward.look.first.checker_error
    assert (reward.flags, reward.look.again) == (("checker_crashed",), None)
    assert world.host.window.ledger.failures == {"checker": 1}


async def test_a_desktop_that_goes_during_the_check_gives_no_reward(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    world.machine.fails["execute"].append(DesktopGone("it crashed"))

    with pytest.raises(Refusal) as refused:
        await rewards.verify(world.host, slot)

    assert refused.value.kind == "guest_error"
    assert (await rewards.verify(world.host, slot)).skipped == "down"


async def test_a_second_look_that_disagrees_is_flagged(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await done(world, slot)
    looks = iter(["first"])

    def undo(call: str) -> None:
        if call == "execute" and next(looks, None) is None:
            for desktop in world.machine.desktops.values():
                desktop.content = type(desktop.content)()

    world.machine.on_call = undo
    reward = await rewards.verify(world.host, slot)

    assert (reward.score, reward.flags, reward.trusted) == (1.0, ("recheck_disagrees",), False)


async def test_a_task_that_passes_at_the_start_is_flagged(world: World) -> None:
    solved: dict[str, Any] = {**TASK, "config": [{"type": "execute", "parameters": {"command": ["touch", "done"]}}]}
    slot = await world.a_valid_slot(solved)

    reward = await rewards.verify(world.host, slot)
    assert (reward.score, reward.flags, reward.trusted) == (1.0, ("passed_at_start",), False)

    child = (await branching.branch(world.host, slot, Fork(1))).children[0]
    await world.clock.advance(5)
    assert (await rewards.verify(world.host, child.id)).flags == ("passed_at_start",)


async def test_a_checker_with_steps_of_its_own_is_not_asked_at_the_start(world: World) -> None:
    closing = {**TASK["evaluator"], "postconfig": [{"type": "execute", "parameters": {"command": ["touch", "closed"]}}]}
    slot = await world.a_valid_slot({**TASK, "evaluator": closing})
    assert world.desktop(slot).content.files == {"prepared"}
    assert world.row(slot).start_score is None

    await rewards.verify(world.host, slot)

    assert world.desktop(slot).content.files == {"prepared", "closed"}


async def test_verify_can_be_asked_again_in_the_same_episode(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    assert (await rewards.verify(world.host, slot)).score == 0.0

    await done(world, slot)

    assert (await rewards.verify(world.host, slot)).score == 1.0
