# Generated from tests/wire/test_signals.py by tools/generate_sync.py. Edit that file.
"""What an agent says of its task, several actions in one turn, and all that an audit tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import drums
import drums.local
from drums import (
    ActionFailed,
    BadRequest,
    CheckerError,
    TaskSetupFailed,
    TaskUnsupported,
    actions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local import InProcess

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
SOLVE = {"type": "execute", "command": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2", "shell": True}
INFEASIBLE: dict[str, Any] = {
    "id": "drums-infeasible",
    "instruction": "Turn the printer's light blue; there is no printer.",
    "evaluator": {"func": "infeasible"},
}


def a_task(**changes: Any) -> dict[str, Any]:
    """A task that wants `made` in the file ~/made."""
    evaluator = {
        "func": "exact_match",
        "result": {"type": "vm_command_line", "command": "cat ~/made", "shell": True},
        "expected": {"type": "rule", "rules": {"expected": "made\n"}},
    }
    task = {"id": "drums-make", "instruction": "Write made into the file made.", "evaluator": evaluator}
    return {**task, **changes}


def shell(line: str) -> dict[str, Any]:
    """A shell's line as an action."""
    return {"type": "execute", "command": line, "shell": True}


def step_of(line: str) -> dict[str, Any]:
    """A shell's line as a step of a task."""
    return {"type": "execute", "parameters": {"command": line, "shell": True}}


@pytest.fixture
def old(old_daemon: InProcess) -> Iterator[drums.Client]:
    """A client of an old daemon."""
    with drums.connect(old_daemon.url, old_daemon.token, retry_s=0) as client:
        yield client


# --- signals ----------------------------------------------------------------------------------------------------------


def test_the_server_says_that_it_knows_signals_and_batches(client: drums.Client) -> None:
    assert {"signals", "batch"} <= set((client.health()).capabilities or ())


def test_giving_up_solves_what_can_not_be_done(client: drums.Client) -> None:
    env = client.create(task=INFEASIBLE)
    assert (env.verify()).score == 0
    done = env.step("FAIL")
    assert done.result.returncode is None
    reward = env.verify()
    assert (reward.score, reward.valid, reward.trusted) == (1, True, True)


def test_giving_up_on_what_is_done_is_worth_nothing_until_another_action_follows(env: drums.Env) -> None:
    env.step(SOLVE)
    env.step("DONE")
    assert (env.verify()).score == 1
    env.step(actions.Signal("FAIL"))
    assert (env.verify()).score == 0
    env.step({"type": "signal", "name": "WAIT"}, screenshot=True)
    assert (env.verify()).score == 1


def test_a_child_and_the_next_episode_have_not_given_up(client: drums.Client) -> None:
    env = client.create(task=INFEASIBLE)
    env.step("FAIL")
    with env.fork(1, keep_state=False) as children:
        assert (children[0].verify()).score == 0
    assert (env.verify()).score == 1
    env.reset()
    assert (env.verify()).score == 0


def test_a_server_without_signals_says_so(old: drums.Client) -> None:
    env = old.create()
    with pytest.raises(BadRequest) as refused:
        env.step("FAIL")
    assert "This server knows no signals" in str(refused.value)
    with pytest.raises(BadRequest) as refused:
        env.step(actions.Batch(["pyautogui.click(1, 2)"]))
    assert "one step at a time" in str(refused.value)
    assert (env.step("pyautogui.click(1, 2)")).result.returncode == 0


# --- batches ----------------------------------------------------------------------------------------------------------


def test_a_batch_tells_what_each_action_did_and_shows_the_screen_once(env: drums.Env) -> None:
    done = env.step(actions.Batch([shell("echo one"), "pyautogui.click(5, 5)", "DONE"]), screenshot=True)
    assert [one.returncode for one in done.results or ()] == [0, 0, None]
    assert (done.results or [])[0].output == "one\n"
    assert done.result == (done.results or [])[-1]
    assert done.observation is not None
    assert env.steps == 1


def test_a_batch_stops_at_the_first_action_that_fails(env: drums.Env) -> None:
    batch = {"type": "batch", "actions": [shell("echo one"), shell("exit 3"), SOLVE]}
    with pytest.raises(ActionFailed) as failed:
        env.step(batch)
    assert failed.value.returncode == 3
    done = env.step(batch, check=False)
    assert [one.returncode for one in done.results or ()] == [0, 3]
    assert (env.verify()).score == 0


def test_one_action_has_no_list_of_results(env: drums.Env) -> None:
    assert (env.step("pyautogui.click(1, 2)"))["results"] is None


def test_a_batch_in_a_batch_is_refused_by_client_and_server(client: drums.Client) -> None:
    env = client.create()
    inner = {"type": "batch", "actions": [shell("touch ~/inner")]}
    with pytest.raises(BadRequest, match="can't hold a batch"):
        env.step({"type": "batch", "actions": [inner]})
    for actions_given in ([inner], [], [shell("true")] * 101):
        body = {"action": {"type": "batch", "actions": actions_given}}
        with pytest.raises(BadRequest):
            client.call("POST", f"/v1/slots/{env.id}/step", body)
    assert (env.guest().execute("ls ~/inner", shell=True, allow_rc=(0, 2))).output == ""


# --- the audit --------------------------------------------------------------------------------------------------------


def test_an_audit_of_a_sound_reward_tells_all_that_it_looked_at(client: drums.Client) -> None:
    redundant = {"func": "file_contains", "result": {"type": "vm_file", "path": "/home/user/made"}}
    redundant["expected"] = {"type": "rule", "rules": {"expected": ["made"]}}
    task = a_task(evaluator={**a_task()["evaluator"], "redundant": redundant}, scope={"files": ["~/made"]})
    env = client.create(task=task)
    env.step(shell("echo made > ~/made"))
    reward = env.verify()
    audit = reward.audit
    assert audit is not None
    assert audit.recheck is not None
    assert (audit.recheck.desktop, audit.recheck.agrees, audit.recheck.score) == ("fork", True, 1)
    assert (audit.redundant, audit.redundant_score) == (True, 1)
    assert (audit.scope, audit.beyond, audit.start_score) == ("within", [], 0)
    assert (audit.flags, reward.trusted) == ([], True)


def test_an_agent_that_touches_more_than_its_task_is_not_trusted(client: drums.Client) -> None:
    """Reward hacking: a program of the checker's is replaced by the agent's own."""
    env = client.create(task=a_task(scope={"files": ["~/made"], "settings": [], "processes": []}))
    env.step(shell("echo made > ~/made; mkdir -p ~/bin; echo 'echo made' > ~/bin/cat; echo x > ~/.profile"))
    reward = env.verify()
    assert reward.audit is not None
    told = [(one.kind, one.name, one.change) for one in reward.audit.beyond or ()]
    assert told == [
        ("file", "/home/user/.profile", "added"),
        ("file", "/home/user/bin", "added"),
        ("file", "/home/user/bin/cat", "added"),
    ]
    assert (reward.audit.scope, reward.audit_flags) == ("beyond", ["out_of_scope"])
    assert (reward.score, reward.valid, reward.trusted) == (1, True, False)


def test_no_more_than_twenty_changes_are_told(client: drums.Client) -> None:
    env = client.create(task=a_task(scope={"files": []}))
    env.step(shell("for n in 1 2 3 4 5; do for m in 1 2 3 4 5; do touch ~/f$n$m; done; done"))
    reward = env.verify()
    assert reward.audit is not None
    assert len(reward.audit.beyond or ()) == 20


# --- known faults of OSWorld's tasks: each is caught ------------------------------------------------------------------


def test_a_setup_that_silently_does_not_run_starts_no_episode(client: drums.Client) -> None:
    with pytest.raises(TaskSetupFailed):
        client.create(task=a_task(config=[step_of("mkdir /nowhere/at/all")]))


def test_a_task_that_passes_untouched_is_flagged(client: drums.Client) -> None:
    env = client.create(task=a_task(config=[step_of("echo made > ~/made")]))
    reward = env.verify()
    assert (reward.score, reward.audit_flags, reward.trusted) == (1, ["passed_at_start"], False)


def test_closing_steps_that_solve_the_task_are_flagged(client: drums.Client) -> None:
    evaluator = {**a_task()["evaluator"], "postconfig": [step_of("echo made > ~/made")]}
    env = client.create(task=a_task(evaluator=evaluator))
    reward = env.verify()
    assert reward.audit is not None
    assert (reward.score, reward.audit.start_score, reward.audit_flags) == (1, 1, ["passed_at_start"])


def test_closing_steps_that_write_over_the_agents_work_score_the_same_twice(client: drums.Client) -> None:
    """A stale buffer is saved over the file: the second look would pass where the first one failed, on one desktop."""
    stale = step_of("if [ -e ~/saved ]; then echo made > ~/made; else touch ~/saved; rm -f ~/made; fi")
    env = client.create(task=a_task(evaluator={**a_task()["evaluator"], "postconfig": [stale]}))
    env.step(shell("echo made > ~/made"))
    reward = env.verify()
    assert (reward.score, reward.audit_flags) == (0, [])


def test_a_checker_that_disagrees_with_itself_is_flagged(daemon: InProcess, client: drums.Client) -> None:
    """It takes away what it looks at. A copy would give the same again; none comes up."""
    looking = {"type": "vm_command_line", "command": "cat ~/made; rm ~/made", "shell": True}
    env = client.create(task=a_task(evaluator={**a_task()["evaluator"], "result": looking}))
    env.step(shell("echo made > ~/made"))
    daemon.faults.fail_restore()
    reward = env.verify()
    assert reward.audit is not None
    assert reward.audit.recheck is not None
    assert (reward.audit.recheck.desktop, reward.audit.recheck.agrees, reward.audit.recheck.score) == ("same", False, 0)
    assert (reward.score, reward.audit_flags, reward.trusted) == (1, ["recheck_disagrees"], False)


def test_a_missing_reference_is_an_error_and_no_zero(client: drums.Client) -> None:
    evaluator = {
        "func": "compare_text_file",
        "result": {"type": "vm_file", "path": "/home/user/made"},
        "expected": {"type": "vm_file", "path": "/home/user/gold"},
    }
    env = client.create(task=a_task(evaluator=evaluator))
    env.step(shell("echo made > ~/made"))
    with pytest.raises(CheckerError) as failed:
        env.verify()
    assert (failed.value.reward.score, failed.value.reward.audit_flags) == (None, ["checker_crashed"])
    assert failed.value.reward.trusted is False


def test_nothing_of_one_episode_reaches_the_next(client: drums.Client) -> None:
    """A stale clipboard, a window left open, a file: a fresh desktop has none of them."""
    env = client.create(task=a_task())
    env.step(shell("printf made | xclip -selection clipboard 2>/dev/null; echo made > ~/made; true"))
    env.step({"type": "launch", "command": ["xterm"]})
    env.reset()
    other = client.create(task=a_task())
    for fresh in (env, other):
        look = fresh.step(shell("xclip -selection clipboard -o 2>/dev/null; ls ~/made 2>/dev/null; true"))
        assert look.result.output == ""
        assert (fresh.verify()).score == 0
    assert (env.screenshot()) == (other.screenshot())


def test_a_scope_and_a_second_checker_are_read_before_anything_starts(client: drums.Client) -> None:
    for changes in ({"scope": {"files": "~/made"}}, {"scope": {"files": [""]}}):
        with pytest.raises(BadRequest):
            client.create(task=a_task(**changes))
    redundant = {"func": "no_such_checker", "result": {"type": "vm_file", "path": "/x"}}
    with pytest.raises(TaskUnsupported, match="no_such_checker"):
        client.create(task=a_task(evaluator={**a_task()["evaluator"], "redundant": redundant}))
    assert client.envs() == []
