# Generated from tests/wire/test_fork.py by tools/generate_sync.py. Edit that file.
"""Forks: children in order, what came of each, and what is left when they are closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import drums
import drums.local
from drums import (
    BadRequest,
    Conflict,
    ForkError,
    Overloaded,
    QuotaExceeded,
    RestoreFailed,
    State,
)

if TYPE_CHECKING:
    from drums.local import InProcess

SOLVE = {"type": "execute", "command": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2", "shell": True}


def ids_on(client: drums.Client) -> set[str]:
    """Every live env of the server."""
    return {env.id for env in client.envs()}


def states_on(client: drums.Client) -> list[str]:
    """Every saved state of the server."""
    return [image.id for image in client.images() if image.kind == "state"]


def test_children_go_on_from_the_same_moment_each_its_own_way(env: drums.Env) -> None:
    env.guest().execute("touch ~/Desktop/before", shell=True)
    children = env.fork(3)
    assert len({child.id for child in children}) == 3
    assert {child.record.parent for child in children} == {env.id}
    assert {(child.state, child.episode, child.from_state) for child in children} == {("ready", 1, children.state)}
    children[1].step(SOLVE)
    scores = [(child.verify(strict=False)).score for child in children]
    assert scores == [0, 1, 0]
    for child in (env, *children):
        assert "before" in ((child.guest().execute("ls ~/Desktop", shell=True)).output or "")


def test_a_fork_says_what_it_is(env: drums.Env) -> None:
    children = env.fork(2)
    assert isinstance(children, list)
    assert isinstance(children, drums.ForkResult)
    assert isinstance(children.state, State)
    assert children.checkpoint.id == children.state == children.raw.state
    assert children.failed == []
    assert children.seconds >= 0
    assert env.last_state == children.state
    with pytest.warns(DeprecationWarning, match="last_fork") as warned:
        assert env.last_fork == children.raw
    assert warned[0].filename == __file__


def test_the_parent_goes_on_in_its_episode(env: drums.Env) -> None:
    env.step("pyautogui.click(1, 2)")
    env.fork(1)
    assert (env.state, env.episode, env.steps) == ("ready", 1, 1)
    assert (env.step("pyautogui.click(1, 2)")).episode == 1


def test_branch_is_another_name_for_fork(env: drums.Env) -> None:
    assert len(env.branch(2)) == 2


def test_a_fork_of_a_fork_of_a_fork_is_an_env_like_any_other(env: drums.Env) -> None:
    client = env.client
    at = env
    for depth in range(3):
        at.guest().execute(f"touch ~/Desktop/depth{depth}", shell=True)
        (at,) = at.fork(1)
    files = (at.guest().execute("ls ~/Desktop", shell=True)).output or ""
    assert [f"depth{depth}" in files for depth in range(3)] == [True] * 3
    at.step(SOLVE)
    assert (at.verify()).score == 1
    assert ids_on(client) == {owned.id for owned in client.owned_envs()}
    assert len(client.owned_envs()) == 4


def test_the_end_of_the_block_closes_the_children_and_leaves_the_parent(env: drums.Env) -> None:
    with env.fork(3) as children:
        assert len(children) == 3
    assert ids_on(env.client) == {env.id}
    assert env.client.owned_envs() == [env]
    assert states_on(env.client) == [children.state]
    children.delete_state()
    assert states_on(env.client) == []


def test_a_state_that_is_not_kept_goes_with_its_last_child(env: drums.Env) -> None:
    children = env.fork(2, keep_state=False)
    children[0].close()
    assert states_on(env.client) == [children.state]
    children[1].close()
    assert states_on(env.client) == []


def test_closing_tells_of_each_child(env: drums.Env, daemon: InProcess) -> None:
    children = env.fork(3)
    daemon.faults.drop_before("delete_slot")
    told = children.close()
    assert [env_id for env_id, _ in told] == [child.id for child in children]
    failed = [env_id for env_id, error in told if error is not None]
    assert len(failed) == 1
    assert {owned.id for owned in env.client.owned_envs()} == {env.id, *failed}
    assert children.close() == [(child.id, None) for child in children]


def test_a_close_that_fails_at_the_end_of_the_block_is_logged(
    env: drums.Env, daemon: InProcess, caplog: pytest.LogCaptureFixture
) -> None:
    with env.fork(1) as children:
        daemon.faults.drop_before("delete_slot")
    assert f"{children[0].id} was not closed" in caplog.text


def test_a_state_with_a_living_child_is_not_deleted(env: drums.Env) -> None:
    children = env.fork(1)
    with pytest.raises(Conflict):
        children.delete_state()


def test_leases_are_those_that_were_asked_for(env: drums.Env) -> None:
    children = env.fork(1, idle_timeout=60, ttl=0, state_idle_timeout=90, state_ttl=0)
    assert children[0].record.idle_timeout_s == 60
    assert children.checkpoint.idle_timeout_s == 90


# --- children that do not come up -------------------------------------------------------------------------------------


def test_a_strict_fork_that_comes_short_keeps_the_ready_children(env: drums.Env, daemon: InProcess) -> None:
    daemon.faults.fail_restore(times=1, skip=1)
    with pytest.raises(ForkError) as short:
        env.fork(3)
    error = short.value
    assert (len(error.ok), [type(failure) for failure in error.failed]) == (2, [RestoreFailed])
    assert error.state == env.last_state
    assert f"fork(3) of {env.id}" in str(error)
    assert ids_on(env.client) == {env.id, *(child.id for child in error.ok)}
    assert {owned.id for owned in env.client.owned_envs()} == ids_on(env.client)
    assert (error.ok[0].step("pyautogui.click(1, 2)")).result.returncode == 0


def test_a_lenient_fork_tells_who_failed(env: drums.Env, daemon: InProcess) -> None:
    daemon.faults.fail_restore(times=1)
    children = env.fork(3, strict=False)
    assert [type(failure) for failure in children.failed] == [RestoreFailed]
    ready = [child for child in children if child.state == "ready"]
    assert len(ready) == 2
    assert {child.id for child in children} | {env.id} >= ids_on(env.client)
    children.close()
    assert ids_on(env.client) == {env.id}


def test_a_fork_where_nobody_comes_up_is_an_error_and_leaves_nobody(env: drums.Env, daemon: InProcess) -> None:
    daemon.faults.fail_restore(times=2)
    with pytest.raises(ForkError) as short:
        env.fork(2)
    assert short.value.ok == []
    assert ids_on(env.client) == {env.id}


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, -1, True, 1.0, "2", None, 10**9])
def test_a_wrong_number_of_children_is_refused_before_anything_is_sent(env: drums.Env, n: Any) -> None:
    for method in (env.fork, env.prefork):
        with pytest.raises(BadRequest) as refusal:
            method(n)
        assert refusal.value.sent == "no"


def test_a_fork_beyond_the_capacity_starts_nothing() -> None:
    with drums.local.serving(limits=drums.local.Limits(fork=4, max_slots=4)) as small:
        with drums.connect(small.url, small.token) as client:
            env = client.create()
            for method in (env.fork, env.prefork):
                with pytest.raises(QuotaExceeded):
                    method(5)
                with pytest.raises(Overloaded):
                    method(4)
            assert ids_on(client) == {env.id}
            assert states_on(client) == []
            assert len(env.fork(3)) == 3


def test_a_quarantined_env_is_not_forked(env: drums.Env) -> None:
    env.quarantine()
    for method in (env.fork, env.prefork):
        with pytest.raises(Conflict):
            method(2)


# --- prepared forks ---------------------------------------------------------------------------------------------------


def test_a_prepared_fork_is_taken_by_the_next_one(env: drums.Env) -> None:
    prepared = env.prefork(2, keep_state=False)
    assert (prepared.slot, prepared.n) == (env.id, 2)
    children = env.fork(2, keep_state=False)
    assert len(children) == 2
    assert {child.state for child in children} == {"ready"}
    children.close()
    assert states_on(env.client) == []


def test_an_action_makes_a_prepared_fork_worthless(env: drums.Env) -> None:
    env.prefork(1)
    env.guest().execute("touch ~/Desktop/later", shell=True)
    (child,) = env.fork(1)
    assert "later" in ((child.guest().execute("ls ~/Desktop", shell=True)).output or "")
