"""Where the public surface of the SDK itself differs between an event loop and threads. The loop's side.

`Opening` is what `connect()` and `env()` return, `Mapped` is `Client.map`. The converter turns `Opening[Client]` into
`Client`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from drums._core.arguments import count

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator, Iterable
    from contextlib import AbstractAsyncContextManager
    from types import TracebackType

_T = TypeVar("_T")
_R = TypeVar("_R")
_C = TypeVar("_C", bound="AbstractAsyncContextManager[Any]")


class Opening(Generic[_C]):
    """Something that opens when it is awaited, or entered with `async with`, once.

    Args:
        open_it: Opens it.
    """

    def __init__(self, open_it: Callable[[], Coroutine[Any, Any, _C]]) -> None:
        self._open_it = open_it
        self._opened: _C | None = None

    def __await__(self) -> Generator[Any, None, _C]:
        return self._open_it().__await__()

    async def __aenter__(self) -> _C:
        self._opened = await self._open_it()
        await self._opened.__aenter__()
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._opened is not None:
            await self._opened.__aexit__(kind, fault, trace)


def opening(open_it: Callable[[], Coroutine[Any, Any, _C]]) -> Opening[_C]:
    """What opens by `open_it`."""
    return Opening(open_it)


class Mapped:
    """A client's `map`."""

    async def map(
        self, fn: Callable[[_T], Coroutine[Any, Any, _R]], items: Iterable[_T], workers: int = 8
    ) -> list[_R | BaseException]:
        """Await `fn(item)` for every item, at most `workers` at a time.

        Args:
            fn: A coroutine function.
            items: What to call it with.
            workers: Calls under way at a time, at least 1.

        Returns:
            For each item, in order, what its call returned or the exception it raised; none is ever dropped.
        """
        from drums._io.aio import run_each  # noqa: PLC0415  # `aio` takes its names from here

        return await run_each(fn, items, count(workers, "workers"))
