"""How an episode began: what the checker gave and what there was before the agent did anything.

A score that was there from the start is nobody's work, and what is there at the end is compared with what was there at
the start. Invariant: what is noted is of this task on this slot's desktop; where it can't be known it is None.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from drums.local import osworld
from drums.local.domain import episodes, probing
from drums.local.domain.clock import within
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import DesktopGone, MachineError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
    from drums.local.machines.machine import CheckpointId, Desktop
    from drums.local.store import CheckpointRow, SlotRow

MOST_REMEMBERED = 1024
"""Scores of doing nothing that are kept, by task and image."""
DEEPEST_FORK = 100


async def look(host: Host, slot: LiveSlot, task: osworld.LoadedTask, desktop: Desktop) -> None:
    """Note how an episode begins, right after its task's setup."""
    try:
        # A checker with steps of its own would disturb the desktop: `score` looks on another one, when it matters.
        if host.check_at_start and not task.evaluator.postconfig:
            verdict = await slot.guest(_checked(host, task, desktop, closing_steps=False))
            host.change(slot, start_score=verdict.score)
        if task.scope is not None:
            inventory = await slot.guest(desktop.inventory())
            host.change(slot, baseline=host.store.keep_baseline(inventory.packed()))
    except DesktopGone as error:
        episodes.lose_desktop(host, slot, desktop, error)
    except MachineError as error:
        host.log.warning("%s: how it began is not known: %s", slot.row.id, error)
    except Refusal:  # the slot is being destroyed: nobody will ask
        return


def going_on_from(state: CheckpointRow | None, task: Mapping[str, Any] | None, *, setup: bool) -> dict[str, Any]:
    """Fields of the row of a slot that goes on from a saved state: its episode began where the state's slot's did.

    Args:
        state: What the slot is made from; None: an image.
        task: The slot's task.
        setup: Whether the task is set up anew.
    """
    if state is None or setup or task != state.task:
        return {"start_score": None, "baseline": None}
    return {"start_score": state.start_score, "baseline": state.baseline}


async def score(host: Host, slot: LiveSlot, task: osworld.LoadedTask) -> float | None:
    """What the checker gives where nothing was done; None where that is not known and can't be found out.

    A checker with steps of its own is asked on a fresh desktop that is set up for the task and left alone: once for
    each task and image, and only when somebody asks.
    """
    if slot.row.start_score is not None or not host.check_at_start or not task.evaluator.postconfig:
        return slot.row.start_score
    source = _origin(host, slot.row)
    if source is None:
        return None
    key = (source, hashlib.sha256(json.dumps(task.raw, sort_keys=True).encode()).hexdigest())
    asked = host.scores_of_nothing.get(key)
    if asked is None:
        if len(host.scores_of_nothing) >= MOST_REMEMBERED:
            del host.scores_of_nothing[next(iter(host.scores_of_nothing))]
        asked = host.scores_of_nothing[key] = host.begin(_score_of_nothing(host, source, task))
        asked.add_done_callback(partial(_keep_if_known, host, key))
    found = await slot.guest(_result(asked))
    if found is not None:
        host.change(slot, start_score=found)
    return found


def _keep_if_known(host: Host, key: tuple[CheckpointId, str], asked: asyncio.Task[float | None]) -> None:
    known = not asked.cancelled() and asked.exception() is None and asked.result() is not None
    if not known and host.scores_of_nothing.get(key) is asked:
        del host.scores_of_nothing[key]


async def _result(asked: asyncio.Task[float | None]) -> float | None:
    return await asyncio.shield(asked)


async def _score_of_nothing(host: Host, source: CheckpointId, task: osworld.LoadedTask) -> float | None:
    with probing.place(host) as free:
        if not free:
            return None
        async with probing.started(host, source) as desktop:
            if desktop is None:
                return None
            try:
                played = await within(host.clock, host.limits.verify_timeout_s, _do_nothing(host, task, desktop))
            except (osworld.SetupFailed, MachineError, TimeoutError) as error:
                host.log.warning("what doing nothing scores in task %s is not known: %s", task.id, error)
                return None
            return played.score


async def _do_nothing(host: Host, task: osworld.LoadedTask, desktop: Desktop) -> osworld.Verdict:
    await osworld.set_up(task, desktop, sleep=host.clock.sleep)
    return await _checked(host, task, desktop, closing_steps=True)


async def _checked(host: Host, task: osworld.LoadedTask, desktop: Desktop, *, closing_steps: bool) -> osworld.Verdict:
    timeout_s = host.limits.verify_timeout_s
    return await osworld.check(task, desktop, postconfig=closing_steps, timeout_s=timeout_s, sleep=host.clock.sleep)


def _origin(host: Host, row: SlotRow) -> CheckpointId | None:
    """The image or state on which the slot's task was set up; None where that is not known any more."""
    task = row.task
    for _ in range(DEEPEST_FORK):
        if row.setup:
            return row.checkpoint
        state = host.states.get(row.checkpoint)
        parent = host.store.slot(row.parent or (state.parent if state is not None else ""))
        if parent is None or parent.task != task:
            return None
        row = parent
    return None
