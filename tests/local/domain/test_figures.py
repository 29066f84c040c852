"""Metrics of the daemon and of a slot."""

from __future__ import annotations

import asyncio

import pytest

from drums.local.domain import acting, figures, lifecycle, rewards
from drums.local.domain.metrics import Price
from drums.local.domain.refusals import Refusal

from .conftest import TASK, World


async def test_operations_are_counted_with_their_time_and_failures(world: World) -> None:
    slot = await world.a_slot()
    sleeping = asyncio.create_task(acting.step(world.host, slot, acting.Sleep(3)))
    await world.clock.advance(3)
    await sleeping
    world.desktop(slot).alive = False
    with pytest.raises(Refusal):
        await acting.step(world.host, slot, acting.Pyautogui("1"))

    step = figures.current(world.host).window.ledger.operations["step"]

    assert (step.count, step.failures, step.max_s, step.mean_s) == (2, 1, 3.0, 1.5)
    assert world.host.window.ledger.failures == {"desktop": 1}


async def test_a_request_that_the_state_forbids_is_no_operation(world: World) -> None:
    slot = await world.a_slot()
    await lifecycle.quarantine(world.host, slot, "client")
    with pytest.raises(Refusal):
        await acting.step(world.host, slot, acting.Pyautogui("1"))

    assert "step" not in world.host.window.ledger.operations


async def test_each_episode_is_counted_once_under_its_verdict(world: World) -> None:
    slot = await world.a_slot()
    assert figures.current(world.host).episodes == {"pending": 1}
    await world.clock.advance(5)
    assert figures.current(world.host).episodes == {"valid": 1}

    await lifecycle.reset(world.host, slot)
    assert figures.current(world.host).episodes == {"valid": 1, "pending": 1}
    await lifecycle.quarantine(world.host, slot, "client")
    await lifecycle.delete(world.host, slot)

    assert figures.current(world.host).episodes == {"valid": 1, "invalid": 1}


async def test_an_episode_that_is_spoilt_later_moves(world: World) -> None:
    slot = await world.a_valid_slot()

    await lifecycle.quarantine(world.host, slot, "client")

    assert figures.current(world.host).episodes == {"invalid": 1}


async def test_one_that_is_spoilt_in_a_later_window_leaves_the_closed_one_alone(world: World) -> None:
    slot = await world.a_valid_slot()
    closed = figures.close_window(world.host)

    await lifecycle.quarantine(world.host, slot, "client")

    assert closed.episodes == {"valid": 1}
    assert figures.current(world.host).episodes == {"invalid": 1}


async def test_an_episode_that_ended_undecided_stays_pending(world: World) -> None:
    slot = await world.a_slot()

    await lifecycle.delete(world.host, slot)

    assert figures.current(world.host).episodes == {"pending": 1}


async def test_closing_a_window_logs_its_ledger_and_starts_from_zero(world: World) -> None:
    await world.a_valid_slot()
    world_before = figures.current(world.host)

    closed = figures.close_window(world.host)

    assert closed.ended_at == world.clock.now()
    assert closed.window.id == world_before.window.id
    logged = world.store.events(kind="metrics_window")
    assert [event.facts["episodes"] for event in logged] == [{"valid": 1}]
    now = figures.current(world.host)
    assert (now.window.id, now.seconds, now.window.ledger.operations) == (closed.window.id + 1, 0.0, {})


async def test_cost_is_the_price_times_the_time_and_is_shared_by_those_that_live() -> None:
    world = World(price=Price(36.0, "EUR"))
    await world.host.start()
    first = await world.a_valid_slot(TASK)
    await world.clock.advance(95)
    second = await world.a_slot()
    await world.clock.advance(100)
    await rewards.verify(world.host, first)

    whole = figures.current(world.host)
    one, other = figures.of_slot(world.host, first), figures.of_slot(world.host, second)

    assert whole.price.of(whole.seconds) == pytest.approx(2.0)
    assert whole.price.each(whole.seconds, whole.episodes["valid"]) == pytest.approx(1.0)
    assert whole.price.each(whole.seconds, whole.window.ledger.rewards.verified) == pytest.approx(2.0)
    assert (one.lifetime_s, one.host_s) == (200, 150)
    assert (other.lifetime_s, other.host_s) == (100, 50)
    await world.host.stop()


async def test_a_price_that_is_not_known_gives_no_cost(world: World) -> None:
    whole = figures.current(world.host)

    assert whole.price.of(whole.seconds) is None
    assert whole.price.each(whole.seconds, 3) is None


async def test_a_slots_figures_are_its_own(world: World) -> None:
    slot, other = await world.a_valid_slot(TASK), await world.a_slot()
    await acting.step(world.host, slot, acting.Run("execute", "touch done"))
    await rewards.verify(world.host, slot)

    mine, others = figures.of_slot(world.host, slot), figures.of_slot(world.host, other)

    assert set(mine.ledger.operations) == {"create", "step", "verify"}
    assert set(others.ledger.operations) == {"create"}
    assert (mine.ledger.rewards.verified, mine.ledger.rewards.mean_score) == (1, 1.0)
    assert (mine.episodes, others.episodes) == ({"valid": 1}, {"pending": 1})
