"""Gestures: each is code that does this one thing, whatever it is given, or is refused."""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from drums import BadRequest
from drums.actions import action
from drums.hybrid import gestures
from drums.hybrid._keys import keys_named

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = {"click", "moveTo", "dragTo", "scroll", "hscroll", "mouseDown", "mouseUp", "write", "hotkey", "press", "hold"}


def calls_in(code: str) -> list[tuple[str, list[Any]]]:
    """The calls of a gesture's code, each a function of pyautogui or `time.sleep` with literals."""
    found: list[tuple[str, list[Any]]] = []
    for node in ast.walk(ast.parse(code)):
        assert isinstance(
            node,
            ast.Module | ast.Expr | ast.Call | ast.Attribute | ast.Name | ast.Constant | ast.keyword | ast.With
            | ast.withitem | ast.List | ast.UnaryOp | ast.USub | ast.expr_context,
        )  # fmt: skip
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Attribute)
            assert isinstance(node.func.value, ast.Name)
            assert (node.func.value.id, node.func.attr) == ("time", "sleep") or node.func.attr in CALLS
            found.append((node.func.attr, [ast.literal_eval(argument) for argument in node.args]))
    return found


anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers(), max_size=3)
GESTURES: list[Callable[..., Any]] = [
    gestures.click, gestures.move, gestures.drag, gestures.scroll, gestures.mouse_down, gestures.type, gestures.key,
    gestures.hold, gestures.wait,
]  # fmt: skip


def arguments_for(gesture: Callable[..., Any]) -> st.SearchStrategy[tuple[Callable[..., Any], dict[str, object]]]:
    """A gesture and its arguments by name, each anything at all; those that it needs are always there."""
    parameters = inspect.signature(gesture).parameters.values()
    needed = {each.name: anything for each in parameters if each.default is inspect.Parameter.empty}
    others = {each.name: anything for each in parameters if each.default is not inspect.Parameter.empty}
    return st.tuples(st.just(gesture), st.fixed_dictionaries(needed, optional=others))


@given(st.sampled_from(GESTURES).flatmap(arguments_for))
def test_whatever_is_given_is_one_gesture_or_refused(call: tuple[Callable[..., Any], dict[str, object]]) -> None:
    gesture, arguments = call
    try:
        made = gesture(**arguments)
    except BadRequest:
        return
    action(made)
    if isinstance(made, str):
        assert calls_in(made)


@given(st.text(min_size=1, max_size=60))
def test_what_is_typed_is_the_text_and_nothing_else(text: str) -> None:
    try:
        code = gestures.type(text)
    except BadRequest:
        assume(False)
        return
    typed = "".join("<" if name == "hotkey" else arguments[0] for name, arguments in calls_in(code))
    assert typed == text.replace("\r\n", "\n").replace("\r", "\n")
    assert all(arguments == ["shift", ","] for name, arguments in calls_in(code) if name == "hotkey")


@given(st.floats(0, 1919.999), st.floats(0, 1079.999))
def test_a_place_is_the_pixel_that_it_lies_in(x: float, y: float) -> None:
    assert calls_in(gestures.move(x, y)) == [("moveTo", [int(x), int(y)])]


@pytest.mark.parametrize(
    ("chord", "keys"),
    [
        ("ctrl+s", ["ctrl", "s"]),
        ("Return", ["enter"]),
        ("Page_Up", ["pageup"]),
        ("Prior", ["pageup"]),
        ("Control_L+Shift_R+Tab", ["ctrlleft", "shiftright", "tab"]),
        ("super+d", ["win", "d"]),
        ("ctrl++", ["ctrl", "+"]),
        ("+", ["+"]),
        (" ", ["space"]),
        ("A", ["A"]),
        ("ctrl+less", ["ctrl", "<"]),
        (["ctrl", "KP_Enter"], ["ctrl", "enter"]),
        ("F12", ["f12"]),
    ],
)
def test_keys_have_the_names_that_agents_use(chord: str, keys: list[str]) -> None:
    assert keys_named(chord) == keys


@pytest.mark.parametrize("chord", ["", "nokey", "ctrl+nokey", [], ["ctrl", 5], "a+b+c+d+e+f+g+h+i", "\x00", None, 5])
def test_a_key_that_there_is_not_is_refused(chord: str) -> None:
    with pytest.raises(BadRequest):
        keys_named(chord)


def test_held_keys_are_let_go_whatever_happens() -> None:
    code = gestures.click(1, 2, holding="ctrl+shift")
    assert isinstance(ast.parse(code).body[0], ast.With)
    assert calls_in(code) == [("hold", [["ctrl", "shift"]]), ("click", [1, 2])]
