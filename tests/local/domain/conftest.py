"""One daemon's domain over the fake machine, on a clock that a test moves."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from drums.local.domain import lifecycle, looking
from drums.local.domain.host import Host
from drums.local.domain.limits import Limits
from drums.local.domain.metrics import Price
from drums.local.machines.machine import SlotId
from drums.local.osworld import TaskLibrary
from drums.local.store import Store

from .fake_machine import IMAGE, FakeDesktop, FakeMachine
from .manual_clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from drums.local.domain.leases import Lease
    from drums.local.store import SlotRow

TASK: dict[str, Any] = {
    "id": "11111111-2222-3333-4444-555555555555",
    "instruction": "Make the file done.",
    "config": [{"type": "execute", "parameters": {"command": ["touch", "prepared"]}}],
    "evaluator": {
        "func": "exact_match",
        "result": {"type": "vm_command_line", "command": ["test", "-e", "done"]},
        "expected": {"type": "rule", "rules": {"expected": "yes\n"}},
    },
}
"""Its setup makes `prepared`; its checker wants `done`."""


@dataclass
class World:
    """A daemon's domain, and everything that a test does to it."""

    limits: Limits = field(default_factory=Limits)
    price: Price = field(default_factory=Price)
    store: Store = field(default_factory=lambda: Store(None))
    machine: FakeMachine = field(default_factory=FakeMachine)
    clock: ManualClock = field(default_factory=ManualClock)
    check_at_start: bool = True

    def __post_init__(self) -> None:
        self.host = Host(
            self.machine,
            self.store,
            TaskLibrary(),
            limits=self.limits,
            clock=self.clock,
            price=self.price,
            check_at_start=self.check_at_start,
        )
        weakref.finalize(self, self.store.close)  # of a daemon that a test has killed too

    async def a_slot(self, task: Mapping[str, Any] | None = None, lease: Lease | None = None) -> str:
        """A ready slot whose last gate is still pending."""
        row = await lifecycle.create(self.host, IMAGE, task, lease=lease)
        assert row.state == "ready", row
        return row.id

    async def a_valid_slot(self, task: Mapping[str, Any] | None = None) -> str:
        """A ready slot whose gates have all passed."""
        slot = await self.a_slot(task)
        await self.clock.advance(5)
        assert (await looking.gates(self.host, slot)).verdict == "valid"
        return slot

    def desktop(self, slot: str) -> FakeDesktop:
        """The slot's desktop."""
        return self.machine.desktops[SlotId(slot)]

    def row(self, slot: str) -> SlotRow:
        """The slot's record, destroyed or not."""
        row = self.store.slot(slot)
        assert row is not None
        return row

    def live(self) -> list[str]:
        """Ids of the slots that a caller sees."""
        return [row.id for row in looking.live_slots(self.host)]


@pytest.fixture
async def world() -> AsyncGenerator[World]:
    world = World()
    await world.host.start()
    yield world
    await world.host.stop()
    world.store.close()
