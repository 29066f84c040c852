"""Many requests at once: whatever the order in which their steps fall, the daemon's books are right afterwards."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.domain import acting, branching, figures, lifecycle, looking, prefork, rewards, saving
from drums.local.domain.forking import Fork
from drums.local.domain.limits import Limits
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import DesktopGone, GuestError, MachineError, RestoreError

from .conftest import TASK, World
from .fake_machine import IMAGE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


async def forget_client(work: Awaitable[object]) -> None:
    """The client goes away before the answer."""
    task = asyncio.ensure_future(work)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})


REQUESTS: dict[str, Callable[[World, str], Awaitable[object]]] = {
    "create": lambda world, _slot: lifecycle.create(world.host, IMAGE, TASK),
    "create and go": lambda world, _slot: forget_client(lifecycle.create(world.host, IMAGE)),
    "reset": lambda world, slot: lifecycle.reset(world.host, slot),
    "step": lambda world, slot: acting.step(world.host, slot, acting.Run("execute", "touch done")),
    "launch": lambda world, slot: acting.step(world.host, slot, acting.Run("launch", "editor")),
    "look": lambda world, slot: acting.screenshot(world.host, slot),
    "gates": lambda world, slot: looking.gates(world.host, slot, 3),
    "task": lambda world, slot: acting.set_task(world.host, slot, TASK),
    "verify": lambda world, slot: rewards.verify(world.host, slot),
    "quiescent": lambda world, slot: saving.wait_quiescent(world.host, slot, 1),
    "capture": lambda world, slot: saving.capture(world.host, slot, quiesce_timeout_s=1),
    "capture by name": lambda world, slot: saving.capture(world.host, slot, "warm", 1),
    "prefork": lambda world, slot: prefork.prefork(world.host, slot, Fork(2, 1)),
    "fork": lambda world, slot: branching.branch(world.host, slot, Fork(2, 1)),
    "fork of another kind": lambda world, slot: branching.branch(world.host, slot, Fork(1, 1)),
    "fork with state": lambda world, slot: branching.branch(world.host, slot, Fork(2, 1, True)),
    "fork and go": lambda world, slot: forget_client(branching.branch(world.host, slot, Fork(2, 1))),
    "quarantine": lambda world, slot: lifecycle.quarantine(world.host, slot, "client"),
    "release": lambda world, slot: lifecycle.release(world.host, slot),
    "delete": lambda world, slot: lifecycle.delete(world.host, slot),
    "delete state": lambda world, _slot: saving.delete(world.host, "c1"),
    "from state": lambda world, _slot: lifecycle.create(world.host, "c1"),
}
FAILURES: dict[str, MachineError] = {
    "create": RestoreError("no memory"),
    "execute": GuestError("no answer"),
    "screenshot": DesktopGone("it crashed"),
    "gate": GuestError("no answer"),
    "capture": MachineError("disk full"),
    "destroy": MachineError("busy"),
    "delete": MachineError("busy"),
}


@dataclass
class Storm:
    """Requests that come at nearly the same time, on a machine whose calls take various times and sometimes fail."""

    requests: list[tuple[str, str, int]]
    """What, of which slot, after how many turns of the event loop."""
    failures: list[str] = field(default_factory=list[str])
    paces: list[int] = field(default_factory=lambda: [0])
    """How many turns of the event loop the machine's calls take, one after the other."""

    async def rage(self, world: World) -> None:
        paces = iter(self.paces * 2000)

        async def called(call: str, what: str) -> None:
            await plainly(call, what)
            for _ in range(next(paces, 0)):
                await asyncio.sleep(0)

        plainly = world.machine.called
        world.machine.called = called  # type: ignore[method-assign]
        for call in self.failures:
            world.machine.fails[call].append(FAILURES[call])
        asked = [asyncio.create_task(self.ask(world, *request)) for request in self.requests]
        while not all(task.done() for task in asked):
            await world.clock.advance(0.5)
            await asyncio.sleep(0.0005)  # a checker runs in a thread
        for task in asked:
            task.result()

    async def ask(self, world: World, request: str, slot: str, turns: int) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)
        with suppress(Refusal):
            await REQUESTS[request](world, slot)


def books_are_right(world: World) -> None:
    """What holds whenever nothing is under way."""
    host = world.host
    rows = {row.id: row for row in world.store.live_slots()}
    assert rows.keys() == host.slots.keys()
    with_desktop = {slot for slot, row in rows.items() if row.state in {"ready", "quarantined"}}
    lost = {slot for slot in world.machine.desktops if host.slots[slot].desktop is None}
    assert with_desktop == set(world.machine.desktops) - lost
    for name, slot in host.slots.items():
        assert slot.row.state != "creating"
        assert (slot.desktop is None) == (name not in with_desktop)
        assert slot.requests == 0
        assert not slot.turn.locked()
        assert not slot.clean_ups
        assert slot.closing is None
        assert slot.row.gates == rows[name].gates
    assert host.states.keys() == world.machine.states.keys() == {state.id for state in world.store.checkpoints()}
    assert not host.names_in_work
    assert not host.admission._promised or any(slot.prefork for slot in host.slots.values())
    assert world.store.intents() == []
    for row in rows.values():
        assert row.checkpoint == IMAGE or row.checkpoint in host.states
    counted = figures.current(host).episodes
    assert sum(counted.values()) == sum(
        world_row.episode for world_row in world.store.slots_after(0, 1000, include_destroyed=True)
    )


storms = st.builds(
    Storm,
    st.lists(
        st.tuples(
            st.sampled_from(sorted(REQUESTS)), st.sampled_from(["s1", "s1", "s2", "s3", "s4"]), st.integers(0, 200)
        ),
        min_size=2,
        max_size=24,
    ),
    st.lists(st.sampled_from(sorted(FAILURES)), max_size=4),
    st.lists(st.integers(0, 9), min_size=1, max_size=7),
)


@given(storms)
def test_after_any_storm_of_requests_the_books_are_right(storm: Storm) -> None:
    async def rage() -> None:
        world = World(limits=Limits(max_slots=9, max_states=4))
        await world.host.start()
        for _ in range(2):
            await world.a_slot(TASK)
        await storm.rage(world)
        world.machine.fails.clear()
        for slot in list(world.host.slots.values()):
            world.host.drop_prefork(slot, "the test is over")
        await world.clock.advance(200)
        books_are_right(world)
        await world.host.stop()
        assert (world.machine.desktops, world.store.live_slots()) == ({}, [])

    asyncio.run(rage())


OPEN: list[tuple[str, Callable[[World], Awaitable[Any]]]] = [
    ("screenshot", lambda world: acting.screenshot(world.host, "s1")),
    ("quiescent", lambda world: saving.wait_quiescent(world.host, "s1")),
    ("prefork", lambda world: prefork.prefork(world.host, "s1", Fork(1))),
]


@pytest.mark.parametrize(("_name", "ask"), OPEN)
async def test_what_waits_for_no_turn_is_refused_while_a_slot_comes_up(
    world: World, _name: str, ask: Callable[[World], Awaitable[Any]]
) -> None:
    world.machine.holds["create"] = asyncio.Event()
    creating = asyncio.create_task(lifecycle.create(world.host, IMAGE))
    await world.clock.settle()

    assert looking.slot(world.host, "s1").state == "creating"
    assert (await looking.gates(world.host, "s1")).verdict == "pending"
    with pytest.raises(Refusal, match="coming up"):
        await ask(world)

    world.machine.holds["create"].set()
    assert (await creating).state == "ready"


async def test_what_needs_the_turn_waits_while_a_slot_comes_up(world: World) -> None:
    world.machine.holds["create"] = asyncio.Event()
    creating = asyncio.create_task(lifecycle.create(world.host, IMAGE))
    await world.clock.settle()
    stepping = asyncio.create_task(acting.step(world.host, "s1", acting.Pyautogui("1")))
    await world.clock.settle()

    world.machine.holds["create"].set()

    assert (await creating).state == "ready"
    assert (await stepping).outcome.returncode == 0
