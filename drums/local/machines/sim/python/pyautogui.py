"""pyautogui's functions, driving a simulated mouse and keyboard.

The functions have pyautogui's names, arguments and defaults, and drive the simulated mouse and keyboard. Invariant:
waiting takes the desktop's time only, and a coordinate of 0 is a coordinate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from drums.local.machines.machine import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX
from drums.local.machines.sim.windows import keyboard, mouse
from drums.local.machines.sim.windows.keys import cap_of, key_named

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from drums.local.machines.sim.pace import Pace
    from drums.local.machines.sim.windows.scene import Button
    from drums.local.machines.sim.windows.session import Session

    from .values import Value

BUTTONS: Mapping[Value, Button] = {
    "primary": "left",
    "left": "left",
    1: "left",
    "middle": "middle",
    2: "middle",
    "secondary": "right",
    "right": "right",
    3: "right",
}


class PyAutoGUIException(Exception):
    """pyautogui's own: an argument is not what it takes."""


class Point(NamedTuple):
    """A place on the screen."""

    x: int
    y: int


class Size(NamedTuple):
    """The size of the screen."""

    width: int
    height: int


class Hold:
    """What `pyautogui.hold` gives: keys that are down inside a `with`."""

    def __init__(self, keys: Sequence[str], down: Callable[[str], Awaitable[None]], up: Callable[[str], None]) -> None:
        self._keys = keys
        self._down = down
        self._up = up

    async def press(self) -> None:
        """Press them."""
        for key in self._keys:
            await self._down(key)

    def release(self) -> None:
        """Let them go."""
        for key in reversed(self._keys):
            self._up(key)


class PyAutoGui:
    """pyautogui's functions over a session. Docstrings say what differs; for the rest see pyautogui's own."""

    def __init__(self, session: Session, pace: Pace) -> None:
        self._session = session
        self._pace = pace

    # The mouse.

    def _move_to(self, x: Value, y: Value, duration: float = 0.0) -> None:
        """Move there. None stays, a pair may come as one argument, outside is the nearest place inside."""
        if isinstance(x, str):
            raise PyAutoGUIException("the simulated desktop does not look for images on the screen")
        if isinstance(x, tuple | list):
            pair = cast("Sequence[Value]", x)
            if len(pair) not in {2, 4}:
                raise PyAutoGUIException("The supplied sequence must have exactly 2 or exactly 4 elements")
            x, y = pair[0], pair[1]
        scene = self._session.scene
        self._wait(duration)
        left = scene.x if x is None else int(cast("float", x))
        top = scene.y if y is None else int(cast("float", y))
        mouse.move(self._session, max(0, min(left, SCREEN_WIDTH_PX - 1)), max(0, min(top, SCREEN_HEIGHT_PX - 1)))

    async def move_to(self, x: Value = None, y: Value = None, duration: float = 0.0) -> None:
        """`moveTo`."""
        self._move_to(x, y, duration)

    async def move_rel(self, xOffset: Value = 0, yOffset: Value = 0, duration: float = 0.0) -> None:  # noqa: N803
        """`move`, `moveRel`."""
        self._move_to(*self._from_here(xOffset, yOffset), duration)

    def _from_here(self, dx: Value, dy: Value) -> tuple[float, float]:
        if isinstance(dx, tuple | list):
            dx, dy = cast("Sequence[Value]", dx)
        scene = self._session.scene
        return scene.x + cast("float", dx or 0), scene.y + cast("float", dy or 0)

    async def click(  # noqa: PLR0917 - pyautogui's signature
        self,
        x: Value = None,
        y: Value = None,
        clicks: int = 1,
        interval: float = 0.0,
        button: Value = "primary",
        duration: float = 0.0,
    ) -> None:
        """`click`."""
        self._move_to(x, y, duration)
        which = _button(button)
        for _ in range(clicks):
            mouse.button_down(self._session, which)
            mouse.button_up(self._session, which)
            self._wait(interval)
            await self._pace.step()

    async def left_click(self, x: Value = None, y: Value = None, interval: float = 0.0, duration: float = 0.0) -> None:
        """`leftClick`."""
        await self.click(x, y, 1, interval, "left", duration)

    async def right_click(self, x: Value = None, y: Value = None, interval: float = 0.0, duration: float = 0.0) -> None:
        """`rightClick`."""
        await self.click(x, y, 1, interval, "right", duration)

    async def middle_click(
        self, x: Value = None, y: Value = None, interval: float = 0.0, duration: float = 0.0
    ) -> None:
        """`middleClick`."""
        await self.click(x, y, 1, interval, "middle", duration)

    async def double_click(
        self, x: Value = None, y: Value = None, interval: float = 0.0, button: Value = "left", duration: float = 0.0
    ) -> None:
        """`doubleClick`."""
        await self.click(x, y, 2, interval, button, duration)

    async def triple_click(
        self, x: Value = None, y: Value = None, interval: float = 0.0, button: Value = "left", duration: float = 0.0
    ) -> None:
        """`tripleClick`."""
        await self.click(x, y, 3, interval, button, duration)

    async def mouse_down(
        self, x: Value = None, y: Value = None, button: Value = "primary", duration: float = 0.0
    ) -> None:
        """`mouseDown`."""
        self._move_to(x, y, duration)
        mouse.button_down(self._session, _button(button))

    async def mouse_up(
        self, x: Value = None, y: Value = None, button: Value = "primary", duration: float = 0.0
    ) -> None:
        """`mouseUp`."""
        self._move_to(x, y, duration)
        mouse.button_up(self._session, _button(button))

    async def drag_to(
        self,
        x: Value = None,
        y: Value = None,
        duration: float = 0.0,
        button: Value = "primary",
        mouseDownUp: bool = True,  # noqa: N803
    ) -> None:
        """`dragTo`."""
        which = _button(button)
        if mouseDownUp:
            mouse.button_down(self._session, which)
        self._move_to(x, y, duration)
        if mouseDownUp:
            mouse.button_up(self._session, which)

    async def drag_rel(
        self,
        xOffset: Value = 0,  # noqa: N803
        yOffset: Value = 0,  # noqa: N803
        duration: float = 0.0,
        button: Value = "primary",
        mouseDownUp: bool = True,  # noqa: N803
    ) -> None:
        """`drag`, `dragRel`."""
        await self.drag_to(*self._from_here(xOffset, yOffset), duration, button, mouseDownUp)

    async def scroll(self, clicks: float, x: Value = None, y: Value = None) -> None:
        """`scroll`, `vscroll`."""
        self._move_to(x, y)
        mouse.scroll(self._session, int(clicks))

    async def hscroll(self, clicks: float, x: Value = None, y: Value = None) -> None:
        """`hscroll`: nothing on a simulated screen is wider than what is shown."""
        del clicks
        self._move_to(x, y)

    # The keyboard.

    async def _down(self, name: str) -> None:
        """Press a key; a character on another level of its key comes with shift; an unknown name does nothing."""
        key = key_named(name)
        if key is None:
            return
        cap, shifted = cap_of(key)
        add_shift = shifted and "shift" not in self._session.scene.keys
        if add_shift:
            await keyboard.key_down(self._session, "shift", self._pace)
        await keyboard.key_down(self._session, cap, self._pace)
        if add_shift:
            keyboard.key_up(self._session, "shift")

    def _up(self, name: str) -> None:
        key = key_named(name)
        if key is not None:
            keyboard.key_up(self._session, cap_of(key)[0])

    async def key_down(self, key: str) -> None:
        """`keyDown`."""
        await self._down(key)

    async def key_up(self, key: str) -> None:
        """`keyUp`."""
        self._up(key)

    async def press(self, keys: Value, presses: int = 1, interval: float = 0.0) -> None:
        """`press`."""
        for _ in range(presses):
            for key in _keys(keys):
                await self._tap(key)
            self._wait(interval)

    async def write(self, message: Value, interval: float = 0.0) -> None:
        """`write`, `typewrite`."""
        for key in cast("Sequence[str]", message):
            await self._tap(key)
            self._wait(interval)

    async def _tap(self, key: str) -> None:
        await self._down(key)
        self._up(key)
        await self._pace.step()

    async def hotkey(self, *args: Value, interval: float = 0.0) -> None:
        """`hotkey`."""
        keys = _keys(args[0]) if len(args) == 1 else [str(key) for key in args]
        for key in keys:
            await self._down(key)
            self._wait(interval)
        for key in reversed(keys):
            self._up(key)
            self._wait(interval)

    async def hold(self, keys: Value) -> Hold:
        """`hold`."""
        return Hold(_keys(keys), self._down, self._up)

    # The rest.

    async def position(self, x: Value = None, y: Value = None) -> Point:
        """`position`."""
        scene = self._session.scene
        return Point(scene.x if x is None else int(cast("int", x)), scene.y if y is None else int(cast("int", y)))

    async def size(self) -> Size:
        """`size`, `resolution`."""
        return Size(SCREEN_WIDTH_PX, SCREEN_HEIGHT_PX)

    async def on_screen(self, x: Value, y: Value = None) -> bool:
        """`onScreen`."""
        left, top = cast("Sequence[float]", x) if isinstance(x, tuple | list) else (cast("float", x), cast("float", y))
        return 0 <= left < SCREEN_WIDTH_PX and 0 <= top < SCREEN_HEIGHT_PX

    async def sleep(self, seconds: float) -> None:
        """`sleep`: the desktop's time goes on, nobody waits."""
        self._wait(seconds)

    def _wait(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self._pace.sleep(seconds)


def _button(name: Value) -> Button:
    name = name.lower() if isinstance(name, str) else name
    if name not in BUTTONS:
        raise PyAutoGUIException(f"button argument must be one of ('left', 'middle', 'right'), not {name!r}")
    return BUTTONS[name]


def _keys(keys: Value) -> list[str]:
    if isinstance(keys, str):
        return [keys]
    return [str(key) for key in cast("Sequence[Value]", keys)]
