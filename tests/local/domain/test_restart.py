"""A daemon that starts where another one ended: in order, or killed at any moment."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.domain import acting, branching, figures, lifecycle, looking, prefork, rewards, saving
from drums.local.domain.forking import Fork
from drums.local.domain.leases import Lease
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import SlotId
from drums.local.store import Store

from .conftest import TASK, World
from .fake_machine import IMAGE, FakeMachine
from .manual_clock import ManualClock

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

AUDITED = {
    **TASK,
    "scope": {"files": []},
    "evaluator": {
        **TASK["evaluator"],
        "postconfig": [{"type": "execute", "parameters": {"command": ["touch", "closed"]}}],
    },
}
"""Verified on a copy, and on a desktop on which nothing was done."""
MOST_COMMITS = 110
MOST_CALLS = 110


class Killed(BaseException):
    """The daemon's process ends here, without any clean-up."""


async def test_an_orderly_end_is_written_down(tmp_path: Path) -> None:
    world = World(store=Store(tmp_path / "store"))
    await world.host.start()
    slot = await world.a_valid_slot()

    await world.host.stop()

    row = world.row(slot)
    assert (row.state, row.closed_reason) == ("destroyed", "daemon stopped")
    assert [event.facts["episodes"] for event in world.store.events(kind="metrics_window")] == [{"valid": 1}]
    assert world.store.intents() == []


async def test_stopping_twice_or_before_the_start_is_no_error() -> None:
    world = World()
    await world.host.stop()
    await world.host.stop()


async def test_slots_that_the_machine_lost_are_destroyed_and_ids_go_on(tmp_path: Path) -> None:
    first = World(store=Store(tmp_path / "store"))
    await first.host.start()
    slot = await first.a_slot()
    await saving.capture(first.host, slot, "warm")
    first.store.close()

    second = World(store=Store(tmp_path / "store"))
    await second.host.start()

    assert (second.row(slot).state, second.row(slot).closed_reason) == ("destroyed", "daemon restarted")
    with pytest.raises(Refusal) as refused:
        looking.slot(second.host, slot)
    assert refused.value.kind == "gone"
    assert second.host.states == {}
    assert await second.a_slot() == "s2"
    await second.host.stop()


async def test_slots_and_states_that_outlived_the_daemon_go_on(tmp_path: Path) -> None:
    machine, clock = FakeMachine(), ManualClock()
    first = World(store=Store(tmp_path / "store"), machine=machine, clock=clock)
    await first.host.start()
    valid, pending = await first.a_valid_slot(TASK), await first.a_slot()
    await saving.capture(first.host, valid, "warm", lease=Lease(0))
    await lifecycle.quarantine(first.host, await first.a_slot(), "client")
    first.store.close()

    second = World(store=Store(tmp_path / "store"), machine=machine, clock=clock)
    await second.host.start()

    assert [row.state for row in looking.live_slots(second.host)] == ["ready", "ready", "quarantined"]
    assert (await looking.gates(second.host, valid)).verdict == "valid"
    assert (await rewards.verify(second.host, valid)).valid
    assert (await looking.gates(second.host, pending)).verdict == "pending"
    await clock.advance(5)
    assert (await looking.gates(second.host, pending)).verdict == "valid"
    assert set(second.host.states) == {"warm"}
    assert figures.current(second.host).window.id == 2
    await second.host.stop()


async def test_what_nobody_knows_is_ended(tmp_path: Path) -> None:
    machine = FakeMachine()
    first = World(store=Store(tmp_path / "store"), machine=machine)
    await first.host.start()
    await first.a_slot()
    await saving.capture(first.host, "s1")

    second = World(store=Store(tmp_path / "another"), machine=machine)
    await second.host.start()

    assert (machine.desktops, machine.states) == ({}, {})
    await second.host.stop()


@pytest.mark.parametrize("deed", ["delete a slot", "delete a state"])
async def test_a_deletion_that_was_begun_is_finished(tmp_path: Path, deed: str) -> None:
    machine = FakeMachine()
    first = World(store=Store(tmp_path / "store"), machine=machine)
    await first.host.start()
    slot, other = await first.a_slot(), await first.a_slot()
    state = await saving.capture(first.host, other)

    def kill(call: str) -> None:
        if call in {"destroy", "delete"}:
            raise Killed

    machine.on_call = kill
    with pytest.raises(Killed):
        await (lifecycle.delete(first.host, slot) if deed == "delete a slot" else saving.delete(first.host, state.id))
    first.store.close()
    machine.on_call = lambda _call: None
    second = World(store=Store(tmp_path / "store"), machine=machine)
    await second.host.start()

    if deed == "delete a slot":
        assert second.row(slot).closed_reason == "closed by a client"
        assert set(machine.desktops) == {other}
    else:
        assert machine.states == {}
        assert second.live() == [slot, other]
    await second.host.stop()


async def a_busy_life(world: World) -> None:
    """Everything that a daemon does to desktops and states, once."""
    host = world.host
    slot = await world.a_slot(TASK)
    await saving.capture(host, slot, "warm")
    await branching.branch(host, slot, Fork(2, delete_state_with_children=True))
    await lifecycle.reset(host, slot)
    await prefork.prefork(host, slot, Fork(2))
    await world.clock.settle()
    await branching.branch(host, slot, Fork(2))
    await prefork.prefork(host, slot, Fork(1))
    await world.clock.settle()
    await acting.step(host, slot, acting.Run("execute", "touch done"))
    await world.clock.advance(5)
    if not host.slots[SlotId(slot)].settled.is_set():  # killed while the gates were taken: nobody would ever answer
        raise Killed
    await rewards.verify(host, slot)
    await acting.set_task(host, slot, AUDITED)
    await rewards.verify(host, slot)
    await lifecycle.quarantine(host, slot, "client")
    await lifecycle.release(host, slot)
    for row in looking.live_slots(host):
        if row.id != slot:
            await lifecycle.delete(host, row.id)
    await saving.delete(host, "warm")
    await world.clock.settle()


def is_sound(world: World) -> None:
    """What holds after every restart, whatever happened before."""
    rows = world.store.live_slots()
    running = {row.id for row in rows if row.state in {"ready", "quarantined"}}
    assert all(row.state in {"ready", "quarantined", "down"} and not row.held for row in rows)
    assert set(world.machine.desktops) == running
    assert all(desktop.alive for desktop in world.machine.desktops.values())
    assert {state.id for state in world.store.checkpoints()} == set(world.machine.states)
    assert set(world.host.states) == set(world.machine.states)
    assert set(world.host.slots) == {row.id for row in rows}
    assert world.store.intents() == []
    for row in rows:
        assert row.checkpoint == IMAGE or row.checkpoint in world.host.states
    for state in world.host.states.values():
        assert not state.held
        assert not state.delete_with_children or any(row.checkpoint == state.id for row in rows)


class DyingStore(Store):
    """A store whose daemon is killed at one of its commits, just before it or just after."""

    dies_at: int | None = None
    after_it = False
    commits = 0
    dead = False

    def _write(self, statement: str, values: Sequence[object]) -> sqlite3.Cursor:
        if self.dead:
            raise Killed
        if self._depth:
            return super()._write(statement, values)
        self._die(after_it=False)
        cursor = super()._write(statement, values)
        self._die(after_it=True)
        return cursor

    def _commit(self) -> None:
        self._die(after_it=False)
        super()._commit()
        self._die(after_it=True)

    def _die(self, *, after_it: bool) -> None:
        self.commits += not after_it
        if self.dead or (self.commits == self.dies_at and self.after_it == after_it):
            self.dead = True
            raise Killed


@dataclass
class Doomed:
    """A daemon that will be killed at one moment."""

    at_commit: int | None = None
    after_it: bool = False
    at_call: int | None = None
    calls: int = 0

    async def live(self, store: DyingStore, machine: FakeMachine, clock: ManualClock, *, life: bool = True) -> None:
        """Start, live a busy life and be killed; nothing of it does anything afterwards."""
        store.dies_at, store.after_it = self.at_commit, self.after_it

        def count(_call: str) -> None:
            self.calls += 1
            if store.dead or self.calls == self.at_call:
                store.dead = True
                raise Killed

        machine.on_call = count
        world = World(store=store, machine=machine, clock=clock)
        with suppress(Killed, Refusal):
            await world.host.start()
            if life:
                await a_busy_life(world)
        store.dead = True
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        machine.on_call = lambda _call: None
        store.close()


async def killed_and_restarted(path: Path, deaths: Sequence[Doomed], *, lost: bool) -> None:
    machine, clock = FakeMachine(), ManualClock()
    for number, doomed in enumerate(deaths):
        await doomed.live(DyingStore(path), machine, clock, life=number == 0)
    if lost:
        machine.desktops.clear()
        machine.states.clear()
    used = {int(what[1:]) for _, what in machine.calls if re.fullmatch(r"s\d+", what)}

    world = World(store=Store(path), machine=machine, clock=clock)
    await world.host.start()
    is_sound(world)
    before = [(row.id, row.state, row.gates) for row in world.store.live_slots()]
    world.store.close()
    again = World(store=Store(path), machine=machine, clock=clock)
    await again.host.start()
    is_sound(again)
    assert [(row.id, row.state, row.gates) for row in again.store.live_slots()] == before

    fresh = await again.a_slot(TASK)
    assert int(fresh[1:]) > max(used, default=0)
    await again.clock.advance(5)
    assert (await rewards.verify(again.host, fresh)).valid
    await again.host.stop()


def test_a_life_that_is_not_cut_short_counts_its_moments(tmp_path: Path) -> None:
    """The moments that the next test draws from are all there are."""

    async def live() -> tuple[int, int]:
        doomed, store = Doomed(), DyingStore(tmp_path / "store")
        await doomed.live(store, FakeMachine(), ManualClock())
        return store.commits, doomed.calls

    commits, calls = asyncio.run(live())

    assert MOST_COMMITS - 20 < commits <= MOST_COMMITS
    assert MOST_CALLS - 20 < calls <= MOST_CALLS


def deaths(commits: int, calls: int) -> st.SearchStrategy[Doomed]:
    """One moment at which a daemon is killed."""
    at_commit = st.builds(Doomed, at_commit=st.integers(1, commits), after_it=st.booleans())
    return at_commit | st.builds(Doomed, at_call=st.integers(1, calls))


@given(deaths(MOST_COMMITS, MOST_CALLS), st.none() | deaths(12, 12), st.booleans())
def test_a_daemon_that_is_killed_at_any_moment_leaves_what_the_next_one_can_finish_or_undo(
    first: Doomed, during_the_restart: Doomed | None, lost: bool
) -> None:
    with TemporaryDirectory() as folder:
        lives = [replace(first), *([replace(during_the_restart)] if during_the_restart else [])]
        asyncio.run(killed_and_restarted(Path(folder) / "store", lives, lost=lost))
