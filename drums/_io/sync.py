"""Waiting on threads: the same names as `drums._io.aio`, without `await`.

`Transport` sends over sockets that are kept (`_http_sync`), `InProcessTransport` to the daemon inside this process.
Every function is safe to call from any thread; none is for a caller on an event loop, which it would stop.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextvars import copy_context
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from drums._io._http_sync import Transport
from drums._io._in_process import InProcess, lost, reply_of, submitted
from drums._io._limits import GRACE_S
from drums._io._made_sync import made
from drums._io._surface_sync import Mapped, opening
from drums._io._terms import too_late

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from drums._core.wire import Reply, Request

__all__ = [
    "INTERRUPTED",
    "Fn",
    "InProcessTransport",
    "Mapped",
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

Fn = Callable[[_T], _R]
"""What `run_each` calls with each item."""

INTERRUPTED: Final = (KeyboardInterrupt, SystemExit, GeneratorExit)
"""What can end a call from outside at any point; after one of these, look what the call had already done."""

monotonic = time.monotonic


def sleep(seconds: float) -> None:
    """Wait; zero or less does not wait at all."""
    if seconds > 0:
        time.sleep(seconds)


def finish(fn: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """Run a clean-up to its end. On threads that is a plain call; on an event loop it takes more."""
    return fn(*args, **kwargs)


def thread_lock() -> AbstractContextManager[object]:
    """A lock for state that threads share; never held while waiting for anything."""
    return threading.Lock()


def run_each(fn: Fn[_T, _R], items: Iterable[_T], workers: int) -> list[_R | BaseException]:
    """Call `fn` with each item, at most `workers` at a time, each in a thread; where there is none, in turn.

    Interrupted, it starts no further call, waits `GRACE_S` seconds for those under way, and passes the interruption on.

    Args:
        fn: What to call.
        items: What to call it with.
        workers: Calls at a time, at least 1.

    Returns:
        What each call returned or raised, in the order of the items.
    """
    waiting = deque(enumerate(items))
    count = len(waiting)
    outcomes: dict[int, _R | BaseException] = {}

    def work() -> None:
        while True:
            try:
                index, item = waiting.popleft()
            except IndexError:
                return
            outcomes[index] = _outcome(fn, item)

    ends: list[threading.Event] = []
    try:
        while len(ends) < min(workers, count) and _begun(work, ends):
            pass
        if not ends:
            work()
        for end in ends:
            end.wait()
    except BaseException:
        waiting.clear()
        until = monotonic() + GRACE_S
        for end in ends:
            end.wait(max(0.0, until - monotonic()))
        raise
    return [outcomes[index] for index in range(count)]


def _outcome(fn: Fn[_T, _R], item: _T) -> _R | BaseException:
    try:
        return fn(item)
    except BaseException as fault:  # noqa: BLE001  # the caller gets every outcome, and decides
        return fault


def _begun(work: Callable[[], None], ends: list[threading.Event]) -> bool:
    """Start a thread, which keeps no process from ending, and add its end; False where there is none to be had.

    An exhausted system has none, nor has Python 3.12.0 or 3.12.1 once it ends.
    """
    # Not `Thread.join`: interrupted once, it takes the thread for ended (Python 3.11).
    end = threading.Event()
    ends.append(end)
    try:
        threading.Thread(target=copy_context().run, args=(_until_done, work, end), daemon=True).start()
    except RuntimeError:
        ends.remove(end)
        return False
    return True


def _until_done(work: Callable[[], None], end: threading.Event) -> None:
    try:
        work()
    finally:
        end.set()


class InProcessTransport:
    """Sends to the daemon inside this process; same meaning as `Transport`.

    Args:
        daemon: The running daemon.
    """

    def __init__(self, daemon: InProcess) -> None:
        self._daemon = daemon

    def send(self, request: Request) -> Reply:
        """Do one request.

        Raises:
            BadRequest: The request can't be put into words of HTTP.
            TransportError: There is no complete reply.
        """
        future = submitted(self._daemon, request)
        try:
            return reply_of(future.result(request.timeout_s))
        except TimeoutError:
            future.cancel()
            raise too_late(request, "maybe") from None
        except ConnectionError as fault:
            raise lost(fault) from fault

    def close(self) -> None:
        """Nothing to let go of: who started the daemon closes it."""
