"""How much a daemon takes on: the numbers, and the refusals before anything starts.

It counts nothing itself: it is told what lives. Invariant: what is promised counts as if it lived, so two
requests never share the last free place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import EXECUTE_TIMEOUT_S

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

RETRY_AFTER_S = 2.0
"""When a request that found every place taken is worth another try."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one daemon allows."""

    fork: int = 64
    """Children of one branch or prefork."""
    max_slots: int = 1024
    """Slots that live at once, prepared ones included."""
    max_states: int = 256
    """Saved states at once, prepared ones included."""
    execute_timeout_s: float = EXECUTE_TIMEOUT_S
    """The longest that `pyautogui` and `execute` may take."""
    verify_timeout_s: float = 600.0
    """The longest that a checker may take."""
    probes: int = 4
    """Desktops of the daemon's own at once, on which audits look; where these are taken, they look in place."""
    prefork_max_age_s: float = 120.0
    """How long a prepared fork waits to be claimed."""
    max_body_bytes: int = 16 * 1024 * 1024
    """The longest request body."""


class Admission:
    """Keeps the limits over what lives and what is promised.

    Args:
        limits: The numbers.
        live: How many slots and how many saved states there are now.
    """

    def __init__(self, limits: Limits, live: Callable[[], tuple[int, int]]) -> None:
        self._limits = limits
        self._live = live
        self._promised: list[Promise] = []

    def promise(self, *, slots: int = 0, states: int = 0) -> Promise:
        """Reserve places for what is about to be made.

        Raises:
            Refusal: `overloaded` for slots, `quota_exceeded` for states; nothing was reserved.
        """
        live_slots, live_states = self._live()
        free_slots = self._limits.max_slots - live_slots - sum(promise.slots for promise in self._promised)
        free_states = self._limits.max_states - live_states - sum(promise.states for promise in self._promised)
        if states > free_states:
            words = f"{self._limits.max_states} saved states may be kept at once, and that many are; delete one"
            raise Refusal("quota_exceeded", words)
        if slots > free_slots:
            words = f"{max(free_slots, 0)} of {self._limits.max_slots} places are free, {slots} are needed"
            raise Refusal("overloaded", words, retry_after_s=RETRY_AFTER_S)
        promise = Promise(slots, states, self._promised)
        self._promised.append(promise)
        return promise

    def check_fork(self, n: int) -> None:
        """Refuse a fork with more children than one may have."""
        if n > self._limits.fork:
            raise Refusal("quota_exceeded", f"a fork may have {self._limits.fork} children at most, not {n}")


class Promise:
    """Reserved places; the end of its block gives back those that were not used.

    Args:
        slots: How many slots are still to be made.
        states: How many saved states are still to be made.
        among: All promises of the daemon.
    """

    def __init__(self, slots: int, states: int, among: list[Promise]) -> None:
        self.slots: int = slots
        self.states: int = states
        self._among = among

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()

    def kept(self, *, slots: int = 0, states: int = 0) -> None:
        """So many now live and count by themselves."""
        self.slots -= slots
        self.states -= states

    def give_back(self) -> None:
        """What was not used is free again; a second time is no error."""
        if self in self._among:
            self._among.remove(self)
