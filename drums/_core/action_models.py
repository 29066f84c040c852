"""Checked actions as the models that a step's request holds, and what is known of an action before it is sent.

It checks nothing: `drums.actions` did. Invariant: every type that `drums.actions` lets through has its model here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from drums_api import models

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ActionModel: TypeAlias = (
    models.PyautoguiAction
    | models.ExecuteAction
    | models.LaunchAction
    | models.SleepAction
    | models.SignalAction
    | models.BatchAction
)

_MODELS: Final[dict[str, Callable[[Mapping[str, Any]], ActionModel]]] = {
    "pyautogui": models.PyautoguiAction.from_dict,
    "execute": models.ExecuteAction.from_dict,
    "launch": models.LaunchAction.from_dict,
    "sleep": models.SleepAction.from_dict,
    "signal": models.SignalAction.from_dict,
    "batch": models.BatchAction.from_dict,
}
"""Asking for a model by its type spares trying all of them, which is most of what a step costs."""

NOT_KNOWN: Final[Mapping[str, str]] = {
    "signal": 'This server knows no signals; those that do have "signals" in client.health().capabilities',
    "batch": 'Where "batch" is not in client.health().capabilities, the server knows no batches: do one step at a time',
}
"""What to do about a 400 to an action that not every server knows."""


def model_of(action: Mapping[str, Any]) -> ActionModel:
    """The model of a checked action."""
    return _MODELS[action["type"]](action)


def pause_s(action: Mapping[str, Any]) -> float | None:
    """The seconds that an action asks the server to let pass; None where it asks for nothing of the kind."""
    actions = action["actions"] if action["type"] == "batch" else [action]
    pauses = [float(one["seconds"]) for one in actions if one["type"] == "sleep"]
    return sum(pauses) if pauses else None
