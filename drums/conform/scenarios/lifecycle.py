"""How a desktop comes to be and ends."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from drums.conform.operations import operations
from drums.conform.outcome import hold
from drums.conform.scenarios import scenario
from drums.conform.visit import Visit


@scenario
def a_desktop_comes_up(visit: Visit) -> None:
    """A created desktop is ready, in episode 1, from the checkpoint that was asked for, with the default leases."""
    record = visit.ask("create_slot", body={"checkpoint": visit.image}).content
    hold(record["state"] == "ready", "a desktop that came up is ready", record)
    hold(record.get("episode") == 1, "the first episode is 1", record)
    hold(record.get("checkpoint") == visit.image, "the record names the image", record)
    hold(record.get("parent") is None, "a created slot has no parent", record)
    leases = (record.get("idle_timeout_s"), record.get("ttl_s"))
    hold(leases == (1800, 0), "the leases are 1800 s unused and no limit unless asked", leases)
    again = visit.ask("get_slot", record["id"]).content
    same = ("id", "episode", "checkpoint", "created_at", "idle_timeout_s", "ttl_s", "parent", "task")
    hold(all(again.get(name) == record.get(name) for name in same), "a record stays the same", (record, again))


@scenario
def two_desktops_share_nothing(visit: Visit) -> None:
    """Each created desktop has an id and a disk of its own."""
    one, other = visit.make()["id"], visit.make()["id"]
    hold(one != other, "two slots have two ids", one)
    visit.run(one, "touch /home/user/conform-mine")
    seen = visit.run(other, "ls -a /home/user")
    hold("conform-mine" not in seen, "a file of one desktop is not in another", seen)


@scenario
def a_closed_desktop_is_gone(visit: Visit) -> None:
    """A deleted slot is `destroyed`, and every request that names it gets 410 `gone` with why."""
    slot = visit.make()["id"]
    record = visit.ask("delete_slot", slot).content
    hold(record["state"] == "destroyed", "a deleted slot is destroyed", record)
    for operation in ("get_slot", "get_gates", "get_screenshot", "get_slot_metrics", "delete_slot", "reset_slot"):
        answer = visit.ask(operation, slot, status=410)
        hold(bool(answer["closed_reason"]), "a 410 tells why in closed_reason", answer.content)
    visit.ask("step_slot", slot, {"action": {"type": "sleep", "seconds": 0}}, status=410)
    visit.ask("verify_slot", slot, {}, status=410)


@scenario
def closing_twice_closes_once(visit: Visit) -> None:
    """Of several deletions at once one gets the record, the others 410; so a close may safely be repeated."""
    slot = visit.make()["id"]
    with ThreadPoolExecutor(4) as threads:
        asked = operations()["delete_slot"]
        answers = [threads.submit(visit.try_ask, asked, slot) for _ in range(4)]
        statuses = sorted(answer.result().status for answer in answers)
    hold(statuses == [200, 410, 410, 410], "of four deletions one gets 200 and three get 410", statuses)


@scenario
def ids_are_never_used_again(visit: Visit) -> None:
    """A slot made after another was destroyed has a new id."""
    first = visit.make()["id"]
    visit.ask("delete_slot", first)
    second = visit.make()["id"]
    hold(first != second, "the id of a destroyed slot is not given again", second)
    visit.ask("get_slot", first, status=410)
