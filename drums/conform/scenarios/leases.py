"""How unused desktops and states end by themselves. To look at the list uses nothing, so that is how it is seen."""

from __future__ import annotations

import time

from drums.conform.outcome import hold
from drums.conform.scenarios import scenario
from drums.conform.visit import Visit

SHORT_S = 1.0


def ended(visit: Visit, slot: str) -> bool:
    """Whether a slot was destroyed, with why."""
    record = visit.records(destroyed=True).get(slot)
    if record is None or record["state"] != "destroyed":
        return False
    hold(bool(record.get("closed_reason")), "a reaped slot tells why", record)
    return True


@scenario
def an_unused_desktop_is_reaped(visit: Visit) -> None:
    """A slot unused for `idle_timeout_s` is destroyed; its record tells the lease, and why it ended."""
    record = visit.make(idle_timeout_s=SHORT_S)
    hold(record.get("idle_timeout_s") == SHORT_S, "the record tells the lease", record)
    visit.wait(lambda: ended(visit, record["id"]), "a slot unused for its idle time is reaped")
    visit.ask("get_slot", record["id"], status=410)


@scenario
def a_used_desktop_is_kept(visit: Visit) -> None:
    """Every request that names a slot begins its idle time anew."""
    slot = visit.make(idle_timeout_s=3 * SHORT_S)["id"]
    until = time.monotonic() + 5 * SHORT_S
    while time.monotonic() < until:
        visit.ask("get_slot", slot)
        time.sleep(SHORT_S / 2)
    visit.ask("get_slot", slot)


@scenario
def a_lifetime_ends_a_used_desktop(visit: Visit) -> None:
    """A slot is destroyed `ttl_s` after its creation, however much it is used."""
    slot = visit.make(ttl_s=2 * SHORT_S)["id"]

    def gone() -> bool:
        return visit.try_ask_slot(slot) == 410

    visit.wait(gone, "a slot ends at its ttl")


@scenario
def an_unused_state_is_reaped(visit: Visit) -> None:
    """A saved state without slots is deleted after its idle time, and not while a slot made from it lives."""
    slot = visit.make()["id"]
    name = visit.capture(slot, idle_timeout_s=2 * SHORT_S)["id"]
    late = visit.make(image=name)["id"]
    time.sleep(4 * SHORT_S)
    hold(visit.checkpoint(name) is not None, "a state stays while a slot made from it lives")
    visit.ask("delete_slot", late)
    visit.wait(lambda: visit.checkpoint(name) is None, "an unused state is reaped")
