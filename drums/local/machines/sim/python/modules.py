"""The modules that code may import: pyautogui, time, math and pyperclip.

Invariant: each is made for one session, and reaches nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from drums.local.machines.machine import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX
from drums.local.machines.sim.windows.keys import KEYS

from .pyautogui import PyAutoGui
from .values import MATH, Function, Module, Value, native

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from drums.local.machines.sim.pace import Pace
    from drums.local.machines.sim.windows.session import Session

PAUSE_S = 0.1
"""pyautogui waits that long after each call."""
CORNERS = frozenset((x, y) for x in (0, SCREEN_WIDTH_PX - 1) for y in (0, SCREEN_HEIGHT_PX - 1))
EASINGS = [
    "linear",
    *(
        f"ease{way}{kind}"
        for way in ("In", "Out", "InOut")
        for kind in ("Quad", "Cubic", "Quart", "Quint", "Sine", "Expo", "Circ", "Elastic", "Back", "Bounce")
    ),
]
IGNORED = frozenset({"logScreenshot", "tween"})
"""Arguments that change nothing in a desktop where a movement has no path."""


QUIET = {
    "position": "position",
    "size": "size",
    "resolution": "size",
    "onScreen": "on_screen",
    "sleep": "sleep",
    "hold": "hold",
}
"""pyautogui's functions after which it does not pause, and ours."""
CLICK = "x y interval duration tween logScreenshot _pause"
DRAG = "duration tween button logScreenshot _pause mouseDownUp"
ACTING = {
    "moveTo": ("move_to", "x y duration tween logScreenshot _pause"),
    "move": ("move_rel", "xOffset yOffset duration tween logScreenshot _pause"),
    "moveRel": ("move_rel", "xOffset yOffset duration tween logScreenshot _pause"),
    "click": ("click", "x y clicks interval button duration tween logScreenshot _pause"),
    "leftClick": ("left_click", CLICK),
    "rightClick": ("right_click", CLICK),
    "middleClick": ("middle_click", CLICK),
    "doubleClick": ("double_click", "x y interval button duration tween logScreenshot _pause"),
    "tripleClick": ("triple_click", "x y interval button duration tween logScreenshot _pause"),
    "mouseDown": ("mouse_down", "x y button duration tween logScreenshot _pause"),
    "mouseUp": ("mouse_up", "x y button duration tween logScreenshot _pause"),
    "dragTo": ("drag_to", f"x y {DRAG}"),
    "drag": ("drag_rel", f"xOffset yOffset {DRAG}"),
    "dragRel": ("drag_rel", f"xOffset yOffset {DRAG}"),
    "scroll": ("scroll", "clicks x y logScreenshot _pause"),
    "vscroll": ("scroll", "clicks x y logScreenshot _pause"),
    "hscroll": ("hscroll", "clicks x y logScreenshot _pause"),
    "keyDown": ("key_down", "key logScreenshot _pause"),
    "keyUp": ("key_up", "key logScreenshot _pause"),
    "press": ("press", "keys presses interval logScreenshot _pause"),
    "write": ("write", "message interval logScreenshot _pause"),
    "typewrite": ("write", "message interval logScreenshot _pause"),
    "hotkey": ("hotkey", "*"),
}
"""pyautogui's functions after which it pauses: ours, and its arguments in order (`*`: any number of keys)."""


class FailSafeException(Exception):
    """pyautogui's own: the pointer is in a corner, and code has switched FAILSAFE on."""


def modules(session: Session, pace: Pace) -> dict[str, Module]:
    """The modules that code may import, driving this session."""
    gui = PyAutoGui(session, pace)
    settings: dict[str, Value] = {"PAUSE": PAUSE_S, "FAILSAFE": False, "MINIMUM_DURATION": 0.1, "MINIMUM_SLEEP": 0.05}

    def acting(name: str, method: Callable[..., Awaitable[Value]], order: list[str]) -> Function:
        async def call(*args: Value, **kwargs: Value) -> Value:
            if settings["FAILSAFE"] and (session.scene.x, session.scene.y) in CORNERS:
                raise FailSafeException("PyAutoGUI fail-safe triggered from mouse moving to a corner of the screen.")
            if order != ["*"]:
                args, kwargs = (), arguments(name, order, args, kwargs)
            pause = kwargs.pop("_pause", True)
            result = await method(*args, **{key: value for key, value in kwargs.items() if key not in IGNORED})
            if pause:
                pace.sleep(float(cast("float", settings["PAUSE"])))
            await pace.step()
            return result

        return Function(name, call)

    pyautogui = Module(
        "pyautogui",
        {
            **{name: acting(name, getattr(gui, method), order.split()) for name, (method, order) in ACTING.items()},
            **{name: Function(name, getattr(gui, method)) for name, method in QUIET.items()},
            **{name: name for name in EASINGS},
            **{name.upper(): name for name in ("left", "middle", "right", "primary", "secondary")},
            "KEYBOARD_KEYS": sorted(KEYS),
        },
        settings,
    )
    return {"pyautogui": pyautogui, "time": _time(session, gui), "math": MATH, "pyperclip": _pyperclip(session)}


def arguments(name: str, order: list[str], args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> dict[str, Value]:
    """The arguments of a call by their names.

    Raises:
        TypeError: One is too many, given twice, or has no such name.
    """
    if len(args) > len(order):
        raise TypeError(f"{name}() takes at most {len(order)} arguments but {len(args)} were given")
    given = dict(zip(order, args, strict=False))
    for key, value in kwargs.items():
        if key not in order:
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
        if key in given:
            raise TypeError(f"{name}() got multiple values for argument '{key}'")
        given[key] = value
    return given


def _time(session: Session, gui: PyAutoGui) -> Module:
    now = native("time", lambda: session.guest.clock_s)
    return Module(
        "time", {"sleep": Function("sleep", gui.sleep), **dict.fromkeys(("time", "monotonic", "perf_counter"), now)}
    )


def _pyperclip(session: Session) -> Module:
    def copy(text: Value) -> None:
        session.scene = replace(session.scene, clipboard=str(text))

    return Module(
        "pyperclip", {"copy": native("copy", copy), "paste": native("paste", lambda: session.scene.clipboard)}
    )
