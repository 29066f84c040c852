"""What an agent says of its task, several actions in one turn, and all that an audit tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import drums.aio
import drums.local
from drums import ActionFailed, BadRequest, CheckerError, TaskSetupFailed, TaskUnsupported, actions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

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
async def old(old_daemon: InProcess) -> AsyncIterator[drums.aio.Client]:
    """A client of an old daemon."""
    async with drums.aio.connect(old_daemon.url, old_daemon.token, retry_s=0) as client:
        yield client


# --- signals ----------------------------------------------------------------------------------------------------------


async def test_the_server_says_that_it_knows_signals_and_batches(client: drums.aio.Client) -> None:
    assert {"signals", "batch"} <= set((await client.health()).capabilities or ())


async def test_giving_up_solves_what_can_not_be_done(client: drums.aio.Client) -> None:
    env = await client.create(task=INFEASIBLE)
    assert (await env.verify()).score == 0
    done = await env.step("FAIL")
    assert done.result.returncode is None
    reward = await env.verify()
    assert (reward.score, reward.valid, reward.trusted) == (1, True, True)


async def test_giving_up_on_what_is_done_is_worth_nothing_until_another_action_follows(env: drums.aio.Env) -> None:
    await env.step(SOLVE)
    await env.step("DONE")
    assert (await env.verify()).score == 1
    await env.step(actions.Signal("FAIL"))
    assert (await env.verify()).score == 0
    await env.step({"type": "signal", "name": "WAIT"}, screenshot=True)
    assert (await env.verify()).score == 1


async def test_a_child_and_the_next_episode_have_not_given_up(client: drums.aio.Client) -> None:
    env = await client.create(task=INFEASIBLE)
    await env.step("FAIL")
    async with await env.fork(1, keep_state=False) as children:
        assert (await children[0].verify()).score == 0
    assert (await env.verify()).score == 1
    await env.reset()
    assert (await env.verify()).score == 0


async def test_a_server_without_signals_says_so(old: drums.aio.Client) -> None:
    env = await old.create()
    with pytest.raises(BadRequest) as refused:
        await env.step("FAIL")
    assert "This server knows no signals" in str(refused.value)
    with pytest.raises(BadRequest) as refused:
        await env.step(actions.Batch(["pyautogui.click(1, 2)"]))
    assert "one step at a time" in str(refused.value)
    assert (await env.step("pyautogui.click(1, 2)")).result.returncode == 0


# --- batches ----------------------------------------------------------------------------------------------------------


async def test_a_batch_tells_what_each_action_did_and_shows_the_screen_once(env: drums.aio.Env) -> None:
    done = await env.step(actions.Batch([shell("echo one"), "pyautogui.click(5, 5)", "DONE"]), screenshot=True)
    assert [one.returncode for one in done.results or ()] == [0, 0, None]
    assert (done.results or [])[0].output == "one\n"
    assert done.result == (done.results or [])[-1]
    assert done.observation is not None
    assert env.steps == 1


async def test_a_batch_stops_at_the_first_action_that_fails(env: drums.aio.Env) -> None:
    batch = {"type": "batch", "actions": [shell("echo one"), shell("exit 3"), SOLVE]}
    with pytest.raises(ActionFailed) as failed:
        await env.step(batch)
    assert failed.value.returncode == 3
    done = await env.step(batch, check=False)
    assert [one.returncode for one in done.results or ()] == [0, 3]
    assert (await env.verify()).score == 0


async def test_one_action_has_no_list_of_results(env: drums.aio.Env) -> None:
    assert (await env.step("pyautogui.click(1, 2)"))["results"] is None


async def test_a_batch_in_a_batch_is_refused_by_client_and_server(client: drums.aio.Client) -> None:
    env = await client.create()
    inner = {"type": "batch", "actions": [shell("touch ~/inner")]}
    with pytest.raises(BadRequest, match="can't hold a batch"):
        await env.step({"type": "batch", "actions": [inner]})
    for actions_given in ([inner], [], [shell("true")] * 101):
        body = {"action": {"type": "batch", "actions": actions_given}}
        with pytest.raises(BadRequest):
            await client.call("POST", f"/v1/slots/{env.id}/step", body)
    assert (await env.guest().execute("ls ~/inner", shell=True, allow_rc=(0, 2))).output == ""


# --- the audit --------------------------------------------------------------------------------------------------------


async def test_an_audit_of_a_sound_reward_tells_all_that_it_looked_at(client: drums.aio.Client) -> None:
    redundant = {"func": "file_contains", "result": {"type": "vm_file", "path": "/home/user/made"}}
    redundant["expected"] = {"type": "rule", "rules": {"expected": ["made"]}}
    task = a_task(evaluator={**a_task()["evaluator"], "redundant": redundant}, scope={"files": ["~/made"]})
    env = await client.create(task=task)
    await env.step(shell("echo made > ~/made"))
    reward = await env.verify()
    audit = reward.audit
    assert audit is not None
    assert audit.recheck is not None
    assert (audit.recheck.desktop, audit.recheck.agrees, audit.recheck.score) == ("fork", True, 1)
    assert (audit.redundant, audit.redundant_score) == (True, 1)
    assert (audit.scope, audit.beyond, audit.start_score) == ("within", [], 0)
    assert (audit.flags, reward.trusted) == ([], True)


async def test_an_agent_that_touches_more_than_its_task_is_not_trusted(client: drums.aio.Client) -> None:
    """Reward hacking: a program of the checker's is replaced by the agent's own."""
    env = await client.create(task=a_task(scope={"files": ["~/made"], "settings": [], "processes": []}))
    await env.step(shell("echo made > ~/made; mkdir -p ~/bin; echo 'echo made' > ~/bin/cat; echo x > ~/.profile"))
    reward = await env.verify()
    assert reward.audit is not None
    told = [(one.kind, one.name, one.change) for one in reward.audit.beyond or ()]
    assert told == [
        ("file", "/home/user/.profile", "added"),
        ("file", "/home/user/bin", "added"),
        ("file", "/home/user/bin/cat", "added"),
    ]
    assert (reward.audit.scope, reward.audit_flags) == ("beyond", ["out_of_scope"])
    assert (reward.score, reward.valid, reward.trusted) == (1, True, False)


async def test_no_more_than_twenty_changes_are_told(client: drums.aio.Client) -> None:
    env = await client.create(task=a_task(scope={"files": []}))
    await env.step(shell("for n in 1 2 3 4 5; do for m in 1 2 3 4 5; do touch ~/f$n$m; done; done"))
    reward = await env.verify()
    assert reward.audit is not None
    assert len(reward.audit.beyond or ()) == 20


# --- known faults of OSWorld's tasks: each is caught ------------------------------------------------------------------


async def test_a_setup_that_silently_does_not_run_starts_no_episode(client: drums.aio.Client) -> None:
    with pytest.raises(TaskSetupFailed):
        await client.create(task=a_task(config=[step_of("mkdir /nowhere/at/all")]))


async def test_a_task_that_passes_untouched_is_flagged(client: drums.aio.Client) -> None:
    env = await client.create(task=a_task(config=[step_of("echo made > ~/made")]))
    reward = await env.verify()
    assert (reward.score, reward.audit_flags, reward.trusted) == (1, ["passed_at_start"], False)


async def test_closing_steps_that_solve_the_task_are_flagged(client: drums.aio.Client) -> None:
    evaluator = {**a_task()["evaluator"], "postconfig": [step_of("echo made > ~/made")]}
    env = await client.create(task=a_task(evaluator=evaluator))
    reward = await env.verify()
    assert reward.audit is not None
    assert (reward.score, reward.audit.start_score, reward.audit_flags) == (1, 1, ["passed_at_start"])


async def test_closing_steps_that_write_over_the_agents_work_score_the_same_twice(client: drums.aio.Client) -> None:
    """A stale buffer is saved over the file: the second look would pass where the first one failed, on one desktop."""
    stale = step_of("if [ -e ~/saved ]; then echo made > ~/made; else touch ~/saved; rm -f ~/made; fi")
    env = await client.create(task=a_task(evaluator={**a_task()["evaluator"], "postconfig": [stale]}))
    await env.step(shell("echo made > ~/made"))
    reward = await env.verify()
    assert (reward.score, reward.audit_flags) == (0, [])


async def test_a_checker_that_disagrees_with_itself_is_flagged(daemon: InProcess, client: drums.aio.Client) -> None:
    """It takes away what it looks at. A copy would give the same again; none comes up."""
    looking = {"type": "vm_command_line", "command": "cat ~/made; rm ~/made", "shell": True}
    env = await client.create(task=a_task(evaluator={**a_task()["evaluator"], "result": looking}))
    await env.step(shell("echo made > ~/made"))
    daemon.faults.fail_restore()
    reward = await env.verify()
    assert reward.audit is not None
    assert reward.audit.recheck is not None
    assert (reward.audit.recheck.desktop, reward.audit.recheck.agrees, reward.audit.recheck.score) == ("same", False, 0)
    assert (reward.score, reward.audit_flags, reward.trusted) == (1, ["recheck_disagrees"], False)


async def test_a_missing_reference_is_an_error_and_no_zero(client: drums.aio.Client) -> None:
    evaluator = {
        "func": "compare_text_file",
        "result": {"type": "vm_file", "path": "/home/user/made"},
        "expected": {"type": "vm_file", "path": "/home/user/gold"},
    }
    env = await client.create(task=a_task(evaluator=evaluator))
    await env.step(shell("echo made > ~/made"))
    with pytest.raises(CheckerError) as failed:
        await env.verify()
    assert (failed.value.reward.score, failed.value.reward.audit_flags) == (None, ["checker_crashed"])
    assert failed.value.reward.trusted is False


async def test_nothing_of_one_episode_reaches_the_next(client: drums.aio.Client) -> None:
    """A stale clipboard, a window left open, a file: a fresh desktop has none of them."""
    env = await client.create(task=a_task())
    await env.step(shell("printf made | xclip -selection clipboard 2>/dev/null; echo made > ~/made; true"))
    await env.step({"type": "launch", "command": ["xterm"]})
    await env.reset()
    other = await client.create(task=a_task())
    for fresh in (env, other):
        look = await fresh.step(shell("xclip -selection clipboard -o 2>/dev/null; ls ~/made 2>/dev/null; true"))
        assert look.result.output == ""
        assert (await fresh.verify()).score == 0
    assert (await env.screenshot()) == (await other.screenshot())


async def test_a_scope_and_a_second_checker_are_read_before_anything_starts(client: drums.aio.Client) -> None:
    for changes in ({"scope": {"files": "~/made"}}, {"scope": {"files": [""]}}):
        with pytest.raises(BadRequest):
            await client.create(task=a_task(**changes))
    redundant = {"func": "no_such_checker", "result": {"type": "vm_file", "path": "/x"}}
    with pytest.raises(TaskUnsupported, match="no_such_checker"):
        await client.create(task=a_task(evaluator={**a_task()["evaluator"], "redundant": redundant}))
    assert await client.envs() == []
