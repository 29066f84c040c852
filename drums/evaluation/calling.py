"""How a policy's own code is run: awaited where it is async, else in a thread that nobody has to wait for.

It judges no answer. Invariant: whatever the policy raises, also `SystemExit` and a cancellation of its own, comes out
as `PolicyError`, and only the caller's cancellation passes through.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from drums._quote import excerpt
from drums.evaluation.policy import PolicyError

if TYPE_CHECKING:
    from collections.abc import Callable


async def called(what: str, function: Callable[..., Any], *arguments: object) -> Any:
    """What the policy's function returns.

    Args:
        what: Its name, for the error.
        function: Async or not.
        arguments: What it gets.

    Raises:
        PolicyError: It raised something; the message names it in one line.
    """
    try:
        returned = function(*arguments) if is_async(function) else await _in_thread(function, *arguments)
        return await returned if inspect.isawaitable(returned) else returned
    except PolicyError:
        raise
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise PolicyError(f"{what} cancelled itself") from None
    except (Exception, SystemExit) as fault:
        words = excerpt(str(fault))
        raise PolicyError(f"{what} raised {type(fault).__name__}{f': {words}' if words else ''}") from fault


def is_async(function: object) -> bool:
    """Whether calling it gives a coroutine."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004


async def _in_thread(function: Callable[..., Any], *arguments: object) -> Any:
    """Call it in a thread of its own. Cancelled, its result is lost; a program's end does not wait for it."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def deliver(value: object, fault: BaseException | None) -> None:
        if future.done():
            return
        if fault is None:
            future.set_result(value)
        else:
            future.set_exception(fault)

    def run() -> None:
        value, fault = None, None
        try:
            value = function(*arguments)
        except BaseException as raised:  # noqa: BLE001 - carried to who waits for it
            fault = raised if isinstance(raised, Exception) and not isinstance(raised, StopIteration) else None
            fault = fault or cast("Exception", PolicyError(f"it raised {type(raised).__name__}"))
        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            loop.call_soon_threadsafe(deliver, value, fault)

    threading.Thread(target=run, name="drums policy", daemon=True).start()
    return await future
