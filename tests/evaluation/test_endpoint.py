"""A model behind an endpoint: over real HTTP, with an endpoint that refuses, breaks off and talks nonsense."""

from __future__ import annotations

import base64
import json
import sys
from contextlib import asynccontextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

import mock_policy
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from drums.actions import action
from drums.errors import BadRequest
from drums.evaluation import PolicyError, Usage
from drums.evaluation.chat import LONGEST_WAIT_S, Endpoint, retry_after, wait_before
from drums.evaluation.computer import TOOLS, Screen, actions_of, tools_for
from drums.evaluation.endpoint import OMITTED, leave_out_screenshots, policy_of
from drums.evaluation.settings import Prices, Settings
from drums.screen import ArgumentError
from tests.evaluation.stage import SETTINGS, a_run

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    import drums.aio

KEY = "sk-test-0123456789abcdef"
SCREEN = Screen(1280, 720)


class Model:
    """An endpoint that answers with what it is told to, in turn; the last answer for all that follows."""

    def __init__(self, answers: Sequence[Callable[[], web.Response]]) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    async def complete(self, request: web.Request) -> web.Response:
        self.asked.append(await request.json())
        self.keys.append(request.headers.get("Authorization"))
        return (self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])()


@asynccontextmanager
async def serving(application: web.Application) -> AsyncIterator[str]:
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def endpoint_of(model: Model, **options: Any) -> AsyncIterator[Endpoint]:
    application = web.Application(client_max_size=2**26)
    application.add_routes([web.post("/v1/chat/completions", model.complete)])
    async with serving(application) as url:
        endpoint = Endpoint(url, "m", KEY, first_wait_s=0.01, **options)
        try:
            yield endpoint
        finally:
            await endpoint.close()


def saying(*calls: tuple[str, object], content: str | None = None, usage: object = None) -> Callable[[], web.Response]:
    """A completion with these tool calls."""
    made = [
        {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": content, **({"tool_calls": made} if made else {})}
    reply = {"choices": [{"message": message}], "usage": usage or {"prompt_tokens": 100, "completion_tokens": 7}}
    return lambda: web.json_response(reply)


def refusing(status: int, **headers: str) -> Callable[[], web.Response]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"error": {"message": f"no, {KEY}"}}
    return lambda: web.json_response(body, status=status, headers=named)


def raw(text: str) -> Callable[[], web.Response]:
    return lambda: web.Response(text=text)


def files_in(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


async def played(client: drums.aio.Client, folder: Path, model: Model, **settings: Any) -> Any:
    async with endpoint_of(model) as endpoint:
        told = Settings(**{**SETTINGS, **settings})
        make = policy_of(endpoint, told)
        records = await a_run(
            client, type("Made", (), {"__new__": lambda _: make()}), folder, secrets=(KEY,), **settings
        )
    return records[0]


async def test_a_model_solves_a_task_with_the_computer_tools(client: drums.aio.Client, tmp_path: Path) -> None:
    async with serving(mock_policy.application(mock_policy.ORDERS["alternate"])) as url:
        endpoint = Endpoint(url, "mock")
        make = policy_of(endpoint, Settings(**SETTINGS))
        records = await a_run(client, None, tmp_path, made_by=make, attempts=2, prices=Prices(1.0, 2.0))
        await endpoint.close()
    assert sorted(record["score"] or 0.0 for record in records) == [0.0, 1.0]
    for record in records:
        assert record["ended"] == "done"
        assert record["usage"] is not None
        assert record["usage"]["requests"] == 4
        assert record["usage"]["completion_tokens"] == 40
        assert record["cost"]["model"] == pytest.approx((record["usage"]["prompt_tokens"] + 80) / 1e6)
        assert record["turns"][0]["said"] == "step 1"


async def test_the_model_sees_the_task_the_screen_and_what_its_calls_came_to(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    model = Model([
        saying(("computer_click", '{"x": 1279, "y": 0}'), ("computer_key", '{"keys": "enter"}'), content="I click"),
        saying(("computer_click", '{"x": 5000, "y": 0}'), ("computer_key", '{"keys": "a"}')),
        saying(("dance", "{}")),
        saying(("computer_fail", "{}")),
    ])  # fmt: skip
    record = await played(client, tmp_path, model)
    assert (record["ended"], record["turns"][0]["said"]) == ("fail", "I click")
    assert record["turns"][0]["actions"][0]["action"]["code"] == "pyautogui.click(1919, 0)"
    assert [len(turn["actions"]) for turn in record["turns"]] == [2, 0, 0, 0]
    opening = model.asked[0]["messages"]
    assert [message["role"] for message in opening] == ["system", "user"]
    text, picture = opening[1]["content"]
    assert "folder" in text["text"]
    png = base64.b64decode(picture["image_url"]["url"].partition(",")[2])
    assert Image.open(BytesIO(png)).size == (1280, 720)
    assert [message["role"] for message in model.asked[1]["messages"][2:]] == ["assistant", "tool", "tool", "user"]
    answers = [message["content"] for message in model.asked[3]["messages"] if message["role"] == "tool"]
    assert answers[:2] == ["ok", "ok"]
    assert "outside the screen" in answers[2]
    assert "not done" in answers[3]
    assert "no tool" in answers[4]


async def test_an_endpoint_that_is_busy_is_asked_again_as_late_as_it_says(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    busy = refusing(429, Retry_After="0")
    model = Model([busy, refusing(503), raw("<html>"), saying(("computer_done", "{}"))])
    record = await played(client, tmp_path, model)
    assert (record["outcome"], record["ended"]) == ("scored", "done")
    assert record["usage"] == {"requests": 4, "prompt_tokens": 100, "completion_tokens": 7}


@pytest.mark.parametrize(("answer", "words", "requests"), [
    (refusing(401), "status 401", 1),
    (refusing(429, Retry_After="0"), "tried 6 times", 6),
    (raw("not JSON"), "no chat completion", 3),
    (raw("{}"), "no chat completion", 3),
    (raw('{"choices": []}'), "no chat completion", 3),
    (raw('{"choices": [{"message": {"tool_calls": "x"}}]}'), "tool calls", 1),
    (raw('{"choices": [{"message": null}], "usage": {"prompt_tokens": -1}}'), "no chat completion", 3),
])  # fmt: skip
async def test_an_endpoint_that_does_not_do_its_part_is_an_error_of_the_rollout(
    client: drums.aio.Client, tmp_path: Path, answer: Callable[[], web.Response], words: str, requests: int
) -> None:
    model = Model([answer])
    record = await played(client, tmp_path, model)
    assert record["error"]["kind"] == "policy"
    assert words in record["error"]["message"]
    assert len(model.asked) == requests
    assert await client.envs() == []


async def test_a_time_limit_that_comes_while_the_endpoint_is_out_of_order_gives_an_error_and_no_score(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    model = Model([refusing(503, Retry_After="60")])
    record = await played(client, tmp_path, model, time_limit_s=0.5)
    assert (record["outcome"], record["score"]) == ("error", None)
    assert record["error"]["kind"] == "policy"
    assert "the time limit came while the endpoint gave status 503" in record["error"]["message"]
    assert len(model.asked) == 1


async def test_an_endpoint_that_recovered_and_is_slow_then_is_no_trouble(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    model = Model([refusing(503, Retry_After="0"), saying(("computer_screenshot", "{}"))])
    record = await played(client, tmp_path, model, time_limit_s=1.0, pause_s=5.0)
    assert (record["outcome"], record["ended"]) == ("scored", "time")


def test_without_pillow_a_model_is_refused_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(
        ModuleNotFoundError, match=r"needs PIL, which is not installed; pip install 'drums-sdk\[local\]'"
    ):
        policy_of(Endpoint("http://127.0.0.1:1/v1", "m"), Settings(**SETTINGS))


async def test_the_key_is_sent_and_found_nowhere_else(
    client: drums.aio.Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    model = Model([saying(("computer_screenshot", "{}"), content=f"My key is {KEY}"), refusing(400)])
    record = await played(client, tmp_path, model)
    assert model.keys[0] == f"Bearer {KEY}"
    assert record["error"]["kind"] == "policy"
    assert not [file for file in files_in(tmp_path) if KEY.encode() in file.read_bytes()]
    assert KEY not in caplog.text
    async with endpoint_of(model) as endpoint:
        assert KEY not in repr(endpoint)
        with pytest.raises(PolicyError) as failed:
            await endpoint.complete([], [], Usage())
    assert KEY not in repr(failed.value)


async def test_an_endpoint_that_is_not_there_is_an_error(client: drums.aio.Client, tmp_path: Path) -> None:
    endpoint = Endpoint("http://127.0.0.1:9/v1", "m", first_wait_s=0.001)
    make = policy_of(endpoint, Settings(**SETTINGS))
    [record] = await a_run(client, None, tmp_path, made_by=make)
    await endpoint.close()
    assert record["error"] is not None
    assert "no reply" in record["error"]["message"]


@pytest.mark.parametrize(
    "url", ["", "ftp://x/v1", "http://", "http://user:pw@host/v1", "http://host/v1?key=1", "http://[x"]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadRequest) as refused:
        Endpoint(url, "m")
    assert "pw" not in str(refused.value)


@given(st.integers(1, 40), st.floats(0, 100), st.none() | st.floats(0, 1e6))
def test_waits_grow_are_as_long_as_asked_and_end(tries: int, first_s: float, asked_s: float | None) -> None:
    wait_s = wait_before(tries, first_s, asked_s)
    assert min(asked_s or 0.0, LONGEST_WAIT_S) <= wait_s <= LONGEST_WAIT_S
    assert wait_before(tries + 1, first_s, asked_s) >= wait_s


def test_retry_after_is_seconds_or_a_date() -> None:
    assert retry_after("1.5") == 1.5
    assert retry_after("-3") == 0.0
    assert retry_after("Wed, 21 Oct 2015 07:28:10 GMT", now=1445412480.0) == 10.0
    for nonsense in (None, "", "soon", "nan", "inf", "1e300"):
        assert retry_after(nonsense) is None


# --- tools ------------------------------------------------------------------------------------------------------------

plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
json_values = st.recursive(plain, lambda inner: st.lists(inner, max_size=2), max_leaves=4)
names = st.sampled_from(["x", "y", "to_x", "to_y", "text", "keys", "seconds", "clicks", "direction", "z"])


@given(st.sampled_from([*TOOLS, "dance"]), st.dictionaries(names, json_values) | json_values)
def test_any_call_becomes_actions_or_words_for_the_model(name: str, arguments: object) -> None:
    try:
        actions = actions_of(name, arguments, SCREEN)
    except ArgumentError:
        return
    assert all(action(one) for one in actions)


@given(st.integers(-5, 1300), st.integers(-5, 740))
def test_a_click_is_on_the_screen_or_refused(x: int, y: int) -> None:
    inside = 0 <= x <= 1279 and 0 <= y <= 719
    try:
        [click] = actions_of("computer_click", json.dumps({"x": x, "y": y}), SCREEN)
    except ArgumentError:
        assert not inside
    else:
        assert inside
        left, top = json.loads(f"[{action(click)['code']}]".replace("pyautogui.click(", "").replace(")", ""))
        assert 0 <= left <= 1919
        assert 0 <= top <= 1079


def test_typed_text_is_only_ever_text() -> None:
    [typed] = actions_of("computer_type_text", {"text": "');import os;os.system('x')#"}, SCREEN)
    code = action(typed)["code"]
    assert code == f"pyautogui.write({chr(34)}');import os;os.system('x')#{chr(34)})"


def test_the_tools_are_those_of_the_verifiers_package() -> None:
    assert {tool["function"]["name"] for tool in tools_for(SCREEN)} == set(TOOLS)
    assert set(TOOLS) == {
        *("computer_click", "computer_double_click", "computer_triple_click", "computer_right_click"),
        *("computer_middle_click", "computer_move", "computer_drag", "computer_scroll", "computer_type_text"),
        *("computer_key", "computer_hold", "computer_wait", "computer_screenshot", "computer_done", "computer_fail"),
    }
    [click] = [tool for tool in tools_for(SCREEN) if tool["function"]["name"] == "computer_click"]
    assert click["function"]["parameters"]["properties"]["x"]["maximum"] == 1279


@given(st.integers(1, 8), st.integers(1, 30))
def test_no_more_screenshots_stay_than_asked_for_and_the_newest_do(keep: int, turns: int) -> None:
    messages: list[dict[str, Any]] = []
    for turn in range(turns):
        messages.append({"role": "user", "content": [{"type": "image_url", "image_url": {"url": str(turn)}}]})
        leave_out_screenshots(messages, keep)
        left = [message["content"][0] for message in messages]
        shown = [part for part in left if part["type"] == "image_url"]
        assert 1 <= len(shown) <= keep
        assert left[-len(shown) :] == shown
        assert all(part == {"type": "text", "text": OMITTED} for part in left[: -len(shown)])
