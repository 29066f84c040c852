# Generated from tests/wire/test_old_servers.py by tools/generate_sync.py. Edit that file.
"""Daemons before 0.4 and 0.4.2 say less, and some things differently; the SDK gives the same answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import drums
import drums.local
from drums import EnvGone, GateFailed, InvalidEpisode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local import InProcess

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
SOLVE = {"type": "execute", "command": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2", "shell": True}


@pytest.fixture
def old(old_daemon: InProcess) -> Iterator[drums.Client]:
    """A client of an old daemon."""
    with drums.connect(old_daemon.url, old_daemon.token, retry_s=0) as client:
        yield client


def test_only_live_envs_are_listed_though_the_server_lists_all(old: drums.Client) -> None:
    made = sorted(old.create_many(3), key=lambda env: env.id)
    made[1].close()
    assert [env.id for env in old.envs()] == [made[0].id, made[2].id]
    everything = [record.id for record in old.env_records(include_destroyed=True, page_size=1)]
    assert everything == [env.id for env in made]


def test_a_destroyed_env_is_gone_though_the_server_calls_it_a_conflict(old: drums.Client) -> None:
    env = old.create()
    env.close()
    with pytest.raises(EnvGone):
        env.refresh()
    env.close()


def test_a_reward_without_an_audit_is_valid_and_never_trusted(old: drums.Client) -> None:
    env = old.create(task=RENAME_FOLDER)
    env.wait_valid()
    env.step(SOLVE)
    reward = env.verify()
    assert (reward.score, reward.valid, reward.invalid_reasons) == (1, True, [])
    if reward.audit is None:
        assert reward.trusted is None


def test_a_quarantined_env_never_trains_whatever_the_verdict_says(old: drums.Client) -> None:
    env = old.create(task=RENAME_FOLDER)
    env.step(SOLVE)
    env.quarantine()
    with pytest.raises(InvalidEpisode) as invalid:
        env.verify()
    assert invalid.value.reward.verdict == "invalid"
    assert invalid.value.invalid_reasons
    assert invalid.value.reward.score is None


def test_a_quarantined_env_is_not_waited_for_though_its_gates_have_passed(old: drums.Client) -> None:
    env = old.create()
    env.quarantine()
    with pytest.raises(GateFailed):
        env.wait_valid(timeout=5)
    assert not env.valid(timeout=0)


def test_a_server_that_does_not_wait_is_asked_again(old_daemon: InProcess) -> None:
    with drums.local.serving(alive_gate_s=0.3, emulate="0.4.1") as slow:
        with drums.connect(slow.url, slow.token) as client:
            env = client.create()
            assert env.wait_valid() is env


def test_forks_and_states_are_as_ever(old: drums.Client) -> None:
    env = old.create(task=RENAME_FOLDER)
    with env.fork(2, keep_state=False) as children:
        children[0].step(SOLVE)
        assert [(child.verify()).score for child in children] == [1, 0]
    state = env.save()
    assert (old.create(from_state=state)).state == "ready"
