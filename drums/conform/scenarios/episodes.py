"""Episodes, resets and the setup of tasks."""

from __future__ import annotations

from typing import Any

from drums.conform.outcome import hold, part
from drums.conform.scenarios import scenario
from drums.conform.visit import Visit

MARK = "/home/user/conform-setup"
"""What the setup of `task` makes."""
DONE = "/home/user/conform-done"
"""What solves `task`."""


def task(**changes: Any) -> dict[str, Any]:
    """A task in OSWorld's format that any daemon can run."""
    return {
        "id": "drums-conform",
        "instruction": f"Make the file {DONE}.",
        "snapshot": "os",
        "source": "drums conform",
        "related_apps": ["os"],
        "config": [{"type": "execute", "parameters": {"command": ["touch", MARK]}}],
        "evaluator": {
            "func": "exact_match",
            "result": {"type": "vm_command_line", "command": f"[ -e {DONE} ] && echo yes || echo no", "shell": True},
            "expected": {"type": "rule", "rules": {"expected": "yes\n"}},
        },
        **changes,
    }


def exists(visit: Visit, slot: str, path: str) -> bool:
    """Whether a file is in a desktop."""
    return visit.run(slot, f"[ -e {path} ] && echo yes || echo no") == "yes\n"


@scenario
def a_reset_begins_the_next_episode(visit: Visit) -> None:
    """A reset restores the checkpoint and counts the episode up by one."""
    slot = visit.make()["id"]
    visit.run(slot, "touch /home/user/conform-before")
    record = visit.ask("reset_slot", slot).content
    hold((record["id"], record["state"]) == (slot, "ready"), "a reset slot keeps its id and is ready", record)
    hold(record.get("episode") == 2, "a reset counts the episode up by one", record)
    hold(not exists(visit, slot, "/home/user/conform-before"), "a reset throws away what the desktop was")


@scenario
def every_reply_names_its_episode(visit: Visit) -> None:
    """Step, gates, verify and quiescent replies name the slot and the running episode."""
    slot = visit.make(task())["id"]
    visit.ask("reset_slot", slot, {})
    replies = {
        "step": visit.ask("step_slot", slot, {"action": {"type": "sleep", "seconds": 0}}),
        "gates": visit.ask("get_gates", slot),
        "quiescent": visit.ask("wait_quiescent", slot, {}),
        "verify": visit.ask("verify_slot", slot, {}),
    }
    named = {name: (reply["slot"], reply["episode"]) for name, reply in replies.items()}
    hold(all(pair == (slot, 2) for pair in named.values()), f"every reply is about {slot}, episode 2", named)


@scenario
def a_tasks_setup_runs_in_every_episode(visit: Visit) -> None:
    """The setup runs when the slot is made and after every reset, and the record names the task."""
    record = visit.make(task())
    slot = record["id"]
    hold(part(record, "task").get("id") == "drums-conform", "the record names the task", record)
    hold(exists(visit, slot, MARK), "the setup has run when the slot is made")
    visit.run(slot, f"rm {MARK}")
    again = visit.ask("reset_slot", slot).content
    hold(part(again, "task").get("id") == "drums-conform", "a reset keeps the task", again)
    hold(exists(visit, slot, MARK), "the setup runs again after a reset")


@scenario
def a_setup_can_be_left_out(visit: Visit) -> None:
    """With `setup` false the task is there and its setup has not run."""
    slot = visit.make(task(), setup=False)["id"]
    hold(not exists(visit, slot, MARK), "`setup: false` leaves the setup out")


@scenario
def a_task_can_be_given_later(visit: Visit) -> None:
    """`set_task` sets the task up on the desktop as it is; the episode goes on."""
    slot = visit.make()["id"]
    visit.run(slot, "touch /home/user/conform-before")
    record = visit.ask("set_task", slot, {"task": task()}).content
    hold(record.get("episode") == 1, "set_task begins no episode", record)
    hold(part(record, "task").get("id") == "drums-conform", "the record names the task", record)
    hold(exists(visit, slot, MARK), "set_task runs the setup")
    hold(exists(visit, slot, "/home/user/conform-before"), "set_task leaves the desktop as it is")


@scenario
def an_unsupported_task_starts_nothing(visit: Visit) -> None:
    """A setup step or checker that the daemon does not have is a 422 `task_unsupported`, before anything starts."""
    strange = task(config=[{"type": "conform_no_such_step", "parameters": {}}])
    answer = visit.ask("create_slot", body={"checkpoint": visit.image, "task": strange}, status=422)
    hold("conform_no_such_step" in answer["error"], "the message names the step", answer.content)
    checker = task(evaluator={**task()["evaluator"], "func": "conform_no_such_check"})
    visit.ask("create_slot", body={"checkpoint": visit.image, "task": checker}, status=422)
    hold(visit.records() == {}, "a refused task starts no desktop")


@scenario
def a_failed_setup_is_a_record(visit: Visit) -> None:
    """A setup that fails is a 200 with a `down` slot whose `last_error` starts with `task setup failed`."""
    failing = task(config=[{"type": "execute", "parameters": {"command": ["conform-no-such-program"]}}])
    record = visit.ask("create_slot", body={"checkpoint": visit.image, "task": failing}).content
    hold(record["state"] == "down", "a slot whose setup failed is down", record)
    words = str(record.get("last_error"))
    hold(words.startswith("task setup failed"), "last_error starts with `task setup failed`", words)
    hold(part(record, "validity").get("verdict") != "valid", "such an episode is not valid", record)
    visit.ask("step_slot", record["id"], {"action": {"type": "sleep", "seconds": 0}}, status=409)
