"""Waiting for a still desktop: no process or thread starting or ending for a while, none ending, no zombie.

It only looks, through `Desktop.processes`; what is done with a still desktop is branching's. `seen` is the pure rule.
Invariant: a tree is called still only when it was the same at every look of the window, and settled.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.domain.clock import within

if TYPE_CHECKING:
    from drums.local.domain.clock import Clock
    from drums.local.machines.machine import Desktop, ProcessTree

DEFAULT_TIMEOUT_S = 30.0
DEFAULT_WINDOW_S = 1.0
LOOKS_PER_WINDOW = 10
LOOK_EVERY_S = (0.02, 0.1)
"""The shortest and the longest time between two looks."""


class NotStill(Exception):
    """The desktop did not become still in time; the message says what moved."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The process tree at the last look, and since when it has been like that."""

    tree: ProcessTree
    same_since: float

    def still_for(self, now: float) -> float:
        """Seconds for which nothing moved; 0 while something is ending."""
        return now - self.same_since if self.tree.settled else 0.0


@dataclass(frozen=True, slots=True)
class Still:
    """A tree that was still, and how long it took."""

    tree: ProcessTree
    seconds: float


def seen(before: Seen | None, tree: ProcessTree, now: float) -> Seen:
    """What is known after one more look; a process that came and went in between shows in the tree's last pid."""
    if before is not None and before.tree == tree:
        return before
    return Seen(tree, now)


async def wait_still(
    desktop: Desktop, clock: Clock, *, timeout_s: float, window_s: float, stop: asyncio.Event | None = None
) -> Still:
    """Wait until the desktop was still for a window.

    A desktop that can tell for how long nothing moved in it (`quiet_for_s`) is believed and not watched.

    Args:
        desktop: The desktop.
        clock: The time.
        timeout_s: How long to wait; it is looked at once in any case.
        window_s: How long it must have been still.
        stop: Ends the wait when it is set.

    Raises:
        NotStill: It was not in time, or the wait was ended.
    """
    began = clock.monotonic()
    before: Seen | None = None
    while True:
        tree = await desktop.processes()
        now = clock.monotonic()
        before = seen(before, tree, now)
        quiet_s = desktop.quiet_for_s()
        still_s = before.still_for(now) if quiet_s is None or not tree.settled else quiet_s
        if tree.settled and still_s >= window_s:
            return Still(tree, now - began)
        if stop is not None and stop.is_set():
            raise NotStill("nobody waits for it any more")
        left_s = began + timeout_s - now
        if left_s <= 0:
            raise NotStill(_what_moves(before, now, timeout_s, window_s))
        pause_s = min(left_s, _pause(window_s, still_s, told=quiet_s is not None))
        with suppress(TimeoutError):
            await within(clock, pause_s, (stop or asyncio.Event()).wait())


def _pause(window_s: float, still_s: float, *, told: bool) -> float:
    shortest, longest = LOOK_EVERY_S
    if told:
        return max(shortest, window_s - still_s)
    return min(longest, max(shortest, window_s / LOOKS_PER_WINDOW))


def _what_moves(last: Seen, now: float, timeout_s: float, window_s: float) -> str:
    ending = sorted((process for process in last.tree.processes if process.state != "running"), key=lambda p: p.pid)
    if ending:
        names = ", ".join(f"{process.name} (pid {process.pid}, {process.state})" for process in ending[:3])
        return f"after {timeout_s:g} s still ending: {names}"
    return f"after {timeout_s:g} s processes had been still for {last.still_for(now):.1f} s, not for {window_s:g} s"
