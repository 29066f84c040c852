"""Tasks as the domain uses them: read before anything starts, set up on a desktop, its own words for what goes wrong.

What a task means is osworld's. Invariant: a setup that did not happen leaves no slot that could be scored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drums.local import osworld
from drums.local.domain import episodes, slots, starts
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import DesktopGone, MachineError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot


def load(host: Host, raw: Mapping[str, Any] | None, *, taken: bool = False) -> osworld.LoadedTask | None:
    """Read a task object; None stays None.

    Args:
        host: The daemon.
        raw: The object.
        taken: Whether a slot has it already: a file that went missing since is then told by its setup or checker.

    Raises:
        Refusal: It is no task, or needs something that is not built or not had here.
    """
    if raw is None:
        return None
    try:
        return host.tasks.load(raw, demand_files=not taken)
    except osworld.TaskUnsupported as error:
        raise Refusal("task_unsupported", str(error)) from error
    except osworld.TaskMalformed as error:
        raise Refusal("bad_request", str(error)) from error


def listed(host: Host, domain: str | None = None) -> list[osworld.TaskSummary]:
    """The tasks that are known by id."""
    return host.tasks.summaries(domain)


def known(host: Host, task_id: str) -> Mapping[str, Any]:
    """A task's JSON, by its id or the beginning of it.

    Raises:
        Refusal: No task has it, or several.
    """
    try:
        return host.tasks.raw(task_id)
    except osworld.UnknownTask as error:
        raise Refusal("not_found", str(error)) from error
    except osworld.AmbiguousTask as error:
        raise Refusal("conflict", str(error)) from error


async def set_up(host: Host, slot: LiveSlot, task: osworld.LoadedTask) -> None:
    """Run a task's setup on the slot's desktop, within a turn; a failure is written down and the desktop ended."""
    desktop = slot.desktop
    if desktop is None:  # gone between its start and now
        return
    try:
        await slot.guest(osworld.set_up(task, desktop, sleep=host.clock.sleep))
    except DesktopGone as error:
        episodes.lose_desktop(host, slot, desktop, error)
        await fail(host, slot, str(error))
    except (osworld.SetupFailed, MachineError, Refusal) as error:
        await fail(host, slot, str(error))
    else:
        episodes.record(host, slot, episodes.TASK_SETUP, None, passed=True)
        await starts.look(host, slot, task, desktop)


async def fail(host: Host, slot: LiveSlot, why: str) -> None:
    """The setup did not happen."""
    episodes.record(host, slot, episodes.TASK_SETUP, why, passed=False)
    host.failed("task_setup", slot)
    state = slots.follow(slot.row.state, "setup_failed")
    host.change(slot, state=state, last_error=f"task setup failed: {why}")
    if state == "down":
        await take_down(host, slot)


async def take_down(host: Host, slot: LiveSlot) -> None:
    """End the desktop of a slot that goes on without one."""
    slot.desktop = None
    if slot.gate_watch is not None:
        slot.gate_watch.cancel()
    try:
        await host.machine.destroy(slot.row.id)
    except MachineError as error:  # a reset or the slot's end tries again
        host.log.warning("%s is down and its desktop could not be ended: %s", slot.row.id, error)
