"""However an episode ends, none of its desktops is left."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.verifiers.installed import need_verifiers

need_verifiers()

from mock_policy import SOLVE

from drums.evaluation import admission

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.verifiers.stage import Stage

ROOT = Path(__file__).resolve().parent.parent.parent
START_S = 60.0


async def settled(stage: Stage, count: int, within_s: float = START_S) -> None:
    """Wait until so many desktops live."""
    async with asyncio.timeout(within_s):
        while len(await stage.live()) != count:  # noqa: ASYNC110 - another process makes them
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("fork_n", [0, 3])
@pytest.mark.parametrize("times", [1, 3], ids=["cancelled", "cancelled again while closing"])
async def test_a_cancelled_episode_leaves_no_desktop(stage: Stage, fork_n: int, times: int) -> None:
    stage.model.hang_from = 1
    async with stage.opened([SOLVE], fork_n=fork_n) as (env, context):
        playing = asyncio.create_task(env.run_episode(next(iter(env.taskset)), context))
        await settled(stage, max(1, fork_n))
        await stage.model.asked.wait()
        for _ in range(times):
            playing.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await playing
        assert await stage.live() == []
        assert await stage.states() == []


async def test_an_episode_that_is_cancelled_while_it_waits_for_a_place_takes_none(stage: Stage) -> None:
    stage.model.hang_from = 1
    async with stage.opened([SOLVE], max_concurrent_agents=1) as (env, context):
        task = next(iter(env.taskset))
        first = asyncio.create_task(env.run_episode(task, context))
        await settled(stage, 1)
        second = asyncio.create_task(env.run_episode(task, context))
        third = asyncio.create_task(env.run_episode(task, context))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait({second})
        stage.model.hang_from = None
        first.cancel()
        await asyncio.wait({first})
        assert (await third).traces[0].reward == 1.0
    assert await stage.live() == []


async def test_a_cancelled_wait_for_a_full_host_ends_at_once(stage: Stage) -> None:
    async with stage.opened([SOLVE]) as (env, context):
        stage.faults.overload(10**6)
        playing = asyncio.create_task(env.run_episode(next(iter(env.taskset)), context))
        await asyncio.sleep(0.1)
        playing.cancel()
        await asyncio.wait({playing}, timeout=5)
        stage.faults.clear()
        assert playing.cancelled()
    assert await stage.live() == []


async def test_an_env_that_stops_closes_what_an_episode_could_not(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "FIRST_CLOSE_WAIT_S", 10.0**6)  # the first failure to close is the last
    stage.faults.drop_before("delete_slot", times=1)
    async with stage.opened([SOLVE]) as (env, context):
        episode = await env.run_episode(next(iter(env.taskset)), context)
        assert episode.traces[0].reward == 1.0
        assert len(await stage.live()) == 1
    assert await stage.live() == []


@asynccontextmanager
async def worker(stage: Stage, *arguments: str) -> AsyncGenerator[asyncio.subprocess.Process]:
    """Another process that plays with a model that never answers."""
    stage.model.hang_from = 1
    command = [sys.executable, "-m", "tests.verifiers.worker", stage.model.url, *arguments]
    variables = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "examples")])}
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=variables, stderr=asyncio.subprocess.PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_the_process_and_its_desktops(stage: Stage, number: signal.Signals) -> None:
    async with stage.model.serving([SOLVE]), worker(stage, "2") as process:
        await settled(stage, 2)
        await asyncio.wait_for(stage.model.asked.wait(), START_S)
        process.send_signal(number)
        await asyncio.wait_for(process.wait(), 30)
        assert process.returncode != 0
        assert await stage.live() == []


async def test_the_desktops_of_a_killed_process_end_by_their_lease(stage: Stage) -> None:
    async with stage.model.serving([SOLVE]), worker(stage, "2", "1.5") as process:
        await settled(stage, 2)
        await asyncio.wait_for(stage.model.asked.wait(), START_S)
        process.kill()
        await process.wait()
        await settled(stage, 0, within_s=30)
        assert await stage.states() == []
