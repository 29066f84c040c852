"""Brings the session up: X server, message bus, window manager, desktop with icons.

Each is waited for, never slept for. Invariant: when `start` returns the screen shows the desktop, and `processes` names
the processes without which it is not a desktop any more.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from typing import TYPE_CHECKING

from . import person

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

START_S = 60.0
POLL_S = 0.02
X_SOCKET = "/tmp/.X11-unix/X0"  # noqa: S108 - the X server's fixed place, in the desktop's own /tmp
STARTED = "/tmp/.openbox-started"  # noqa: S108 - in the desktop's own /tmp, before any user is there
STEADY_S = 0.5
HEADER_BYTES = 8192
"""More than what comes before the pixels in the frame buffer file, and a multiple of their size."""
BUS_IDENTITY = (
    "--session",
    "--print-reply",
    "--dest=org.freedesktop.DBus",
    "/org/freedesktop/DBus",
    "org.freedesktop.DBus.GetId",
)
"""Only a message bus answers this. The agent itself may not enter the user's folder where the bus's socket lies."""


class Session:
    """The session's processes."""

    def __init__(self) -> None:
        self.processes: dict[str, int] = {"agent": os.getpid()}
        self.children: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start all, in order; a part that does not come up ends the desktop."""
        screen = "1920x1080x24"
        self.run(
            "Xvfb",
            "Xvfb",
            person.DISPLAY,
            "-screen",
            "0",
            screen,
            "-fbdir",
            person.FRAME_FOLDER,
            "-ac",
            "-nolisten",
            "tcp",
            "-noreset",
        )
        until("the X server", lambda: answers(X_SOCKET))
        # Keycode 94 (the 102nd key) also holds "<", and pyautogui would press it with shift: ">" would come out.
        call("xmodmap", "-e", "keycode 94 =")
        self.run(
            "dbus-daemon",
            "dbus-daemon",
            "--session",
            "--nofork",
            "--nopidfile",
            "--address=unix:path=" + person.RUNTIME_FOLDER + "/bus",
        )
        until("the message bus", lambda: "string" in call("dbus-send", *BUS_IDENTITY))
        # A window that asks to be shown before the window manager's own loop runs is never shown.
        self.run("openbox", "openbox", "--startup", "touch " + STARTED)
        until("the window manager", lambda: os.path.exists(STARTED))  # noqa: PTH110
        call("rm", STARTED)
        self.run("pcmanfm", "pcmanfm", "--desktop", "--profile", "drums")
        until("the desktop", lambda: "_NET_WM_WINDOW_TYPE_DESKTOP" in desktop_window_type())
        until("a steady screen", screen_is_steady)

    def run(self, name: str, *argv: str) -> None:
        """Start one process of the session as the user."""
        child = start(argv)
        self.children.append(child)
        self.processes[name] = child.pid


def start(argv: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a program as the user, in a session of its own, with nothing of the agent's open."""
    return subprocess.Popen(  # noqa: S603 - argv comes from this module or from the desktop's own user
        list(argv),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=person.ENVIRONMENT,
        cwd=person.HOME,
        user=person.UID,
        group=person.GID,
        extra_groups=[person.GID],
        start_new_session=True,
    )


def call(*argv: str) -> str:
    """Run a program as the user and give what it printed."""
    done = subprocess.run(  # noqa: S603 - argv comes from this module
        list(argv),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=person.ENVIRONMENT,
        user=person.UID,
        group=person.GID,
        extra_groups=[person.GID],
        check=False,
    )
    return done.stdout.decode(errors="replace")


def make_folders() -> None:
    """The folders that the session's sockets lie in; those of the agent can't be replaced by the user."""
    for path, mode, owner in (
        ("/tmp/.X11-unix", 0o1777, 0),  # noqa: S108 - in the desktop's own /tmp
        ("/tmp/.ICE-unix", 0o1777, 0),  # noqa: S108
        (person.RUNTIME_FOLDER, 0o700, person.UID),
        (person.AGENT_FOLDER, 0o755, 0),
    ):
        os.makedirs(path, exist_ok=True)  # noqa: PTH103 - plain paths, as everywhere in this package
        os.chmod(path, mode)  # noqa: PTH101
        os.chown(path, owner, owner)
    os.umask(0o022)


def answers(path: str) -> bool:
    """Whether something listens at a socket."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


def desktop_window_type() -> str:
    """The type of the bottom window, which is the desktop's once it is there."""
    listed = call("xprop", "-root", "_NET_CLIENT_LIST_STACKING")
    ids = [word.strip(",") for word in listed.split() if word.startswith("0x")]
    return call("xprop", "-id", ids[0], "_NET_WM_WINDOW_TYPE") if ids else ""


def screen_is_steady() -> bool:
    """Whether the screen shows something that does not change for a moment."""
    before = frame()
    time.sleep(STEADY_S)
    return len(set(before[HEADER_BYTES::4])) > 1 and before == frame()


def frame() -> bytes:
    """The frame buffer's content."""
    with open(person.FRAME_FOLDER + "/Xvfb_screen0", "rb") as file:  # noqa: PTH123
        return file.read()


def until(what: str, condition: Callable[[], bool]) -> None:
    """Wait until something holds.

    Raises:
        TimeoutError: It did not within `START_S`.
    """
    deadline = time.monotonic() + START_S
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(what + " did not come up")
        time.sleep(POLL_S)
