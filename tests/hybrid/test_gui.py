"""Mouse, keyboard, screen, programs, and several actions at once, on a simulated desktop."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

import drums.aio
import drums.hybrid.aio
import drums.local
from drums import ActionFailed, BadRequest
from drums.hybrid import FileMissing, Unsupported, gestures

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from drums.actions import Action

TEXT = "plain <tags> é 漢 😀 \"'$(id)\\\tend"


async def in_editor(tools: drums.hybrid.aio.Tools) -> str:
    """What the open editor holds, by saving it."""
    await tools.gui.key("ctrl+s")
    return await tools.files.read_text("note")


async def test_every_character_is_typed(tools: drums.hybrid.aio.Tools) -> None:
    await tools.files.write_text("note", "")
    await tools.apps.open("note")
    await tools.gui.type(TEXT.replace("\t", " ") + "\r\nline")
    assert await in_editor(tools) == TEXT.replace("\t", " ") + "\nline"
    await tools.gui.hotkey("ctrl", "a")
    await tools.gui.key("BackSpace")
    await tools.gui.key("x", presses=3)
    await tools.gui.key(["shift", "y"])
    assert await in_editor(tools) == "xxxY"


@pytest.mark.parametrize("text", ["", "a\0", "\x1b[0m", "\x7f", "\ud800", "x" * 20_001])
async def test_what_no_key_gives_is_refused(tools: drums.hybrid.aio.Tools, text: str) -> None:
    with pytest.raises(BadRequest):
        await tools.gui.type(text)
    assert tools.env.steps == 0


async def test_the_pointer_goes_where_it_is_sent(tools: drums.hybrid.aio.Tools) -> None:
    gui = tools.gui
    for x, y in ((0, 0), (1919, 1079), (3.7, 5.2)):
        await gui.move(x, y)
        assert await gui.cursor_position() == (int(x), int(y))
    await gui.click(0, 7)
    assert await gui.cursor_position() == (0, 7)
    await gui.drag(10, 20, 0, 0)
    assert await gui.cursor_position() == (0, 0)
    await gui.scroll("up", 2, x=30, y=0)
    assert await gui.cursor_position() == (30, 0)
    for deed in (gui.double_click, gui.triple_click, gui.right_click, gui.middle_click):
        await deed(40, 900, holding="shift")
    await gui.mouse_down(x=1, y=2)
    await gui.mouse_up()
    await gui.hold("ctrl+shift", 0.5)
    assert await gui.cursor_position() == (1, 2)


@pytest.mark.parametrize("x", [-1, 1920, float("nan"), float("inf"), True, None, "5", 10**400])
async def test_what_is_off_the_screen_is_refused_before_it_is_sent(tools: drums.hybrid.aio.Tools, x: float) -> None:
    for deed in (tools.gui.click, tools.gui.move):
        with pytest.raises(BadRequest) as refused:
            await deed(x, 5)
        assert refused.value.sent == "no"
    assert tools.env.steps == 0


async def test_a_screenshot_can_be_a_part_and_smaller(tools: drums.hybrid.aio.Tools) -> None:
    whole = await tools.gui.screenshot()
    assert whole.startswith(b"\x89PNG")
    assert await tools.gui.screenshot((0, 0, 1920, 1080), 1) == whole
    part = Image.open(BytesIO(await tools.gui.screenshot((100, 0, 300, 200), 0.5)))
    assert part.size == (150, 100)
    exact = Image.open(BytesIO(await tools.gui.screenshot((100, 0, 30, 20))))
    assert exact.tobytes() == Image.open(BytesIO(whole)).convert("RGB").crop((100, 0, 130, 20)).tobytes()
    wrong: list[Any] = [(0, 0, 0, 5), (-1, 0, 5, 5), (1900, 0, 21, 5), (0, 0, 5), (0.5, 0, 5, 5)]
    for region in wrong:
        with pytest.raises(BadRequest):
            await tools.gui.screenshot(region)
    for scale in (0, -1, float("nan"), 100, True):
        with pytest.raises(BadRequest):
            await tools.gui.screenshot(scale=scale)


async def test_a_program_is_launched_and_a_file_opened(tools: drums.hybrid.aio.Tools) -> None:
    assert await tools.apps.launch(["gedit", "/home/user/a b"]) is not None
    assert await tools.apps.launch("xterm; true", accessible=True) is not None
    assert "terminal" in (await tools.shell.run("ps")).stdout
    with pytest.raises(FileMissing):
        await tools.apps.open("nothing")
    with pytest.raises(BadRequest):
        await tools.apps.launch("")


async def test_a_simulated_desktop_says_what_it_lacks(tools: drums.hybrid.aio.Tools) -> None:
    apps = tools.apps
    for call in (apps.windows, apps.clipboard_get, apps.tree):
        with pytest.raises(Unsupported, match=r"the desktop (lacks|has neither)"):
            await call()
    with pytest.raises(Unsupported):
        await apps.wait_for_window("any")
    with pytest.raises(Unsupported):
        await apps.clipboard_set("text")


ACTIONS: list[Action] = [
    gestures.move(5, 6),
    gestures.wait(0.5),
    {"type": "execute", "command": ["echo", "a b"], "shell": False},
]


async def test_several_actions_and_a_look_are_one_request(tools: drums.hybrid.aio.Tools) -> None:
    before = tools.env.steps
    acted = await tools.act(ACTIONS)
    assert tools.env.steps == before + 1
    assert [step.result.output for step in acted.steps][-1] == "a b\n"
    assert len(acted.steps) == 3
    assert acted.observation is not None
    assert acted.observation.width == 1920
    assert (await tools.act(ACTIONS, then=None)).observation is None
    assert len((await tools.act([gestures.move(1, 1)] * 120)).steps) == 120


async def test_the_first_action_that_fails_ends_them(tools: drums.hybrid.aio.Tools) -> None:
    with pytest.raises(ActionFailed):
        await tools.act([gestures.move(1, 1), "1 / 0", gestures.move(2, 2)])
    assert await tools.gui.cursor_position() == (1, 1)
    wrong: list[Any] = [[], [{"type": "no"}], [gestures.move(5, 5), None]]
    for actions in wrong:
        with pytest.raises(BadRequest):
            await tools.act(actions)
    assert await tools.gui.cursor_position() == (1, 1)


@pytest.fixture
async def old_tools() -> AsyncIterator[drums.hybrid.aio.Tools]:
    """The tools over a desktop of an older server, which has neither batches nor a word on what it can do."""
    with drums.local.serving(alive_gate_s=0.0, emulate="0.4.1") as daemon:
        async with drums.aio.connect(daemon.url, daemon.token, retry_s=0) as client:
            yield drums.hybrid.aio.Tools(await client.create())


async def test_an_older_server_does_them_one_by_one(old_tools: drums.hybrid.aio.Tools) -> None:
    acted = await old_tools.act(ACTIONS)
    assert old_tools.env.steps == 3
    assert [step.result.output for step in acted.steps][-1] == "a b\n"
    assert acted.observation is not None
    await old_tools.files.write_text("note", "text")
    assert await old_tools.files.read_text("note") == "text"


async def test_where_nothing_types_a_character_nothing_is_typed(old_tools: drums.hybrid.aio.Tools) -> None:
    await old_tools.files.write_text("note", "")
    await old_tools.apps.open("note")
    await old_tools.gui.type("a<b")
    with pytest.raises(Unsupported, match="xclip"):
        await old_tools.gui.type("é")
    assert await in_editor(old_tools) == "a<b"
