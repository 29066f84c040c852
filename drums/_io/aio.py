"""Waiting on an event loop: the same names as `drums._io.sync`, to be awaited.

`Transport` sends with aiohttp (`_http_aio`), `InProcessTransport` to the daemon inside this process. One thread, the
loop's, may use these; what is awaited ends at once when the caller is cancelled, but for `finish`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from drums._io._http_aio import Transport
from drums._io._in_process import InProcess, lost, reply_of, submitted
from drums._io._made_aio import made
from drums._io._surface_aio import Mapped, Opening, opening
from drums._io._terms import too_late

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from drums._core.wire import Reply, Request

__all__ = [
    "INTERRUPTED",
    "Fn",
    "InProcessTransport",
    "Mapped",
    "Opening",
    "Transport",
    "finish",
    "made",
    "monotonic",
    "opening",
    "run_each",
    "sleep",
    "thread_lock",
]

_P = ParamSpec("_P")
_T = TypeVar("_T")
_R = TypeVar("_R")

Fn = Callable[[_T], Awaitable[_R]]
"""What `run_each` calls with each item."""

INTERRUPTED: Final = (KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError)
"""What can end a call from outside at any point; after one of these, look what the call had already done."""

monotonic = time.monotonic


async def sleep(seconds: float) -> None:
    """Wait; zero or less only lets the others have a turn."""
    await asyncio.sleep(seconds)


async def finish(fn: Callable[_P, Coroutine[Any, Any, _R]], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """Run a clean-up to its end though the caller is cancelled meanwhile; only then pass the cancellation on."""
    task = asyncio.get_running_loop().create_task(fn(*args, **kwargs))
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as interruption:
            cancelled = interruption
    if cancelled is not None:
        raise cancelled from (None if task.cancelled() else task.exception())
    return task.result()


def thread_lock() -> AbstractContextManager[object]:
    """Nothing to lock: what a loop does between two awaits, nobody else sees half done."""
    return nullcontext()


async def run_each(fn: Fn[_T, _R], items: Iterable[_T], workers: int) -> list[_R | BaseException]:
    """Call `fn` with each item, at most `workers` at a time, each in a task.

    Interrupted, it starts no further call, cancels those under way, waits for them, and passes the interruption on.

    Args:
        fn: What to call.
        items: What to call it with.
        workers: Calls at a time, at least 1.

    Returns:
        What each call returned or raised, in the order of the items.
    """
    waiting = enumerate(items)
    outcomes: dict[int, _R | BaseException] = {}

    async def work() -> None:
        for index, item in waiting:
            outcomes[index] = await _outcome(fn, item)

    tasks = [asyncio.get_running_loop().create_task(work()) for _ in range(max(workers, 1))]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        raise
    return [outcomes[index] for index in range(len(outcomes))]


async def _outcome(fn: Fn[_T, _R], item: _T) -> _R | BaseException:
    try:
        return await fn(item)
    except (KeyboardInterrupt, SystemExit):
        raise
    except asyncio.CancelledError as fault:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return fault
    except BaseException as fault:  # noqa: BLE001  # the caller gets every outcome, and decides
        return fault


class InProcessTransport:
    """Sends to the daemon inside this process; same meaning as `Transport`.

    Args:
        daemon: The running daemon.
    """

    def __init__(self, daemon: InProcess) -> None:
        self._daemon = daemon

    async def send(self, request: Request) -> Reply:
        """Do one request.

        Raises:
            BadRequest: The request can't be put into words of HTTP.
            TransportError: There is no complete reply.
        """
        future = submitted(self._daemon, request)
        try:
            async with asyncio.timeout(request.timeout_s):
                return reply_of(await asyncio.wrap_future(future))
        except TimeoutError:
            raise too_late(request, "maybe") from None
        except ConnectionError as fault:
            raise lost(fault) from fault

    async def close(self) -> None:
        """Nothing to let go of: who started the daemon closes it."""
