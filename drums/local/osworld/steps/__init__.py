"""Setup steps: what a task does to the desktop before the agent starts, and before the checker looks.

A step is read once, when the task is loaded, and run after every reset. Invariant: strict. A setup step that did not
happen raises SetupFailed; OSWorld's own runner ignores a failed command, and then scores the agent on a desktop that
was never prepared. Before a check a command's returncode is a fact about what the agent left, as in OSWorld, but a step
that could not be run at all is an error there too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums.local.machines.machine import GuestError
from drums.local.osworld.errors import SetupFailed, TaskUnsupported
from drums.local.osworld.fields import Fields, Json

from .base import Step, demand_success
from .browser import BrowseHistory, Tabs
from .commands import Execute, Launch, Pause, VerifiedExecute
from .files import ChangeWallpaper, Download, Upload
from .windows import Activate, Close, Open

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage

STEPS: Mapping[str, Callable[[str, Fields, Reading], Step]] = {
    "activate_window": Activate.read,
    "change_wallpaper": ChangeWallpaper.read,
    "chrome_close_tabs": Tabs.read_close,
    "chrome_open_tabs": Tabs.read_open,
    "close_window": Close.read,
    "command": Execute.read,
    "download": Download.read,
    "execute": Execute.read,
    "execute_with_verification": VerifiedExecute.read,
    "launch": Launch.read,
    "open": Open.read,
    "sleep": Pause.read,
    "update_browse_history": BrowseHistory.read,
    "upload_file": Upload.read,
}
"""How each type of step is read; a type that is not here is not supported."""
ACCOUNTS = frozenset({"googledrive", "login"})
"""The steps that need an account of somebody's."""
KNOWN_TO_FAIL = frozenset({("a462a795-fdc7-4b23-b689-e8b6df786b78", "config[0] execute")})
"""Steps of OSWorld's tasks that can't succeed where the task is as it should be: `su` to a user who must not exist."""


def read_steps(values: Sequence[Json], where: str, reading: Reading) -> tuple[Step, ...]:
    """The steps of a task's `config` or `postconfig`.

    Raises:
        TaskMalformed: Something in them is not what OSWorld's format says.
        TaskUnsupported: A type of step, or a parameter of one, is not built here, or needs what a desktop has not.
    """
    return tuple(_read_step(value, f"{where}[{index}]", reading) for index, value in enumerate(values))


def _read_step(value: Json, where: str, reading: Reading) -> Step:
    fields = Fields.of(value, where)
    kind = fields.text("type")
    if kind in ACCOUNTS:
        raise TaskUnsupported(f"{where}: the setup step {kind!r} needs an account", f"an account (step {kind!r})")
    if kind not in STEPS:
        what = f"the setup step {kind!r}"
        raise TaskUnsupported(f"{where}: {what} is not supported", what)
    name = f"{where.removeprefix('task.').removeprefix('evaluator.')} {kind}"
    return STEPS[kind](name, Fields.of(fields.get("parameters"), fields.at("parameters")), reading)


async def run_strictly(steps: Sequence[Step], stage: Stage, task_id: str) -> None:
    """Do each step in order.

    Raises:
        SetupFailed: One did not happen, or its command returned something else than 0.
    """
    for step in steps:
        try:
            outcome = await step.run(stage)
        except GuestError as error:
            raise SetupFailed(step.name, str(error)) from error
        if outcome is not None and (task_id, step.name) not in KNOWN_TO_FAIL:
            demand_success(step.name, outcome)


async def run_closing(steps: Sequence[Step], stage: Stage) -> None:
    """Do the steps before a check, in order; what their commands return does not matter.

    Raises:
        SetupFailed: One could not be done.
        MachineError: The desktop did not do it.
    """
    for step in steps:
        await step.run(stage)


__all__ = ["STEPS", "Step", "read_steps", "run_closing", "run_strictly"]
