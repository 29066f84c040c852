"""Forks: children, failures among them, places, leases, and states that go with their children."""

from __future__ import annotations

import asyncio

import pytest

from drums.local.domain import acting, branching, episodes, lifecycle, looking
from drums.local.domain.forking import Fork
from drums.local.domain.leases import Lease
from drums.local.domain.limits import Limits
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import MachineError, RestoreError

from .conftest import TASK, World


async def test_children_are_copies_with_the_task_in_an_episode_of_their_own(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await acting.step(world.host, slot, acting.Run("execute", "touch a"))

    branched = await branching.branch(world.host, slot, Fork(3))

    assert [child.id for child in branched.children] == ["s2", "s3", "s4"]
    for child in branched.children:
        assert (child.state, child.episode, child.parent, child.checkpoint) == ("ready", 1, slot, branched.state.id)
        assert (child.task, child.setup) == (TASK, False)
        assert world.desktop(child.id).content.files == {"prepared", "a"}
        assert episodes.report(child).verdict == "pending"
    assert world.row(slot).episode == 1
    assert (await looking.gates(world.host, slot)).verdict == "valid"


async def test_children_act_apart(world: World) -> None:
    slot = await world.a_slot()
    branched = await branching.branch(world.host, slot, Fork(2))
    one, other = (child.id for child in branched.children)

    await acting.step(world.host, one, acting.Run("execute", "touch a"))

    assert world.desktop(other).content.files == set()
    assert world.desktop(slot).content.files == set()


async def test_a_child_that_does_not_come_up_is_an_error_among_the_others(world: World) -> None:
    slot = await world.a_slot()
    world.machine.fails["create"].append(RestoreError("no memory"))

    branched = await branching.branch(world.host, slot, Fork(3))

    assert [child.state for child in branched.children] == ["destroyed", "ready", "ready"]
    assert branched.children[0].last_error == "restore failed: no memory"
    assert branched.slots == 2
    assert world.live() == [slot, "s3", "s4"]
    assert world.host.window.ledger.failures == {"restore": 1}


async def test_a_state_that_goes_with_its_children_goes_with_the_last(world: World) -> None:
    slot = await world.a_slot()
    branched = await branching.branch(world.host, slot, Fork(2, delete_state_with_children=True))
    first, last = branched.children

    await lifecycle.delete(world.host, first.id)
    assert set(world.machine.states) == {branched.state.id}
    await lifecycle.delete(world.host, last.id)
    assert world.machine.states == {}
    assert world.host.states == {}


async def test_a_state_whose_every_child_failed_goes_at_once(world: World) -> None:
    slot = await world.a_slot()
    world.machine.fails["create"] += [RestoreError("no memory"), RestoreError("no memory")]

    branched = await branching.branch(world.host, slot, Fork(2, delete_state_with_children=True))

    assert (branched.slots, world.machine.states) == (0, {})


async def test_leases_of_children_and_state_are_those_that_were_asked_for(world: World) -> None:
    slot = await world.a_slot(lease=Lease(10, 1000))

    branched = await branching.branch(world.host, slot, Fork(1, lease=Lease(60, 600), state_lease=Lease(0, 900)))
    child = branched.children[0]

    assert (child.idle_timeout_s, child.ttl_s) == (60, 600)
    assert (branched.state.idle_timeout_s, branched.state.ttl_s) == (0, 900)
    default = await branching.branch(world.host, slot, Fork(1))
    assert (default.children[0].idle_timeout_s, default.children[0].ttl_s) == (1800, 0)


@pytest.mark.parametrize(
    ("limits", "kind"),
    [
        (Limits(fork=2), "quota_exceeded"),
        (Limits(max_slots=3), "overloaded"),
        (Limits(max_states=0), "quota_exceeded"),
    ],
)
async def test_a_fork_beyond_a_limit_is_refused_before_anything_starts(limits: Limits, kind: str) -> None:
    world = World(limits=limits)
    await world.host.start()
    slot = await world.a_slot()

    with pytest.raises(Refusal) as refused:
        await branching.branch(world.host, slot, Fork(3))

    assert refused.value.kind == kind
    assert (refused.value.retry_after_s is not None) == (kind == "overloaded")
    assert not {call for call, _ in world.machine.calls} & {"processes", "capture"}
    assert await world.a_slot() == "s2"
    await world.host.stop()


async def test_two_forks_at_once_do_not_share_a_place() -> None:
    world = World(limits=Limits(max_slots=5))
    await world.host.start()
    one, other = await world.a_slot(), await world.a_slot()

    results = await asyncio.gather(
        branching.branch(world.host, one, Fork(2)),
        branching.branch(world.host, other, Fork(2)),
        return_exceptions=True,
    )

    assert sorted(type(result).__name__ for result in results) == ["Branched", "Refusal"]
    await world.host.stop()


async def test_a_fork_that_fails_gives_its_places_back() -> None:
    world = World(limits=Limits(max_slots=3))
    await world.host.start()
    slot = await world.a_slot()
    world.machine.fails["capture"].append(MachineError("disk full"))

    with pytest.raises(Refusal) as refused:
        await branching.branch(world.host, slot, Fork(2))
    assert refused.value.kind == "guest_error"

    assert len((await branching.branch(world.host, slot, Fork(2))).children) == 2
    await world.host.stop()


async def test_the_parent_acts_while_its_children_come_up(world: World) -> None:
    slot = await world.a_slot()
    world.machine.holds["create"] = asyncio.Event()
    forking = asyncio.create_task(branching.branch(world.host, slot, Fork(2)))
    await world.clock.settle()

    stepped = await acting.step(world.host, slot, acting.Run("execute", "touch a"))

    assert stepped.outcome.returncode == 0
    world.machine.holds["create"].set()
    branched = await forking
    assert world.desktop(branched.children[0].id).content.files == set()


async def test_a_client_that_goes_away_leaves_recorded_children_whose_leases_end(world: World) -> None:
    slot = await world.a_slot(lease=Lease(0, 0))
    world.machine.holds["create"] = asyncio.Event()
    forking = asyncio.create_task(branching.branch(world.host, slot, Fork(2, lease=Lease(60))))
    await world.clock.settle()
    forking.cancel()

    world.machine.holds["create"].set()
    await world.clock.settle()
    assert [world.row(child).state for child in ("s2", "s3")] == ["ready", "ready"]

    await world.clock.advance(61)
    assert world.live() == [slot]
    assert world.row("s2").closed_reason == "idle for 60 s"


async def test_a_quarantined_slot_is_not_forked(world: World) -> None:
    slot = await world.a_slot()
    await lifecycle.quarantine(world.host, slot, "client")

    with pytest.raises(Refusal) as refused:
        await branching.branch(world.host, slot, Fork(2))

    assert refused.value.kind == "conflict"
    assert world.machine.states == {}


async def test_a_fork_of_a_fork_of_a_fork(world: World) -> None:
    slot = await world.a_slot()
    for name in ("a", "b", "c"):
        await acting.step(world.host, slot, acting.Run("execute", f"touch {name}"))
        branched = await branching.branch(world.host, slot, Fork(1))
        assert branched.children[0].parent == slot
        slot = branched.children[0].id

    assert world.desktop(slot).content.files == {"a", "b", "c"}
