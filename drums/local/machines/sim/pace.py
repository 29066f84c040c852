"""How long a command may go on, in the desktop's time and in the daemon's.

A simulated desktop runs inside the daemon's event loop. Invariant: whoever works for a desktop asks here again and
again; others then get their turn every few milliseconds, and nothing goes on beyond its time.
"""

from __future__ import annotations

import asyncio
import math
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

    from .guest import Guest

TURN_S = 0.005
"""How long the event loop is kept before others get their turn."""
WORK_LIMIT_S = 20.0
"""The most real time that one command may take; what it sleeps in the desktop takes none."""


class OutOfTime(Exception):
    """The command did not come to an end within its time."""


class Pace:
    """The time of one command.

    Args:
        guest: The desktop whose clock goes on while the command sleeps.
        timeout_s: Seconds that it may take, slept ones included.
    """

    def __init__(self, guest: Guest, timeout_s: float) -> None:
        self._guest = guest
        self._ends_at_s: float = guest.clock_s + timeout_s
        now = time.monotonic()
        self._deadline = now + min(timeout_s, WORK_LIMIT_S)
        self._turn_ends = now + TURN_S
        # The end and the desktop's time when what runs in the background began, the innermost last.
        self._outside: list[tuple[float, float]] = []

    async def step(self) -> None:
        """Go on, if there is time, after others had theirs."""
        self.check()
        if time.monotonic() > self._turn_ends:
            await asyncio.sleep(0)
            self._turn_ends = time.monotonic() + TURN_S

    def check(self) -> None:
        """Go on only if there is time.

        Raises:
            OutOfTime: There is none left.
        """
        if self._guest.clock_s > self._ends_at_s or time.monotonic() > self._deadline:
            raise OutOfTime

    def sleep(self, seconds: float) -> None:
        """Let that much of the desktop's time pass, at most up to the command's end; it takes no real time.

        Raises:
            OutOfTime: The command's time ends before.
        """
        left = self._ends_at_s - self._guest.clock_s
        self._guest.pass_time(min(seconds, left + 1e-6))
        self.check()

    def background(self, *, begins: bool) -> None:
        """Mark where something begins or ends that the command does not wait for: its time is not the command's.

        It is done at once all the same, so that nothing goes on running by itself. Then the clock is put back.
        """
        if begins:
            self._outside.append((self._ends_at_s, self._guest.clock_s))
            self._ends_at_s = math.inf
        elif self._outside:
            self._ends_at_s, self._guest.clock_s = self._outside.pop()

    @contextmanager
    def within(self, seconds: float) -> Generator[None]:
        """Give what is done inside less time, in the desktop's."""
        outer = self._ends_at_s
        self._ends_at_s = min(outer, self._guest.clock_s + seconds)
        try:
            yield
        finally:
            self._ends_at_s = outer

    @contextmanager
    def aside(self) -> Generator[None]:
        """Do something that nobody waits for: the desktop's time that passes inside is not the command's."""
        before = self._guest.clock_s
        try:
            yield
        finally:
            self._ends_at_s += self._guest.clock_s - before
