"""Simulated desktops for the tests of the simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drums.local.faults import Faults
from drums.local.machines.machine import CheckpointId, SlotId
from drums.local.machines.sim import SimMachine

if TYPE_CHECKING:
    from drums.local.machines.sim.desktop import SimDesktop


@pytest.fixture
def faults() -> Faults:
    """What must go wrong in `machine`."""
    return Faults()


@pytest.fixture
def machine(faults: Faults) -> SimMachine:
    """A machine of its own."""
    return SimMachine(faults)


@pytest.fixture
async def desktop(machine: SimMachine) -> SimDesktop:
    """A fresh desktop."""
    return await machine.create(SlotId("s1"), CheckpointId("osworld-ubuntu"))
