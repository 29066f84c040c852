"""Tasks in OSWorld's format: a pack of our own, loading, setup steps, getters and checkers.

The semantics are OSWorld's, the code is our own, and so are the words. Invariant: what is not built is refused when a
task is loaded, by name; a setup step that did not happen and a checker that could not look are errors, never a score.
"""

from .errors import AmbiguousTask, SetupFailed, TaskError, TaskMalformed, TaskUnsupported, UnknownTask
from .evaluate import Signal, Verdict
from .library import TaskLibrary, TaskSet, own_pack
from .scope import Change, Scope
from .sources import NoTasks, TaskSources
from .task import LoadedTask, TaskSummary, check, check_again, set_up

__all__ = [
    "AmbiguousTask",
    "Change",
    "LoadedTask",
    "NoTasks",
    "Scope",
    "SetupFailed",
    "Signal",
    "TaskError",
    "TaskLibrary",
    "TaskMalformed",
    "TaskSet",
    "TaskSources",
    "TaskSummary",
    "TaskUnsupported",
    "UnknownTask",
    "Verdict",
    "check",
    "check_again",
    "own_pack",
    "set_up",
]
