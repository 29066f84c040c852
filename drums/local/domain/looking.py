"""Reading: slot records, pages of them, gate reports. It changes nothing but when a slot was last used.

Invariant: pages are ordered by a number that only grows, so a page never misses or repeats a slot because
others came or went.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.domain import episodes
from drums.local.domain.clock import within
from drums.local.domain.refusals import Refusal

if TYPE_CHECKING:
    from drums.local.domain.host import Host
    from drums.local.domain.refusals import GateReport
    from drums.local.store import SlotRow

LARGEST_PAGE = 1000


@dataclass(frozen=True, slots=True)
class Page:
    """Some slots, oldest first."""

    rows: list[SlotRow]
    next_after: str | None
    """What the next page begins after; None on the last one."""


def slot(host: Host, id: str) -> SlotRow:
    """A live slot's record.

    Raises:
        Refusal: `not_found` or `gone`.
    """
    with host.using(id) as found:
        return found.row


def live_slots(host: Host) -> list[SlotRow]:
    """Every live slot, oldest first; this uses none of them."""
    return [found.row for found in host.slots.values() if not found.row.held]


def page(host: Host, limit: int = LARGEST_PAGE, after: str | None = None, *, include_destroyed: bool = False) -> Page:
    """At most `limit` slots that were made after the slot `after`.

    Raises:
        Refusal: `after` is not the id of a slot, neither of one that lives nor of one that lived.
    """
    limit = min(limit, LARGEST_PAGE)
    rows = host.store.slots_after(_number(after), limit + 1, include_destroyed=include_destroyed)
    shown = [_newest(host, row) for row in rows[:limit]]
    return Page(shown, shown[-1].id if len(rows) > limit else None)


async def gates(host: Host, id: str, wait_s: float = 0.0) -> GateReport:
    """The gate report of the running episode, once its verdict is known or the time is over.

    Raises:
        Refusal: `not_found` or `gone`, also when the slot is destroyed during the wait.
    """
    with host.using(id) as found:
        if wait_s > 0 and not found.settled.is_set():
            with suppress(TimeoutError):
                await within(host.clock, wait_s, found.settled.wait())
        if found.settled.is_set():
            await episodes.look_after(host, found)
        return episodes.report(slot(host, id))


def _number(after: str | None) -> int:
    if after is None:
        return 0
    digits = after.removeprefix("s")
    if digits == after or not (digits.isascii() and digits.isdecimal()):
        raise Refusal("bad_request", f"after: {after} is not the id of a slot")
    return int(digits)


def _newest(host: Host, row: SlotRow) -> SlotRow:
    """The row with its last use, which the store learns only when something else changes."""
    found = host.slots.get(row.id)
    return found.row if found else row
