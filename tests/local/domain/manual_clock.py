"""A clock that stands still until a test moves it."""

from __future__ import annotations

import asyncio
import heapq
from itertools import count

START = 1_800_000_000.0
ROUNDS = 60
"""Turns of the event loop in which everything that can go on without time passing has gone on."""


class ManualClock:
    """Sleepers wake in the order of their times, each at its own, when `advance` passes them."""

    def __init__(self) -> None:
        self.elapsed = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = count()

    def now(self) -> float:
        return START + self.elapsed

    def monotonic(self) -> float:
        return self.elapsed

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        waiting = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.elapsed + seconds, next(self._order), waiting))
        await waiting

    async def advance(self, seconds: float) -> None:
        """Let that much time pass, and everything happen that is due in it."""
        until = self.elapsed + seconds
        await self.settle()
        while self._sleepers and self._sleepers[0][0] <= until:
            self.elapsed, _, waiting = heapq.heappop(self._sleepers)
            if not waiting.done():
                waiting.set_result(None)
                await self.settle()
        self.elapsed = until
        await self.settle()

    async def settle(self) -> None:
        """Let everything go on that needs no time."""
        for _ in range(ROUNDS):
            await asyncio.sleep(0)
