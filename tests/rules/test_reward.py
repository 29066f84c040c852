"""A `Reward` is what `judge` says of the reply, read-only, and survives a pickle; strict verify raises for the rest."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import example, given

from drums.errors import CheckerError, DrumsError, InvalidEpisode
from drums.reward import Reward
from drums.validity import judge
from tests.strategies import SOUND, Fault, Json, free_replies, invalidating_faults, sound_replies, untrusting_faults


def refusal_of(reward: Reward) -> DrumsError | None:
    """What strict verify raises for this reward, None where it returns it."""
    try:
        assert reward.required() is reward
    except DrumsError as error:
        return error
    return None


@given(sound_replies())
def test_a_reward_reads_as_the_reply_does(reply: Json) -> None:
    reward = Reward(reply)
    assert (reward.env_id, reward.episode, reward.task_id) == (reply["slot"], reply["episode"], reply["task_id"])
    assert (reward.score, reward.valid, reward.verdict) == (reply["score"], True, "valid")
    assert (reward.bad_gates, reward.invalid_reasons) == ([], [])
    assert (reward.checker_error, reward.checker_skipped, reward.seconds) == (None, None, reply["seconds"])
    assert [gate.name for gate in reward.gates] == [gate["name"] for gate in reply["gates"]]
    assert reward.validity is not None
    assert reward.validity.verdict == "valid"
    assert reward.audit_flags == []
    assert (reward.audit, reward.trusted) == ((reply["audit"], True) if "audit" in reply else (None, None))
    assert reward.required() is reward


@given(free_replies)
@example(SOUND | {"state": "quarantined"}).via("daemon before 0.4.2: valid and quarantined")
def test_no_mixture_of_fields_makes_a_reward_valid_against_the_rule(reply: Json) -> None:
    reward, judged = Reward(reply), judge(reply)
    assert (reward.valid, reward.verdict, reward.trusted) == (judged.valid, judged.verdict, judged.trusted)
    assert reward.valid is (not reward.invalid_reasons)
    assert not (reward.valid and (reward.bad_gates or reward.verdict != "valid"))
    assert (reward.trusted is not True) or reply["audit"] is not None


@given(free_replies)
def test_a_reward_survives_pickle_and_deepcopy_with_every_field(reply: Json) -> None:
    reward = Reward(reply)
    for again in (pickle.loads(pickle.dumps(reward)), copy.deepcopy(reward), copy.copy(reward)):
        assert repr(dict(again.raw)) == repr(reply)
        assert (again.valid, again.invalid_reasons, repr(again.score)) == (
            reward.valid,
            reward.invalid_reasons,
            repr(reward.score),
        )


@given(sound_replies())
def test_rewards_are_equal_when_their_replies_are(reply: Json) -> None:
    assert Reward(reply) == Reward(copy.deepcopy(reply))
    assert hash(Reward(reply)) == hash(Reward(copy.deepcopy(reply)))
    assert Reward(reply) != Reward(reply | {"episode": -1})
    assert Reward(reply) != reply
    assert json.loads(json.dumps(Reward(reply).raw)) == reply


@given(sound_replies(), invalidating_faults)
def test_strict_verify_never_returns_an_episode_that_is_not_valid(reply: Json, fault: Fault) -> None:
    reward = Reward(fault.applied_to(reply))
    with pytest.raises(InvalidEpisode) as raised:
        reward.required(tried="verify() of s104", request_id="7f3a")
    assert raised.value.reward is reward
    assert raised.value.invalid_reasons == reward.invalid_reasons
    assert (raised.value.tried, raised.value.request_id) == ("verify() of s104", "7f3a")


@given(sound_replies(audited=True), untrusting_faults)
def test_strict_verify_returns_a_score_or_raises(reply: Json, fault: Fault) -> None:
    reward = Reward(fault.applied_to(reply))
    error = refusal_of(reward)
    assert isinstance(error, CheckerError | None)
    assert (error is None) is (reward.score is not None)


def test_a_checker_error_is_never_a_score_of_zero() -> None:
    reward = Reward(SOUND | {"checker_error": "no file Jan_2", "score": 0})
    assert (reward.valid, reward.score, reward.checker_error) == (True, None, "no file Jan_2")
    with pytest.raises(CheckerError, match="no file Jan_2"):
        reward.required()


def test_an_env_without_a_task_gives_a_valid_reward_without_a_score() -> None:
    reward = Reward(SOUND | {"score": None, "checker_skipped": "no task", "task_id": None, "audit": None})
    assert (reward.valid, reward.score, reward.trusted) == (True, None, None)
    assert reward.required() is reward


def test_a_score_that_is_missing_without_a_reason_is_a_checker_error() -> None:
    with pytest.raises(CheckerError, match="neither a score nor a reason"):
        Reward(SOUND | {"score": None}).required()


def test_a_reward_can_not_be_changed() -> None:
    reply = copy.deepcopy(SOUND)
    reward = Reward(reply)
    for name, value in (("score", 1.0), ("valid", True), ("note", "x")):
        with pytest.raises(AttributeError, match="read-only"):
            setattr(reward, name, value)
    with pytest.raises(AttributeError, match="read-only"):
        del reward._judged
    with pytest.raises(TypeError, match="read-only"):
        reward.raw["valid"] = True
    reply["gates"].append({"name": "network", "status": "failed"})
    reward.bad_gates.append("network")
    reward.invalid_reasons.append("x")
    assert (reward.valid, len(reward.gates), reward.bad_gates, reward.invalid_reasons) == (True, 2, [], [])


def test_a_reward_is_no_number() -> None:
    with pytest.raises(TypeError):
        float(Reward(SOUND))  # type: ignore[arg-type]


def test_a_reward_prints_short() -> None:
    assert repr(Reward(SOUND)) == "<Reward of s104, episode 3: score 1, valid True, trusted True>"


@given(free_replies)
def test_whatever_came_strict_verify_returns_or_raises_a_drums_error(reply: Json) -> None:
    reward = Reward(reply)
    error = refusal_of(reward)
    assert reward.valid or isinstance(error, InvalidEpisode)
    if isinstance(error, InvalidEpisode | CheckerError):
        assert error.reward is reward
        assert str(error)
        assert repr(pickle.loads(pickle.dumps(error)).reward.raw) == repr(reward.raw)
