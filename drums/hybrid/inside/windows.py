"""Asks the window manager: which windows there are, and to activate, close or place one. Prints JSON behind a mark."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

MARK = "drums-answer "
MOST_WINDOWS = 500
LONGEST_TITLE = 1000
LONGEST_CLASS = 200
REMOVE, FROM_A_PAGER = 0, 2
STATIC_GRAVITY, ALL_OF_THE_BOX, OF_A_PAGER = 10, 15 << 8, 2 << 12
NOT_WINDOWS = ("_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK")
MAXIMIZED = ("_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ")


class Screen:
    """The X server's one screen."""

    def __init__(self) -> None:
        self.x: Any = import_module("Xlib.X")
        self.event: Any = import_module("Xlib.protocol.event")
        self.display: Any = import_module("Xlib.display").Display()
        self.root: Any = self.display.screen().root

    def values(self, window: Any, name: str) -> list[Any]:
        """The numbers of a property; none where there is no such property."""
        found = window.get_full_property(self.display.intern_atom(name), self.x.AnyPropertyType)
        return list(found.value) if found is not None else []

    def text(self, window: Any, name: str) -> str:
        """The text of a property."""
        found = window.get_full_property(self.display.intern_atom(name), self.x.AnyPropertyType)
        value = b"" if found is None else found.value
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)

    def ask(self, window: Any, name: str, *data: int) -> None:
        """Send the window manager a request about a window."""
        kind = self.display.intern_atom(name)
        message = self.event.ClientMessage(window=window, client_type=kind, data=(32, [*data, 0, 0, 0, 0, 0][:5]))
        mask = self.x.SubstructureRedirectMask | self.x.SubstructureNotifyMask
        self.root.send_event(message, event_mask=mask)
        self.display.sync()

    def numbers(self) -> list[int]:
        """All windows that the window manager has, bottom first."""
        listed = self.values(self.root, "_NET_CLIENT_LIST_STACKING") or self.values(self.root, "_NET_CLIENT_LIST")
        return [int(number) for number in listed[:MOST_WINDOWS]]

    def change(self, number: int, do: str, box: tuple[int, ...]) -> None:
        """Activate, close or place a window."""
        window = self.display.create_resource_object("window", number)
        if do == "activate":
            self.ask(window, "_NET_ACTIVE_WINDOW", FROM_A_PAGER, self.x.CurrentTime)
        elif do == "close":
            self.ask(window, "_NET_CLOSE_WINDOW", self.x.CurrentTime, FROM_A_PAGER)
        else:
            # A window that fills the screen would keep its place.
            filling = [self.display.intern_atom(name) for name in MAXIMIZED]
            self.ask(window, "_NET_WM_STATE", REMOVE, *filling, FROM_A_PAGER)
            self.ask(window, "_NET_MOVERESIZE_WINDOW", STATIC_GRAVITY | ALL_OF_THE_BOX | OF_A_PAGER, *box)

    def described(self, number: int) -> list[object] | None:
        """Number, title, class, process, place and size; None for what is no window to a user."""
        window = self.display.create_resource_object("window", number)
        hidden = {self.display.intern_atom(name) for name in NOT_WINDOWS}
        if hidden & set(self.values(window, "_NET_WM_WINDOW_TYPE")):
            return None
        size = window.get_geometry()
        place = window.translate_coords(self.root, 0, 0)
        title = self.text(window, "_NET_WM_NAME") or self.text(window, "WM_NAME")
        kind = [part for part in self.text(window, "WM_CLASS").split("\0") if part]
        pid = (self.values(window, "_NET_WM_PID") or [None])[0]
        at = [-place.x, -place.y, size.width, size.height]
        return [number, title[:LONGEST_TITLE], kind[-1][:LONGEST_CLASS] if kind else "", pid, at]


def found(do: str, number: int, box: tuple[int, ...]) -> dict[str, object]:
    """The answer."""
    try:
        screen = Screen()
    except ImportError:
        return {"lacks": "python-xlib"}
    except Exception as fault:  # noqa: BLE001  an X server that gives no connection can say anything
        return {"lacks": f"an X server that answers ({type(fault).__name__})"}
    if do != "list":
        if number not in screen.numbers():
            return {"missing": number}
        screen.change(number, do, box)
    active = (screen.values(screen.root, "_NET_ACTIVE_WINDOW") or [0])[0]
    windows: list[list[object]] = []
    for known in screen.numbers():
        try:
            described = screen.described(known)
        except Exception:  # noqa: BLE001, S112  a window that closes meanwhile gives any X error
            continue
        if described is not None:
            windows.append([*described, known == active])
    return {"windows": windows}


def answer(do: str, number: int, box: tuple[int, ...]) -> None:
    """Print it."""
    sys.stdout.write(MARK + json.dumps(found(do, number, box)) + "\n")
