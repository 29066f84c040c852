"""A slot as it lives in this process: its row, its desktop, whose turn it is, and what is under way for it.

It decides nothing. Invariant: there is a desktop only in the states `ready`, `quarantined` and (while it comes
up) `creating`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from drums.local.domain.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from drums.local.domain.metrics import Ledger, Verdict, Window
    from drums.local.domain.prefork import Prefork
    from drums.local.machines.machine import Desktop
    from drums.local.store import SlotRow

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class LiveSlot:
    """One slot that is not destroyed."""

    row: SlotRow
    ledger: Ledger
    born: float
    """On the monotonic clock."""
    host_mark: float
    """The host time's mark at its birth."""
    desktop: Desktop | None = None
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by the one request that changes or drives the desktop; looking needs no turn."""
    requests: int = 0
    """Requests that name it and are not yet answered; it is not idle meanwhile."""
    episode_began: float = 0.0
    """On the monotonic clock."""
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the episode's verdict is known, or the episode is over."""
    counted: tuple[Window, Verdict] | None = None
    """Where and as what the running episode has been counted."""
    gate_watch: asyncio.Task[None] | None = None
    prefork: Prefork | None = None
    clean_ups: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    """Dropped preforks that still take places."""
    closing: str | None = None
    """Why it is being destroyed, from the decision on."""
    _guest_work: set[asyncio.Task[Any]] = field(default_factory=set["asyncio.Task[Any]"])

    async def guest(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for something inside the desktop, which the slot's end cuts short.

        Raises:
            Refusal: `gone`: the slot is being destroyed.
        """
        task = asyncio.create_task(work)
        self._guest_work.add(task)
        try:
            if self.closing is not None:
                task.cancel()
            return await task
        except asyncio.CancelledError:
            if self.closing is None or not task.cancelled():
                raise
            words = f"{self.row.id} is being destroyed ({self.closing})"
            raise Refusal("gone", words, slot=self.row, closed_reason=self.closing) from None
        finally:
            self._guest_work.discard(task)

    def close_soon(self, why: str) -> None:
        """Cut short what waits for the desktop: the slot is about to be destroyed."""
        self.closing = why
        for task in self._guest_work:
            task.cancel()
