"""Waiting for a still desktop."""

from __future__ import annotations

from drums.conform.outcome import NotHere, hold
from drums.conform.scenarios import scenario
from drums.conform.visit import Visit

BUSY = "while true; do /bin/true; sleep 0.05; done"


@scenario
def an_idle_desktop_becomes_still(visit: Visit) -> None:
    """An idle desktop is quiescent within the time, and the wait changes nothing."""
    slot = visit.make()["id"]
    reply = visit.ask("wait_quiescent", slot, {"timeout_s": 30, "window_s": 0.5}).content
    hold(reply["quiescent"] is True, "an idle desktop becomes still", reply)
    hold(visit.ask("get_slot", slot)["episode"] == 1, "the wait begins no episode")


@scenario
def a_busy_desktop_is_not_saved(visit: Visit) -> None:
    """While processes start and end, waiting and forking are 409 `not_quiescent` and nothing is captured."""
    if visit.ask("get_health")["machine"] == "sim":
        raise NotHere("nothing runs in a simulated desktop between actions, so it can't be busy")
    slot = visit.make()["id"]
    visit.ask("step_slot", slot, {"action": {"type": "launch", "command": BUSY, "shell": True}})
    for operation, body in (
        ("wait_quiescent", {"timeout_s": 2, "window_s": 1}),
        ("branch_slot", {"n": 1, "quiesce_timeout_s": 2}),
        ("capture_slot", {"quiesce_timeout_s": 2}),
    ):
        answer = visit.ask(operation, slot, body, status=409)
        hold(answer["code"] == "not_quiescent", "the code is `not_quiescent`", answer.content)
    hold(visit.children_of(slot) == [], "no child was started")
