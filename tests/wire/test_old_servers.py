"""Daemons before 0.4 and 0.4.2 say less, and some things differently; the SDK gives the same answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import drums.aio
import drums.local
from drums import EnvGone, GateFailed, InvalidEpisode

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from drums.local import InProcess

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
SOLVE = {"type": "execute", "command": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2", "shell": True}


@pytest.fixture
async def old(old_daemon: InProcess) -> AsyncIterator[drums.aio.Client]:
    """A client of an old daemon."""
    async with drums.aio.connect(old_daemon.url, old_daemon.token, retry_s=0) as client:
        yield client


async def test_only_live_envs_are_listed_though_the_server_lists_all(old: drums.aio.Client) -> None:
    made = sorted(await old.create_many(3), key=lambda env: env.id)
    await made[1].close()
    assert [env.id for env in await old.envs()] == [made[0].id, made[2].id]
    everything = [record.id async for record in old.env_records(include_destroyed=True, page_size=1)]
    assert everything == [env.id for env in made]


async def test_a_destroyed_env_is_gone_though_the_server_calls_it_a_conflict(old: drums.aio.Client) -> None:
    env = await old.create()
    await env.close()
    with pytest.raises(EnvGone):
        await env.refresh()
    await env.close()


async def test_a_reward_without_an_audit_is_valid_and_never_trusted(old: drums.aio.Client) -> None:
    env = await old.create(task=RENAME_FOLDER)
    await env.wait_valid()
    await env.step(SOLVE)
    reward = await env.verify()
    assert (reward.score, reward.valid, reward.invalid_reasons) == (1, True, [])
    if reward.audit is None:
        assert reward.trusted is None


async def test_a_quarantined_env_never_trains_whatever_the_verdict_says(old: drums.aio.Client) -> None:
    env = await old.create(task=RENAME_FOLDER)
    await env.step(SOLVE)
    await env.quarantine()
    with pytest.raises(InvalidEpisode) as invalid:
        await env.verify()
    assert invalid.value.reward.verdict == "invalid"
    assert invalid.value.invalid_reasons
    assert invalid.value.reward.score is None


async def test_a_quarantined_env_is_not_waited_for_though_its_gates_have_passed(old: drums.aio.Client) -> None:
    env = await old.create()
    await env.quarantine()
    with pytest.raises(GateFailed):
        await env.wait_valid(timeout=5)
    assert not await env.valid(timeout=0)


async def test_a_server_that_does_not_wait_is_asked_again(old_daemon: InProcess) -> None:
    with drums.local.serving(alive_gate_s=0.3, emulate="0.4.1") as slow:
        async with drums.aio.connect(slow.url, slow.token) as client:
            env = await client.create()
            assert await env.wait_valid() is env


async def test_forks_and_states_are_as_ever(old: drums.aio.Client) -> None:
    env = await old.create(task=RENAME_FOLDER)
    async with await env.fork(2, keep_state=False) as children:
        await children[0].step(SOLVE)
        assert [(await child.verify()).score for child in children] == [1, 0]
    state = await env.save()
    assert (await old.create(from_state=state)).state == "ready"
