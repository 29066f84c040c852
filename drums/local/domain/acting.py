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

    from drums.local import osworld
    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
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


@dataclass(frozen=True, slots=True)
class Signal:
    """Say something of the task; WAIT also lets the desktop run for a moment."""

    name: osworld.Signal


SingleAction = Pyautogui | Run | Sleep | Signal


@dataclass(frozen=True, slots=True)
class Batch:
    """Several actions in one turn, up to the first that fails."""

    actions: tuple[SingleAction, ...]


Action = SingleAction | Batch

WAIT_S = 2.0
"""How long WAIT lets the desktop run: OSWorld's pause."""


@dataclass(frozen=True, slots=True)
class Stepped:
    """What an action did."""

    outcomes: tuple[Outcome, ...]
    """Of each action of a batch that was done; else of the one."""
    batch: bool
    report: GateReport
    seconds: float
    png: bytes | None

    @property
    def outcome(self) -> Outcome:
        """What the last action that was done did."""
        return self.outcomes[-1]


async def step(host: Host, id: str, action: Action, *, screenshot: bool = False) -> Stepped:
    """Do one action on a desktop.

    Args:
        host: The daemon.
        id: The slot.
        action: What to do.
        screenshot: Whether to look at the screen right after it.

    Raises:
        Refusal: The slot is not `ready`; `bad_request`: the command can't be a command; or `guest_error`: the action
            may have been done, and of a batch those before it were.
    """
    for single in _singles(action):
        if isinstance(single, Run):
            _check(single)
    return await host.deed(_step(host, id, action, screenshot=screenshot))


async def screenshot(host: Host, id: str) -> bytes:
    """The screen as PNG; looking needs no turn."""
    with host.using(id) as slot:
        decide(slot, "screenshot")
        with host.timed("screenshot", slot), guest_errors(host, slot) as desktop:
            return await slot.guest(desktop.screenshot())


async def set_task(host: Host, id: str, task: Mapping[str, Any]) -> SlotRow:
    """Give a slot a task: its setup runs on the desktop as it is, and again after every reset. The episode goes on.

    What the agent last said was of the task before, and counts no more.

    Raises:
        Refusal: The task can't be run here, or the slot is not `ready`.
    """
    return await host.deed(_set_task(host, id, task))


def _singles(action: Action) -> tuple[SingleAction, ...]:
    return action.actions if isinstance(action, Batch) else (action,)


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
                outcomes = await _do(host, slot, desktop, _singles(action))
                seconds = host.clock.monotonic() - began
                png = await slot.guest(desktop.screenshot()) if screenshot else None
            return Stepped(outcomes, isinstance(action, Batch), episodes.report(slot.row), seconds, png)


async def _do(host: Host, slot: LiveSlot, desktop: Desktop, actions: Sequence[SingleAction]) -> tuple[Outcome, ...]:
    """Do the actions in order, up to the first that fails. Which was the last is written down before it is done."""
    outcomes: list[Outcome] = []
    for action in actions:
        said = action.name if isinstance(action, Signal) else None
        if said != slot.row.last_signal:
            host.change(slot, last_signal=said)
        outcomes.append(await slot.guest(_act(host, desktop, action)))
        if outcomes[-1].returncode:
            break
    return tuple(outcomes)


async def _act(host: Host, desktop: Desktop, action: SingleAction) -> Outcome:
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
        case Signal(name) if name == "WAIT":
            await host.clock.sleep(WAIT_S)
        case Signal():
            pass
    return Outcome()


async def _set_task(host: Host, id: str, raw: Mapping[str, Any]) -> SlotRow:
    with host.using(id) as slot:
        task = tasks.load(host, raw)
        if task is None:
            raise Refusal("bad_request", "task: it is missing")
        async with turn(host, slot, "set_task"):
            with host.timed("task", slot):
                host.change(slot, task=raw, setup=True, last_signal=None, start_score=None, baseline=None)
                await tasks.set_up(host, slot, task)
            row = slot.row
            host.log.info("task %s for %s: %s", task.id, row.id, row.last_error or row.state)
            return row
