# Generated from tests/hybrid/test_gui.py by tools/generate_sync.py. Edit that file.
"""Mouse, keyboard, screen, programs, and several actions at once, on a simulated desktop."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

import drums
import drums.hybrid
import drums.local
from drums import ActionFailed, BadRequest
from drums.hybrid import FileMissing, Unsupported, gestures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.actions import Action

TEXT = "plain <tags> é 漢 😀 \"'$(id)\\\tend"


def in_editor(tools: drums.hybrid.Tools) -> str:
    """What the open editor holds, by saving it."""
    tools.gui.key("ctrl+s")
    return tools.files.read_text("note")


def test_every_character_is_typed(tools: drums.hybrid.Tools) -> None:
    tools.files.write_text("note", "")
    tools.apps.open("note")
    tools.gui.type(TEXT.replace("\t", " ") + "\r\nline")
    assert in_editor(tools) == TEXT.replace("\t", " ") + "\nline"
    tools.gui.hotkey("ctrl", "a")
    tools.gui.key("BackSpace")
    tools.gui.key("x", presses=3)
    tools.gui.key(["shift", "y"])
    assert in_editor(tools) == "xxxY"


@pytest.mark.parametrize("text", ["", "a\0", "\x1b[0m", "\x7f", "\ud800", "x" * 20_001])
def test_what_no_key_gives_is_refused(tools: drums.hybrid.Tools, text: str) -> None:
    with pytest.raises(BadRequest):
        tools.gui.type(text)
    assert tools.env.steps == 0


def test_the_pointer_goes_where_it_is_sent(tools: drums.hybrid.Tools) -> None:
    gui = tools.gui
    for x, y in ((0, 0), (1919, 1079), (3.7, 5.2)):
        gui.move(x, y)
        assert gui.cursor_position() == (int(x), int(y))
    gui.click(0, 7)
    assert gui.cursor_position() == (0, 7)
    gui.drag(10, 20, 0, 0)
    assert gui.cursor_position() == (0, 0)
    gui.scroll("up", 2, x=30, y=0)
    assert gui.cursor_position() == (30, 0)
    for deed in (gui.double_click, gui.triple_click, gui.right_click, gui.middle_click):
        deed(40, 900, holding="shift")
    gui.mouse_down(x=1, y=2)
    gui.mouse_up()
    gui.hold("ctrl+shift", 0.5)
    assert gui.cursor_position() == (1, 2)


@pytest.mark.parametrize("x", [-1, 1920, float("nan"), float("inf"), True, None, "5", 10**400])
def test_what_is_off_the_screen_is_refused_before_it_is_sent(tools: drums.hybrid.Tools, x: float) -> None:
    for deed in (tools.gui.click, tools.gui.move):
        with pytest.raises(BadRequest) as refused:
            deed(x, 5)
        assert refused.value.sent == "no"
    assert tools.env.steps == 0


def test_a_screenshot_can_be_a_part_and_smaller(tools: drums.hybrid.Tools) -> None:
    whole = tools.gui.screenshot()
    assert whole.startswith(b"\x89PNG")
    assert tools.gui.screenshot((0, 0, 1920, 1080), 1) == whole
    part = Image.open(BytesIO(tools.gui.screenshot((100, 0, 300, 200), 0.5)))
    assert part.size == (150, 100)
    exact = Image.open(BytesIO(tools.gui.screenshot((100, 0, 30, 20))))
    assert exact.tobytes() == Image.open(BytesIO(whole)).convert("RGB").crop((100, 0, 130, 20)).tobytes()
    wrong: list[Any] = [(0, 0, 0, 5), (-1, 0, 5, 5), (1900, 0, 21, 5), (0, 0, 5), (0.5, 0, 5, 5)]
    for region in wrong:
        with pytest.raises(BadRequest):
            tools.gui.screenshot(region)
    for scale in (0, -1, float("nan"), 100, True):
        with pytest.raises(BadRequest):
            tools.gui.screenshot(scale=scale)


def test_a_program_is_launched_and_a_file_opened(tools: drums.hybrid.Tools) -> None:
    assert tools.apps.launch(["gedit", "/home/user/a b"]) is not None
    assert tools.apps.launch("xterm; true", accessible=True) is not None
    assert "terminal" in (tools.shell.run("ps")).stdout
    with pytest.raises(FileMissing):
        tools.apps.open("nothing")
    with pytest.raises(BadRequest):
        tools.apps.launch("")


def test_a_simulated_desktop_says_what_it_lacks(tools: drums.hybrid.Tools) -> None:
    apps = tools.apps
    for call in (apps.windows, apps.clipboard_get, apps.tree):
        with pytest.raises(Unsupported, match=r"the desktop (lacks|has neither)"):
            call()
    with pytest.raises(Unsupported):
        apps.wait_for_window("any")
    with pytest.raises(Unsupported):
        apps.clipboard_set("text")


ACTIONS: list[Action] = [
    gestures.move(5, 6),
    gestures.wait(0.5),
    {"type": "execute", "command": ["echo", "a b"], "shell": False},
]


def test_several_actions_and_a_look_are_one_request(tools: drums.hybrid.Tools) -> None:
    before = tools.env.steps
    acted = tools.act(ACTIONS)
    assert tools.env.steps == before + 1
    assert [step.result.output for step in acted.steps][-1] == "a b\n"
    assert len(acted.steps) == 3
    assert acted.observation is not None
    assert acted.observation.width == 1920
    assert (tools.act(ACTIONS, then=None)).observation is None
    assert len((tools.act([gestures.move(1, 1)] * 120)).steps) == 120


def test_the_first_action_that_fails_ends_them(tools: drums.hybrid.Tools) -> None:
    with pytest.raises(ActionFailed):
        tools.act([gestures.move(1, 1), "1 / 0", gestures.move(2, 2)])
    assert tools.gui.cursor_position() == (1, 1)
    wrong: list[Any] = [[], [{"type": "no"}], [gestures.move(5, 5), None]]
    for actions in wrong:
        with pytest.raises(BadRequest):
            tools.act(actions)
    assert tools.gui.cursor_position() == (1, 1)


@pytest.fixture
def old_tools() -> Iterator[drums.hybrid.Tools]:
    """The tools over a desktop of an older server, which has neither batches nor a word on what it can do."""
    with drums.local.serving(alive_gate_s=0.0, emulate="0.4.1") as daemon:
        with drums.connect(daemon.url, daemon.token, retry_s=0) as client:
            yield drums.hybrid.Tools(client.create())


def test_an_older_server_does_them_one_by_one(old_tools: drums.hybrid.Tools) -> None:
    acted = old_tools.act(ACTIONS)
    assert old_tools.env.steps == 3
    assert [step.result.output for step in acted.steps][-1] == "a b\n"
    assert acted.observation is not None
    old_tools.files.write_text("note", "text")
    assert old_tools.files.read_text("note") == "text"


def test_where_nothing_types_a_character_nothing_is_typed(old_tools: drums.hybrid.Tools) -> None:
    old_tools.files.write_text("note", "")
    old_tools.apps.open("note")
    old_tools.gui.type("a<b")
    with pytest.raises(Unsupported, match="xclip"):
        old_tools.gui.type("é")
    assert in_editor(old_tools) == "a<b"
