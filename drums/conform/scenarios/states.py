"""Saved states."""

from __future__ import annotations

from drums.conform.outcome import hold, part
from drums.conform.scenarios import scenario
from drums.conform.scenarios.episodes import MARK, exists, task
from drums.conform.visit import Visit


@scenario
def a_saved_state_keeps_the_desktop(visit: Visit) -> None:
    """A desktop made from a saved state has its files and its task; the saved one goes on."""
    slot = visit.make(task())["id"]
    visit.run(slot, f"rm {MARK}; touch /home/user/conform-seed")
    name = visit.made_up()
    state = visit.capture(slot, id=name, idle_timeout_s=600)
    hold(
        (state["id"], state.get("kind"), state.get("parent")) == (name, "state", slot),
        "the record tells what it is",
        state,
    )
    late = visit.make(image=name)
    hold(exists(visit, late["id"], "/home/user/conform-seed"), "the files are there")
    hold(part(late, "task").get("id") == "drums-conform", "the task is there", late)
    hold(not exists(visit, late["id"], MARK), "the setup does not run again")
    hold(visit.ask("get_slot", slot)["episode"] == 1, "the saved desktop goes on in its episode")


@scenario
def a_taken_name_is_refused(visit: Visit) -> None:
    """A second state of the same id is a 409, and the first stays."""
    slot = visit.make()["id"]
    name = visit.capture(slot, id=visit.made_up())["id"]
    visit.ask("capture_slot", slot, {"id": name}, status=409)
    hold(part({"it": visit.checkpoint(name)}, "it").get("parent") == slot, "the first state stays")


@scenario
def a_state_in_use_can_not_be_deleted(visit: Visit) -> None:
    """Deleting a state is a 409 while a slot made from it lives; afterwards it is gone."""
    slot = visit.make()["id"]
    name = visit.capture(slot)["id"]
    late = visit.make(image=name)["id"]
    visit.ask("delete_checkpoint", name, status=409)
    hold(part({"it": visit.checkpoint(name)}, "it").get("slots") == 1, "the record counts the slots made from it")
    visit.ask("delete_slot", late)
    visit.ask("delete_checkpoint", name)
    hold(visit.checkpoint(name) is None, "a deleted state is in no list")
    visit.ask("create_slot", body={"checkpoint": name}, status=404)
