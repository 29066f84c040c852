"""Every method that sends something, once, with arguments that are right; for tests of what they have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import drums.aio

TASK: dict[str, Any] = {
    "id": "mine",
    "instruction": "Do nothing.",
    "config": [],
    "evaluator": {
        "func": "exact_match",
        "result": {"type": "vm_command_line", "command": ["true"]},
        "expected": {"type": "rule", "rules": {"expected": ""}},
    },
}

OF_CLIENT: dict[str, Callable[[drums.aio.Client], Any]] = {
    "health": lambda client: client.health(),
    "metrics": lambda client: client.metrics(),
    "reset_metrics": lambda client: client.reset_metrics(),
    "images": lambda client: client.images(),
    "delete_state": lambda client: client.delete_state("c999"),
    "tasks": lambda client: client.tasks(),
    "task": lambda client: client.task("e0df059f"),
    "envs": lambda client: client.envs(),
    "create": lambda client: client.create(),
    "create from a task's id": lambda client: client.create(task="e0df059f"),
    "call": lambda client: client.call("GET", "/health"),
}
"""Of a client, by name."""

OF_ENV: dict[str, Callable[[drums.aio.Env], Any]] = {
    "refresh": lambda env: env.refresh(),
    "metrics": lambda env: env.metrics(),
    "step": lambda env: env.step("pyautogui.click(1, 2)"),
    "observe": lambda env: env.observe(),
    "screenshot": lambda env: env.screenshot(),
    "reset": lambda env: env.reset(),
    "load_task": lambda env: env.load_task(TASK),
    "gates": lambda env: env.gates(),
    "wait_valid": lambda env: env.wait_valid(),
    "verify": lambda env: env.verify(),
    "wait_quiescent": lambda env: env.wait_quiescent(),
    "save": lambda env: env.save(),
    "prefork": lambda env: env.prefork(1),
    "fork": lambda env: env.fork(1),
    "quarantine": lambda env: env.quarantine(),
    "release": lambda env: env.release(),
    "guest.execute": lambda env: env.guest().execute(["ls"]),
    "guest.launch": lambda env: env.guest().launch(["xterm"]),
    "guest.screenshot": lambda env: env.guest().screenshot(),
    "guest.screen_size": lambda env: env.guest().screen_size(),
    "guest.platform": lambda env: env.guest().platform(),
}
"""Of an env, by name, but for `close`, for which an env that is gone is no failure."""

ONLY_READ = {
    *("health", "metrics", "images", "tasks", "task", "envs", "call", "create from a task's id"),
    *("refresh", "observe", "screenshot", "gates", "wait_valid", "guest.screenshot", "guest.screen_size"),
}
"""Those whose first request is a GET."""
