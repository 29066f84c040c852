"""The size of a screenshot is believed only from a whole and sensible header."""

from __future__ import annotations

import copy
import io
import json
import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from drums.errors import ProtocolError
from drums.observation import MAX_SIDE_PX, Observation, ObservationMeta, StepResult, png_size
from drums.records import ActionResult, StepReply
from tests.strategies import Json, pngs, step_replies

SIDES = st.integers(1, 64)


@given(SIDES, SIDES)
def test_the_size_is_that_of_the_picture(width: int, height: int) -> None:
    made = io.BytesIO()
    Image.new("RGB", (width, height)).save(made, "PNG")
    assert png_size(made.getvalue()) == (width, height)


@given(pngs(sizes := st.integers(0, 2**31 - 1) | st.integers(0, MAX_SIDE_PX + 1), sizes))
@example(b"").via("an empty body")
def test_a_size_is_sensible_or_refused(png: bytes) -> None:
    width, height = (int.from_bytes(png[start : start + 4], "big") for start in (16, 20))
    if 0 < width <= MAX_SIDE_PX and 0 < height <= MAX_SIDE_PX:
        assert png_size(png) == (width, height)
    else:
        with pytest.raises(ProtocolError, match="expected a"):
            png_size(png)


@given(pngs(SIDES, SIDES), st.integers(0, 32), st.integers(1, 255))
def test_a_header_with_one_wrong_byte_is_refused(png: bytes, place: int, change: int) -> None:
    broken = png[:place] + bytes([png[place] ^ change]) + png[place + 1 :]
    with pytest.raises(ProtocolError):
        png_size(broken)


@given(pngs(SIDES, SIDES), st.integers(0, 32))
def test_a_cut_header_is_refused(png: bytes, length: int) -> None:
    with pytest.raises(ProtocolError):
        png_size(png[:length])


@given(st.binary(max_size=64))
def test_any_bytes_give_a_size_or_a_protocol_error(data: bytes) -> None:
    with pytest.raises(ProtocolError, match="expected a PNG picture"):
        png_size(data)


@given(pngs(SIDES, SIDES))
def test_an_observation_tells_its_size_and_survives_pickle(png: bytes) -> None:
    meta: ObservationMeta = {
        "env": "s104",
        "episode": 1,
        "state": "ready",
        "verdict": None,
        "task_id": None,
        "instruction": None,
        "steps": 2,
        "t": 1.5,
    }
    seen = Observation(png, meta)
    assert (seen.width, seen.height) == png_size(png)
    assert pickle.loads(pickle.dumps(seen)) == copy.deepcopy(seen) == seen
    assert seen != Observation(png)
    assert repr(seen) == f"<Observation of s104, {len(png)} bytes>"


@given(step_replies(), pngs(SIDES, SIDES))
def test_a_step_result_reads_like_the_reply_and_carries_the_screen(reply: Json, png: bytes) -> None:
    seen = Observation(png)
    result = StepResult(reply, seen)
    assert result == reply
    assert isinstance(result, StepReply)
    assert result["result"] == reply["result"] == result.result
    assert isinstance(result.result, ActionResult)
    assert result.seconds == reply["seconds"]
    assert json.loads(json.dumps(result)) == reply
    assert result.observation is seen
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
        assert type(again) is StepResult
        assert again == reply
        assert again.observation == seen


@given(step_replies())
def test_a_step_result_without_a_screen_has_none_and_is_read_only(reply: Json) -> None:
    result = StepResult(reply)
    assert result.observation is None
    with pytest.raises(TypeError, match="read-only"):
        result["seconds"] = 0
