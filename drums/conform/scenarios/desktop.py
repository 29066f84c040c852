"""What actions and pictures do."""

from __future__ import annotations

import base64
import struct
from typing import Any

from drums.conform.outcome import hold
from drums.conform.scenarios import scenario
from drums.conform.visit import Visit

SCREEN = (1920, 1080)


def size_of(png: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG; None for what is none."""
    if png[:8] != b"\x89PNG\r\n\x1a\n" or png[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def did(visit: Visit, slot: str, action: dict[str, Any]) -> Any:
    """The result of an action."""
    return visit.ask("step_slot", slot, {"action": action})["result"]


@scenario
def a_command_does_what_it_says(visit: Visit) -> None:
    """`execute` is waited for, and tells status, output and errors; a failure inside the desktop is a 200."""
    slot = visit.make()["id"]
    visit.run(slot, "echo conform > /home/user/conform-file")
    read = did(visit, slot, {"type": "execute", "command": ["cat", "/home/user/conform-file"]})
    hold(read.get("output") == "conform\n", "a command reads what the one before wrote", read)
    plain = did(visit, slot, {"type": "execute", "command": "cat /home/user/conform-file"})
    hold(plain.get("output") == "conform\n", "a string is split as a shell would", plain)
    failed = did(visit, slot, {"type": "execute", "command": "echo oh >&2; exit 3", "shell": True})
    hold(failed.get("returncode") == 3, "a command's own status is told", failed)
    hold(failed.get("error") == "oh\n", "what a command writes to standard error is told", failed)


@scenario
def actions_run_as_the_desktops_user(visit: Visit) -> None:
    """Commands run as the user `user`, not as root."""
    slot = visit.make()["id"]
    name = visit.run(slot, "id -un").strip()
    hold(name == "user", "a command runs as `user`", name)


@scenario
def pyautogui_runs_in_the_desktop(visit: Visit) -> None:
    """`pyautogui` code runs with pyautogui and time imported; its own failure is a 200 with a returncode."""
    slot = visit.make()["id"]
    moved = did(visit, slot, {"type": "pyautogui", "code": "pyautogui.moveTo(300, 400); time.sleep(0.01)"})
    hold(moved.get("returncode") == 0, "pyautogui code runs", moved)
    failed = did(visit, slot, {"type": "pyautogui", "code": "raise ValueError('conform')"})
    hold(failed.get("returncode") not in {0, None}, "code that raises has a returncode that is not 0", failed)


@scenario
def the_screen_is_a_png(visit: Visit) -> None:
    """The screenshot is a PNG of 1920x1080 pixels; a step carries one exactly when it was asked for."""
    slot = visit.make()["id"]
    size = size_of(visit.ask("get_screenshot", slot).content)
    hold(size == SCREEN, "the picture is a PNG of 1920x1080", size)
    action = {"type": "sleep", "seconds": 0}
    seen = visit.ask("step_slot", slot, {"action": action, "screenshot": True})
    size = size_of(base64.b64decode(seen["screenshot_png_b64"] or ""))
    hold(size == SCREEN, "a step's picture is a PNG of 1920x1080", size)
    blind = visit.ask("step_slot", slot, {"action": action})
    hold(blind["screenshot_png_b64"] is None, "a step without `screenshot` has no picture")
