"""Every row of the table of outcomes, and what a trainer sees of it on the traces."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.verifiers.installed import need_verifiers

need_verifiers()

from mock_policy import PROBE, SOLVE

import drums.aio
import drums.local
from drums.evaluation import admission
from tests.verifiers.stage import Stage

if TYPE_CHECKING:
    from mock_policy import Plan

    from tests.verifiers.stage import Episode, Trace

TOTAL = 10**6
"""More often than any test asks."""


def only(episode: Episode) -> Trace:
    (trace,) = episode.traces
    return trace


def assert_dropped(trace: Trace, reason: str) -> None:
    """No reward, no error, and skipped: by a trainer that knows `dropped`, and by one that knows `trainable` only."""
    assert trace.dropped == reason
    assert trace.rewards == {}
    assert not trace.agent.trainable
    assert trace.ok
    assert trace.errors == []


def assert_failed(trace: Trace, words: str) -> None:
    """An error, and no reward."""
    assert not trace.ok
    assert [reward for reward in trace.rewards.values() if reward is not None] == []
    assert trace.last_error is not None
    assert trace.last_error.type == "TaskError"
    assert words in trace.last_error.message
    assert not trace.is_dropped


# --- every gate passed, the checker ran -------------------------------------------------------------------------------


@pytest.mark.parametrize(("plan", "reward"), [(PROBE, 0.0), (SOLVE, 1.0)], ids=["probe", "solve"])
@pytest.mark.parametrize("style", ["drums", "scalecua"])
async def test_a_valid_episode_is_worth_its_score_in_both_styles(
    stage: Stage, plan: Plan, reward: float, style: str
) -> None:
    episode = await stage.play([plan], tools={"style": style})
    trace = only(episode)
    assert episode.ok
    assert trace.ok
    assert {name: given and given.score for name, given in trace.rewards.items()} == {"checker": reward}
    assert not trace.is_dropped
    assert trace.agent.trainable
    assert trace.num_turns == 4
    assert await stage.live() == []


# --- a gate failed or the desktop was quarantined ---------------------------------------------------------------------


async def test_an_episode_invalid_at_its_start_has_no_turn_and_is_dropped(stage: Stage) -> None:
    stage.faults.fail_gate("network")
    episode = await stage.play([SOLVE])
    trace = only(episode)
    assert episode.ok
    assert_dropped(trace, "drums_invalid:invalid:network")
    assert trace.info["drums"]["desktop"] == "s1"
    assert "gate network failed" in trace.info["drums"]["invalid_reasons"][0]
    assert trace.stop_condition == "drums_invalid"
    assert trace.num_turns == 0
    assert stage.model.requests == []
    assert await stage.live() == []


async def test_a_gate_that_fails_during_the_episode_ends_and_drops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last gate is taken a while after the desktop came up; the first action waits for it, the model does not."""
    with drums.local.serving(alive_gate_s=0.5) as daemon:
        assert daemon.url is not None
        monkeypatch.setenv("DRUMS_URL", daemon.url)
        monkeypatch.setenv("DRUMS_TOKEN", daemon.token)
        async with drums.aio.connect() as watcher:
            stage = Stage(daemon, watcher)
            stage.faults.fail_gate("processes_alive")
            episode = await stage.play([SOLVE])
            trace = only(episode)
            assert episode.ok
            assert_dropped(trace, "drums_invalid:invalid:processes_alive")
            assert trace.stop_condition == "drums_invalid"
            assert (len(stage.model.requests), trace.num_turns) == (1, 1)
            assert await stage.live() == []


async def test_a_quarantine_in_mid_episode_ends_it_before_the_model_is_asked_again(stage: Stage) -> None:
    async def quarantine() -> None:
        (env,) = await stage.watcher.envs()
        await env.quarantine("somebody looked into it")

    stage.model.before[3] = quarantine
    episode = await stage.play([SOLVE])
    assert episode.ok
    assert_dropped(only(episode), "drums_invalid:invalid:quarantine")
    assert len(stage.model.requests) == 3
    assert only(episode).num_turns == 3


async def test_a_quarantine_after_the_last_action_drops_the_trace(stage: Stage) -> None:
    async def quarantine() -> None:
        (env,) = await stage.watcher.envs()
        await env.quarantine()

    stage.model.before[4] = quarantine
    assert_dropped(only(await stage.play([SOLVE])), "drums_invalid:invalid:quarantine")


# --- the checker failed, or the runtime or desktop failed -------------------------------------------------------------


async def test_a_checker_that_fails_is_an_error_and_no_zero(stage: Stage) -> None:
    async def hang() -> None:
        stage.faults.hang_guest()

    stage.model.before[4] = hang  # the model says that it is done; what asks the guest next is the checker
    episode = await stage.play([SOLVE])
    assert not episode.ok
    assert_failed(only(episode), "the checker of e0df059f-28a6-4169-924f-b9623e7184cc failed: ")
    assert await stage.live() == []


async def test_a_guest_that_hangs_is_an_error(stage: Stage) -> None:
    async def hang() -> None:
        stage.faults.hang_guest()

    stage.model.before[2] = hang
    episode = await stage.play([SOLVE])
    assert_failed(only(episode), "502 guest_error")
    assert only(episode).stop_condition == "desktop_fault"
    assert len(stage.model.requests) == 2
    assert await stage.live() == []


@pytest.mark.parametrize("turn", [2, 4], ids=["before an action", "before the checker"])
async def test_a_desktop_that_is_lost_is_an_error(stage: Stage, turn: int) -> None:
    async def lose() -> None:
        stage.faults.lose_desktop((await stage.live())[0])

    stage.model.before[turn] = lose
    episode = await stage.play([SOLVE])
    assert_failed(only(episode), "gone" if turn == 2 else "failed")
    assert await stage.live() == []


async def test_a_reply_that_is_lost_is_an_error_and_the_action_is_not_repeated(stage: Stage) -> None:
    async def drop() -> None:
        stage.faults.drop_after("step_slot")

    stage.model.before[2] = drop
    assert_failed(only(await stage.play([SOLVE])), "The action may have been done")
    (used,) = [record async for record in stage.watcher.env_records(include_destroyed=True)]
    assert used.state == "destroyed"


async def test_a_desktop_closed_by_somebody_else_is_an_error(stage: Stage) -> None:
    async def close() -> None:
        (env,) = await stage.watcher.envs()
        await env.close()

    stage.model.before[2] = close
    assert_failed(only(await stage.play([SOLVE])), "410")


async def test_a_checker_that_takes_too_long_is_an_error(stage: Stage) -> None:
    async def hang() -> None:
        stage.faults.hang_guest(times=TOTAL, wait_s=5)

    stage.model.before[4] = hang
    episode = await stage.play([SOLVE], task={"verify_timeout_s": 0.2})
    assert_failed(only(episode), "took longer than verify_timeout_s = 0.2")
    assert await stage.live() == []


# --- the host is full -------------------------------------------------------------------------------------------------


async def test_a_host_that_is_full_for_a_while_is_waited_for(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "FIRST_WAIT_S", 0.01)
    async with stage.opened([SOLVE]) as (env, context):
        stage.faults.overload(3)
        episode = await env.run_episode(next(iter(env.taskset)), context)
    assert episode.ok
    assert only(episode).reward == 1.0


async def test_a_host_that_says_429_during_an_episode_is_waited_for(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "FIRST_WAIT_S", 0.01)

    async def overload() -> None:
        stage.faults.overload(2)

    for turn in (1, 2, 3, 4):
        stage.model.before[turn] = overload
    assert only(await stage.play([SOLVE])).reward == 1.0


async def test_a_host_that_stays_full_fails_the_episode_when_the_time_is_over(stage: Stage) -> None:
    async with stage.opened([SOLVE], admission_wait_s=0.05) as (env, context):
        stage.faults.overload(TOTAL)
        episode = await env.run_episode(next(iter(env.taskset)), context)
        stage.faults.clear()
    assert not episode.ok
    assert episode.traces == []
    assert "429 overloaded" in episode.errors[-1].message
    assert stage.model.requests == []
    assert await stage.live() == []


async def test_a_desktop_that_does_not_come_up_fails_the_episode(stage: Stage) -> None:
    stage.faults.fail_restore()
    episode = await stage.play([SOLVE])
    assert not episode.ok
    assert episode.traces == []
    assert "restore failed" in episode.errors[-1].message
    assert await stage.live() == []


async def test_closing_goes_on_while_the_server_is_unavailable(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "FIRST_CLOSE_WAIT_S", 0.01)
    stage.faults.drop_before("delete_slot", times=3)
    episode = await stage.play([SOLVE])
    assert only(episode).reward == 1.0
    assert await stage.live() == []


# --- other servers ----------------------------------------------------------------------------------------------------


async def test_simulated_desktops_in_the_evaluators_own_process_need_no_daemon(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRUMS_URL", "local")
    monkeypatch.delenv("DRUMS_TOKEN")
    episode = await stage.play([SOLVE], fork_n=2, max_concurrent_agents=None)
    assert [trace.reward for trace in episode.traces] == [1.0, 1.0]


async def test_a_server_that_refuses_the_token_is_told_before_any_episode(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRUMS_TOKEN", "another")
    with pytest.raises(drums.AuthError):
        await stage.play([SOLVE])


@pytest.mark.parametrize("version", ["0.3", "0.4.1"])
async def test_older_daemons_are_played_on(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with drums.local.serving(alive_gate_s=0.0, emulate=version) as daemon:
        assert daemon.url is not None
        monkeypatch.setenv("DRUMS_URL", daemon.url)
        monkeypatch.setenv("DRUMS_TOKEN", daemon.token)
        async with drums.aio.connect() as watcher:
            old = Stage(daemon, watcher)
            episode = await old.play([SOLVE], fork_n=2)
            assert [trace.reward for trace in episode.traces] == [1.0, 1.0]
            old.model.before[len(old.model.requests) + 3] = partial(quarantine_all, watcher)
            (bad,) = (await old.play([SOLVE])).traces
            assert bad.dropped is not None
            assert bad.dropped.startswith("drums_invalid:invalid:")
            assert bad.rewards == {}
            assert await old.live() == []


async def quarantine_all(watcher: drums.aio.Client) -> None:
    for env in await watcher.envs():
        await env.quarantine()
