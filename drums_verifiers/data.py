"""What travels: a task's data, a rollout's state, and the keys of `env.taskset.*`.

Data are frozen and go into traces, over the wire to env servers and to tool servers, so no secret is in them. State is
what a rollout's tools tell its task: verifiers carries it from a tool server that is another process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import verifiers.v1 as vf  # pyright: ignore[reportMissingTypeStubs]
from pydantic import Field

ID = "drums-verifiers"
"""The package, as verifiers and prime-rl are told it."""

DEFAULT_TASK = "e0df059f-28a6-4169-924f-b9623e7184cc"
"""Rename a folder on the desktop; every daemon knows it."""

Pixels = Annotated[int, Field(ge=2, le=7680)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class DrumsData(vf.TaskData):
    """One OSWorld task; on a trace also the desktop that it ran on."""

    task_id: str = ""
    """OSWorld's id, or a prefix of 8 characters or more."""
    desktop: str | None = None
    """The env's id. None before the episode has one."""
    child: int | None = None
    """Which child of a fork, from 0; None for an episode of one desktop."""


class DrumsState(vf.State):
    """What the tools tell the task."""

    desktop: str | None = None
    """The env that tools act on."""
    invalid: str | None = None
    """Why the trace is dropped."""
    fault: str | None = None
    """What failed in the desktop or the server."""
    ended: Literal["done", "fail"] | None = None
    """What the model said at the end."""


class DrumsToolsConfig(vf.ToolsetConfig):
    """`env.taskset.task.tools.*`."""

    style: Literal["drums", "scalecua"] = "drums"
    """drums: tools such as computer_click, in screenshot pixels. scalecua: one `computer` tool, 0 to 1000."""
    obs_width: Pixels = 1280
    """Width of the screenshots that the model sees, in pixels."""
    obs_height: Pixels = 720
    """Their height."""
    pause_s: Seconds = 1.0
    """Seconds between an action and its screenshot."""


class DrumsTaskConfig(vf.TaskConfig):
    """`env.taskset.task.*`."""

    tools: DrumsToolsConfig = DrumsToolsConfig()
    verify_timeout_s: float = Field(default=600.0, gt=0, allow_inf_nan=False)
    """Seconds that the last gate and the checker may take."""


class DrumsTasksetConfig(vf.TasksetConfig):
    """`env.taskset.*`."""

    task_ids: list[Annotated[str, Field(min_length=8)]] = Field(default=[DEFAULT_TASK], min_length=1)
    """OSWorld task ids, or prefixes of 8 characters or more."""
    image: str = Field(default="osworld-ubuntu", min_length=1)
    """The image that desktops are made from."""
    task: DrumsTaskConfig = DrumsTaskConfig()  # pyright: ignore[reportIncompatibleVariableOverride]
    """verifiers asks for the narrower type."""


# verifiers' generics are invariant and bounded by its own State and TaskConfig, so a type checker can't be told ours.
# At run time they are what verifiers reads the classes from.
if TYPE_CHECKING:
    Trace = vf.Trace[DrumsData, Any, vf.AgentConfig]
    TaskBase = vf.Task[DrumsData, Any, Any]
else:
    Trace = vf.Trace  # hooks are called with what they want by the plain class
    TaskBase = vf.Task[DrumsData, DrumsState, DrumsTaskConfig]


def state_of(trace: Trace) -> DrumsState:
    """What the tools of a rollout told."""
    return cast("DrumsState", trace.state)
