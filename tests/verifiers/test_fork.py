"""Forked groups: the parent, the children, waves, and what one bad child means for the others."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

import pytest

from tests.verifiers.installed import need_verifiers

need_verifiers()

from mock_policy import PROBE, SOLVE

import drums.aio
import drums.local
from drums.evaluation import admission
from tests.verifiers.stage import Stage
from tests.verifiers.test_outcomes import assert_dropped, assert_failed

if TYPE_CHECKING:
    from tests.verifiers.stage import Episode, Trace

TERMINAL = 'pyautogui.hotkey("ctrl", "alt", "t")'


def by_child(episode: Episode) -> list[Trace]:
    return sorted(episode.traces, key=lambda trace: trace.info["drums"]["child"])


def rewards(episode: Episode) -> list[float | None]:
    return [next((given.score for given in trace.rewards.values() if given), None) for trace in by_child(episode)]


def grpo(traces: list[Trace]) -> list[float | None]:
    """Advantages as prime-rl's GRPO has them: reward less the mean of the group, over what may be trained on.

    It reads errors, `agent.trainable` and sampled turns, and not `dropped`.
    """
    counted = [trace for trace in traces if trace.ok and trace.agent.trainable and trace.num_turns]
    mean = fmean(trace.reward for trace in counted) if counted else 0.0
    return [trace.reward - mean if trace in counted else None for trace in traces]


async def test_a_fork_of_two_after_a_prefix_is_scored_child_by_child(stage: Stage) -> None:
    seen: list[list[str]] = []

    async def look() -> None:
        seen.append(await stage.live())

    stage.model.on_each = look
    episode = await stage.play([PROBE, SOLVE], fork_n=2, prefix=[TERMINAL, {"type": "sleep", "seconds": 0}])
    assert episode.ok
    assert sorted(reward for reward in rewards(episode) if reward is not None) == [0.0, 1.0]
    told = [trace.info["drums"] for trace in by_child(episode)]
    assert [(one["child"], one["parent"], one["desktop"]) for one in told] == [(0, "s1", "s2"), (1, "s1", "s3")]
    assert "s1" not in seen[-1], "the parent is not kept while its children play"
    assert await stage.live() == []
    assert await stage.states() == []


async def test_children_begin_where_the_prefix_left_the_parent(stage: Stage) -> None:
    typed = {"drums": [("computer_type_text", {"text": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2\n"})]}
    episode = await stage.play([typed], fork_n=2, prefix=[TERMINAL])
    assert rewards(episode) == [1.0, 1.0]


async def test_each_child_has_its_own_prefix(stage: Stage) -> None:
    rename = {"type": "execute", "command": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2", "shell": True}
    episode = await stage.play([PROBE], fork_n=2, child_prefix=[rename])
    assert rewards(episode) == [1.0, 1.0]


async def test_a_child_that_does_not_come_up_is_dropped_and_its_sibling_is_scored(stage: Stage) -> None:
    stage.faults.fail_restore(skip=2)  # the parent and the first child come up
    episode = await stage.play([SOLVE], fork_n=2)
    good, bad = by_child(episode)
    assert episode.ok, "a dropped child voids nobody"
    assert good.reward == 1.0
    assert_dropped(bad, "drums_invalid:invalid:restore")
    assert bad.num_turns == 0
    assert await stage.live() == []


async def test_a_child_with_a_failed_gate_is_dropped(stage: Stage) -> None:
    stage.faults.fail_gate("network", slot="s2")
    episode = await stage.play([SOLVE], fork_n=2)
    bad, good = by_child(episode)
    assert episode.ok
    assert_dropped(bad, "drums_invalid:invalid:network")
    assert good.reward == 1.0


async def test_a_group_whose_children_are_all_invalid_has_no_reward_and_no_error(stage: Stage) -> None:
    for slot in ("s2", "s3"):
        stage.faults.fail_gate("network", slot=slot)
    episode = await stage.play([SOLVE], fork_n=2)
    assert episode.ok
    for trace in episode.traces:
        assert_dropped(trace, "drums_invalid:invalid:network")
    assert grpo(by_child(episode)) == [None, None]


async def test_a_parent_that_is_invalid_gives_one_dropped_trace(stage: Stage) -> None:
    stage.faults.fail_gate("network")
    episode = await stage.play([SOLVE], fork_n=2)
    assert episode.ok
    (trace,) = episode.traces
    assert_dropped(trace, "drums_invalid:invalid:network")
    assert await stage.live() == []


async def test_invalid_children_change_no_advantage_of_the_valid_ones(stage: Stage) -> None:
    stage.faults.fail_gate("network", slot="s3")
    episode = await stage.play([PROBE, SOLVE, SOLVE], fork_n=4)
    scores, advantages = rewards(episode), grpo(by_child(episode))
    assert scores[1] is None
    assert advantages[1] is None
    valid = [score for score in scores if score is not None]
    mean = fmean(valid)
    assert [advantage for advantage in advantages if advantage is not None] == [score - mean for score in valid]
    assert {0.0, 1.0} == set(valid)


async def test_a_failed_prefix_fails_the_episode_and_names_the_action(stage: Stage) -> None:
    episode = await stage.play([SOLVE], fork_n=2, prefix=[TERMINAL, {"type": "execute", "command": "false"}])
    assert not episode.ok
    assert episode.traces == []
    assert "env.prefix[1]: " in episode.errors[-1].message
    assert await stage.live() == []
    assert await stage.states() == []


async def test_a_failed_prefix_of_a_child_is_an_error_on_its_trace(stage: Stage) -> None:
    episode = await stage.play([SOLVE], fork_n=2, child_prefix=[{"type": "execute", "command": "false"}])
    for trace in episode.traces:
        assert_failed(trace, "env.child_prefix[0]: ")
    assert await stage.live() == []


async def test_more_children_than_places_are_played_in_waves_from_one_state(stage: Stage) -> None:
    most: list[int] = []

    async def count() -> None:
        most.append(len(await stage.live()))

    stage.model.on_each = count
    episode = await stage.play([SOLVE], fork_n=5, max_concurrent_agents=3)
    assert rewards(episode) == [1.0] * 5
    assert max(most) <= 3
    assert [trace.info["drums"]["parent"] for trace in episode.traces] == ["s1"] * 5
    assert await stage.live() == []
    assert await stage.states() == []


async def test_a_fork_with_one_place_saves_and_plays_one_child_after_the_other(stage: Stage) -> None:
    most: list[int] = []

    async def count() -> None:
        most.append(len(await stage.live()))

    stage.model.on_each = count
    episode = await stage.play([SOLVE], fork_n=2, max_concurrent_agents=1)
    assert rewards(episode) == [1.0, 1.0]
    assert max(most) == 1
    assert await stage.states() == []


@pytest.mark.parametrize(
    "limits",
    [drums.local.Limits(fork=2), drums.local.Limits(max_slots=3), drums.local.Limits(max_slots=1)],
    ids=["2 children of one fork", "3 desktops", "1 desktop"],
)
async def test_a_fork_larger_than_the_host_takes_is_played_in_waves(
    limits: drums.local.Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "FIRST_WAIT_S", 0.02)
    monkeypatch.setattr("drums.local.domain.limits.RETRY_AFTER_S", 0.02)
    with drums.local.serving(alive_gate_s=0.0, limits=limits) as daemon:
        assert daemon.url is not None
        monkeypatch.setenv("DRUMS_URL", daemon.url)
        monkeypatch.setenv("DRUMS_TOKEN", daemon.token)
        async with drums.aio.connect() as watcher:
            small = Stage(daemon, watcher)
            episode = await small.play([SOLVE], fork_n=5)
            assert episode.ok
            assert rewards(episode) == [1.0] * 5
            assert await small.live() == []
            assert await small.states() == []


async def test_a_host_that_fills_up_before_the_fork_gets_the_children_as_it_has_room(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fork is refused; the parent is saved and closed, so that two such episodes can't wait for each other."""
    monkeypatch.setattr(admission, "FIRST_WAIT_S", 0.02)
    refused = drums.aio.Env.fork

    async def full_once(env: drums.aio.Env, n: int, **options: object) -> drums.aio.ForkResult:
        monkeypatch.setattr(drums.aio.Env, "fork", refused)
        raise drums.Overloaded(429, "no room for so many", sent="yes")

    monkeypatch.setattr(drums.aio.Env, "fork", full_once)
    episode = await stage.play([SOLVE], fork_n=3)
    assert episode.ok
    assert rewards(episode) == [1.0] * 3
    assert await stage.live() == []
    assert await stage.states() == []


async def test_a_child_that_never_finds_room_is_dropped(stage: Stage) -> None:
    create = drums.aio.Client.create

    async def full_for_children(client: drums.aio.Client, *given: object, **options: object) -> drums.aio.Env:
        if options.get("from_state") is not None:
            raise drums.Overloaded(429, "no room", sent="yes")
        return await create(client, *given, **options)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drums.aio.Client, "create", full_for_children)
        episode = await stage.play([SOLVE], fork_n=3, max_concurrent_agents=3, admission_wait_s=0.05)
    first, second, third = by_child(episode)
    assert episode.ok
    assert (first.reward, second.reward) == (1.0, 1.0)
    assert_dropped(third, "drums_invalid:pending:admission")
    assert await stage.live() == []
