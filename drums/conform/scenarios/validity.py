"""What makes an episode valid, and what a reward is worth."""

from __future__ import annotations

from typing import Any

from drums.conform.outcome import hold
from drums.conform.scenarios import scenario
from drums.conform.scenarios.episodes import DONE, MARK, task
from drums.conform.visit import Visit
from drums.validity import verdict_of


def consistent(report: Any) -> None:
    """Hold a gate report to what its gates say."""
    said, gates = report["validity"]["verdict"], report["gates"]
    due = verdict_of((gate["name"], gate["status"]) for gate in gates)
    hold(said == due, f"the verdict is {due} when the gates are {[gate['status'] for gate in gates]}", said)
    bad = sorted(gate["name"] for gate in gates if gate["status"] != "passed")
    hold(sorted(report["validity"]["gates"]) == bad, "validity names the gates that are not passed", report["validity"])


@scenario
def gates_settle_and_agree(visit: Visit) -> None:
    """The verdict is what the gates say at every moment, and an untouched desktop's becomes valid."""
    slot = visit.make()["id"]
    consistent(visit.ask("get_gates", slot).content)
    report = visit.settled(slot)
    consistent(report)
    hold(report["gates"] != [], "an episode has gates", report)
    hold(report["validity"]["verdict"] == "valid", "an untouched desktop's episode becomes valid", report)
    record = visit.ask("get_slot", slot).content
    hold(record["validity"]["verdict"] == "valid", "the record says what the gates say", record)


@scenario
def a_new_episode_has_gates_of_its_own(visit: Visit) -> None:
    """After a reset the gates are taken anew: the report is of the new episode and settles again."""
    slot = visit.make()["id"]
    visit.settled(slot)
    record = visit.ask("reset_slot", slot).content
    report = visit.ask("get_gates", slot).content
    hold(report["episode"] == record["episode"] == 2, "the report is of the new episode", report)
    seconds = [gate["seconds"] for gate in visit.settled(slot)["gates"] if gate.get("seconds") is not None]
    hold(all(value >= 0 for value in seconds), "gates are timed from the episode's begin", seconds)


@scenario
def verify_scores_what_was_done(visit: Visit) -> None:
    """The score is the checker's: 0 for nothing done, 1 for the task solved, in one valid episode."""
    slot = visit.make(task())["id"]
    for score in (0, 1):
        reward = visit.ask("verify_slot", slot, {}).content
        sound(reward)
        hold(reward["valid"] is True, "an untouched desktop's reward is valid", reward)
        hold(reward["score"] == score, f"the score is {score}", reward)
        hold(reward.get("task_id") == "drums-conform", "the reward names the task", reward)
        visit.run(slot, f"touch {DONE}")


@scenario
def verify_waits_for_the_last_gate(visit: Visit) -> None:
    """A reward is never given while a gate is pending."""
    slot = visit.make(task())["id"]
    reward = visit.ask("verify_slot", slot, {}).content
    hold(reward["validity"]["verdict"] != "pending", "verify waits for the verdict", reward["validity"])
    pending = [gate["name"] for gate in reward.get("gates") or () if gate["status"] == "pending"]
    hold(pending == [], "no gate is pending in a reward", pending)


@scenario
def without_a_task_there_is_nothing_to_verify(visit: Visit) -> None:
    """`verify` of a slot without a task is a 409."""
    visit.ask("verify_slot", visit.make()["id"], {}, status=409)


@scenario
def a_broken_checker_is_not_a_zero(visit: Visit) -> None:
    """A checker whose reference is missing gives no score, never 0, and says so in `checker_error`."""
    there = {"type": "vm_file", "path": MARK, "dest": "result.txt"}
    missing = {"type": "vm_file", "path": "/home/user/conform-no-reference", "dest": "reference.txt"}
    broken = task(evaluator={"func": "compare_text_file", "result": there, "expected": missing})
    slot = visit.make(broken)["id"]
    reward = visit.ask("verify_slot", slot, {}).content
    sound(reward)
    hold(bool(reward.get("checker_error")), "checker_error tells what went wrong", reward)
    hold(reward["score"] is None, "a broken checker gives no score", reward)


def sound(reward: Any) -> None:
    """Hold a reward to itself: its fields may not contradict each other."""
    valid, verdict = reward["valid"], reward["validity"]["verdict"]
    due = verdict == "valid" and reward["state"] == "ready"
    hold(valid is due, "valid is true exactly for a ready slot with a valid verdict", (valid, verdict, reward["state"]))
    reasons = reward.get("invalid_reasons")
    hold(reasons is None or bool(reasons) is not valid, "there is a reason exactly when not valid", reasons)
    if reward.get("checker_error") or reward.get("checker_skipped"):
        hold(reward["score"] is None, "no score without a checker's own", reward)
    audit = reward.get("audit")
    if audit is not None:
        trusted = valid and reward["score"] is not None and not audit.get("flags")
        hold(audit.get("trusted") is trusted, "trusted: valid, scored and without a flag", audit)
