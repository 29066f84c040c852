# Generated from tests/wire/test_env.py by tools/generate_sync.py. Edit that file.
"""What one desktop can be told, and what it tells."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

import drums
import drums.local
from drums import (
    ActionFailed,
    BadRequest,
    CheckerError,
    Conflict,
    EnvFailed,
    EnvGone,
    GateFailed,
    GuestError,
    InvalidEpisode,
    NotQuiescent,
    ProtocolError,
    QuotaExceeded,
    RestoreFailed,
    State,
    TaskSetupFailed,
    actions,
)
from drums.observation import png_size

if TYPE_CHECKING:
    from drums.local import InProcess

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
SOLVE = {"type": "execute", "command": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2", "shell": True}
FALSE: dict[str, Any] = {"type": "execute", "parameters": {"command": ["false"]}}


def files_of(env: drums.Env) -> str:
    """What lies on the desktop's Desktop."""
    return (env.guest().execute("ls ~/Desktop", shell=True)).output or ""


# --- acting -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        "pyautogui.click(1, 2)",
        {"type": "pyautogui", "code": "pyautogui.moveTo(5, 5)"},
        {"type": "execute", "command": ["ls"]},
        {"type": "launch", "command": ["xterm"]},
        {"type": "sleep", "seconds": 0},
        actions.Pyautogui("pyautogui.press('enter')"),
        actions.Execute("echo hi", shell=True),
        actions.Sleep(0.0),
    ],
)
def test_every_kind_of_action_is_done(env: drums.Env, action: Any) -> None:
    result = env.step(action)
    assert result.result.returncode in {0, None}
    assert (result.slot, result.episode, env.steps) == (env.id, 1, 1)
    assert result["result"] == result.result
    assert json.loads(json.dumps(result)) == result
    assert result.observation is None


def test_an_action_that_fails_is_an_error_with_what_it_printed(env: drums.Env) -> None:
    action = {"type": "execute", "command": "echo out; echo err >&2; exit 3", "shell": True}
    with pytest.raises(ActionFailed) as failure:
        env.step(action)
    failed = failure.value
    assert (failed.returncode, failed.output, failed.error) == (3, "out\n", "err\n")
    assert failed.action == action
    assert failed.result["result"]["returncode"] == 3
    assert f"step() of {env.id}" in str(failed)
    unchecked = env.step(action, check=False)
    assert unchecked.result.returncode == 3
    assert env.steps == 2


@pytest.mark.parametrize(
    "action", [None, 1, {"type": "fly"}, {"type": "sleep", "seconds": float("nan")}, {"code": "x"}]
)
def test_what_is_no_action_never_reaches_the_server(env: drums.Env, action: Any) -> None:
    with pytest.raises(BadRequest) as refusal:
        env.step(action)
    assert refusal.value.sent == "no"
    assert env.steps == 0


def test_a_step_can_bring_the_screen_after_it(env: drums.Env) -> None:
    result = env.step("pyautogui.click(960, 540)", screenshot=True)
    seen = result.observation
    assert seen is not None
    assert (seen.width, seen.height) == (1920, 1080)
    assert (seen.meta["env"], seen.meta["episode"], seen.meta["steps"]) == (env.id, 1, 1)


def test_a_guest_that_hangs_is_a_guest_error(env: drums.Env, daemon: InProcess) -> None:
    daemon.faults.hang_guest()
    with pytest.raises(GuestError):
        env.step("pyautogui.click(1, 2)")
    assert (env.step("pyautogui.click(1, 2)")).result.returncode == 0


# --- looking ----------------------------------------------------------------------------------------------------------


def test_an_observation_says_what_it_is_of(env: drums.Env) -> None:
    env.wait_valid()
    env.step("pyautogui.click(1, 2)")
    before = time.time()
    seen = env.observe()
    assert (seen.width, seen.height) == png_size(seen.png) == (1920, 1080)
    meta = dict(seen.meta)
    moment = meta.pop("t")
    assert isinstance(moment, float)
    assert before - 1 <= moment <= time.time() + 1
    assert env.task is not None
    assert meta == {
        "env": env.id,
        "episode": 1,
        "state": "ready",
        "verdict": "valid",
        "task_id": RENAME_FOLDER,
        "instruction": env.task.instruction,
        "steps": 1,
    }


def test_an_observation_is_never_of_two_episodes(env: drums.Env) -> None:
    """Somebody else resets the env: what is seen then is no observation of this handle's episode."""
    (other,) = env.client.envs()
    other.reset()
    with pytest.raises(ProtocolError, match="episode"):
        env.observe()
    env.refresh()
    assert (env.observe()).meta["episode"] == 2


def test_a_screenshot_is_a_png_of_the_whole_screen(env: drums.Env) -> None:
    assert png_size(env.screenshot()) == (1920, 1080)


def test_a_refresh_learns_what_others_did(env: drums.Env) -> None:
    (other,) = env.client.envs()
    other.quarantine("by another")
    assert env.state == "ready"
    assert env.refresh() is env
    assert (env.state, env.record.reason) == ("quarantined", "by another")


def test_metrics_are_of_this_env(env: drums.Env) -> None:
    env.step("pyautogui.click(1, 2)")
    metrics = env.metrics()
    assert metrics.slot == env.id
    assert metrics.operations["step"].count == 1
    assert metrics.usage.slot_seconds is not None


def test_the_repr_tells_what_it_is_in_one_line(env: drums.Env) -> None:
    env.wait_valid()
    assert repr(env) == f"<Env {env.id}, ready, episode 1, valid>"
    assert repr(env.guest()) == f"<GuestClient of {env.id}>"
    assert env.client.url in repr(env.client)


# --- episodes ---------------------------------------------------------------------------------------------------------


def test_a_reset_begins_the_next_episode_with_the_task_set_up_again(env: drums.Env) -> None:
    env.step(SOLVE)
    assert "todo_list_Jan_2" in files_of(env)
    assert env.reset() is env
    assert (env.episode, env.steps, env.state) == (2, 0, "ready")
    assert "todo_list_Jan_1" in files_of(env)


def test_a_reset_that_fails_tells_and_leaves_the_env(env: drums.Env, daemon: InProcess) -> None:
    daemon.faults.fail_restore()
    with pytest.raises(RestoreFailed) as failure:
        env.reset()
    assert f"reset() of {env.id}" in str(failure.value)
    assert env.state == "down"
    with pytest.raises(RestoreFailed):
        env.wait_valid()
    env.reset()
    assert env.state == "ready"


def test_a_task_can_be_loaded_later(client: drums.Client) -> None:
    env = client.create()
    with pytest.raises(Conflict):
        env.verify()
    assert env.load_task(RENAME_FOLDER[:8]) is env
    assert env.task is not None
    assert env.task.id == RENAME_FOLDER
    env.step(SOLVE)
    assert (env.verify()).score == 1


def test_a_task_whose_setup_fails_tells_which_step(env: drums.Env) -> None:
    task = {**(env.client.task(RENAME_FOLDER)), "id": "changed", "config": [FALSE]}
    with pytest.raises(TaskSetupFailed, match="task setup failed"):
        env.load_task(task)
    assert env.state == "down"


def test_gates_are_reported_by_name(env: drums.Env) -> None:
    env.wait_valid()
    report = env.gates()
    assert report.validity is not None
    assert report.validity.verdict == "valid"
    assert {gate.status for gate in report.gates} == {"passed"}
    assert env.validity == report.validity


def test_a_valid_episode_is_waited_for(env: drums.Env) -> None:
    assert env.wait_valid() is env
    assert env.valid()
    assert env.validity is not None
    assert env.validity.verdict == "valid"


def test_a_failed_gate_is_named(client: drums.Client, daemon: InProcess) -> None:
    daemon.faults.fail_gate("network", times=None)
    env = client.create()
    with pytest.raises(GateFailed, match="network") as failure:
        env.wait_valid()
    assert failure.value.gates is not None
    assert failure.value.record.state == "quarantined"
    assert not env.valid()
    assert client.owned_envs() == [env]


def test_a_verdict_that_does_not_come_in_time_is_told_apart_from_a_bad_one() -> None:
    with drums.local.serving(alive_gate_s=600) as slow:
        with drums.connect(slow.url, slow.token) as client:
            env = client.create()
            with pytest.raises(EnvFailed, match=r"no verdict after 0\.1 s.*processes_alive pending") as pending:
                env.wait_valid(timeout=0.1)
            assert type(pending.value) is EnvFailed
            assert not env.valid(timeout=0)


def test_the_server_waits_so_that_one_question_is_enough() -> None:
    with drums.local.serving(alive_gate_s=0.4) as daemon:
        with drums.connect(daemon.url, daemon.token) as client:
            env = client.create()
            client.reset_metrics()
            asked: list[object] = []
            send = client._session.send

            def counted(call: Any, timeout: float | None = None) -> Any:
                asked.append(call.target)
                return send(call, timeout)

            client._session.send = counted  # type: ignore[method-assign]
            env.wait_valid()
            assert len(asked) == 2, asked


@pytest.mark.parametrize("timeout", [-1, float("nan"), "1", True, None])
def test_a_wait_of_no_seconds_is_refused(env: drums.Env, timeout: Any) -> None:
    with pytest.raises(BadRequest):
        env.wait_valid(timeout)
    with pytest.raises(BadRequest):
        env.valid(timeout)


# --- rewards ----------------------------------------------------------------------------------------------------------


def test_a_solved_task_is_a_verified_reward(env: drums.Env) -> None:
    env.step(SOLVE)
    reward = env.verify()
    assert (reward.env_id, reward.episode, reward.task_id) == (env.id, 1, RENAME_FOLDER)
    assert (reward.score, reward.valid, reward.trusted, reward.invalid_reasons) == (1, True, True, [])


def test_an_unsolved_task_is_a_reward_of_zero(env: drums.Env) -> None:
    reward = env.verify()
    assert (reward.score, reward.valid) == (0, True)


def test_a_quarantined_env_never_trains(env: drums.Env) -> None:
    env.step(SOLVE)
    assert env.quarantine("it looked odd") is env
    with pytest.raises(InvalidEpisode) as invalid:
        env.verify()
    assert any("it looked odd" in reason for reason in invalid.value.invalid_reasons)
    reward = env.verify(strict=False)
    assert (reward.score, reward.valid) == (None, False)
    assert reward.trusted is not True
    assert reward.invalid_reasons


def test_a_checker_that_fails_is_no_zero(client: drums.Client) -> None:
    task = dict(client.task(RENAME_FOLDER))
    without_reference = {**task["evaluator"], "expected": {"type": "rule", "rules": {}}}
    env = client.create(task={**task, "id": "changed", "evaluator": without_reference})
    with pytest.raises(CheckerError, match=r"rules\.expected is missing"):
        env.verify()
    reward = env.verify(strict=False)
    assert (reward.score, reward.valid, reward.trusted) == (None, True, False)
    assert reward.checker_error


def test_a_reward_of_another_episode_is_no_reward(env: drums.Env) -> None:
    (other,) = env.client.envs()
    other.reset()
    other.step(SOLVE)
    with pytest.raises(ProtocolError, match="episode") as wrong:
        env.verify()
    assert wrong.value.where == "$.episode"


# --- quarantine and end -----------------------------------------------------------------------------------------------


def test_a_release_and_a_reset_bring_a_quarantined_env_back(env: drums.Env) -> None:
    env.quarantine()
    for refused in (env.reset, env.save):
        with pytest.raises(Conflict):
            refused()
    assert env.release() is env
    assert env.state == "down"
    env.reset()
    assert (env.state, env.episode) == ("ready", 2)
    assert env.valid()
    with pytest.raises(Conflict):
        env.release()


def test_a_closed_env_is_gone_and_closing_it_again_is_fine(env: drums.Env) -> None:
    env.close()
    env.close()
    assert env.client.owned_envs() == []
    with pytest.raises(EnvGone) as gone:
        env.refresh()
    assert gone.value.closed_reason


def test_the_end_of_the_block_closes_the_env(client: drums.Client) -> None:
    with client.create() as env:
        assert [seen.id for seen in client.envs()] == [env.id]
    assert (client.envs(), client.owned_envs()) == ([], [])


def test_a_close_that_fails_at_the_end_of_a_block_is_logged_and_owned(
    client: drums.Client, daemon: InProcess, caplog: pytest.LogCaptureFixture
) -> None:
    with client.create() as env:
        daemon.faults.drop_before("delete_slot")
    assert f"{env.id} was not closed" in caplog.text
    assert client.owned_envs() == [env]
    env.close()
    assert client.owned_envs() == []


def test_a_close_that_fails_never_hides_what_failed_before(client: drums.Client, daemon: InProcess) -> None:
    def block() -> None:
        with client.create():
            daemon.faults.drop_before("delete_slot")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        block()


# --- saving -----------------------------------------------------------------------------------------------------------


def test_a_state_is_saved_under_a_name_or_one_of_the_servers(env: drums.Env) -> None:
    named = env.save("after-login", idle_timeout=60, ttl=0)
    assert (named, type(named), env.last_state) == ("after-login", State, named)
    unnamed = env.save(quiesce_timeout=5)
    assert env.last_state == unnamed != named
    (record,) = [image for image in env.client.images() if image.id == named]
    assert (record.idle_timeout_s, record.parent) == (60, env.id)
    with pytest.raises(Conflict):
        env.save("after-login")


def test_the_host_keeps_only_so_many_states() -> None:
    with drums.local.serving(limits=drums.local.Limits(max_states=1)) as small:
        with drums.connect(small.url, small.token) as client:
            env = client.create()
            env.save()
            with pytest.raises(QuotaExceeded):
                env.save()


def test_a_still_desktop_is_waited_for(env: drums.Env) -> None:
    assert (env.wait_quiescent(timeout=5, window=0)).quiescent is True
    assert (env.wait_quiescent()).quiescent is True


def test_a_desktop_that_does_not_settle_is_not_saved(env: drums.Env, daemon: InProcess) -> None:
    daemon.faults.keep_busy(env.id)
    with pytest.raises(NotQuiescent):
        env.wait_quiescent(timeout=0)
    with pytest.raises(NotQuiescent):
        env.save(quiesce_timeout=0)
    with pytest.raises(NotQuiescent):
        env.fork(2, quiesce_timeout=0)
    assert len(env.client.images()) == 1
    daemon.faults.let_rest(env.id)
    env.save()
