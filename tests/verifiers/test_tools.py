"""The tools on a simulated desktop: what they do, what they refuse, what the model is shown."""

from __future__ import annotations

import json
import shlex
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.verifiers.installed import need_verifiers

need_verifiers()

import drums.aio
import drums.local
from drums.screen import scaled
from drums_verifiers.data import DrumsToolsConfig
from drums_verifiers.desktop import Desktop, DesktopError, InvalidEpisodeError
from drums_verifiers.harness import answered
from drums_verifiers.tools import Answer, tools_for
from tests.verifiers.stage import images_in

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mock_policy import Call

    from tests.verifiers.stage import Stage

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"


@pytest.fixture
async def desktop(stage: Stage) -> AsyncIterator[Desktop]:
    async with await stage.watcher.create(task=RENAME_FOLDER) as env:
        yield Desktop(env)


def config(**keys: Any) -> DrumsToolsConfig:
    made: DrumsToolsConfig = DrumsToolsConfig.model_validate({"pause_s": 0, **keys})
    return made


async def call(desktop: Desktop, name: str, arguments: dict[str, Any] | str, **keys: Any) -> Answer:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    tools = tools_for(desktop, config(**keys))
    return await answered(tools, {"id": "c", "function": {"name": name, "arguments": text}})


async def pointer(desktop: Desktop) -> tuple[int, int]:
    did = await desktop.env.step("print(*pyautogui.position())")
    x, y = str(did.result.output).split()
    return int(x), int(y)


def test_each_style_has_its_tools() -> None:
    verbs = ["click", "double_click", "triple_click", "right_click", "middle_click", "move", "drag", "scroll"]
    others = ["type_text", "key", "hold", "wait", "screenshot", "done", "fail"]
    nobody: Any = None
    assert list(tools_for(nobody, config())) == [f"computer_{name}" for name in verbs + others]
    assert list(tools_for(nobody, config(style="scalecua"))) == ["computer"]


@pytest.mark.parametrize(
    ("x", "y", "at"),
    [(0, 0, (0, 0)), (1279, 719, (1919, 1079)), (0, 719, (0, 1079)), (640, 360, (960, 540))],
    ids=["first pixel", "last pixel", "corner", "middle"],
)
@pytest.mark.parametrize("verb", ["click", "double_click", "triple_click", "right_click", "middle_click", "move"])
async def test_a_click_lands_where_the_model_saw_it(
    desktop: Desktop, verb: str, x: int, y: int, at: tuple[int, int]
) -> None:
    answer = await call(desktop, f"computer_{verb}", {"x": x, "y": y})
    assert f"({x}, {y})" in answer.text
    assert "error" not in answer.text
    assert all(abs(got - wanted) <= 1 for got, wanted in zip(await pointer(desktop), at, strict=True))


@pytest.mark.parametrize(
    ("coordinate", "at"), [([0, 0], (0, 0)), ([1000, 1000], (1919, 1079)), ([500, 0], (960, 0))], ids=str
)
async def test_scalecua_coordinates_go_from_0_to_1000(
    desktop: Desktop, coordinate: list[int], at: tuple[int, int]
) -> None:
    x, y = coordinate
    for arguments in ({"coordinate": coordinate}, {"x": x, "y": y}):
        answer = await call(desktop, "computer", {"action": "moveTo", **arguments}, style="scalecua")
        assert answer.text == "moveTo"
        assert await pointer(desktop) == at


REFUSED: list[tuple[str, str, Any, str]] = [
    ("drums", "computer_click", {"x": 1280, "y": 0}, "x=1280 is outside the screen: it goes from 0 to 1279"),
    ("drums", "computer_click", {"x": 0, "y": -1}, "y=-1 is outside the screen: it goes from 0 to 719"),
    ("drums", "computer_click", {"x": 5}, "computer_click: y: Field required"),
    ("drums", "computer_click", {"x": 5, "y": "low"}, "y: Input should be a valid integer"),
    ("drums", "computer_click", {"x": 5, "y": 5, "button": "left"}, "button: Extra inputs are not permitted"),
    ("drums", "computer_click", '{"x": 5', "the arguments of computer_click are not JSON"),
    ("drums", "computer_click", "[5, 5]", "the arguments of computer_click are a JSON object, not list"),
    ("drums", "computer_drag", {"x": 0, "y": 0, "to_x": 0, "to_y": 720}, "to_y=720 is outside the screen"),
    ("drums", "computer_scroll", {"x": 0, "y": 0, "clicks": 51}, "less than or equal to 50"),
    ("drums", "computer_type_text", {"text": ""}, "text is empty"),
    ("drums", "computer_key", {"keys": "ctrl+nothing"}, "there is no key 'nothing'"),
    ("drums", "computer_hold", {"keys": "shift", "seconds": 61}, "less than or equal to 60"),
    ("drums", "computer_wait", {"seconds": -1}, "greater than or equal to 0"),
    ("drums", "open_file", {}, "there is no tool 'open_file'; there are computer_click"),
    ("scalecua", "computer", {"action": "click", "coordinate": [1001, 0]}, "x=1001.0 is outside the screen"),
    ("scalecua", "computer", {"action": "click", "coordinate": [1]}, "at least 2 items"),
    ("scalecua", "computer", {"action": "click", "x": 1}, "a coordinate is x and y"),
    ("scalecua", "computer", {"action": "click", "clicks": 0}, "clicks=0 is not from 1 to 50"),
    ("scalecua", "computer", {"action": "scroll", "clicks": -51}, "clicks=51 is not from 1 to 50"),
    ("scalecua", "computer", {"action": "moveTo"}, "moveTo needs a coordinate"),
    ("scalecua", "computer", {"action": "write"}, "text is empty"),
    ("scalecua", "computer", {"action": "hotkey"}, "keys is missing"),
    ("scalecua", "computer", {"action": "fly"}, "Input should be 'click'"),
    ("scalecua", "computer", {}, "action: Field required"),
]


@pytest.mark.parametrize(("style", "name", "arguments", "words"), REFUSED, ids=[row[3][:40] for row in REFUSED])
async def test_what_can_not_be_done_is_told_to_the_model_and_not_done(
    desktop: Desktop, style: str, name: str, arguments: Any, words: str
) -> None:
    answer = await call(desktop, name, arguments, style=style)
    assert answer.text.startswith("error: ")
    assert words in answer.text
    assert answer.png is None
    assert desktop.env.steps == 0


DONE: list[tuple[str, str, dict[str, Any], str]] = [
    ("drums", "computer_drag", {"x": 0, "y": 0, "to_x": 100, "to_y": 100}, "dragged from (0, 0) to (100, 100)"),
    ("drums", "computer_scroll", {"x": 5, "y": 5, "direction": "up"}, "scrolled up by 3 at (5, 5)"),
    ("drums", "computer_scroll", {"x": 5, "y": 5, "direction": "right", "clicks": 1}, "scrolled right by 1 at (5, 5)"),
    ("drums", "computer_key", {"keys": "Escape"}, "pressed Escape"),
    ("drums", "computer_hold", {"keys": "ctrl+shift", "seconds": 0.01}, "held ctrl+shift for 0.01 s"),
    ("drums", "computer_wait", {"seconds": 0}, "waited 0 s"),
    ("drums", "computer_screenshot", {}, "the screen"),
    (
        "scalecua",
        "computer",
        {"action": "click", "coordinate": [10, 10], "clicks": 2, "button": "right"},
        "right click x2",
    ),
    ("scalecua", "computer", {"action": "doubleClick"}, "left click x2"),
    ("scalecua", "computer", {"action": "dragTo", "coordinate": [10, 10]}, "dragTo"),
    ("scalecua", "computer", {"action": "scroll", "clicks": -2, "coordinate": [10, 10]}, "scrolled by -2"),
    ("scalecua", "computer", {"action": "press", "keys": ["tab", "enter"], "presses": 2}, "pressed tab, enter x2"),
    ("scalecua", "computer", {"action": "hold", "keys": "shift", "seconds": 0}, "held shift for 0 s"),
    ("scalecua", "computer", {"action": "wait", "seconds": 0}, "waited 0 s"),
]


@pytest.mark.parametrize(("style", "name", "arguments", "told"), DONE, ids=[row[3] for row in DONE])
async def test_an_action_is_told_and_shown(
    desktop: Desktop, style: str, name: str, arguments: dict[str, Any], told: str
) -> None:
    answer = await call(desktop, name, arguments, style=style, obs_width=640, obs_height=480)
    assert answer.text == told
    assert answer.png is not None
    with Image.open(BytesIO(answer.png)) as picture:
        assert (picture.size, picture.format) == ((640, 480), "PNG")


async def test_an_action_that_fails_in_the_desktop_is_told_with_its_words(desktop: Desktop) -> None:
    tools = tools_for(desktop, config())
    hands: Any = tools["computer_key"].method
    answer: Answer = await hands.__self__._do("raise ValueError('no such thing')", "tried")
    assert answer.text.startswith("error: tried failed: ")
    assert "no such thing" in answer.text
    assert answer.png is not None


@pytest.mark.parametrize("text", ["plain", 'it\'s "quoted" \\ $HOME `ls`', "{braces} %s"])
async def test_text_is_typed_as_it_is(desktop: Desktop, text: str) -> None:
    await call(desktop, "computer_key", {"keys": "ctrl+alt+t"})
    await call(desktop, "computer_type_text", {"text": f"printf %s {shlex.quote(text)} > ~/typed\n"})
    read = await desktop.env.guest().execute("cat ~/typed", shell=True)
    assert read.output == text


async def test_the_last_word_ends_the_rollout(desktop: Desktop) -> None:
    assert (await call(desktop, "computer_done", {})).ended == "done"
    assert (await call(desktop, "computer_fail", {})).ended == "fail"
    assert (await call(desktop, "computer", {"action": "terminate"}, style="scalecua")).ended == "done"
    failed = await call(desktop, "computer", {"action": "terminate", "status": "failure"}, style="scalecua")
    assert failed.ended == "fail"


async def test_a_screenshot_of_the_size_that_is_asked_for_is_passed_on_as_it_is(desktop: Desktop) -> None:
    png = await desktop.screenshot()
    assert scaled(png, 1920, 1080) is png


async def test_a_quarantined_desktop_and_a_lost_one_are_two_things(stage: Stage, desktop: Desktop) -> None:
    await desktop.settle()
    await desktop.env.quarantine("looked into")
    with pytest.raises(InvalidEpisodeError, match="drums_invalid:invalid:quarantine"):
        await desktop.act("pyautogui.moveTo(1, 1)")
    async with await stage.watcher.create() as env:
        other = Desktop(env)
        await other.settle()
        stage.faults.lose_desktop(env.id)
        with pytest.raises(DesktopError):
            await other.act("pyautogui.moveTo(1, 1)")


# --- in a rollout -----------------------------------------------------------------------------------------------------


async def test_malformed_calls_do_not_end_the_rollout(stage: Stage) -> None:
    turns: list[Call] = [
        ("computer_click", "{not json"),
        ("computer_click", {"x": 99_999, "y": 0}),
        ("no_such_tool", {}),
        ("computer_key", {"keys": "ctrl+alt+t"}),
        ("computer_type_text", {"text": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2\n"}),
        ("computer_done", {}),
    ]
    episode = await stage.play([{"drums": turns}])
    (trace,) = episode.traces
    assert episode.ok
    assert trace.reward == 1.0
    told = [
        message["content"][0]["text"] for message in stage.model.requests[-1]["messages"] if message["role"] == "tool"
    ]
    assert [text.startswith("error: ") for text in told] == [True, True, True, False, False]


async def test_the_context_keeps_so_many_screenshots_and_the_trace_branches_rarely(stage: Stage) -> None:
    turns: list[Call] = [("computer_screenshot", {})] * 12
    episode = await stage.play([{"drums": turns}], agent={"harness": {"images_to_keep": 5}})
    seen = [images_in(body) for body in stage.model.requests]
    assert seen == [0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3]
    (trace,) = episode.traces
    assert trace.num_branches == 4
    assert trace.num_turns == 13


async def test_the_turn_cap_ends_a_rollout_that_is_then_scored(stage: Stage) -> None:
    turns: list[Call] = [("computer_screenshot", {})] * 12
    episode = await stage.play([{"drums": turns}], agent={"max_turns": 3})
    (trace,) = episode.traces
    assert episode.ok
    assert (trace.num_turns, trace.stop_condition, trace.reward) == (3, "max_turns", 0.0)


async def test_the_model_is_told_the_tasks_instruction(stage: Stage) -> None:
    episode = await stage.play(taskset={"task_ids": ["e0df059f"]})
    first = stage.model.requests[0]
    assert first["messages"][1]["content"].startswith("On the Desktop there is a folder called todo_list_Jan_1.")
    assert [tool["function"]["name"] for tool in first["tools"]][:2] == ["computer_click", "computer_double_click"]
    assert episode.task.key == episode.traces[0].task.key == "e0df059f"


async def test_a_task_that_the_server_does_not_know_is_refused_by_the_name_of_the_key(stage: Stage) -> None:
    with pytest.raises(ValueError, match=r"env\.taskset\.task_ids: .*00000000-nothing"):
        await stage.play(taskset={"task_ids": ["00000000-nothing"]})
    assert isinstance(stage.watcher, drums.aio.Client)


# --- the model's last word -------------------------------------------------------------------------------------------

INFEASIBLE = {"id": "no-such-printer", "instruction": "Print this.", "evaluator": {"func": "infeasible"}}
LAST_WORDS = [
    ("drums", "computer_done", {}, "done"),
    ("drums", "computer_fail", {}, "fail"),
    ("scalecua", "computer", {"action": "terminate"}, "done"),
    ("scalecua", "computer", {"action": "terminate", "status": "failure"}, "fail"),
]


@pytest.mark.parametrize(("style", "tool", "arguments", "word"), LAST_WORDS)
async def test_giving_up_is_told_to_the_server_and_solves_what_can_not_be_done(
    stage: Stage, style: str, tool: str, arguments: dict[str, Any], word: str
) -> None:
    async with await stage.watcher.create(task=INFEASIBLE) as env:
        answer = await call(Desktop(env), tool, arguments, style=style)
        assert (answer.ended, answer.png) == (word, None)
        assert (await env.verify()).score == (1 if word == "fail" else 0)


@pytest.mark.parametrize(("style", "tool", "arguments", "word"), LAST_WORDS)
async def test_a_server_that_knows_no_signals_is_not_told_and_the_rollout_ends_all_the_same(
    style: str, tool: str, arguments: dict[str, Any], word: str
) -> None:
    with drums.local.serving(alive_gate_s=0.0, emulate="0.4.1") as old:
        async with drums.aio.connect(old.url, old.token) as client:
            env = await client.create(task=RENAME_FOLDER)
            assert (await call(Desktop(env), tool, arguments, style=style)).ended == word
            assert (await env.verify()).score == 0


async def test_a_last_word_on_a_desktop_that_is_quarantined_does_not_hide_that(desktop: Desktop) -> None:
    await desktop.env.quarantine()
    with pytest.raises(InvalidEpisodeError):
        await call(desktop, "computer_fail", {})
