"""Room for desktops: one limit for the whole env, waiting for a host that is full, closing whatever happens.

It makes no desktop itself. Invariants: an episode asks for all its places at once and in turn, so that two episodes
never wait for each other; what must be closed is tried until the server answered or the time is over, also when the
caller is cancelled meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from drums.errors import DaemonUnavailable, DrumsError, EnvGone, NotFound, Overloaded, QuotaExceeded

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from typing import Any

T = TypeVar("T")

FIRST_WAIT_S = 2.0
LONGEST_WAIT_S = 30.0
CLOSE_S = 30.0
"""Seconds to go on trying to close a desktop; then the client tries at its end, and leases end the rest."""
FIRST_CLOSE_WAIT_S = 0.25
LONGEST_CLOSE_WAIT_S = 4.0

FULL = (Overloaded, QuotaExceeded)
"""What a server says that has no room: 429, and the quota's 403. Nothing was started."""

logger: logging.Logger = logging.getLogger("drums.evaluation")


def wait_before(tries: int, spent_s: float, wait_s: float, retry_after_s: float | None) -> float | None:
    """Seconds to wait before the next try, None when it would come too late.

    Args:
        tries: How often it was tried, from 1.
        spent_s: Seconds since the first try.
        wait_s: Seconds that all may take.
        retry_after_s: What the server asked for; it is not asked earlier.
    """
    left = wait_s - spent_s
    asked = retry_after_s or 0.0
    if left <= 0 or asked > left:
        return None
    backoff = min(FIRST_WAIT_S * float(1 << min(tries - 1, 10)), LONGEST_WAIT_S)
    return min(max(backoff, asked), left)


async def admitted(deed: Callable[[], Awaitable[T]], wait_s: float) -> T:
    """What the deed gives, tried again while the server has no room.

    Args:
        deed: Asks the server; a refusal means that nothing was started.
        wait_s: Seconds to go on.

    Raises:
        Overloaded: There was no room in all that time.
        QuotaExceeded: The same.
    """
    began, tries = monotonic(), 0
    while True:
        try:
            return await deed()
        except FULL as full:
            tries += 1
            pause = wait_before(tries, monotonic() - began, wait_s, full.retry_after)
            if pause is None:
                raise
            logger.info("the host is full, next try in %.0f s: %s", pause, full.message)
        await asyncio.sleep(pause)


class Places:
    """A number of places, given out in the order in which they were asked for.

    Args:
        size: How many; None: no limit.
    """

    def __init__(self, size: int | None) -> None:
        self.free: int = 2**62 if size is None else size
        """Places that nobody has."""
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    async def take(self, count: int) -> None:
        """Take so many places together, when those who asked before have theirs."""
        if not self._waiting and count <= self.free:
            self.free -= count
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = count, turn
        self._waiting.append(entry)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give(count)
            else:
                with suppress(ValueError):  # a place that came free meanwhile has passed over it
                    self._waiting.remove(entry)
                self._serve()
            raise

    def give(self, count: int) -> None:
        """Give so many back."""
        self.free += count
        self._serve()

    def _serve(self) -> None:
        while self._waiting and self._waiting[0][0] <= self.free:
            count, turn = self._waiting.popleft()
            if not turn.cancelled():
                self.free -= count
                turn.set_result(None)


class Hold:
    """The places of one episode: those that it still wants go round in it, the others back to the env at once.

    Args:
        places: The env's.
        size: Places that the episode has taken of them.
        wanted: Places that its desktops will ask for, one after the other.
    """

    def __init__(self, places: Places, size: int, wanted: int) -> None:
        self._places = places
        self._room = Places(size)
        self._held = size
        self._wanted = wanted

    async def take(self, count: int = 1) -> None:
        """Wait until so many of the episode's places are free, and have them."""
        await self._room.take(count)
        self._wanted -= count

    def give(self, count: int = 1, *, again: bool = False) -> None:
        """Give so many back: to the episode's own desktops first.

        Args:
            count: How many.
            again: Whether they will be asked for once more.
        """
        if again:
            self._wanted += count
        kept = min(count, max(0, self._wanted - self._room.free))
        self._room.give(kept)
        self._held -= count - kept
        self._places.give(count - kept)

    def end(self) -> None:
        """Give everything back that the episode still has."""
        self._places.give(self._held)
        self._held = 0


async def to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Run something to its end even if the caller is cancelled, once or often; the cancellation follows then."""
    task = asyncio.ensure_future(work)
    interrupted = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            interrupted = True
    if interrupted:
        if not task.cancelled() and (fault := task.exception()) is not None:
            logger.warning("%s", fault)
        raise asyncio.CancelledError
    return task.result()


async def ended(what: str, deed: Callable[[], Awaitable[object]], limit_s: float = CLOSE_S) -> bool:
    """Close or delete something, again and again while the server is unavailable.

    Args:
        what: Its name, for the log.
        deed: Asks the server; one that is gone already counts as done.
        limit_s: Seconds to go on.

    Returns:
        Whether the server said that it is gone.
    """
    began, pause = monotonic(), FIRST_CLOSE_WAIT_S
    while True:
        try:
            await deed()
        except (EnvGone, NotFound):
            return True
        except DrumsError as fault:
            passes = isinstance(fault, DaemonUnavailable | Overloaded) or fault.status >= 500
            if not passes or monotonic() - began + pause > limit_s:
                logger.warning("%s was not ended: %s", what, fault)
                return False
        else:
            return True
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_CLOSE_WAIT_S)
