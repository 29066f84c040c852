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
    from collections.abc import Awaitable, Callable

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
ACTING = {
    "moveTo": "move_to",
    "move": "move_rel",
    "moveRel": "move_rel",
    "click": "click",
    "leftClick": "left_click",
    "rightClick": "right_click",
    "middleClick": "middle_click",
    "doubleClick": "double_click",
    "tripleClick": "triple_click",
    "mouseDown": "mouse_down",
    "mouseUp": "mouse_up",
    "dragTo": "drag_to",
    "drag": "drag_rel",
    "dragRel": "drag_rel",
    "scroll": "scroll",
    "vscroll": "scroll",
    "hscroll": "hscroll",
    "keyDown": "key_down",
    "keyUp": "key_up",
    "press": "press",
    "write": "write",
    "typewrite": "write",
    "hotkey": "hotkey",
}
"""pyautogui's functions after which it pauses, and ours."""


class FailSafeException(Exception):  # noqa: N818 - pyautogui's name
    """pyautogui's own: the pointer is in a corner, and code has switched FAILSAFE on."""


def modules(session: Session, pace: Pace) -> dict[str, Module]:
    """The modules that code may import, driving this session."""
    gui = PyAutoGui(session, pace)
    settings: dict[str, Value] = {"PAUSE": PAUSE_S, "FAILSAFE": False, "MINIMUM_DURATION": 0.1, "MINIMUM_SLEEP": 0.05}

    def acting(name: str, method: Callable[..., Awaitable[Value]]) -> Function:
        async def call(*args: Value, _pause: bool = True, **kwargs: Value) -> Value:
            if settings["FAILSAFE"] and (session.scene.x, session.scene.y) in CORNERS:
                raise FailSafeException("PyAutoGUI fail-safe triggered from mouse moving to a corner of the screen.")
            result = await method(*args, **{key: value for key, value in kwargs.items() if key not in IGNORED})
            if _pause:
                pace.sleep(float(cast("float", settings["PAUSE"])))
            await pace.step()
            return result

        return Function(name, call)

    pyautogui = Module(
        "pyautogui",
        {
            **{name: acting(name, getattr(gui, method)) for name, method in ACTING.items()},
            **{name: Function(name, getattr(gui, method)) for name, method in QUIET.items()},
            **{name: name for name in EASINGS},
            **{name.upper(): name for name in ("left", "middle", "right", "primary", "secondary")},
            "KEYBOARD_KEYS": sorted(KEYS),
        },
        settings,
    )
    return {"pyautogui": pyautogui, "time": _time(session, gui), "math": MATH, "pyperclip": _pyperclip(session)}


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
