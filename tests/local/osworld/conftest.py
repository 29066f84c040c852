"""A simulated desktop for tasks to be done on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drums.local.faults import Faults
from drums.local.machines.machine import CheckpointId, SlotId
from drums.local.machines.sim import SimMachine

if TYPE_CHECKING:
    from drums.local.machines.machine import Desktop


@pytest.fixture
def faults() -> Faults:
    """What must go wrong on `desktop`."""
    return Faults()


@pytest.fixture
async def desktop(faults: Faults) -> Desktop:
    """A fresh desktop."""
    return await SimMachine(faults).create(SlotId("s1"), CheckpointId("osworld-ubuntu"))
