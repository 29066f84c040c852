"""Driving a desktop: actions, screenshots, a task for a running slot.

Invariant: an action belongs to the episode that was running when its turn came, and the reply says how that
episode stands after it.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from drums.local.domain import episodes, tasks
from drums.local.domain.guest import decide, guest_errors, turn
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from drums.local.domain.host import Host
    from drums.local.domain.refusals import GateReport
    from drums.local.machines.machine import Desktop
    from drums.local.store import SlotRow


@dataclass(frozen=True, slots=True)
class Pyautogui:
    """Run Python in the desktop and wait for it."""

    code: str


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command in the desktop; `launch` does not wait for it."""

    type: Literal["execute", "launch"]
    command: str | Sequence[str]
    shell: bool = False


@dataclass(frozen=True, slots=True)
class Sleep:
    """Let the desktop run for a while."""

    seconds: float


Action = Pyautogui | Run | Sleep


@dataclass(frozen=True, slots=True)
class Stepped:
    """What an action did."""

    outcome: Outcome
    report: GateReport
    seconds: float
    png: bytes | None


async def step(host: Host, id: str, action: Action, *, screenshot: bool = False) -> Stepped:
    """Do one action on a desktop.

    Args:
        host: The daemon.
        id: The slot.
        action: What to do.
        screenshot: Whether to look at the screen right after it.

    Raises:
        Refusal: The slot is not `ready`; `bad_request`: the command can't be a command; or `guest_error`: the action
            may have been done.
    """
    if isinstance(action, Run):
        _check(action)
    return await host.deed(_step(host, id, action, screenshot=screenshot))


async def screenshot(host: Host, id: str) -> bytes:
    """The screen as PNG; looking needs no turn."""
    with host.using(id) as slot:
        decide(slot, "screenshot")
        with host.timed("screenshot", slot), guest_errors(host, slot) as desktop:
            return await slot.guest(desktop.screenshot())


async def set_task(host: Host, id: str, task: Mapping[str, Any]) -> SlotRow:
    """Give a slot a task: its setup runs on the desktop as it is, and again after every reset. The episode goes on.

    Raises:
        Refusal: The task can't be run here, or the slot is not `ready`.
    """
    return await host.deed(_set_task(host, id, task))


def _check(run: Run) -> None:
    """Refuse what is no command for any desktop: nothing at all, or a quotation without its end."""
    try:
        words = shlex.split(run.command) if isinstance(run.command, str) and not run.shell else run.command
    except ValueError as cause:
        raise Refusal("bad_request", f"action.command: {cause}") from cause
    if not words or not (words if isinstance(words, str) else words[0]).strip():
        raise Refusal("bad_request", "action.command: it is empty")


async def _step(host: Host, id: str, action: Action, *, screenshot: bool) -> Stepped:
    with host.using(id) as slot:
        async with turn(host, slot, "step"):
            began = host.clock.monotonic()
            with host.timed("step", slot), guest_errors(host, slot) as desktop:
                outcome = await slot.guest(_act(host, desktop, action))
                seconds = host.clock.monotonic() - began
                png = await slot.guest(desktop.screenshot()) if screenshot else None
            return Stepped(outcome, episodes.report(slot.row), seconds, png)


async def _act(host: Host, desktop: Desktop, action: Action) -> Outcome:
    timeout_s = host.limits.execute_timeout_s
    match action:
        case Pyautogui(code):
            return await desktop.pyautogui(code, timeout_s)
        case Run("execute", command, shell):
            return await desktop.execute(command, shell, timeout_s)
        case Run(_, command, shell):
            return await desktop.launch(command, shell)
        case Sleep(seconds):
            await host.clock.sleep(seconds)
            return Outcome()


async def _set_task(host: Host, id: str, raw: Mapping[str, Any]) -> SlotRow:
    with host.using(id) as slot:
        task = tasks.load(host, raw)
        if task is None:
            raise Refusal("bad_request", "task: it is missing")
        async with turn(host, slot, "set_task"):
            with host.timed("task", slot):
                host.change(slot, task=raw, setup=True)
                await tasks.set_up(host, slot, task)
            row = slot.row
            host.log.info("task %s for %s: %s", task.id, row.id, row.last_error or row.state)
            return row
