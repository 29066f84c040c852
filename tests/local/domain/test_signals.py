"""What an agent says counts as its last action, and several actions are one turn."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.domain import acting, branching, lifecycle, rewards, saving
from drums.local.domain.acting import Batch, Pyautogui, Run, Signal, Sleep
from drums.local.domain.forking import Fork
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import GuestError, Outcome
from drums.local.store import Store

from .conftest import TASK, World
from .fake_machine import PNG, FakeMachine

if TYPE_CHECKING:
    from pathlib import Path

INFEASIBLE: dict[str, Any] = {**TASK, "evaluator": {"func": "infeasible"}}
DONE = Run("execute", "touch done")


async def scored(world: World, task: dict[str, Any], *actions: acting.Action) -> rewards.Reward:
    slot = await world.a_valid_slot(task)
    for action in actions:
        await acting.step(world.host, slot, action)
    return await rewards.verify(world.host, slot)


@pytest.mark.parametrize(
    ("actions", "infeasible", "feasible"),
    [
        ((), 0.0, 0.0),
        ((Signal("FAIL"),), 1.0, 0.0),
        ((DONE,), 0.0, 1.0),
        ((DONE, Signal("DONE")), 0.0, 1.0),
        ((DONE, Signal("FAIL")), 1.0, 0.0),
        ((Signal("FAIL"), DONE), 0.0, 1.0),
        ((Signal("FAIL"), Sleep(0)), 0.0, 0.0),
        ((Signal("FAIL"), Signal("DONE")), 0.0, 0.0),
        ((Batch((DONE, Signal("FAIL"))),), 1.0, 0.0),
        ((Batch((Signal("FAIL"), DONE)),), 0.0, 1.0),
    ],
)
async def test_the_last_action_decides_as_in_osworld(
    world: World, actions: tuple[acting.Action, ...], infeasible: float, feasible: float
) -> None:
    assert (await scored(world, INFEASIBLE, *actions)).score == infeasible
    assert (await scored(world, TASK, *actions)).score == feasible


async def test_what_a_signal_decides_is_trusted_and_makes_no_copy(world: World) -> None:
    world.machine.calls.clear()
    reward = await scored(world, INFEASIBLE, Signal("FAIL"))
    assert reward.look
    assert reward.look.again
    assert (reward.trusted, reward.look.again.desktop, reward.look.start_score) == (True, "same", 0.0)
    assert "capture" not in [call for call, _ in world.machine.calls]


async def test_a_second_evaluator_is_not_asked_what_a_signal_has_decided(world: World) -> None:
    second = {**TASK["evaluator"], "redundant": TASK["evaluator"]}
    reward = await scored(world, {**TASK, "evaluator": second}, DONE, Signal("FAIL"))
    assert reward.look
    assert (reward.score, reward.look.second, reward.flags) == (0.0, None, ())


async def test_signals_touch_no_desktop_and_only_wait_takes_time(world: World) -> None:
    slot = await world.a_valid_slot()
    world.machine.calls.clear()
    for signal in (Signal("FAIL"), Signal("DONE")):
        stepped = await acting.step(world.host, slot, signal)
        assert (stepped.outcome, stepped.seconds) == (Outcome(), 0.0)
    waiting = world.host.begin(acting.step(world.host, slot, Signal("WAIT"), screenshot=True))
    await world.clock.advance(acting.WAIT_S)
    stepped = await waiting
    assert (stepped.outcome, stepped.seconds, stepped.png) == (Outcome(), acting.WAIT_S, PNG)
    assert [call for call, _ in world.machine.calls] == ["screenshot"]


async def test_an_action_that_got_no_answer_is_the_last_one_all_the_same(world: World) -> None:
    slot = await world.a_valid_slot(INFEASIBLE)
    await acting.step(world.host, slot, Signal("FAIL"))
    world.machine.fails["execute"].append(GuestError("no answer"))
    with pytest.raises(Refusal):
        await acting.step(world.host, slot, DONE)
    assert (await rewards.verify(world.host, slot)).score == 0.0


async def test_looking_and_waiting_are_no_actions(world: World) -> None:
    slot = await world.a_valid_slot(INFEASIBLE)
    await acting.step(world.host, slot, Signal("FAIL"))
    await acting.screenshot(world.host, slot)
    await saving.wait_quiescent(world.host, slot)
    await rewards.verify(world.host, slot)
    assert (await rewards.verify(world.host, slot)).score == 1.0


async def test_what_was_said_survives_a_killed_daemon(tmp_path: Path) -> None:
    machine = FakeMachine()
    first = World(store=Store(tmp_path / "store"), machine=machine)
    await first.host.start()
    slot = await first.a_valid_slot(INFEASIBLE)
    await acting.step(first.host, slot, Signal("FAIL"))
    first.store.close()

    second = World(store=Store(tmp_path / "store"), machine=machine)
    await second.host.start()
    assert (await rewards.verify(second.host, slot)).score == 1.0
    await second.host.stop()


async def test_a_new_episode_and_a_new_task_begin_without_a_last_action(world: World) -> None:
    slot = await world.a_valid_slot(INFEASIBLE)
    await acting.step(world.host, slot, Signal("FAIL"))
    child = (await branching.branch(world.host, slot, Fork(1))).children[0]
    state = await saving.capture(world.host, slot)
    assert child.last_signal is None
    assert (await lifecycle.create(world.host, state.id)).last_signal is None
    assert world.row(slot).last_signal == "FAIL"
    assert (await acting.set_task(world.host, slot, INFEASIBLE)).last_signal is None
    await acting.step(world.host, slot, Signal("FAIL"))
    assert (await lifecycle.reset(world.host, slot)).last_signal is None


# Batches.

SINGLES: dict[str, acting.SingleAction] = {
    "touch": Run("execute", "touch done"),
    "fail": Run("execute", "fail"),
    "code": Pyautogui("x"),
    "launch": Run("launch", "xterm"),
    "sleep": Sleep(0),
    "FAIL": Signal("FAIL"),
    "DONE": Signal("DONE"),
}


@given(st.lists(st.sampled_from(sorted(SINGLES)), min_size=1, max_size=6))
def test_a_batch_does_what_its_actions_do_up_to_the_first_that_fails(names: list[str]) -> None:
    async def play() -> None:
        world = World()
        await world.host.start()
        alone, batched = await world.a_valid_slot(), await world.a_valid_slot()
        due = names[: names.index("fail") + 1] if "fail" in names else names
        outcomes = [(await acting.step(world.host, alone, SINGLES[name])).outcome for name in due]
        stepped = await acting.step(world.host, batched, Batch(tuple(SINGLES[name] for name in names)))
        assert stepped.batch
        assert list(stepped.outcomes) == outcomes
        assert stepped.outcome == outcomes[-1]
        assert world.desktop(batched).content == world.desktop(alone).content
        assert world.row(batched).last_signal == world.row(alone).last_signal
        await world.host.stop()

    asyncio.run(play())


async def test_a_batch_is_one_turn_one_operation_and_one_picture(world: World) -> None:
    slot = await world.a_valid_slot()
    world.machine.calls.clear()
    stepped = await acting.step(world.host, slot, Batch((DONE, DONE, DONE)), screenshot=True)
    assert stepped.png == PNG
    assert [call for call, _ in world.machine.calls] == ["execute", "execute", "execute", "screenshot"]
    assert world.host.window.ledger.operations["step"].count == 1


async def test_a_command_that_can_be_none_is_refused_before_anything_of_its_batch_is_done(world: World) -> None:
    slot = await world.a_valid_slot()
    with pytest.raises(Refusal) as refused:
        await acting.step(world.host, slot, Batch((DONE, Run("execute", " "))))
    assert refused.value.kind == "bad_request"
    assert "done" not in world.desktop(slot).content.files
