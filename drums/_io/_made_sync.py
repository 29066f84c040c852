"""Making something on the server while the caller may be interrupted: handed over or undone. The threads' side.

A request that was sent can't be taken back, and its reply alone tells what was made. Only the main thread can be
interrupted (Ctrl-C, or a signal handler that raises), so there the request runs in a thread of its own; an
interrupted caller waits for its end, undoes what it made, and goes on with the interruption.
"""

from __future__ import annotations

import threading
from contextvars import copy_context
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_R = TypeVar("_R")


class _Making(Generic[_R]):
    """One call in a thread, and what came of it."""

    def __init__(self, make: Callable[[], _R]) -> None:
        self._make = make
        self._over = threading.Event()
        self.results: list[_R] = []
        self.fault: BaseException | None = None
        # A daemon thread: an exit must not hang on a server that does not answer.
        self._thread = threading.Thread(target=copy_context().run, args=(self._run,), daemon=True)

    def _run(self) -> None:
        try:
            self.results.append(self._make())
        except BaseException as fault:  # noqa: BLE001  # it is raised again in the caller's thread
            self.fault = fault
        finally:
            self._over.set()

    def start(self) -> bool:
        """Start it; False where no thread is to be had: there are too many, or Python is ending."""
        try:
            self._thread.start()
        except RuntimeError:
            return False
        return True

    def result(self) -> _R:
        """Wait for its end, and give or raise what came of it."""
        self._over.wait()
        if self.fault is not None:
            raise self.fault
        return self.results[0]

    def wait(self, seconds: float) -> None:
        """Wait for its end, but not for ever."""
        self._over.wait(seconds)


def made(make: Callable[[], _R], unmake: Callable[[_R], object], grace_s: Callable[[], float]) -> _R:
    """What `make` makes; when the caller is interrupted meanwhile, `unmake` gets it instead.

    Args:
        make: Makes something on the server.
        unmake: Undoes that; what it raises is dropped, so it should tell of its failures itself.
        grace_s: Seconds that an interrupted caller waits for the making.
    """
    if threading.current_thread() is not threading.main_thread():
        return make()
    making = _Making(make)
    if not making.start():
        return make()
    try:
        return making.result()
    except (KeyboardInterrupt, SystemExit):
        making.wait(grace_s())
        for result in making.results:
            unmake(result)
        raise
