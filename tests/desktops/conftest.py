"""What the tests of real desktops share. They need a host that `drums setup` has prepared, and run one after the other.

Without such a host they are skipped, and say why; with DRUMS_DESKTOPS_REQUIRED=1 that is a failure.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import drums
import drums.local
from drums.local.machines.runc import doctor, made, tree
from drums.local.machines.runc.layout import Layout

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from drums.local import InProcess
    from drums.local.machines.runc.machine import RuncMachine

HERE = Path(__file__).parent
ALIVE_GATE_S = 0.5
NOT_YET = "nothing was copied yet"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.desktops)
            item.add_marker(pytest.mark.xdist_group("desktops"))
            item.add_marker(pytest.mark.usefixtures("host"))


@pytest.fixture(scope="session")
def host() -> Layout:
    """This host, if it can have real desktops."""
    reason = doctor.why_not()
    if reason is not None and os.environ.get("DRUMS_DESKTOPS_REQUIRED") == "1":
        pytest.fail(f"no real desktops here: {reason}")
    if reason is not None:
        pytest.skip(f"no real desktops here: {reason}")
    return Layout.from_environment()


@pytest.fixture
def daemon(host: Layout) -> Iterator[InProcess]:
    """A daemon with real desktops in this process, and over HTTP."""
    with drums.local.serving(machine="runc", alive_gate_s=ALIVE_GATE_S) as serving:
        yield serving


@pytest.fixture
def client(daemon: InProcess) -> Iterator[drums.Client]:
    """A client of the daemon."""
    with drums.connect(daemon.url, daemon.token) as connected:
        yield connected


@pytest.fixture
def env(client: drums.Client) -> drums.Env:
    """A desktop whose gates have passed."""
    return client.create().wait_valid()


@pytest.fixture
async def machine(host: Layout) -> AsyncIterator[RuncMachine]:
    """The machine alone, for what no client may do."""
    made_here = made.machine(alive_gate_s=ALIVE_GATE_S)
    await made_here.start()
    await made_here.survivors()
    try:
        yield made_here
    finally:
        await made_here.stop()


def shell(env: drums.Env, command: str) -> str:
    """What a command prints in a desktop; it must work."""
    result = env.step({"type": "execute", "command": command, "shell": True}).result
    assert result["returncode"] == 0, result
    return str(result["output"])


def status(env: drums.Env, command: str) -> int:
    """The exit status of a command in a desktop."""
    done = env.step({"type": "execute", "command": command, "shell": True}, check=False)
    return int(done.result["returncode"])


def launch(env: drums.Env, command: str) -> int:
    """Start a program in a desktop; gives its number there."""
    return int(env.step({"type": "launch", "command": command, "shell": True}).result["pid"])


def eventually(what: Callable[[], bool], within_s: float = 20.0) -> None:
    """Wait until something holds; what a desktop's programs do can't be waited for otherwise."""
    deadline = time.monotonic() + within_s
    while not what():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.1)


def an_editor(env: drums.Env, text: str) -> None:
    """Open an editor and type, without saving."""
    launch(env, "mousepad")
    eventually(lambda: "Mousepad" in shell(env, "xdotool getactivewindow getwindowname 2>/dev/null; true"))
    env.step("pyautogui.hotkey('ctrl', 'a')")
    env.step(f"pyautogui.write({text!r})")


def text_in_editor(env: drums.Env) -> str:
    """What the editor holds, by its own copy command."""
    shell(env, f"printf '{NOT_YET}' | xclip -i -selection clipboard")
    env.step("pyautogui.hotkey('ctrl', 'a'); pyautogui.hotkey('ctrl', 'c')")
    eventually(lambda: clipboard(env) not in {NOT_YET, ""})
    return clipboard(env)


def clipboard(env: drums.Env) -> str:
    """What was last copied; empty while nothing is there."""
    return shell(env, "timeout 5 xclip -o -selection clipboard 2>/dev/null; true")


def host_pids(slot: str, layout: Layout) -> set[int]:
    """The numbers that a desktop's processes have on the host."""
    from drums.local.machines.runc import facts

    record = facts.read_desktop(layout.desktop(slot).facts)
    assert record is not None
    return {one.host_pid for one in tree.processes_of(record.init)}
