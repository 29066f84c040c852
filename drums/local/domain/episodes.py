"""Episodes: the gates of one run of a slot, when they are taken and what follows from them.

The verdict is `drums.validity.verdict_of` over the gates and nothing else, so everything that spoils an episode
is a gate: besides the machine's there are `restore`, `task_setup`, `desktop` and `quarantine`. Invariant:
within an episode a gate that failed stays failed, so an invalid episode never becomes valid again; and a gate
that can't be taken has failed.
"""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import TYPE_CHECKING, Any

from drums.local.domain.refusals import GateReport
from drums.local.domain.slots import follow
from drums.local.machines.machine import DesktopGone, GateReading, MachineError
from drums.local.store import GateRow
from drums.validity import verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from drums.local.domain.host import Host
    from drums.local.domain.live import LiveSlot
    from drums.local.machines.machine import Desktop, GateSpec
    from drums.local.store import SlotRow, SlotState
    from drums.validity import Verdict

RESTORE = "restore"
TASK_SETUP = "task_setup"
DESKTOP = "desktop"
HEALTH = "health"
"""Taken whenever it matters: it is in the report only when it failed."""
QUARANTINE = "quarantine"

Gates = tuple[GateRow, ...]


def verdict(gates: Iterable[GateRow]) -> Verdict:
    """What the gates say together."""
    return verdict_of((gate.name, gate.status) for gate in gates)


def open_gates(gates: Iterable[GateRow]) -> list[str]:
    """Names of the gates that are pending or failed."""
    return [gate.name for gate in gates if gate.status != "passed"]


def report(row: SlotRow) -> GateReport:
    """The gate report of a slot's current episode."""
    return GateReport(row.id, row.episode, verdict(row.gates), row.gates)


def first_gates(*, setup: bool) -> Gates:
    """The gates of an episode before its desktop is up."""
    return (GateRow(RESTORE, "pending"), *([GateRow(TASK_SETUP, "pending")] if setup else []))


def with_specs(gates: Gates, specs: Iterable[GateSpec]) -> Gates:
    """The gates plus those that the desktop brings, pending."""
    return (*gates, *(GateRow(spec.name, "pending") for spec in sorted(specs, key=lambda spec: spec.after_s)))


def with_gate(gates: Gates, taken: GateRow) -> Gates:
    """The gates after one was taken; one that has failed stays as it is, an unknown one is added."""
    if not any(gate.name == taken.name for gate in gates):
        return (*gates, taken)
    return tuple(taken if gate.name == taken.name and gate.status != "failed" else gate for gate in gates)


def record(host: Host, slot: LiveSlot, name: str, detail: str | None, *, passed: bool) -> None:
    """Write a gate of the running episode down; the verdict may settle."""
    seconds = round(host.clock.monotonic() - slot.episode_began, 3)
    taken = GateRow(name, "passed" if passed else "failed", detail, seconds)
    host.change(slot, gates=with_gate(slot.row.gates, taken))
    settle(host, slot)


def settle(host: Host, slot: LiveSlot) -> None:
    """Count the episode once its verdict is known, and wake who waits for that."""
    now = verdict(slot.row.gates)
    if now == "pending":
        return
    host.count_episode(slot, now)
    slot.settled.set()


def fail_gate(host: Host, slot: LiveSlot, name: str, detail: str) -> None:
    """A gate of the machine's did not pass: the slot is quarantined and kept for inspection."""
    record(host, slot, name, detail, passed=False)
    host.failed(f"gate:{name}", slot)
    state = follow(slot.row.state, "gate_failed")
    if state != slot.row.state:
        host.change(slot, state=state, reason=f"gate {name} failed: {detail}")
        host.drop_prefork(slot, "quarantined")


def lose_desktop(host: Host, slot: LiveSlot, desktop: Desktop, error: Exception) -> None:
    """The desktop no longer runs: the slot is down, the episode invalid. An earlier desktop is ignored."""
    if slot.desktop is not desktop:
        return
    slot.desktop = None
    record(host, slot, DESKTOP, str(error), passed=False)
    host.failed("desktop", slot)
    host.change(slot, state=follow(slot.row.state, "desktop_gone"), last_error=f"desktop gone: {error}")
    host.drop_prefork(slot, "the desktop is gone")


async def look_after(host: Host, slot: LiveSlot) -> None:
    """See whether something went wrong in the desktop since its gates were taken; that makes the episode invalid."""
    desktop = slot.desktop
    if desktop is None or slot.row.state != "ready":
        return
    try:
        fault = await desktop.health()
    except DesktopGone as error:
        lose_desktop(host, slot, desktop, error)
        return
    except MachineError as error:
        fault = str(error)
    if fault is not None and slot.desktop is desktop:
        fail_gate(host, slot, HEALTH, fault)


def begin(host: Host, slot: LiveSlot, desktop: Desktop) -> None:
    """The desktop is up: its gates are pending, and taken in the background at their times."""
    slot.desktop = desktop
    slot.episode_began = host.clock.monotonic()
    restored = GateRow(RESTORE, "passed", None, 0.0)
    host.change(slot, gates=with_specs(with_gate(slot.row.gates, restored), desktop.gates))
    watch(host, slot, desktop)


def watch(host: Host, slot: LiveSlot, desktop: Desktop) -> None:
    """Take every gate of the desktop that is pending, each at its time, in the background."""
    slot.gate_watch = host.in_background(_take_all(host, slot, desktop))


def end(host: Host, slot: LiveSlot) -> None:
    """The episode is over: its gates are not taken any more, and it is counted as it stands."""
    if slot.gate_watch is not None:
        slot.gate_watch.cancel()
        slot.gate_watch = None
    host.count_episode(slot, verdict(slot.row.gates))
    slot.settled.set()


def start_next(host: Host, slot: LiveSlot, state: SlotState, begins: Mapping[str, Any], *, setup: bool) -> None:
    """Open the next episode of a slot that is being reset; the one before has ended.

    Args:
        host: The daemon.
        slot: The slot.
        state: The state that follows.
        begins: What is known of how it begins (`starts.going_on_from`).
        setup: Whether the task is set up.
    """
    slot.settled = asyncio.Event()
    slot.counted = None
    slot.episode_began = host.clock.monotonic()
    host.change(
        slot,
        state=state,
        episode=slot.row.episode + 1,
        gates=first_gates(setup=setup),
        last_signal=None,
        last_error=None,
        reason=None,
        **begins,
    )


async def _take_all(host: Host, slot: LiveSlot, desktop: Desktop) -> None:
    pending = {gate.name for gate in slot.row.gates if gate.status == "pending"}
    specs = sorted((spec for spec in desktop.gates if spec.name in pending), key=lambda spec: spec.after_s)
    for after_s, group in groupby(specs, key=lambda spec: spec.after_s):
        await host.clock.sleep(max(0.0, slot.episode_began + after_s - host.clock.monotonic()))
        await asyncio.gather(*(_take(host, slot, desktop, spec.name) for spec in group))


async def _take(host: Host, slot: LiveSlot, desktop: Desktop, name: str) -> None:
    try:
        reading = await desktop.take_gate(name)
    except DesktopGone as error:
        lose_desktop(host, slot, desktop, error)
        return
    except MachineError as error:
        reading = GateReading(passed=False, detail=str(error))
    except Exception as error:
        host.log.exception("%s gate %s could not be taken", slot.row.id, name)
        reading = GateReading(passed=False, detail=f"could not be taken ({type(error).__name__})")
    if slot.desktop is not desktop:
        return
    if reading.passed:
        record(host, slot, name, reading.detail, passed=True)
    else:
        fail_gate(host, slot, name, reading.detail or "did not pass")
