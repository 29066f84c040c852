"""What a user gives for an action is sent as the spec says, or refused before anything is sent."""

from __future__ import annotations

import copy
import json
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.actions import SIGNALS, Batch, Execute, Pyautogui, Signal, SignalName, Sleep, action
from drums.errors import BadRequest
from tests.strategies import (
    ACTION_TYPES,
    Json,
    action_dicts,
    bad_actions,
    good_actions,
    sendable_texts,
    signal_names,
    single_actions,
    typed_actions,
)


@given(good_actions)
def test_a_good_action_becomes_json_of_a_known_type(given_action: Any) -> None:
    sent = action(given_action)
    assert sent["type"] in ACTION_TYPES
    assert json.loads(json.dumps(sent, allow_nan=False)) == sent


@given(good_actions)
def test_what_is_sent_is_an_action_itself_and_stays_as_it_is(given_action: Any) -> None:
    assert action(action(given_action)) == action(given_action)


@given(sendable_texts.filter(lambda text: text not in SIGNALS))
def test_text_is_pyautogui_code(code: str) -> None:
    assert action(code) == action(Pyautogui(code)) == {"type": "pyautogui", "code": code}


@given(action_dicts)
def test_an_action_dict_keeps_its_fields_and_is_not_changed(given_action: Json) -> None:
    before = copy.deepcopy(given_action)
    sent = action(MappingProxyType(given_action))
    named = {key: value for key, value in given_action.items() if key not in {"command", "actions"}}
    assert sent.items() >= named.items()
    assert given_action == before
    assert sent is not given_action


@given(typed_actions)
def test_a_typed_action_is_the_dict_of_its_fields(given_action: Any) -> None:
    sent = action(given_action)
    for name in given_action.__match_args__:
        value = getattr(given_action, name)
        assert sent[name] == (list(value) if isinstance(value, tuple) else value)


@given(bad_actions)
def test_what_is_no_action_is_refused_before_sending(given_action: Any) -> None:
    with pytest.raises(BadRequest) as raised:
        action(given_action, tried="step() of s104")
    error = raised.value
    assert (error.status, error.sent, error.tried) == (400, "no", "step() of s104")
    assert str(error).startswith("step() of s104: ")
    assert error.hint.startswith("Give ")
    assert len(str(error)) < 400


@given(signal_names)
def test_osworlds_three_words_are_signals(name: SignalName) -> None:
    assert action(name) == action(Signal(name)) == {"type": "signal", "name": name}


@given(st.sampled_from(SIGNALS), st.sampled_from([" {}", "{}\n", "{}()", "'{}'", "{}ED"]))
def test_only_the_exact_words_are_signals(name: str, around: str) -> None:
    assert action(around.format(name))["type"] == "pyautogui"
    assert action(name.lower())["type"] == "pyautogui"


@given(st.lists(single_actions, min_size=1, max_size=4))
def test_a_batch_holds_what_each_of_its_actions_is_alone(given_actions: list[Any]) -> None:
    assert action(Batch(given_actions)) == {"type": "batch", "actions": [action(one) for one in given_actions]}


@given(st.sampled_from(["zoom", "CLICK", "done", "TYPING"]))
def test_words_of_other_action_languages_are_code_like_any_text(word: str) -> None:
    assert action(word) == {"type": "pyautogui", "code": word}


@given(action_dicts, st.lists(sendable_texts, min_size=1))
def test_later_changes_of_what_was_given_change_nothing(given_action: Json, command: list[str]) -> None:
    given_action = {"type": "execute", "command": command, "note": {"of": ["mine"]}}
    sent = action(given_action)
    before = copy.deepcopy(sent)
    command.append("rm")
    given_action["note"]["of"].append("yours")
    assert sent == before


def test_typed_actions_are_frozen_and_compare() -> None:
    assert Execute(["ls"], shell=True) == Execute(["ls"], shell=True) != Execute(["ls"])
    with pytest.raises(AttributeError):
        Sleep(1).seconds = 2  # type: ignore[misc]


class Number(float):
    """A number of another library, as numpy's are."""


def test_numbers_of_other_libraries_become_plain_ones() -> None:
    sent = action({"type": "sleep", "seconds": Number(1.5)})
    assert type(sent["seconds"]) is float


@pytest.mark.parametrize(
    ("given_action", "told"),
    [
        ({"type": "zoom"}, "an action's type is pyautogui, execute, launch, sleep, signal, batch, got 'zoom'"),
        ({"type": "sleep", "seconds": -1}, "seconds is a number from 0 up, got -1"),
        ({"type": "sleep", "seconds": float("nan")}, "seconds is a number from 0 up, got nan"),
        ({"type": "execute", "command": 5}, "command is text or a list of texts, got 5"),
        ({"type": "signal", "name": "fail"}, "a signal's name is FAIL, DONE, WAIT, got 'fail'"),
        ({"type": "batch", "actions": [Batch(["DONE"])]}, "a batch can't hold a batch"),
        ({"type": "batch", "actions": []}, "a batch has 1 to 100 actions, got 0"),
        (["click"], "an action is text or a mapping, got a list"),
        (None, "an action is text or a mapping, got nothing"),
    ],
)
def test_a_refusal_says_what_was_given_and_what_is_wanted(given_action: Any, told: str) -> None:
    with pytest.raises(BadRequest) as raised:
        action(given_action)
    assert raised.value.message == told
