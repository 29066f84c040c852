"""What an agent says of its task, and several actions in one turn: where the daemon says that it knows them."""

from __future__ import annotations

from typing import Any

from drums.conform.outcome import NotHere, hold
from drums.conform.scenarios import scenario
from drums.conform.scenarios.episodes import DONE, exists, task
from drums.conform.visit import Visit

INFEASIBLE = {"func": "infeasible"}
FAIL = {"type": "signal", "name": "FAIL"}
SOLVE: dict[str, Any] = {"type": "execute", "command": ["touch", DONE]}


def demand(visit: Visit, capability: str) -> None:
    """Leave out what the daemon does not say it can do."""
    if capability not in (visit.ask("get_health").content.get("capabilities") or ()):
        raise NotHere(f"the daemon does not say that it has {capability}")


def act(visit: Visit, slot: str, action: dict[str, Any], *, screenshot: bool = False) -> Any:
    """The reply to an action."""
    return visit.ask("step_slot", slot, {"action": action, "screenshot": screenshot}).content


def score(visit: Visit, slot: str) -> Any:
    """What the episode is worth now."""
    return visit.ask("verify_slot", slot, {}).content["score"]


@scenario
def giving_up_solves_what_can_not_be_done(visit: Visit) -> None:
    """A task that can't be done scores 1 exactly when the last action is FAIL; every other task scores 0 then."""
    demand(visit, "signals")
    slot = visit.make(task(evaluator=INFEASIBLE))["id"]
    hold(score(visit, slot) == 0, "doing nothing does not solve an infeasible task")
    said = act(visit, slot, FAIL)["result"]
    hold(said.get("returncode") is None, "a signal has no returncode", said)
    hold(score(visit, slot) == 1, "giving up solves an infeasible task")
    act(visit, slot, {"type": "signal", "name": "DONE"})
    hold(score(visit, slot) == 0, "calling it done does not solve an infeasible task")
    other = visit.make(task())["id"]
    act(visit, other, SOLVE)
    act(visit, other, FAIL)
    hold(score(visit, other) == 0, "giving up on a task that is solved is its failure")


@scenario
def what_was_said_is_of_the_last_action_and_the_episode(visit: Visit) -> None:
    """FAIL counts until another action follows; the next episode and the children of a branch begin without it."""
    demand(visit, "signals")
    slot = visit.make(task(evaluator=INFEASIBLE))["id"]
    act(visit, slot, FAIL)
    child = visit.branch(slot, 1, delete_state_with_children=True)["children"][0]["id"]
    hold(score(visit, child) == 0, "a child has not given up")
    hold(score(visit, slot) == 1, "a branch leaves its parent's last action as it was")
    visit.run(slot, "true")
    hold(score(visit, slot) == 0, "FAIL counts no more once another action follows")
    act(visit, slot, FAIL)
    visit.ask("reset_slot", slot)
    hold(score(visit, slot) == 0, "a new episode has no last action")


@scenario
def a_batch_is_done_in_order_up_to_a_failure(visit: Visit) -> None:
    """A batch does its actions in order up to the first that fails; `results` has each, `result` the last one done."""
    demand(visit, "batch")
    slot = visit.make()["id"]
    lines = ("echo one; touch /home/user/conform-1", "ls /home/user/conform-1; exit 3", "touch /home/user/conform-2")
    actions = [{"type": "execute", "command": line, "shell": True} for line in lines]
    said = act(visit, slot, {"type": "batch", "actions": actions}, screenshot=True)
    codes = [one.get("returncode") for one in said["results"]]
    hold(codes == [0, 3], "the actions up to the first that fails are done", codes)
    hold(said["result"] == said["results"][-1], "`result` is that of the last action done", said["result"])
    hold(said["results"][1].get("output") == "/home/user/conform-1\n", "an action finds what the one before did")
    hold(not exists(visit, slot, "/home/user/conform-2"), "what follows the first that fails is not done")
    hold(bool(said.get("screenshot_png_b64")), "a batch shows the screen where it was asked for")


@scenario
def a_batch_holds_no_batch(visit: Visit) -> None:
    """A batch within a batch, or of nothing, is a 400, and nothing of it is done."""
    demand(visit, "batch")
    slot = visit.make()["id"]
    touch = {"type": "execute", "command": ["touch", "/home/user/conform-inner"]}
    for actions in ([touch, {"type": "batch", "actions": [touch]}], []):
        body = {"action": {"type": "batch", "actions": actions}}
        visit.ask("step_slot", slot, body, status=400)
    hold(not exists(visit, slot, "/home/user/conform-inner"), "nothing of a refused batch is done")
