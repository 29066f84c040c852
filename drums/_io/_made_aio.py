"""Making something on the server while the caller may be cancelled: it is handed over or undone. The loop's side.

A request that was sent can't be taken back, and its reply alone tells what was made. So the request runs in a task of
its own, which no cancellation of the caller reaches; a cancelled caller waits for its end, undoes what it made, and
is then cancelled.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

_R = TypeVar("_R")


async def made(
    make: Callable[[], Coroutine[Any, Any, _R]],
    unmake: Callable[[_R], Coroutine[Any, Any, object]],
    grace_s: Callable[[], float],
) -> _R:
    """What `make` makes; when the caller is cancelled meanwhile, `unmake` gets it instead.

    Args:
        make: Makes something on the server.
        unmake: Undoes that; what it raises is dropped, so it should tell of its failures itself.
        grace_s: Seconds that an interrupted caller waits, for the making and again for the undoing.
    """
    making = _apart(make())
    try:
        return await asyncio.shield(making)
    except asyncio.CancelledError:
        await _through(making, grace_s())
        if not making.cancelled() and making.exception() is None:
            await _through(_apart(unmake(making.result())), grace_s())
        raise


def _apart(work: Coroutine[Any, Any, _R]) -> asyncio.Task[_R]:
    """A task that is not among `asyncio.all_tasks()`.

    Whoever cancels all of those (`asyncio.run` when it ends, a program's own signal handler) would end it halfway. A
    subclass of Task that ignores `cancel` would not do: timeouts inside of it work by that.
    """
    task = asyncio.get_running_loop().create_task(work)
    asyncio._unregister_task(task)  # noqa: SLF001  # documented, for those who make tasks of their own
    return task


async def _through(task: asyncio.Task[Any], grace_s: float) -> None:
    """Wait for its end, however often the caller is cancelled; when the time is over it is cancelled in earnest."""
    loop = asyncio.get_running_loop()
    late = loop.call_later(grace_s, task.cancel)
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            continue
    late.cancel()
