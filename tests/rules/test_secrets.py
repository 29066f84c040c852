"""No token is ever shown: not in a message, a repr, a pickle, whatever a server repeats to us."""

from __future__ import annotations

import copy
import pickle
import traceback
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from drums import errors
from drums._quote import excerpt, redacted, scrubbed
from drums.observation import StepResult
from drums.records import Slot
from drums.reward import Reward
from tests.strategies import SOUND, Json, free_replies, secrets, statuses, texts_with_a_secret

Telling = tuple[str, str]
"""A text and the secret in it."""


@given(texts_with_a_secret())
@example(("Bearer a1b2c3d4e5f6", "a1b2c3d4e5f6"))
@example(("Bearer\x00a1b2c3d4e5f6", "a1b2c3d4e5f6")).via("a control character between")
def test_what_is_quoted_holds_no_secret(telling: Telling) -> None:
    text, secret = telling
    assert secret not in excerpt(text)
    assert secret not in excerpt(text, end=True)


@given(texts_with_a_secret())
def test_what_is_redacted_holds_no_secret_and_stays_so(telling: Telling) -> None:
    text, secret = telling
    clean = redacted(text)
    assert secret not in clean
    assert redacted(clean) == clean


@given(st.text("abcdefgh ./:@", max_size=60).filter(lambda text: "//" not in text))
def test_a_text_without_a_secret_is_left_as_it_is(text: str) -> None:
    assert redacted(text) == text


@given(st.text(max_size=20), secrets, st.text(max_size=20))
def test_a_secret_that_is_known_is_taken_out_wherever_it_stands(before: str, secret: str, after: str) -> None:
    assert secret not in redacted(before + secret + after, secret)


@given(statuses, texts_with_a_secret())
def test_no_error_of_a_reply_shows_a_secret(status: int, telling: Telling) -> None:
    text, secret = telling
    body = {"error": text, "code": text, "request_id": text, "slot": {"id": text, "reason": [text]}, text: 1}
    error = errors.error_from(status, body, tried=text, path=text, hint=text)
    assert error.body is body
    assert_silent(error, secret)


@given(texts_with_a_secret())
def test_no_error_of_a_record_shows_a_secret(telling: Telling) -> None:
    text, secret = telling
    down = Slot({"id": text, "state": "down", "last_error": text})
    reward = Reward(SOUND | {"valid": False, "invalid_reasons": [text], "checker_error": text, "slot": text})
    failed = errors.RestoreFailed(down)
    ended = StepResult({"result": {"returncode": 1, "output": text, "error": text}})
    for error in (
        failed,
        errors.ForkError([], [failed]),
        errors.BatchError([], [failed, ValueError("x")]),
        errors.InvalidEpisode(reward),
        errors.CheckerError(reward),
        errors.ActionFailed(ended, {"type": "execute", "command": text}),
        errors.ProtocolError(200, text, text.encode(), where=text),
    ):
        assert_silent(error, secret)
    assert secret not in repr(reward)


def assert_silent(error: errors.DrumsError, secret: str) -> None:
    """Nothing that is printed, logged or pickled of the error holds the secret."""
    shown = [str(error), repr(error), *traceback.format_exception(error), repr(error.args), error.message]
    assert not [text for text in shown if secret in text]
    assert secret.encode() not in pickle.dumps(error)


@given(free_replies, texts_with_a_secret())
def test_a_pickled_reward_holds_no_secret(reply: Json, telling: Telling) -> None:
    text, secret = telling
    again: Reward = pickle.loads(pickle.dumps(Reward(reply | {"checker_error": text})))
    assert secret.encode() not in pickle.dumps(again)
    assert again.valid is Reward(reply | {"checker_error": text}).valid


@given(texts_with_a_secret())
def test_a_scrubbed_value_keeps_its_types_and_everything_else(telling: Telling) -> None:
    text, secret = telling
    seen = object()
    value: dict[str, Any] = {"a": [text, 1, None], "b": (text.encode(), seen), "c": Slot({"id": "s1", "state": text})}
    before = copy.copy(value)
    clean = scrubbed(value)
    assert secret not in repr(clean)
    assert (type(clean["b"]), type(clean["c"]), clean["c"].id, clean["b"][1]) == (tuple, Slot, "s1", seen)
    assert value == before
    assert scrubbed({"a": [1, "plain"]}) == {"a": [1, "plain"]}


@given(secrets, st.sampled_from(["the token {} is not known", '{{"got": "{}"}}', "{}"]))
def test_an_error_can_conceal_the_token_that_a_server_repeats_bare(secret: str, shape: str) -> None:
    said = shape.format(secret)
    error = errors.error_from(401, {"error": said, "seen": [said]}, path=f"/v1/slots?x={secret}")
    errors.conceal(error, secret)
    assert secret not in f"{error!r}{error.body}{error.__dict__}{error.args}"
    assert secret.encode() not in pickle.dumps(error)


@given(secrets)
def test_the_causes_of_an_error_conceal_it_too(secret: str) -> None:
    try:
        try:
            raise ValueError(f"no JSON: {secret}")
        except ValueError as cause:
            raise errors.ProtocolError(200, f"no JSON: {secret}") from cause
    except errors.ProtocolError as raised:
        error = raised
    errors.conceal(error, secret)
    assert [line for line in traceback.format_exception(error) if "no JSON: ***" in line]
    assert not [line for line in traceback.format_exception(error) if secret in line]


def test_a_circle_of_causes_ends() -> None:
    first, second = errors.DrumsError(500, "7qabcX9"), errors.DrumsError(500, "7qabcX9")
    first.__context__, second.__context__ = second, first
    errors.conceal(first, "7qabcX9")
    assert (first.message, second.message) == ("***", "***")


@pytest.mark.parametrize("size", [10**6])
def test_redaction_is_linear(size: int) -> None:
    for piece in ("/", "//", "Bearer ", "drums_sk_", "\\/", "a@", "\x1b[", "\x1b]"):
        assert isinstance(excerpt(piece * (size // len(piece))), str)
