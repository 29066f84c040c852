"""Forks: independent copies of a running desktop."""

from __future__ import annotations

from drums.conform.outcome import NotHere, hold, part
from drums.conform.scenarios import scenario
from drums.conform.scenarios.episodes import MARK, exists, task
from drums.conform.visit import Visit

LARGEST_TRIED = 100_000
"""A limit beyond this is not tried: the daemon might try too."""


@scenario
def children_are_copies_of_the_desktop(visit: Visit) -> None:
    """Each child has what its parent had, names it and the saved state, and begins in its own episode 1."""
    parent = visit.make()["id"]
    visit.ask("reset_slot", parent)
    visit.run(parent, "echo seed > /home/user/conform-seed")
    reply = visit.branch(parent)
    ids = [child["id"] for child in reply["children"]]
    hold(len({parent, *ids}) == 3, "every child has an id of its own", ids)
    for child in reply["children"]:
        hold(child.get("parent") == parent, "a child names its parent", child)
        hold(child.get("checkpoint") == reply["state"], "a child names the saved state as its checkpoint", child)
        hold(child.get("episode") == 1, "a child begins in episode 1", child)
        hold(visit.run(child["id"], "cat /home/user/conform-seed") == "seed\n", "a child has the parent's files")
    checkpoint = part(reply, "checkpoint")
    hold(checkpoint.get("id") == reply["state"], "`checkpoint` is the record of `state`", checkpoint)


@scenario
def children_change_nobody_else(visit: Visit) -> None:
    """What a child does is not seen by its parent or its siblings, and the parent goes on."""
    parent = visit.make()["id"]
    one, other = (child["id"] for child in visit.branch(parent)["children"])
    visit.run(one, "touch /home/user/conform-child")
    for slot in (other, parent):
        hold(not exists(visit, slot, "/home/user/conform-child"), "a child's file is only in that child", slot)
    record = visit.ask("get_slot", parent).content
    hold((record["state"], record["episode"]) == ("ready", 1), "the parent goes on in its episode", record)


@scenario
def children_are_judged_one_by_one(visit: Visit) -> None:
    """Each child has gates of its own; a quarantined child spoils neither its sibling nor its parent."""
    parent = visit.make()["id"]
    one, other = (child["id"] for child in visit.branch(parent)["children"])
    visit.ask("quarantine_slot", one, {"reason": "conform"})
    for slot in (other, parent):
        hold(visit.settled(slot)["validity"]["verdict"] == "valid", "the others stay valid", slot)
    report = visit.settled(one)
    hold((report["slot"], report["validity"]["verdict"]) == (one, "invalid"), "the child is invalid", report)


@scenario
def a_child_resets_to_the_fork(visit: Visit) -> None:
    """A child's reset brings it back to the moment of the fork, without the task's setup."""
    parent = visit.make(task())["id"]
    visit.run(parent, f"rm {MARK}; touch /home/user/conform-seed")
    child = visit.branch(parent, 1)["children"][0]
    hold(part(child, "task").get("id") == "drums-conform", "a child has its parent's task", child)
    hold(not exists(visit, child["id"], MARK), "the setup does not run again in a child")
    visit.run(child["id"], "rm /home/user/conform-seed")
    again = visit.ask("reset_slot", child["id"]).content
    hold((again["state"], again["episode"]) == ("ready", 2), "a child can be reset", again)
    hold(exists(visit, child["id"], "/home/user/conform-seed"), "a reset child is as it was at the fork")


@scenario
def children_have_the_leases_that_were_asked_for(visit: Visit) -> None:
    """The leases of children and of their state are those of the request."""
    parent = visit.make()["id"]
    reply = visit.branch(parent, 1, idle_timeout_s=321, ttl_s=4321, state_idle_timeout_s=654, state_ttl_s=7654)
    child, state = reply["children"][0], part(reply, "checkpoint")
    hold((child["idle_timeout_s"], child["ttl_s"]) == (321, 4321), "the child has its leases", child)
    hold((state.get("idle_timeout_s"), state.get("ttl_s")) == (654, 7654), "the state has its leases", state)


@scenario
def a_fork_beyond_the_limit_starts_nothing(visit: Visit) -> None:
    """More children than `limits.fork` is a 403 `quota_exceeded`, before anything starts."""
    limit = part(visit.ask("get_health").content, "limits").get("fork")
    if not limit or limit > LARGEST_TRIED:
        raise NotHere("the daemon names no limit of forks")
    parent = visit.make()["id"]
    before = len(visit.ask("list_checkpoints").content)
    for operation in ("branch_slot", "prefork_slot"):
        answer = visit.ask(operation, parent, {"n": limit + 1}, status=403)
        hold(answer["code"] == "quota_exceeded", "the code is `quota_exceeded`", answer.content)
    hold(visit.children_of(parent) == [], "no child was started")
    hold(visit.ask("get_slot", parent)["state"] == "ready" and before >= 1, "the parent goes on")


@scenario
def a_state_may_go_with_its_children(visit: Visit) -> None:
    """With `delete_state_with_children` the state goes with its last child, and not before."""
    parent = visit.make()["id"]
    reply = visit.branch(parent, 2, delete_state_with_children=True)
    first, last = (child["id"] for child in reply["children"])
    visit.ask("delete_slot", first)
    hold(visit.checkpoint(reply["state"]) is not None, "the state stays while a child lives")
    visit.ask("delete_slot", last)
    visit.wait(lambda: visit.checkpoint(reply["state"]) is None, "the state goes with its last child")


@scenario
def a_state_stays_without_its_children(visit: Visit) -> None:
    """Without `delete_state_with_children` the state stays, and more desktops can be made from it."""
    parent = visit.make()["id"]
    visit.run(parent, "touch /home/user/conform-seed")
    reply = visit.branch(parent, 1)
    visit.ask("delete_slot", reply["children"][0]["id"])
    hold(visit.checkpoint(reply["state"]) is not None, "the state stays")
    late = visit.make(image=reply["state"])
    hold(exists(visit, late["id"], "/home/user/conform-seed"), "a later desktop has what was saved")
