"""Lists and pages."""

from __future__ import annotations

from typing import Any

from drums.conform.outcome import hold
from drums.conform.scenarios import scenario
from drums.conform.visit import Visit


def pages(visit: Visit, limit: int, after: str | None) -> list[Any]:
    """Every page from a slot on."""
    found: list[Any] = []
    while not found or found[-1]["next_after"] is not None:
        query = {"limit": limit} | ({"after": after} if after is not None else {})
        page = visit.ask("list_slots", query=query).content
        hold(len(page["items"]) <= limit, "a page holds no more than `limit`", len(page["items"]))
        found.append(page)
        hold(page["next_after"] is None or page["next_after"] != after, "each page goes on from the one before", page)
        after = page["next_after"]
    return found


@scenario
def pages_hold_every_slot_once(visit: Visit) -> None:
    """Pages from a slot on hold every later slot once, oldest first; also from a slot that is destroyed."""
    ids = [visit.make()["id"] for _ in range(4)]
    for gone in (False, True):
        listed = [record["id"] for page in pages(visit, 1, ids[0]) for record in page["items"]]
        hold([one for one in listed if one in ids] == ids[1:], "pages hold every later slot once, in order", listed)
        if not gone:
            visit.ask("delete_slot", ids[0])


@scenario
def without_a_limit_there_are_no_pages(visit: Visit) -> None:
    """Without `limit` the list is a bare array of the live slots."""
    alive, dead = visit.make()["id"], visit.make()["id"]
    visit.ask("delete_slot", dead)
    ids = [record["id"] for record in visit.ask("list_slots").content]
    hold(alive in ids and dead not in ids, "the bare list holds the live slots", ids)


@scenario
def destroyed_slots_are_listed_on_request(visit: Visit) -> None:
    """A destroyed slot is in a page with `include_destroyed` only."""
    slot = visit.make()["id"]
    visit.ask("delete_slot", slot)
    hold(slot not in visit.records(), "a page holds no destroyed slot unasked")
    record = visit.records(destroyed=True).get(slot)
    hold(record is not None and record["state"] == "destroyed", "with include_destroyed it is there", record)


@scenario
def a_senseless_page_is_refused(visit: Visit) -> None:
    """`limit` below 1, or an `after` that is no slot's id, is a 400."""
    for query in ({"limit": 0}, {"limit": "many"}, {"limit": 1, "after": visit.made_up()}):
        visit.ask("list_slots", query=query, status=400)


@scenario
def tasks_are_found_by_prefix(visit: Visit) -> None:
    """A listed task is found by its id and by a prefix of 8 characters or more."""
    tasks = visit.ask("list_tasks").content
    for one in tasks[:1]:
        hold(visit.ask("get_task", one["id"])["id"] == one["id"], "a task is found by its id", one)
        same = [other for other in tasks if other["id"].startswith(one["id"][:12])]
        if len(same) == 1:
            hold(visit.ask("get_task", one["id"][:12])["id"] == one["id"], "a task is found by a prefix", one)
    hold(visit.ask("list_tasks", query={"domain": visit.made_up()}).content == [], "`domain` chooses")
