"""Where the public surface of the SDK itself differs between an event loop and threads. The threads' side.

`opening` opens at once, so that `connect()` and `env()` return what they open; `Mapped` is `Client.map`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from drums._core.arguments import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Executor, Future

_T = TypeVar("_T")
_R = TypeVar("_R")


def opening(open_it: Callable[[], _T]) -> _T:
    """What opens by `open_it`."""
    return open_it()


class Mapped:
    """A client's `map`."""

    def map(
        self,
        fn: Callable[[_T], _R],
        items: Iterable[_T],
        workers: int = 8,
        *,
        executor: Executor | None = None,
    ) -> list[_R | BaseException]:
        """Call `fn(item)` for every item, at most `workers` at a time, each in a thread or where `executor` runs it.

        Args:
            fn: What to call; for an executor of other processes or hosts it must be picklable.
            items: What to call it with; an `Env` or `Client` among them may be pickled.
            workers: Calls under way at a time, at least 1; an executor has its own bound.
            executor: Any `concurrent.futures.Executor`: of processes, of Ray, of Dask.

        Returns:
            For each item, in order, what its call returned or the exception it raised; none is ever dropped.
        """
        from drums._io.sync import run_each  # noqa: PLC0415  # `sync` takes its names from here

        bound = count(workers, "workers")
        return run_each(fn, items, bound) if executor is None else _run_on(executor, fn, items)


def _run_on(executor: Executor, fn: Callable[[_T], _R], items: Iterable[_T]) -> list[_R | BaseException]:
    begun: list[Future[_R] | Exception] = [_begun(executor, fn, item) for item in items]
    outcomes: list[_R | BaseException] = []
    try:
        for one in begun:
            outcome = _outcome(one)
            outcomes.append(outcome)
    except BaseException:
        for one in begun:
            if not isinstance(one, BaseException):
                one.cancel()
        raise
    return outcomes


def _begun(executor: Executor, fn: Callable[[_T], _R], item: _T) -> Future[_R] | Exception:
    """The call under way; or why the executor would not take it (its workers died, it was shut down)."""
    try:
        return executor.submit(fn, item)
    except Exception as fault:  # noqa: BLE001  # the caller gets every outcome, and decides
        return fault


def _outcome(begun: Future[_R] | Exception) -> _R | BaseException:
    """What came of one call. An interruption of this thread while it waits is not the call's, and passes."""
    from concurrent.futures import CancelledError  # noqa: PLC0415  # whoever has an executor has paid for it

    if isinstance(begun, Exception):
        return begun
    try:
        fault = begun.exception()
    except CancelledError as gone:
        return gone
    return begun.result() if fault is None else fault
