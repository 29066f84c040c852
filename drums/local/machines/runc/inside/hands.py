"""The agent's hands: pyautogui, ready in memory, and the list of windows.

pyautogui is imported once; each action runs in a fork with an X connection of its own, made before it is asked for.
Invariant: the agent itself never uses the connection that the next action gets, so nothing that an action does to it
can be felt by another.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import time
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from . import person, typing_keys

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from types import FrameType

ANSWER_S = 3.0
REHEARSAL = "pyautogui.onScreen(*pyautogui.position())"


class Hands:
    """The X connections, and what acts through them."""

    def __init__(self) -> None:
        os.environ.update(person.ENVIRONMENT)
        self.extensions: Any = module("Xlib.ext")
        self.all_extensions: list[Any] = list(self.extensions.__extensions__)
        # A connection asks the server about each extension that Xlib knows; only XTEST is needed here.
        self.extensions.__extensions__ = [row for row in self.all_extensions if row[0] == "XTEST"]
        self.x11: Any = module("Xlib.display")
        self.pyautogui: Any = module("pyautogui")
        self.keys: Any = module("pyautogui._pyautogui_x11")
        # Else the first click of every action asks dconf, which takes 20 ms.
        self.keys._mouse_is_swapped_setting = False  # noqa: SLF001
        self.pyautogui.PAUSE = 0
        self.pyautogui.FAILSAFE = False
        typing_keys.install(self.keys)
        self.ready: bool = True
        self.own: Any = self.x11.Display(person.DISPLAY)

    @property
    def action_fd(self) -> int:
        """The file descriptor of the connection that the next action gets."""
        return int(self.keys._display.fileno())  # noqa: SLF001 - pyautogui keeps its connection there

    def leave(self) -> None:
        """Leave the action's connection to the fork that has it."""
        self.keys._display.display.socket.close()  # noqa: SLF001 - as above
        self.ready = False

    def make_ready(self) -> None:
        """Have a connection for the next action.

        Raises:
            TimeoutError: The X server does not answer.
        """
        if not self.ready:
            with in_time():
                self.keys._display = self.x11.Display(person.DISPLAY)  # noqa: SLF001 - as above
            self.ready = True

    def rehearse(self) -> None:
        """In a fork: touch what an action will, so that its memory is the fork's own by then. It changes nothing."""
        exec(compile(REHEARSAL, "<rehearsal>", "exec"), {"pyautogui": self.pyautogui})  # noqa: S102 - code of ours

    def act(self, code: str) -> int:
        """Run an action's code in this process (a fork) and give the exit status that Python would."""
        self.extensions.__extensions__ = self.all_extensions
        names: dict[str, Any] = {
            "__name__": "__main__",
            "__builtins__": __builtins__,
            "pyautogui": self.pyautogui,
            "time": time,
        }
        try:
            exec(compile(code, "<action>", "exec"), names)  # noqa: S102 - an action is the user's own code, run as the user
        except SystemExit as asked:
            return status_of(asked)
        except BaseException:  # noqa: BLE001 - whatever the action raises is its result, as at the end of any program
            traceback.print_exc(limit=-8)
            return 1
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
        return 0

    def windows(self) -> list[list[object]]:
        """Every window that the window manager has: id, title, x, y, width, height; bottom first."""
        with in_time():
            return list(self._windows())

    def _windows(self) -> Iterator[list[object]]:
        root = self.own.screen().root
        listed = root.get_full_property(self.own.intern_atom("_NET_CLIENT_LIST_STACKING"), 0)
        for number in listed.value if listed else ():
            window = self.own.create_resource_object("window", int(number))
            try:
                size = window.get_geometry()
                place = window.translate_coords(root, 0, 0)
                title = (
                    window.get_full_text_property(self.own.intern_atom("_NET_WM_NAME")) or window.get_wm_name() or ""
                )
            except Exception:  # noqa: BLE001, S112 - a window that closes meanwhile gives any X error
                continue
            yield [int(number), str(title), -place.x, -place.y, size.width, size.height]


@contextmanager
def in_time() -> Generator[None]:
    """Break off what takes too long: an X server may be held by one of its clients."""
    signal.signal(signal.SIGALRM, too_late)
    signal.setitimer(signal.ITIMER_REAL, ANSWER_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def too_late(_signal: int, _frame: FrameType | None) -> None:
    """Break off what waits for an X server that does not answer."""
    raise TimeoutError("the X server does not answer")


def status_of(asked: SystemExit) -> int:
    """The exit status that Python gives a `SystemExit`."""
    if asked.code is None:
        return 0
    if isinstance(asked.code, int):
        return asked.code & 0xFF
    sys.stderr.write(f"{asked.code}\n")
    return 1


def module(name: str) -> Any:
    """A module that only a desktop has."""
    return importlib.import_module(name)
