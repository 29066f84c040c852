"""Forks that are prepared in the background."""

from __future__ import annotations

from drums.conform.outcome import hold
from drums.conform.scenarios import scenario
from drums.conform.scenarios.episodes import exists
from drums.conform.visit import Visit


@scenario
def a_prepared_fork_is_claimed(visit: Visit) -> None:
    """A fork of the same kind after a prefork gives sound children, and no more of them than were asked for."""
    parent = visit.make()["id"]
    visit.run(parent, "touch /home/user/conform-seed")
    prepared = visit.admitted("prefork_slot", parent, {"n": 2}).content
    hold((prepared["slot"], prepared.get("n")) == (parent, 2), "the prefork's record is of what was asked", prepared)
    ids = [child["id"] for child in visit.branch(parent)["children"]]
    hold(all(exists(visit, one, "/home/user/conform-seed") for one in ids), "claimed children are copies")
    hold(sorted(visit.children_of(parent)) == sorted(ids), "no other children are there", ids)


@scenario
def input_discards_a_prepared_fork(visit: Visit) -> None:
    """After any input the next fork is of the desktop as it is then, not as it was at the prefork."""
    parent = visit.make()["id"]
    visit.admitted("prefork_slot", parent, {"n": 1})
    visit.run(parent, "touch /home/user/conform-late")
    child = visit.branch(parent, 1)["children"][0]
    hold(exists(visit, child["id"], "/home/user/conform-late"), "the children have what came after the prefork")


@scenario
def a_prepared_child_is_nobodys(visit: Visit) -> None:
    """Until it is claimed a prepared child is in no list; another kind of fork does not get it."""
    parent = visit.make()["id"]
    visit.admitted("prefork_slot", parent, {"n": 2})
    hold(visit.children_of(parent) == [], "prepared children are in no list")
    reply = visit.branch(parent, 1)
    hold(len(reply["children"]) == 1, "a fork of another size has its own size", reply["children"])
    ids = [child["id"] for child in reply["children"]]
    hold(visit.children_of(parent) == ids, "what was prepared is thrown away", ids)
