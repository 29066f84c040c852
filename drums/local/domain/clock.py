"""Time as the domain sees it: a parameter, so that leases, gates and ages are tested without waiting.

Invariant: nothing in the domain asks the operating system for the time or sleeps except through a `Clock`.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")


class Clock(Protocol):
    """What tells the time and waits."""

    def now(self) -> float:
        """Seconds since 1970 in UTC; what is stored and shown."""
        ...

    def monotonic(self) -> float:
        """Seconds on a clock that never jumps; for spans."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; at least let other tasks run."""
        ...


class SystemClock:
    """The operating system's clocks."""

    def now(self) -> float:
        """Seconds since 1970 in UTC."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds on a clock that never jumps."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds."""
        await asyncio.sleep(seconds)


async def within(clock: Clock, seconds: float, awaited: Awaitable[T]) -> T:
    """What `awaited` gives, if it does within the time; then it is cancelled.

    Raises:
        TimeoutError: It did not.
    """
    work = asyncio.ensure_future(awaited)
    alarm = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({work, alarm}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        raise TimeoutError
    finally:
        for future in (work, alarm):
            future.cancel()
        await asyncio.wait({work, alarm})
