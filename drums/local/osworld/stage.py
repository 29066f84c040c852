"""A desktop while a task's steps and getters work on it: what they share of one pass.

Invariant: a stage belongs to one pass, a setup or a check; nothing of it outlives that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from drums.local.machines.machine import Desktop

    Sleep = Callable[[float], Awaitable[None]]


@dataclass(slots=True)
class Stage:
    """One pass over a desktop."""

    desktop: Desktop
    sleep: Sleep
    """How to wait, in seconds."""
    closing: bool = False
    """Whether this is a check with its closing steps, which the agent's desktop need not suit; else a setup."""
    outputs: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """What steps kept of what commands printed, by name."""
    notes: list[str] = field(default_factory=list[str])
    """What a closing step found otherwise than the task's author thought."""
    misses_window: bool = False
    """Whether the window that the next keys are meant for is not there."""

    async def until(self, condition: Callable[[], Awaitable[bool]], within_s: float, every_s: float) -> bool:
        """Wait until something holds; False when it did not in time. The pauses are counted, not the asking."""
        for _ in range(max(1, round(within_s / every_s))):
            if await condition():
                return True
            await self.sleep(every_s)
        return await condition()
