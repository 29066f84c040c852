"""Forks: children in order, what came of each, and what is left when they are closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import drums.aio
import drums.local
from drums import BadRequest, Conflict, ForkError, Overloaded, QuotaExceeded, RestoreFailed, State

if TYPE_CHECKING:
    from drums.local import InProcess

SOLVE = {"type": "execute", "command": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2", "shell": True}


async def ids_on(client: drums.aio.Client) -> set[str]:
    """Every live env of the server."""
    return {env.id for env in await client.envs()}


async def states_on(client: drums.aio.Client) -> list[str]:
    """Every saved state of the server."""
    return [image.id for image in await client.images() if image.kind == "state"]


async def test_children_go_on_from_the_same_moment_each_its_own_way(env: drums.aio.Env) -> None:
    await env.guest().execute("touch ~/Desktop/before", shell=True)
    children = await env.fork(3)
    assert len({child.id for child in children}) == 3
    assert {child.record.parent for child in children} == {env.id}
    assert {(child.state, child.episode, child.from_state) for child in children} == {("ready", 1, children.state)}
    await children[1].step(SOLVE)
    scores = [(await child.verify(strict=False)).score for child in children]
    assert scores == [0, 1, 0]
    for child in (env, *children):
        assert "before" in ((await child.guest().execute("ls ~/Desktop", shell=True)).output or "")


async def test_a_fork_says_what_it_is(env: drums.aio.Env) -> None:
    children = await env.fork(2)
    assert isinstance(children, list)
    assert isinstance(children, drums.aio.ForkResult)
    assert isinstance(children.state, State)
    assert children.checkpoint.id == children.state == children.raw.state
    assert children.failed == []
    assert children.seconds >= 0
    assert env.last_state == children.state
    with pytest.warns(DeprecationWarning, match="last_fork") as warned:
        assert env.last_fork == children.raw
    assert warned[0].filename == __file__


async def test_the_parent_goes_on_in_its_episode(env: drums.aio.Env) -> None:
    await env.step("pyautogui.click(1, 2)")
    await env.fork(1)
    assert (env.state, env.episode, env.steps) == ("ready", 1, 1)
    assert (await env.step("pyautogui.click(1, 2)")).episode == 1


async def test_branch_is_another_name_for_fork(env: drums.aio.Env) -> None:
    assert len(await env.branch(2)) == 2


async def test_a_fork_of_a_fork_of_a_fork_is_an_env_like_any_other(env: drums.aio.Env) -> None:
    client = env.client
    at = env
    for depth in range(3):
        await at.guest().execute(f"touch ~/Desktop/depth{depth}", shell=True)
        (at,) = await at.fork(1)
    files = (await at.guest().execute("ls ~/Desktop", shell=True)).output or ""
    assert [f"depth{depth}" in files for depth in range(3)] == [True] * 3
    await at.step(SOLVE)
    assert (await at.verify()).score == 1
    assert await ids_on(client) == {owned.id for owned in client.owned_envs()}
    assert len(client.owned_envs()) == 4


async def test_the_end_of_the_block_closes_the_children_and_leaves_the_parent(env: drums.aio.Env) -> None:
    async with await env.fork(3) as children:
        assert len(children) == 3
    assert await ids_on(env.client) == {env.id}
    assert env.client.owned_envs() == [env]
    assert await states_on(env.client) == [children.state]
    await children.delete_state()
    assert await states_on(env.client) == []


async def test_a_state_that_is_not_kept_goes_with_its_last_child(env: drums.aio.Env) -> None:
    children = await env.fork(2, keep_state=False)
    await children[0].close()
    assert await states_on(env.client) == [children.state]
    await children[1].close()
    assert await states_on(env.client) == []


async def test_closing_tells_of_each_child(env: drums.aio.Env, daemon: InProcess) -> None:
    children = await env.fork(3)
    daemon.faults.drop_before("delete_slot")
    told = await children.close()
    assert [env_id for env_id, _ in told] == [child.id for child in children]
    failed = [env_id for env_id, error in told if error is not None]
    assert len(failed) == 1
    assert {owned.id for owned in env.client.owned_envs()} == {env.id, *failed}
    assert await children.close() == [(child.id, None) for child in children]


async def test_a_close_that_fails_at_the_end_of_the_block_is_logged(
    env: drums.aio.Env, daemon: InProcess, caplog: pytest.LogCaptureFixture
) -> None:
    async with await env.fork(1) as children:
        daemon.faults.drop_before("delete_slot")
    assert f"{children[0].id} was not closed" in caplog.text


async def test_a_state_with_a_living_child_is_not_deleted(env: drums.aio.Env) -> None:
    children = await env.fork(1)
    with pytest.raises(Conflict):
        await children.delete_state()


async def test_leases_are_those_that_were_asked_for(env: drums.aio.Env) -> None:
    children = await env.fork(1, idle_timeout=60, ttl=0, state_idle_timeout=90, state_ttl=0)
    assert children[0].record.idle_timeout_s == 60
    assert children.checkpoint.idle_timeout_s == 90


# --- children that do not come up -------------------------------------------------------------------------------------


async def test_a_strict_fork_that_comes_short_keeps_the_ready_children(env: drums.aio.Env, daemon: InProcess) -> None:
    daemon.faults.fail_restore(times=1, skip=1)
    with pytest.raises(ForkError) as short:
        await env.fork(3)
    error = short.value
    assert (len(error.ok), [type(failure) for failure in error.failed]) == (2, [RestoreFailed])
    assert error.state == env.last_state
    assert f"fork(3) of {env.id}" in str(error)
    assert await ids_on(env.client) == {env.id, *(child.id for child in error.ok)}
    assert {owned.id for owned in env.client.owned_envs()} == await ids_on(env.client)
    assert (await error.ok[0].step("pyautogui.click(1, 2)")).result.returncode == 0


async def test_a_lenient_fork_tells_who_failed(env: drums.aio.Env, daemon: InProcess) -> None:
    daemon.faults.fail_restore(times=1)
    children = await env.fork(3, strict=False)
    assert [type(failure) for failure in children.failed] == [RestoreFailed]
    ready = [child for child in children if child.state == "ready"]
    assert len(ready) == 2
    assert {child.id for child in children} | {env.id} >= await ids_on(env.client)
    await children.close()
    assert await ids_on(env.client) == {env.id}


async def test_a_fork_where_nobody_comes_up_is_an_error_and_leaves_nobody(
    env: drums.aio.Env, daemon: InProcess
) -> None:
    daemon.faults.fail_restore(times=2)
    with pytest.raises(ForkError) as short:
        await env.fork(2)
    assert short.value.ok == []
    assert await ids_on(env.client) == {env.id}


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, -1, True, 1.0, "2", None, 10**9])
async def test_a_wrong_number_of_children_is_refused_before_anything_is_sent(env: drums.aio.Env, n: Any) -> None:
    for method in (env.fork, env.prefork):
        with pytest.raises(BadRequest) as refusal:
            await method(n)
        assert refusal.value.sent == "no"


async def test_a_fork_beyond_the_capacity_starts_nothing() -> None:
    with drums.local.serving(limits=drums.local.Limits(fork=4, max_slots=4)) as small:
        async with drums.aio.connect(small.url, small.token) as client:
            env = await client.create()
            for method in (env.fork, env.prefork):
                with pytest.raises(QuotaExceeded):
                    await method(5)
                with pytest.raises(Overloaded):
                    await method(4)
            assert await ids_on(client) == {env.id}
            assert await states_on(client) == []
            assert len(await env.fork(3)) == 3


async def test_a_quarantined_env_is_not_forked(env: drums.aio.Env) -> None:
    await env.quarantine()
    for method in (env.fork, env.prefork):
        with pytest.raises(Conflict):
            await method(2)


# --- prepared forks ---------------------------------------------------------------------------------------------------


async def test_a_prepared_fork_is_taken_by_the_next_one(env: drums.aio.Env) -> None:
    prepared = await env.prefork(2, keep_state=False)
    assert (prepared.slot, prepared.n) == (env.id, 2)
    children = await env.fork(2, keep_state=False)
    assert len(children) == 2
    assert {child.state for child in children} == {"ready"}
    await children.close()
    assert await states_on(env.client) == []


async def test_an_action_makes_a_prepared_fork_worthless(env: drums.aio.Env) -> None:
    await env.prefork(1)
    await env.guest().execute("touch ~/Desktop/later", shell=True)
    (child,) = await env.fork(1)
    assert "later" in ((await child.guest().execute("ls ~/Desktop", shell=True)).output or "")
