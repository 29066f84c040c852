"""The audit: everything that is looked at besides a checker's first answer, and what speaks against that answer.

It gives no score and changes no verdict; `flags_of` is the pure rule. Invariant: what could not be looked at never
counts as a look that found nothing: it is a flag, or it is said to be unknown.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING, Literal

from drums.local import osworld
from drums.local.domain import probing, starts
from drums.local.domain.guest import guest_errors
from drums.local.machines.inventory import Inventory
from drums.local.machines.machine import DesktopGone, MachineError

if TYPE_CHECKING:
    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
    from drums.local.machines.machine import CheckpointId, Desktop

SAME_SCORE = 1e-6
"""Two scores that differ by less are the same."""


@dataclass(frozen=True, slots=True)
class Recheck:
    """The same checker once more."""

    verdict: osworld.Verdict
    desktop: Literal["fork", "same"]
    """On a copy from before the first check, or on the desktop that the first check left."""


@dataclass(frozen=True, slots=True)
class ScopeLook:
    """What the episode touched beyond the task's scope."""

    beyond: tuple[osworld.Change, ...] | None
    """None: it could not be looked at."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the checker said, and all that was looked at besides."""

    first: osworld.Verdict
    again: Recheck | None = None
    """None when the first gave no score."""
    second: osworld.Verdict | None = None
    """Of the task's independent second evaluator; None where it names none, or it was not asked."""
    scope: ScopeLook | None = None
    """None where the task names no scope."""
    start_score: float | None = None
    """What the checker gives where nothing was done; None where that is not known."""

    @property
    def agrees(self) -> bool | None:
        """Whether the second look gave the same score."""
        return None if self.again is None else _same(self.first, self.again.verdict)

    @property
    def second_agrees(self) -> bool | None:
        """Whether the second evaluator gave the same score; one that gave none does not."""
        return None if self.second is None else _same(self.first, self.second)

    @property
    def seconds(self) -> float:
        """How long checkers ran."""
        others = [self.again.verdict if self.again else None, self.second]
        return self.first.seconds + sum(verdict.seconds for verdict in others if verdict is not None)


def flags_of(look: Look | None) -> tuple[str, ...]:
    """What an audit says against a score; nothing where no checker was run."""
    if look is None:
        return ()
    failed, found = look.first.error_kind, look.first.score
    flags = {
        "checker_timeout": failed == "timeout",
        "checker_crashed": failed == "crashed",
        "recheck_disagrees": look.agrees is False,
        "redundant_disagrees": look.second_agrees is False,
        "out_of_scope": look.scope is not None and bool(look.scope.beyond),
        "scope_unknown": look.scope is not None and look.scope.beyond is None,
        "passed_at_start": bool(found) and look.start_score is not None and look.start_score >= (found or 0.0),
    }
    return tuple(name for name, raised in flags.items() if raised)


async def look(host: Host, slot: LiveSlot, task: osworld.LoadedTask) -> Look:
    """Run a slot's checker, within a turn, and everything that an audit looks at.

    Raises:
        Refusal: The desktop is gone, or the slot is being destroyed.
    """
    decided = task.evaluator.score_of_signal(slot.row.last_signal) is not None
    with guest_errors(host, slot) as desktop:
        scope = await _scope(host, slot, task, desktop)  # first: a checker's own steps are not the agent's
        async with AsyncExitStack() as copies:
            copy = None if decided else await copies.enter_async_context(probing.saved(host, slot))
            first = await slot.guest(_check(host, slot, task, desktop, closing_steps=True))
            if first.score is None:
                host.failed("checker", slot)
                return Look(first, scope=scope, start_score=slot.row.start_score)
            again = await _recheck(host, slot, task, desktop, copy)
        timeout_s = host.limits.verify_timeout_s
        second = None if decided else await slot.guest(osworld.check_again(task, desktop, timeout_s=timeout_s))
    start_score = await starts.score(host, slot, task) if first.score else slot.row.start_score
    return Look(first, again, second, scope, start_score)


async def _check(
    host: Host, slot: LiveSlot, task: osworld.LoadedTask, desktop: Desktop, *, closing_steps: bool
) -> osworld.Verdict:
    return await osworld.check(
        task,
        desktop,
        last_signal=slot.row.last_signal,
        postconfig=closing_steps,
        timeout_s=host.limits.verify_timeout_s,
        sleep=host.clock.sleep,
    )


async def _recheck(
    host: Host, slot: LiveSlot, task: osworld.LoadedTask, desktop: Desktop, copy: CheckpointId | None
) -> Recheck:
    if copy is not None:
        async with probing.started(host, copy) as twin:
            if twin is not None:
                try:
                    return Recheck(await slot.guest(_check(host, slot, task, twin, closing_steps=True)), "fork")
                except DesktopGone as why:
                    host.log.info("the copy of %s for an audit is gone: %s", slot.row.id, why)
    return Recheck(await slot.guest(_check(host, slot, task, desktop, closing_steps=False)), "same")


async def _scope(host: Host, slot: LiveSlot, task: osworld.LoadedTask, desktop: Desktop) -> ScopeLook | None:
    if task.scope is None:
        return None
    packed = None if slot.row.baseline is None else host.store.baseline(slot.row.baseline)
    if packed is None:
        return ScopeLook(None)
    try:
        after = await slot.guest(desktop.inventory())
    except DesktopGone:
        raise
    except MachineError as why:
        host.log.warning("%s: what it touched is not known: %s", slot.row.id, why)
        return ScopeLook(None)
    return await asyncio.to_thread(_compared, task.scope, packed, after)


def _compared(scope: osworld.Scope, packed: bytes, after: Inventory) -> ScopeLook:
    before = Inventory.unpacked(packed)
    return ScopeLook(tuple(scope.beyond(before, after)) if before.complete and after.complete else None)


def _same(one: osworld.Verdict, other: osworld.Verdict) -> bool:
    if one.score is None or other.score is None:
        return False
    return isclose(one.score, other.score, rel_tol=0.0, abs_tol=SAME_SCORE)
