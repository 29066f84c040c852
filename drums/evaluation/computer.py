"""The computer tools of a model behind an endpoint: their descriptions, and a call of one as actions.

The names are those of the `drums` style of `drums_verifiers`, so that a model trained there plays here. It does nothing
itself. Invariant: a call either becomes actions within the screen, or an `ArgumentError` for the model to read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from drums.actions import Pyautogui, Sleep
from drums.screen import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX, ArgumentError, keys_of, on_screen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums.actions import Action

LONGEST_S: Final = 60.0
"""Seconds that one call may wait or hold a key."""
MOST_CLICKS: Final = 50
DRAG_S: Final = 0.5
LARGEST: Final = 1e6
"""For a number without a bound of its own; the screen's is checked with the coordinates."""

Arguments: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: what the model is told of it, and what a call of it does."""

    name: str
    what: str
    does: Callable[[Screen, Arguments], list[Action]]
    arguments: Mapping[str, dict[str, Any]]
    """Their JSON schemas, by name; one with a default may be left out."""

    def function(self, screen: Screen) -> dict[str, Any]:
        """The tool as chat completions take it."""
        required = [name for name, schema in self.arguments.items() if "default" not in schema]
        properties = {name: screen.bounded(name, schema) for name, schema in self.arguments.items()}
        parameters = {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.what, "parameters": parameters},
        }


@dataclass(frozen=True, slots=True)
class Screen:
    """Size of what the model sees, in pixels; its coordinates are of that."""

    width: int
    height: int

    def at(self, given: Arguments, x: str = "x", y: str = "y") -> tuple[int, int]:
        """A point on the real screen.

        Raises:
            ArgumentError: It is outside.
        """
        left = on_screen(given[x], self.width - 1, SCREEN_WIDTH_PX, x)
        return left, on_screen(given[y], self.height - 1, SCREEN_HEIGHT_PX, y)

    def bounded(self, name: str, schema: dict[str, Any]) -> dict[str, Any]:
        """An argument's schema, with the last pixel where it is a coordinate."""
        last = {"x": self.width - 1, "to_x": self.width - 1, "y": self.height - 1, "to_y": self.height - 1}.get(name)
        return schema if last is None else schema | {"maximum": last}


def tools_for(screen: Screen) -> list[dict[str, Any]]:
    """All tools, as chat completions take them."""
    return [tool.function(screen) for tool in TOOLS.values()]


def actions_of(name: str, arguments: object, screen: Screen) -> list[Action]:
    """What a call asks for: actions, or one of the signals `DONE` and `FAIL`; nothing: only look.

    Args:
        name: The tool.
        arguments: What the model wrote: JSON, or what an endpoint made of it.
        screen: The size that the model sees.

    Raises:
        ArgumentError: There is no such tool, or it does not take that.
    """
    tool = TOOLS.get(name)
    if tool is None:
        raise ArgumentError(f"there is no tool {name[:80]!r}; there are {', '.join(TOOLS)}")
    return tool.does(screen, _checked(tool, arguments))


def _checked(tool: Tool, arguments: object) -> Arguments:
    """The arguments, each as its schema has it, defaults filled in."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError) as fault:
            raise ArgumentError(f"the arguments of {tool.name} are not JSON: {fault}") from None
    if not isinstance(arguments, dict):
        raise ArgumentError(f"the arguments of {tool.name} are a JSON object, not {type(arguments).__name__}")
    given = cast("Arguments", arguments)
    if unknown := [name for name in given if name not in tool.arguments]:
        raise ArgumentError(f"{tool.name} has no argument {str(unknown[0])[:40]!r}")
    checked: Arguments = {}
    for name, schema in tool.arguments.items():
        if name not in given and "default" not in schema:
            raise ArgumentError(f"{tool.name} needs {name}")
        checked[name] = _fitting(given.get(name, schema.get("default")), schema, f"{tool.name}: {name}")
    return checked


def _fitting(value: object, schema: Mapping[str, Any], what: str) -> object:
    kind = schema["type"]
    if kind == "string":
        if not isinstance(value, str):
            raise ArgumentError(f"{what} is text")
        if value not in schema.get("enum", [value]):
            raise ArgumentError(f"{what} is one of {', '.join(schema['enum'])}")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ArgumentError(f"{what} is a number")
    low, high = schema.get("minimum", 0), schema.get("maximum", LARGEST)
    if not low <= value <= high:  # false for NaN too
        raise ArgumentError(f"{what} goes from {low:g} to {high:g}")
    if kind == "integer" and value != int(value):
        raise ArgumentError(f"{what} is a whole number")
    return int(value) if kind == "integer" else float(value)


# --- what each does ---------------------------------------------------------------------------------------------------


def _pointer(function: str) -> Callable[[Screen, Arguments], list[Action]]:
    def does(screen: Screen, given: Arguments) -> list[Action]:
        x, y = screen.at(given)
        return [Pyautogui(f"pyautogui.{function}({x}, {y})")]

    return does


def _drag(screen: Screen, given: Arguments) -> list[Action]:
    start, (x, y) = screen.at(given), screen.at(given, "to_x", "to_y")
    return [Pyautogui(f"pyautogui.moveTo{start}\npyautogui.dragTo({x}, {y}, duration={DRAG_S}, button='left')")]


def _scroll(screen: Screen, given: Arguments) -> list[Action]:
    (x, y), direction = screen.at(given), given["direction"]
    verb = "scroll" if direction in {"up", "down"} else "hscroll"
    amount = given["clicks"] if direction in {"up", "right"} else -given["clicks"]
    return [Pyautogui(f"pyautogui.moveTo({x}, {y})\npyautogui.{verb}({amount})")]


def _type(_: Screen, given: Arguments) -> list[Action]:
    if not given["text"]:
        raise ArgumentError("text is empty")
    return [Pyautogui(f"pyautogui.write({given['text']!r})")]


def _key(_: Screen, given: Arguments) -> list[Action]:
    return [Pyautogui(f"pyautogui.hotkey({', '.join(map(repr, keys_of(given['keys'])))})")]


def _hold(_: Screen, given: Arguments) -> list[Action]:
    keys = keys_of(given["keys"])
    down = [f"pyautogui.keyDown({key!r})" for key in keys]
    up = [f"pyautogui.keyUp({key!r})" for key in reversed(keys)]
    return [Pyautogui("\n".join([*down, f"time.sleep({given['seconds']!r})", *up]))]


def _wait(_: Screen, given: Arguments) -> list[Action]:
    return [Sleep(given["seconds"])]


def _look(_: Screen, _given: Arguments) -> list[Action]:
    return []


def _says(signal: str) -> Callable[[Screen, Arguments], list[Action]]:
    return lambda _screen, _given: [signal]


_X: Final = {"type": "integer", "minimum": 0, "description": "Pixels from the left edge of the screenshot, from 0."}
_Y: Final = {"type": "integer", "minimum": 0, "description": "Pixels from the top edge of the screenshot, from 0."}
_AT: Final[dict[str, dict[str, Any]]] = {"x": _X, "y": _Y}
_KEYS: Final = {"type": "string", "description": "A key, or keys joined by +: enter, ctrl+s, alt+tab."}
_SECONDS: Final = {"type": "number", "minimum": 0, "maximum": LONGEST_S, "default": 1.0, "description": "Seconds."}
_DIRECTION: Final = {"type": "string", "enum": ["up", "down", "left", "right"], "default": "down"}
_CLICKS: Final = {
    "type": "integer", "minimum": 1, "maximum": MOST_CLICKS, "default": 3, "description": "Notches of the wheel.",
}  # fmt: skip
_TEXT: Final = {"type": "string", "description": "What to type."}

TOOLS: Final = {
    tool.name: tool
    for tool in (
        Tool("computer_click", "Click with the left mouse button.", _pointer("click"), _AT),
        Tool(
            "computer_double_click",
            "Double-click with the left mouse button: opens files and folders.",
            _pointer("doubleClick"),
            _AT,
        ),
        Tool(
            "computer_triple_click",
            "Click three times with the left mouse button: selects a line or paragraph.",
            _pointer("tripleClick"),
            _AT,
        ),
        Tool(
            "computer_right_click",
            "Click with the right mouse button: opens a context menu.",
            _pointer("rightClick"),
            _AT,
        ),
        Tool("computer_middle_click", "Click with the middle mouse button.", _pointer("middleClick"), _AT),
        Tool("computer_move", "Move the mouse pointer.", _pointer("moveTo"), _AT),
        Tool(
            "computer_drag",
            "Press the left mouse button at (x, y), move to (to_x, to_y), and let go.",
            _drag,
            {**_AT, "to_x": _X, "to_y": _Y},
        ),
        Tool(
            "computer_scroll",
            "Turn the mouse wheel over (x, y).",
            _scroll,
            {**_AT, "direction": _DIRECTION, "clicks": _CLICKS},
        ),
        Tool(
            "computer_type_text",
            "Type text with the keyboard, where the focus is. A newline presses Enter.",
            _type,
            {"text": _TEXT},
        ),
        Tool("computer_key", "Press a key or a chord.", _key, {"keys": _KEYS}),
        Tool(
            "computer_hold", "Hold a key or a chord down for some seconds.", _hold, {"keys": _KEYS, "seconds": _SECONDS}
        ),
        Tool("computer_wait", "Wait, for a program that is not ready yet.", _wait, {"seconds": _SECONDS}),
        Tool("computer_screenshot", "Look at the screen.", _look, {}),
        Tool("computer_done", "Say that the task is done; nothing can be done after it.", _says("DONE"), {}),
        Tool("computer_fail", "Say that the task can't be done; nothing can be done after it.", _says("FAIL"), {}),
    )
}
"""By name."""
