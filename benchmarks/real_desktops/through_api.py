"""Every deed on a desktop as a client of the daemon feels it."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.real_desktops.figures import Figures

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    import drums

QUIET_S = 1.0
"""The window without a starting or ending process that a fork waits for."""
THOUGHT_S = 0.05
"""Between a screenshot and the next click, as with a policy that has to decide; far less than one needs."""
CLICK = "pyautogui.click(900, 500)"
ECHO = {"type": "execute", "command": "echo hi", "shell": True}
SHEET = {"type": "launch", "command": "soffice --norestore --nologo --calc", "shell": True}
BROWSER = {
    "type": "launch",
    "command": "chromium --no-sandbox --disable-gpu --no-first-run --user-data-dir=/tmp/c file:///tmp/page.html",
    "shell": True,
}


def light(client: drums.Client, image: str) -> drums.Env:
    """The desktop with a terminal."""
    env = client.create(image).wait_valid()
    env.step({"type": "launch", "command": ["lxterminal"], "shell": False})
    return settled(env, "lxterminal|Terminal|user@")


def office(client: drums.Client, image: str) -> drums.Env:
    """The desktop with an edited sheet."""
    env = client.create(image).wait_valid()
    env.step(SHEET)
    settled(env, "LibreOffice Calc")
    env.step("pyautogui.write('42\\n')")
    return settled(env, "LibreOffice Calc")


def browser(client: drums.Client, image: str) -> drums.Env:
    """The desktop with Chromium on a page of its own."""
    env = client.create(image).wait_valid()
    env.step(
        {"type": "execute", "command": "echo '<title>page</title><textarea autofocus>' > /tmp/page.html", "shell": True}
    )
    env.step(BROWSER)
    return settled(env, "page - Chromium")


CONTENTS: dict[str, tuple[str, Callable[[drums.Client, str], drums.Env]]] = {
    "desktop": ("desktop", light),
    "office": ("office", office),
    "chromium": ("chromium", browser),
}


@contextmanager
def opened(client: drums.Client, content: str) -> Generator[drums.Env]:
    """A desktop with its content, for as long as it is needed."""
    image, made = CONTENTS[content]
    env = made(client, image)
    try:
        yield env
    finally:
        env.close()


def settled(env: drums.Env, title: str) -> drums.Env:
    """Wait until a window with that title is there and no process starts any more."""
    deadline = time.monotonic() + 90
    listed = ""
    while time.monotonic() < deadline:
        listed = str(
            env.step({"type": "execute", "command": f"wmctrl -l | grep -E '{title}'; true", "shell": True}).result[
                "output"
            ]
        )
        if listed:
            env.wait_quiescent(60, 1)
            return env
        time.sleep(0.2)
    raise TimeoutError(f"no window {title}")


def measure(client: drums.Client, content: str, rounds: int, fork_sizes: tuple[int, ...]) -> Figures:
    """Measure every deed."""
    figures = Figures()
    image, _ = CONTENTS[content]
    for _ in range(rounds):
        figures.time("create", lambda: client.create(image)).close()
    with opened(client, content) as env:
        actions(figures, env, rounds)
        saves(figures, client, env, rounds)
        for n in fork_sizes:
            forks(figures, env, n, max(3, rounds // 2))
        for _ in range(max(2, rounds // 2)):
            figures.time("reset", env.reset)
    return figures


def actions(figures: Figures, env: drums.Env, rounds: int) -> None:
    """Clicks, commands, screenshots."""
    for _ in range(rounds * 3):
        time.sleep(THOUGHT_S)
        figures.time("step: click", lambda: env.step(CLICK))
        figures.time("step: echo by a shell", lambda: env.step(ECHO))
        figures.time("screenshot", env.screenshot)


def saves(figures: Figures, client: drums.Client, env: drums.Env, rounds: int) -> None:
    """Captures, and children one by one."""
    for _ in range(rounds):
        began = time.perf_counter()
        state = env.save()
        figures.add("capture, the wait for quiet apart", time.perf_counter() - began - QUIET_S)
        figures.time("one child of a state", lambda: client.create(from_state=state)).close()  # noqa: B023 - called at once
        client.delete_state(state)


def forks(figures: Figures, env: drums.Env, n: int, rounds: int) -> None:
    """Forks of one size."""
    for _ in range(rounds):
        began = time.perf_counter()
        children = env.fork(n, keep_state=False)
        seconds = time.perf_counter() - began
        figures.add(f"fork({n}), the wait for quiet apart", seconds - QUIET_S)
        if n <= 2:
            alive = time.perf_counter()
            for child in children:
                child.wait_valid()
            figures.add("then, until its gates passed", time.perf_counter() - alive)
        children.close()
