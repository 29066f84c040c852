"""Why a task cannot be had: what the library, the loader and the setup raise.

TaskError
├── TaskMalformed      the object is not an OSWorld task; names the place in it
├── TaskUnsupported    it is one, but uses a step, getter, checker, account or network that is not had; names it
├── UnknownTask        no task of the packs has this id
├── AmbiguousTask      the id's prefix fits several tasks
└── SetupFailed        a setup step did not happen; the episode must not start
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class TaskError(Exception):
    """Something is wrong with a task; the message is for the user who named it."""


class TaskMalformed(TaskError):
    """The object is not an OSWorld task.

    Args:
        where: The place in the object, e.g. `task.config[0].parameters.command`.
        what: What is wrong there.
    """

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")
        self.where = where


class TaskUnsupported(TaskError):
    """The task uses something that is not built or not had here; the message names it.

    Args:
        message: Where in the task it is, and what it is.
        lacking: What it is, in the same words for every task that lacks it, e.g. `the checker 'compare_audios'`.
    """

    def __init__(self, message: str, lacking: str | None = None) -> None:
        super().__init__(message)
        self.lacking: str = lacking or message


class UnknownTask(TaskError):
    """No task has this id."""

    def __init__(self, task_id: str) -> None:
        super().__init__(f"no task has the id {task_id!r}")


class AmbiguousTask(TaskError):
    """The prefix of an id fits several tasks."""

    def __init__(self, prefix: str, matches: Sequence[str]) -> None:
        super().__init__(f"{prefix!r} is the beginning of {len(matches)} task ids: {', '.join(matches)}")
        self.matches: tuple[str, ...] = tuple(matches)


class SetupFailed(TaskError):
    """A setup step did not happen.

    Args:
        step: Which one, e.g. `config[0] execute`.
        what: What happened instead.
    """

    def __init__(self, step: str, what: str) -> None:
        super().__init__(f"{step}: {what}")
        self.step = step
        self.what = what
