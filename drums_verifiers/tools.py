"""The computer tools: what a model may call, checked, done on a desktop, and answered with text and a screenshot.

They are plain methods; `schema.py` makes tool descriptions of their signatures, the harness calls them in its own
process and `server.py` serves them to others. Invariant: an argument that can't be done is an `ArgumentError` for the
model to read, and does nothing to the desktop.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from drums.screen import GRID, SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX, ArgumentError, keys_of, on_screen, scaled
from drums_verifiers.schema import Tool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from drums_verifiers.data import DrumsToolsConfig
    from drums_verifiers.desktop import Desktop

LONGEST_S = 60.0
"""Seconds that one call may wait or hold a key."""
DRAG_S = 0.5
MOST_CLICKS = 50
EXCERPT = 500

X = Annotated[int, Field(description="Pixels from the left edge of the screenshot, from 0.")]
Y = Annotated[int, Field(description="Pixels from the top edge of the screenshot, from 0.")]
Clicks = Annotated[int, Field(ge=1, le=MOST_CLICKS, description="Notches of the wheel.")]
Span = Annotated[float, Field(ge=0, le=LONGEST_S, description="Seconds.")]
Chord = Annotated[str, Field(description="A key, or keys joined by +: enter, ctrl+s, alt+tab.")]
Direction = Literal["up", "down", "left", "right"]
Button = Literal["left", "right", "middle"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says to the model."""

    text: str
    png: bytes | None = None
    """The screen after it, in the size that the model sees."""
    ended: Literal["done", "fail"] | None = None
    """The model's last word; None when the rollout goes on."""


class Hands:
    """What all styles share: an action, a pause, a screenshot.

    Args:
        desktop: What to act on.
        config: Size of the screenshots, pause.
    """

    def __init__(self, desktop: Desktop, config: DrumsToolsConfig) -> None:
        self._desktop = desktop
        self._config = config

    async def _do(self, code: str, told: str) -> Answer:
        """Run pyautogui code and look; a failed action is the model's to read."""
        did = await self._desktop.act(code)
        outcome = did.result
        if outcome.returncode not in {None, 0}:
            why = str(outcome.error or outcome.output or "").strip()[-EXCERPT:]
            told = f"error: {told} failed: {why or f'returncode {outcome.returncode}'}"
        return await self._seen(told)

    async def _seen(self, told: str) -> Answer:
        await asyncio.sleep(self._config.pause_s)
        png = await self._desktop.screenshot()
        small = await asyncio.to_thread(scaled, png, self._config.obs_width, self._config.obs_height)
        return Answer(told, small)

    async def _waited(self, seconds: float) -> Answer:
        await asyncio.sleep(seconds)
        return await self._seen(f"waited {seconds:g} s")

    async def _typed(self, text: str) -> Answer:
        if not text:
            raise ArgumentError("text is empty")
        return await self._do(f"pyautogui.write({text!r})", f"typed {len(text)} characters")

    async def _chord(self, keys: list[str], told: str) -> Answer:
        return await self._do(f"pyautogui.hotkey({', '.join(map(repr, keys))})", told)

    async def _held(self, keys: list[str], seconds: float) -> Answer:
        down = [f"pyautogui.keyDown({key!r})" for key in keys]
        up = [f"pyautogui.keyUp({key!r})" for key in reversed(keys)]
        code = "\n".join([*down, f"time.sleep({seconds!r})", *up])
        return await self._do(code, f"held {'+'.join(keys)} for {seconds:g} s")

    async def _wheel(self, direction: Direction, clicks: int, at: tuple[int, int] | None, told: str) -> Answer:
        verb = "scroll" if direction in {"up", "down"} else "hscroll"
        amount = clicks if direction in {"up", "right"} else -clicks
        move = "" if at is None else f"pyautogui.moveTo({at[0]}, {at[1]})\n"
        return await self._do(f"{move}pyautogui.{verb}({amount})", told)

    async def _ended(self, word: Literal["done", "fail"], told: str) -> Answer:
        """Say the model's last word to the server too: it counts when the episode is scored."""
        await self._desktop.signal("DONE" if word == "done" else "FAIL")
        return Answer(told, ended=word)


class DrumsTools(Hands):
    """Style `drums`: a tool for each thing, coordinates in pixels of the screenshot."""

    async def computer_click(self, x: X, y: Y) -> Answer:
        """Click with the left mouse button."""
        return await self._click(x, y, "clicked", "click")

    async def computer_double_click(self, x: X, y: Y) -> Answer:
        """Double-click with the left mouse button: opens files and folders."""
        return await self._click(x, y, "double-clicked", "doubleClick")

    async def computer_triple_click(self, x: X, y: Y) -> Answer:
        """Click three times with the left mouse button: selects a line or paragraph."""
        return await self._click(x, y, "triple-clicked", "tripleClick")

    async def computer_right_click(self, x: X, y: Y) -> Answer:
        """Click with the right mouse button: opens a context menu."""
        return await self._click(x, y, "right-clicked", "rightClick")

    async def computer_middle_click(self, x: X, y: Y) -> Answer:
        """Click with the middle mouse button."""
        return await self._click(x, y, "middle-clicked", "middleClick")

    async def computer_move(self, x: X, y: Y) -> Answer:
        """Move the mouse pointer."""
        return await self._click(x, y, "moved", "moveTo")

    async def computer_drag(self, x: X, y: Y, to_x: X, to_y: Y) -> Answer:
        """Press the left mouse button at (x, y), move to (to_x, to_y), and let go."""
        start, end = self._at(x, y), self._at(to_x, to_y, "to_x", "to_y")
        code = f"pyautogui.moveTo{start}\npyautogui.dragTo({end[0]}, {end[1]}, duration={DRAG_S}, button='left')"
        return await self._do(code, f"dragged from ({x}, {y}) to ({to_x}, {to_y})")

    async def computer_scroll(self, x: X, y: Y, direction: Direction = "down", clicks: Clicks = 3) -> Answer:
        """Turn the mouse wheel over (x, y)."""
        told = f"scrolled {direction} by {clicks} at ({x}, {y})"
        return await self._wheel(direction, clicks, self._at(x, y), told)

    async def computer_type_text(self, text: Annotated[str, Field(description="What to type.")]) -> Answer:
        """Type text with the keyboard, where the focus is. A newline presses Enter."""
        return await self._typed(text)

    async def computer_key(self, keys: Chord) -> Answer:
        """Press a key or a chord."""
        return await self._chord(keys_of(keys), f"pressed {keys}")

    async def computer_hold(self, keys: Chord, seconds: Span = 1.0) -> Answer:
        """Hold a key or a chord down for some seconds."""
        return await self._held(keys_of(keys), seconds)

    async def computer_wait(self, seconds: Span = 1.0) -> Answer:
        """Wait, for a program that is not ready yet."""
        return await self._waited(seconds)

    async def computer_screenshot(self) -> Answer:
        """Look at the screen."""
        return await self._seen("the screen")

    async def computer_done(self) -> Answer:
        """Say that the task is done; nothing can be done after it."""
        return await self._ended("done", "done")

    async def computer_fail(self) -> Answer:
        """Say that the task can't be done; nothing can be done after it."""
        return await self._ended("fail", "fail")

    async def _click(self, x: int, y: int, told: str, function: str) -> Answer:
        left, top = self._at(x, y)
        return await self._do(f"pyautogui.{function}({left}, {top})", f"{told} at ({x}, {y})")

    def _at(self, x: int, y: int, x_name: str = "x", y_name: str = "y") -> tuple[int, int]:
        left = on_screen(x, self._config.obs_width - 1, SCREEN_WIDTH_PX, x_name)
        return left, on_screen(y, self._config.obs_height - 1, SCREEN_HEIGHT_PX, y_name)


ScaleAction = Literal[
    "click", "doubleClick", "tripleClick", "rightClick", "middleClick", "moveTo", "dragTo", "scroll", "write", "press",
    "hotkey", "hold", "wait", "screenshot", "terminate",
]  # fmt: skip
Grid = Annotated[
    float, Field(description="From 0 at the left or top edge of the screen to 1000 at the right or bottom.")
]


class ScaleCuaTools(Hands):
    """Style `scalecua`: one tool with ScaleCUA's actions, coordinates from 0 to 1000."""

    async def computer(
        self,
        action: Annotated[ScaleAction, Field(description="What to do.")],
        *,
        coordinate: Annotated[
            list[Grid] | None, Field(min_length=2, max_length=2, description="[x, y], each from 0 to 1000.")
        ] = None,
        x: Grid | None = None,
        y: Grid | None = None,
        clicks: Annotated[int | None, Field(description="click: how often. scroll: notches, up if positive.")] = None,
        button: Button = "left",
        text: Annotated[str | None, Field(description="What write types.")] = None,
        keys: Annotated[str | list[str] | None, Field(description="press, hotkey, hold: a key, or a list.")] = None,
        presses: Annotated[int, Field(ge=1, le=MOST_CLICKS, description="How often press presses.")] = 1,
        seconds: Span = 1.0,
        status: Annotated[Literal["success", "failure"], Field(description="How terminate ends.")] = "success",
    ) -> Answer:
        """Use the computer.

        click, doubleClick, tripleClick, rightClick, middleClick, moveTo, dragTo (from where the pointer is) and scroll
        take a coordinate; write takes text; press and hotkey take keys; hold takes keys and seconds; wait takes
        seconds; terminate ends the task.
        """
        at = self._at(coordinate, x, y)
        match action:
            case "click":
                return await self._click(at, _counted(clicks, 1), button)
            case "doubleClick" | "tripleClick" | "rightClick" | "middleClick":
                return await self._click(at, *_CLICKS[action])
            case "moveTo" | "dragTo":
                return await self._pointer(action, at, button)
            case "scroll":
                turns = -3 if clicks is None else clicks
                _counted(abs(turns), 0)
                return await self._wheel("up" if turns > 0 else "down", abs(turns), at, f"scrolled by {turns}")
            case "write":
                return await self._typed(text or "")
            case "press":
                return await self._press(_listed(keys), presses)
            case "hotkey":
                return await self._chord(_listed(keys), f"pressed {'+'.join(_listed(keys))}")
            case "hold":
                return await self._held(_listed(keys), seconds)
            case "wait":
                return await self._waited(seconds)
            case "screenshot":
                return await self._seen("the screen")
            case "terminate":
                return await self._ended("done" if status == "success" else "fail", f"terminated: {status}")

    async def _click(self, at: tuple[int, int] | None, clicks: int, button: Button) -> Answer:
        where = "" if at is None else f"{at[0]}, {at[1]}, "
        return await self._do(
            f"pyautogui.click({where}clicks={clicks}, button={button!r})", f"{button} click x{clicks}"
        )

    async def _pointer(self, action: Literal["moveTo", "dragTo"], at: tuple[int, int] | None, button: Button) -> Answer:
        if at is None:
            raise ArgumentError(f"{action} needs a coordinate")
        how = "" if action == "moveTo" else f", duration={DRAG_S}, button={button!r}"
        return await self._do(f"pyautogui.{action}({at[0]}, {at[1]}{how})", action)

    async def _press(self, keys: list[str], presses: int) -> Answer:
        return await self._do(f"pyautogui.press({keys!r}, presses={presses})", f"pressed {', '.join(keys)} x{presses}")

    def _at(self, pair: list[float] | None, x: float | None, y: float | None) -> tuple[int, int] | None:
        if pair is not None:
            x, y = pair
        if x is None and y is None:
            return None
        if x is None or y is None:
            raise ArgumentError("a coordinate is x and y")
        return on_screen(x, GRID, SCREEN_WIDTH_PX, "x"), on_screen(y, GRID, SCREEN_HEIGHT_PX, "y")


_CLICKS: dict[str, tuple[int, Button]] = {
    "doubleClick": (2, "left"),
    "tripleClick": (3, "left"),
    "rightClick": (1, "right"),
    "middleClick": (1, "middle"),
}


def _counted(clicks: int | None, default: int) -> int:
    count = default if clicks is None else clicks
    if not 1 <= count <= MOST_CLICKS:
        raise ArgumentError(f"clicks={count} is not from 1 to {MOST_CLICKS}")
    return count


def _listed(keys: str | list[str] | None) -> list[str]:
    if not keys:
        raise ArgumentError("keys is missing")
    return keys_of(keys) if isinstance(keys, str) else [key for chord in keys for key in keys_of(chord)]


_STYLES: dict[str, type[Hands]] = {"drums": DrumsTools, "scalecua": ScaleCuaTools}


def hands_for(config: DrumsToolsConfig) -> type[Hands]:
    """The class of the configured style."""
    return _STYLES[config.style]


def names_of(hands: type[Hands]) -> dict[str, Callable[..., Awaitable[Answer]]]:
    """A style's tools by name, as methods of its class."""
    return {name: method for name, method in vars(hands).items() if not name.startswith("_")}


def tools_for(desktop: Desktop, config: DrumsToolsConfig) -> dict[str, Tool[Answer]]:
    """The tools of the configured style, by name, acting on a desktop."""
    hands = hands_for(config)(desktop, config)
    return {name: Tool(getattr(hands, name)) for name in names_of(type(hands))}
