"""Which envs a client has to end: those it made and whose end nobody has confirmed yet.

It closes nothing itself: it says what is owned, and how a failed end reads. An env is added when the server said that
it made it, and removed when the server said that it is gone; a DELETE that failed leaves it owned. What is owned
belongs to one process: after a fork of the process the child's copy is empty, so that its exit ends nothing of its
parent's.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Generic, TypeGuard, TypeVar

from drums.errors import DrumsError, EnvGone, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

T = TypeVar("T")


class Ownership(Generic[T]):
    """What one client made and has not ended, by id, oldest first.

    Args:
        lock: Makes the lock that is held for each change, and never over I/O.
    """

    def __init__(self, lock: Callable[[], AbstractContextManager[object]]) -> None:
        self._make_lock = lock
        self._begin()

    def add(self, env_id: str, env: T) -> None:
        """Own one more."""
        with self._of_this_process():
            self._owned[env_id] = env

    def remove(self, env_id: str) -> None:
        """Own it no longer; nothing happens for one that is not owned."""
        with self._of_this_process():
            self._owned.pop(env_id, None)

    def all(self) -> dict[str, T]:
        """What is owned now, a copy."""
        with self._of_this_process():
            return dict(self._owned)

    def __len__(self) -> int:
        with self._of_this_process():
            return len(self._owned)

    def _begin(self) -> None:
        self._lock = self._make_lock()
        self._owned: dict[str, T] = {}
        self._process = os.getpid()

    def _of_this_process(self) -> AbstractContextManager[object]:
        """The lock. A forked child begins anew, with a lock that no thread of its parent can have held at the fork."""
        if self._process != os.getpid():
            self._begin()
        return self._lock


def still_there(fault: BaseException | None) -> TypeGuard[BaseException]:
    """Whether an env may live on after this outcome of its DELETE; one that is already gone is as good as ended."""
    return fault is not None and not isinstance(fault, EnvGone | NotFound)


def left_behind(env_id: str, fault: BaseException) -> str:
    """The note for an env that could not be ended."""
    why = fault.message if isinstance(fault, DrumsError) else f"{type(fault).__name__}: {fault}"
    return f"{env_id} was not closed: {why}. It stays owned, close() tries again; its lease ends it otherwise."
