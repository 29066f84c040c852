"""Tasks in OSWorld's format: a pack of our own, loading, setup steps, getters and checkers.

The semantics are OSWorld's, the code is our own, and so are the words. Invariant: what is not built is refused when a
task is loaded, by name; a setup step that did not happen and a checker that could not look are errors, never a score.
"""

from .errors import AmbiguousTask, SetupFailed, TaskError, TaskMalformed, TaskUnsupported, UnknownTask
from .evaluate import Signal, Verdict
from .library import TaskLibrary, own_pack
from .task import LoadedTask, TaskSummary, check, check_again, set_up

__all__ = [
    "AmbiguousTask",
    "LoadedTask",
    "SetupFailed",
    "Signal",
    "TaskError",
    "TaskLibrary",
    "TaskMalformed",
    "TaskSummary",
    "TaskUnsupported",
    "UnknownTask",
    "Verdict",
    "check",
    "check_again",
    "own_pack",
    "set_up",
]
