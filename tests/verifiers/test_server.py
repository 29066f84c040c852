"""Over an env server, as prime-rl runs the environment: what a trainer gets over the wire, and what is left."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.verifiers.installed import need_verifiers

need_verifiers()

import verifiers.v1 as vf
from mock_policy import ORDERS, SOLVE
from verifiers.v1.serve.client import EnvClient
from verifiers.v1.serve.server import EnvServer

from tests.verifiers.stage import config_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable

    from tests.verifiers.stage import Stage


@asynccontextmanager
async def served(stage: Stage, **keys: Any) -> AsyncGenerator[EnvClient]:
    """An env server of this process, and a client of it."""
    server: Any = EnvServer(config_of(**keys), address="tcp://127.0.0.1:*")
    running = asyncio.create_task(server.run())
    client: Any = EnvClient(server.address)
    try:
        await client.wait_for_server_startup()
        yield client
    finally:
        await client.close()
        running.cancel()
        await asyncio.wait({running})


def asked(stage: Stage, client: Any, **keys: Any) -> Awaitable[Any]:
    """One rollout of the first task, as an orchestrator asks for it."""
    task = next(iter(vf.load_taskset(config_of(**keys).taskset)))
    model = vf.EvalClientConfig(base_url=stage.model.url)
    sampling = vf.SamplingConfig.model_validate({})
    run: Awaitable[Any] = client.run(
        client=model, model="mock", sampling=sampling, task_data=task.data.model_dump(mode="json")
    )
    return run


async def test_a_trainer_gets_rewards_and_drops_over_the_wire(stage: Stage) -> None:
    stage.faults.fail_gate("network", slot="s3")
    async with stage.model.serving([SOLVE]), served(stage, fork_n=2) as client:
        episode = await asked(stage, client)
    good, bad = sorted(episode.traces, key=lambda trace: trace.info["drums"]["child"])
    assert episode.ok
    assert (good.ok, good.reward, good.agent.trainable, good.dropped) == (True, 1.0, True, None)
    assert (bad.ok, bad.rewards, bad.agent.trainable) == (True, {}, False)
    assert bad.dropped == "drums_invalid:invalid:network"
    assert {good.task.key, bad.task.key} == {episode.task.key}
    assert await stage.live() == []


async def test_many_rollouts_at_once_keep_to_the_limit_of_desktops(stage: Stage) -> None:
    most: list[int] = []

    async def count() -> None:
        most.append(len(await stage.live()))

    stage.model.on_each = count
    async with stage.model.serving(ORDERS["alternate"]), served(stage, max_concurrent_agents=2) as client:
        episodes = await asyncio.gather(*(asked(stage, client) for _ in range(6)))
    assert sorted(episode.traces[0].reward for episode in episodes) == [0.0] * 3 + [1.0] * 3
    assert max(most) <= 2


@pytest.mark.parametrize("fork_n", [0, 2])
async def test_a_request_that_is_cancelled_over_the_wire_leaves_no_desktop(stage: Stage, fork_n: int) -> None:
    stage.model.hang_from = 1
    async with stage.model.serving([SOLVE]), served(stage, fork_n=fork_n) as client:
        running = asyncio.ensure_future(asked(stage, client))
        await stage.model.asked.wait()
        running.cancel()
        await asyncio.wait({running})
        async with asyncio.timeout(30):
            while await stage.live():  # noqa: ASYNC110 - the server does it
                await asyncio.sleep(0.02)


async def test_a_server_that_ends_in_the_middle_of_an_episode_leaves_no_desktop(stage: Stage) -> None:
    stage.model.hang_from = 1
    async with stage.model.serving([SOLVE]):
        async with served(stage, fork_n=2) as client:
            running = asyncio.ensure_future(asked(stage, client))
            await stage.model.asked.wait()
        running.cancel()
        await asyncio.wait({running})
        assert await stage.live() == []
