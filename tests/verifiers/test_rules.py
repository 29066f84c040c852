"""What needs no desktop: reasons, waiting, places, coordinates, keys, pruning, arguments."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifiers.installed import need_verifiers

need_verifiers()

import drums
from drums.evaluation import admission
from drums.evaluation.admission import Hold, Places, admitted, ended, to_the_end, wait_before
from drums.evaluation.endpoint import OMITTED, leave_out_screenshots
from drums.screen import ArgumentError, key_name, keys_of, on_screen
from drums_verifiers.schema import Tool
from drums_verifiers.verdict import drop_reason, failed_gates, reason_of_record

seconds = st.floats(0, 10_000, allow_nan=False)


# --- reasons ----------------------------------------------------------------------------------------------------------


def test_a_reason_names_the_verdict_and_the_gates() -> None:
    assert drop_reason("invalid", ["fork_parity", "clock"]) == "drums_invalid:invalid:fork_parity,clock"


@pytest.mark.parametrize("verdict", ["valid", None, ""])
def test_a_dropped_trace_is_never_called_valid(verdict: str | None) -> None:
    assert drop_reason(verdict, []) == "drums_invalid:invalid:"


@given(
    state=st.sampled_from(["ready", "quarantined", "down", "destroyed", "creating", "a newer word"]),
    verdict=st.sampled_from(["valid", "pending", "invalid", "a newer word", None]),
)
def test_only_a_ready_env_without_a_bad_verdict_goes_on(state: str, verdict: str | None) -> None:
    validity = None if verdict is None else {"verdict": verdict, "gates": ["network"]}
    goes_on = reason_of_record({"state": state, "validity": validity}) is None
    assert goes_on == (state == "ready" and verdict in {"valid", "pending", None})


def test_gates_that_are_pending_have_not_failed() -> None:
    gates = [
        {"name": "network", "status": "failed"},
        {"name": "alive", "status": "pending"},
        {"name": "new", "status": "odd"},
    ]
    assert failed_gates(gates, ["network", "alive", "new"]) == ["network", "new"]
    assert failed_gates([], ["network"]) == ["network"]


# --- waiting ----------------------------------------------------------------------------------------------------------


def test_waits_double_from_2_s_to_30_s() -> None:
    assert [wait_before(tries, 0, 900, None) for tries in range(1, 8)] == [2, 4, 8, 16, 30, 30, 30]


@given(tries=st.integers(1, 10**6), spent=seconds, limit=seconds, asked=st.none() | seconds)
def test_a_wait_is_not_shorter_than_the_server_asked_nor_longer_than_the_time(
    tries: int, spent: float, limit: float, asked: float | None
) -> None:
    wait = wait_before(tries, spent, limit, asked)
    if wait is not None:
        assert 0 < wait <= limit - spent
        assert wait >= (asked or 0)


async def test_waiting_ends_with_the_last_refusal() -> None:
    tried = 0

    async def refused() -> None:
        nonlocal tried
        tried += 1
        raise drums.QuotaExceeded(403, "no room", code="quota_exceeded")

    with pytest.raises(drums.QuotaExceeded):
        await admitted(refused, 0.01)
    assert tried == 2, "once, and once more when the time is over"


async def test_other_errors_are_not_waited_for() -> None:
    async def failed() -> None:
        raise drums.DaemonUnavailable(0, "nobody answers")

    with pytest.raises(drums.DaemonUnavailable):
        await admitted(failed, 900)


# --- places -----------------------------------------------------------------------------------------------------------


@given(size=st.integers(1, 5), wants=st.lists(st.integers(1, 5), max_size=12), data=st.data())
def test_places_are_never_given_out_twice_and_never_out_of_turn(
    size: int, wants: list[int], data: st.DataObject
) -> None:
    asyncio.run(play_places(size, [min(want, size) for want in wants], data))


def one_of(numbers: list[int]) -> st.SearchStrategy[int]:
    return st.sampled_from(numbers)


async def play_places(size: int, wants: list[int], data: st.DataObject) -> None:
    places, served, held = Places(size), list[int](), dict[int, int]()

    async def one(index: int, want: int) -> None:
        await places.take(want)
        served.append(index)
        held[index] = want

    waiting = [asyncio.create_task(one(index, want)) for index, want in enumerate(wants)]
    cancelled = set[int]()
    while any(not task.done() for task in waiting) or held:
        await asyncio.sleep(0)
        assert sum(held.values()) + places.free == size
        pending = [index for index, task in enumerate(waiting) if not task.done()]
        cancels = data.draw(one_of([0, 1]))
        if pending and cancels:
            chosen: int = data.draw(one_of(pending))
            waiting[chosen].cancel()
            cancelled.add(chosen)
        elif held:
            done: int = data.draw(one_of(sorted(held)))
            places.give(held.pop(done))
        await asyncio.sleep(0)
    assert places.free == size
    assert served == sorted(served)
    assert {*served, *cancelled} == set(range(len(wants)))


async def test_a_hold_gives_back_at_once_what_its_episode_wants_no_more() -> None:
    places = Places(4)
    await places.take(3)
    hold = Hold(places, 3, wanted=5)  # a parent and four children, three at a time
    await hold.take()
    await hold.take(2)
    hold.give()  # the parent is closed: a third child may come
    assert places.free == 1
    await hold.take()
    hold.give()
    assert places.free == 1, "the fourth child gets this one"
    await hold.take()
    hold.give()
    assert places.free == 2
    hold.end()
    assert places.free == 4


# --- ending -----------------------------------------------------------------------------------------------------------


async def test_what_runs_to_the_end_does_so_through_many_cancellations() -> None:
    go, done = asyncio.Event(), list[str]()

    async def work() -> None:
        await go.wait()
        done.append("closed")

    task = asyncio.create_task(to_the_end(work()))
    for _ in range(3):
        await asyncio.sleep(0)
        task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == ["closed"]


@pytest.mark.parametrize(
    ("faults", "gone"),
    [
        ([], True),
        ([drums.EnvGone(410, "destroyed")], True),
        ([drums.DaemonUnavailable(503, "busy"), drums.Overloaded(429, "busy"), drums.DrumsError(504, "late")], True),
        ([drums.AuthError(401, "who are you")], False),
    ],
    ids=["at once", "gone already", "unavailable for a while", "refused"],
)
async def test_closing_is_repeated_only_while_that_can_help(
    faults: list[drums.DrumsError], gone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "FIRST_CLOSE_WAIT_S", 0.001)
    left = list(faults)

    async def close() -> None:
        if left:
            raise left.pop(0)

    assert await ended("s1", close) is gone
    assert left == []


async def test_closing_gives_up_when_the_time_is_over() -> None:
    async def close() -> None:
        raise drums.DaemonUnavailable(0, "nobody answers")

    assert await ended("s1", close, limit_s=0) is False


# --- the screen -------------------------------------------------------------------------------------------------------


@given(last=st.integers(1, 4000), screen=st.sampled_from([1080, 1920]))
def test_the_edges_of_what_the_model_sees_are_the_edges_of_the_screen(last: int, screen: int) -> None:
    assert on_screen(0, last, screen, "x") == 0
    assert on_screen(last, last, screen, "x") == screen - 1


@given(st.integers(0, 1279), st.integers(0, 1279))
def test_coordinates_keep_their_order_and_stay_on_the_screen(one: int, other: int) -> None:
    first, second = on_screen(one, 1279, 1920, "x"), on_screen(other, 1279, 1920, "x")
    assert 0 <= first < 1920
    assert (one < other) == (first < second) or one == other


@pytest.mark.parametrize("value", [-1, 1280, -0.001, float("inf"), float("nan"), 10**400])
def test_a_coordinate_outside_the_screen_is_refused_by_name(value: float) -> None:
    with pytest.raises(ArgumentError, match=r"to_x=.* is outside the screen: it goes from 0 to 1279"):
        on_screen(value, 1279, 1920, "to_x")


@pytest.mark.parametrize(
    ("chord", "keys"),
    [
        ("enter", ["enter"]),
        ("Return", ["enter"]),
        ("ctrl+S", ["ctrl", "S"]),
        ("Control + Shift + t", ["ctrl", "shift", "t"]),
        ("+", ["+"]),
        ("ctrl++", ["ctrl", "+"]),
        ("super", ["win"]),
        (" ", ["space"]),
        ("Page_Down", ["pagedown"]),
        ("F5", ["f5"]),
        ("é", ["é"]),
    ],
)
def test_keys_have_the_names_that_models_use(chord: str, keys: list[str]) -> None:
    assert keys_of(chord) == keys


@pytest.mark.parametrize("chord", ["", "  ", "ctrl+nokey", "hyper", "f25", "ctrl+\x07", "a+"])
def test_a_key_that_there_is_not_is_refused(chord: str) -> None:
    with pytest.raises(ArgumentError):
        keys_of(chord)


@given(st.text())
def test_a_key_is_named_or_refused_whatever_it_is(name: str) -> None:
    try:
        known = key_name(name)
    except ArgumentError:
        return
    assert known
    assert known.isprintable()


# --- screenshots in the context ---------------------------------------------------------------------------------------


def shot(number: int) -> dict[str, Any]:
    return {
        "role": "tool",
        "content": [{"type": "text", "text": str(number)}, {"type": "image_url", "image_url": {"url": str(number)}}],
    }


@given(keep=st.integers(1, 12), turns=st.integers(0, 60))
def test_the_model_never_sees_more_screenshots_than_it_may_and_always_the_newest(keep: int, turns: int) -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "do it"}]
    rewritten = 0
    for turn in range(turns):
        messages.append(shot(turn))
        before = json.dumps(messages)
        leave_out_screenshots(messages, keep)
        rewritten += before != json.dumps(messages)
        shown = [
            message["content"][1]["image_url"]["url"] for message in messages[1:] if OMITTED not in json.dumps(message)
        ]
        assert len(shown) <= keep
        assert shown == [str(number) for number in range(turn + 1)][-len(shown) :]
        assert len(shown) >= min(turn + 1, (keep + 1) // 2)
    assert rewritten <= turns // (keep + 1 - (keep + 1) // 2) + 1


# --- arguments --------------------------------------------------------------------------------------------------------


async def both(x: int, text: str = "none") -> str:
    """Take two things."""
    return f"{x} {text}"


TOOL = Tool(both)


async def test_a_tool_is_what_its_signature_says() -> None:
    function = TOOL.function()["function"]
    assert (function["name"], function["description"]) == ("both", "Take two things.")
    assert function["parameters"]["required"] == ["x"]
    assert function["parameters"]["additionalProperties"] is False
    assert await TOOL('{"x": 0}') == "0 none"


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "{",
        "[]",
        "null",
        "3",
        '{"x": "left"}',
        '{"x": 1.5}',
        '{"x": 1, "y": 2}',
        '{"x": NaN}',
        '{"x": null}',
        "[" * 10_000,
    ],
)
async def test_arguments_that_do_not_fit_are_refused_and_nothing_is_called(arguments: str) -> None:
    with pytest.raises(ArgumentError, match="both"):
        await TOOL(arguments)


@given(
    st.text()
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.dictionaries(st.text(), inner)
    ).map(json.dumps)
)
def test_whatever_a_model_writes_is_either_arguments_or_a_refusal(arguments: str) -> None:
    try:
        checked = TOOL.checked(arguments)
    except ArgumentError:
        return
    assert set(checked) == {"x", "text"}
