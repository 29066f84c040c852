"""Mouse, keyboard and screen. Coordinates are pixels of the pictures that the model gets, and scaled to the screen's.

Every tool that does something answers with the screen as it is afterwards.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from pydantic import Field

from drums.mcp._envelope import Answer
from drums.mcp._tools._base import Toolset, tool
from drums.screen import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX, on_screen, scaled

LONGEST_S = 60.0

X = Annotated[int, Field(description="Pixels from the left edge of the screenshot, from 0.")]
Y = Annotated[int, Field(description="Pixels from the top edge of the screenshot, from 0.")]
Button = Literal["left", "right", "middle"]
Direction = Literal["up", "down", "left", "right"]
Chord = Annotated[str, Field(description="A key, or keys joined by +: enter, ctrl+s, alt+tab.", max_length=100)]
Span = Annotated[float, Field(ge=0, le=LONGEST_S, description="Seconds.")]


class ScreenTools(Toolset):
    """What a person does with screen, mouse and keyboard."""

    @tool("Look at the screen", reads=True)
    async def screenshot(self) -> Answer:
        """Look at the screen of the desktop."""
        return await self._seen()

    @tool("Where the pointer is", reads=True)
    async def cursor_position(self) -> Answer:
        """Tell where the mouse pointer is, in pixels of the screenshot."""
        at = await self._tools.gui.cursor_position()
        width, height = self._terms.width, self._terms.height
        x = round(at.x * (width - 1) / (SCREEN_WIDTH_PX - 1))
        return Answer({"x": x, "y": round(at.y * (height - 1) / (SCREEN_HEIGHT_PX - 1))})

    @tool("Wait", reads=True)
    async def wait(self, seconds: Span) -> Answer:
        """Let time pass, then look at the screen."""
        await asyncio.sleep(seconds)
        return await self._seen()

    @tool("Click", destroys=True)
    async def click(
        self, x: X, y: Y, button: Button = "left", clicks: Annotated[int, Field(ge=1, le=3)] = 1, holding: Chord = ""
    ) -> Answer:
        """Click at a place: 1 click selects, 2 clicks open files and folders, 3 select a line. Answers with the screen.

        `holding` names keys that are held meanwhile, such as ctrl.
        """
        at_x, at_y = self._place(x, y)
        await self._tools.gui.click(at_x, at_y, button=button, clicks=clicks, holding=holding or ())
        return await self._seen()

    @tool("Move the pointer", repeats=True)
    async def move(self, x: X, y: Y) -> Answer:
        """Move the mouse pointer to a place."""
        await self._tools.gui.move(*self._place(x, y))
        return await self._seen()

    @tool("Drag", destroys=True)
    async def drag(self, x: X, y: Y, to_x: X, to_y: Y, button: Button = "left") -> Answer:
        """Press a mouse button at one place, move to another, and let go."""
        await self._tools.gui.drag(*self._place(x, y), *self._place(to_x, to_y), button=button)
        return await self._seen()

    @tool("Scroll", repeats=False)
    async def scroll(
        self, x: X, y: Y, direction: Direction = "down", clicks: Annotated[int, Field(ge=1, le=50)] = 3
    ) -> Answer:
        """Turn the mouse wheel at a place; `down` shows what is further down."""
        at_x, at_y = self._place(x, y)
        await self._tools.gui.scroll(direction, clicks, x=at_x, y=at_y)
        return await self._seen()

    @tool("Press or release a mouse button", destroys=True)
    async def mouse_button(self, state: Literal["down", "up"], x: X, y: Y, button: Button = "left") -> Answer:
        """Press a mouse button at a place and keep it down, or let it go there."""
        at_x, at_y = self._place(x, y)
        act = self._tools.gui.mouse_down if state == "down" else self._tools.gui.mouse_up
        await act(button, x=at_x, y=at_y)
        return await self._seen()

    @tool("Type text", destroys=True)
    async def type_text(self, text: Annotated[str, Field(min_length=1, max_length=20_000)]) -> Answer:
        """Type text with the keyboard, where the focus is. A line end presses Enter."""
        await self._tools.gui.type(text)
        return await self._seen()

    @tool("Press keys", destroys=True)
    async def press(self, keys: Chord, presses: Annotated[int, Field(ge=1, le=100)] = 1) -> Answer:
        """Press a key or a chord, such as enter, ctrl+s or alt+F4."""
        await self._tools.gui.key(keys, presses=presses)
        return await self._seen()

    @tool("Hold keys", destroys=True)
    async def hold(self, keys: Chord, seconds: Span = 1.0) -> Answer:
        """Hold a key or a chord down for some time."""
        await self._tools.gui.hold(keys, seconds)
        return await self._seen()

    async def _seen(self) -> Answer:
        png = await self._tools.gui.screenshot()
        small = await asyncio.to_thread(scaled, png, self._terms.width, self._terms.height)
        return Answer({"width": self._terms.width, "height": self._terms.height}, png=small)

    def _place(self, x: float, y: float) -> tuple[int, int]:
        """A place on the screen, of one in the picture.

        Raises:
            ArgumentError: It is outside.
        """
        across = on_screen(x, self._terms.width - 1, SCREEN_WIDTH_PX, "x")
        return across, on_screen(y, self._terms.height - 1, SCREEN_HEIGHT_PX, "y")
