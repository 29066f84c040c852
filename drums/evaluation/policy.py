"""What a policy is, what it is shown and what it may answer; and how one is found by `module:name`.

It runs none: that is the rollout's. Invariant: whatever a policy returns is either read as actions and signals here, or
refused as the policy's mistake before anything reaches the desktop.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from drums.actions import Action, SignalName, action
from drums.errors import BadRequest

if TYPE_CHECKING:
    from drums.observation import ObservationMeta


class PolicyError(Exception):
    """The policy failed, or answered what is no action; the message is for people."""


@dataclass(slots=True)
class Usage:
    """What a policy took of a model."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """One action that was done, and what came of it."""

    action: Mapping[str, object]
    """As it was sent."""
    returncode: int | None
    """0 when it succeeded, None where there is none to tell."""
    output: str
    error: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a rollout that is over: what the policy decided and what came of it."""

    taken: tuple[Taken, ...]
    said: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What a policy is shown before each turn."""

    png: bytes
    """The screen, 1920x1080 pixels."""
    meta: ObservationMeta
    """Env, episode, task_id, instruction, steps so far and more, as of `env.observe()`."""
    history: Sequence[Turn] = ()
    """The turns before this one, oldest first."""
    turns_left: int = 1
    """How many turns there are, this one included."""

    @property
    def instruction(self) -> str:
        """What the task asks for."""
        return self.meta.get("instruction") or ""

    @property
    def task_id(self) -> str:
        """Id of the task."""
        return self.meta.get("task_id") or ""

    @property
    def turn(self) -> int:
        """Number of this turn, from 0."""
        return len(self.history)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a policy answers when it has more to tell than actions."""

    actions: Sequence[Action] = ()
    """Done one after the other; none: only look again. A signal ends the turn."""
    said: str | None = None
    """Why, in its own words: for the results and the report."""


Answer: TypeAlias = Action | Sequence[Action] | Decision
"""pyautogui code or another action, or several of them, or `"DONE"`, `"FAIL"`, `"WAIT"`; or a `Decision`."""


class Policy(Protocol):
    """Decides what to do next: a function, an `async` function, or an object that can be called.

    One that is not async runs in a thread of its own, so it may block. A class is made anew for every rollout, without
    arguments, so that it can keep a history; a method `close()`, where there is one, is called at the rollout's end. An
    attribute `usage` that is a `Usage` is recorded. An attribute `trouble` that is text says that what the policy needs
    is out of order: a time limit that is reached then makes the rollout an error with these words, and no score.
    """

    def __call__(self, seen: Seen, /) -> Answer | Awaitable[Answer]:
        """What to do now."""
        ...


MakePolicy: TypeAlias = Callable[[], Policy]
"""Called once for every rollout."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy's answer, read: what to send, and the signal that ends the turn."""

    actions: tuple[Mapping[str, object], ...]
    signal: SignalName | None = None
    said: str | None = None


def plan_of(answer: object) -> Plan:
    """Read what a policy returned.

    Raises:
        PolicyError: It is no action, or one stands behind a signal.
    """
    said = None
    if isinstance(answer, Decision):
        said, answer = answer.said, answer.actions
    if not isinstance(answer, list | tuple):
        answer = [answer]
    sent: list[Mapping[str, object]] = []
    signal: SignalName | None = None
    for one in cast("Sequence[Any]", answer):
        if signal is not None:
            raise PolicyError(f"the policy wants to do more after {signal}")
        try:
            checked = action(one)
        except BadRequest as wrong:
            raise PolicyError(f"the policy's answer is no action: {wrong.message}") from None
        if checked["type"] == "signal":
            signal = cast("SignalName", checked["name"])
        else:
            sent.append(checked)
    return Plan(tuple(sent), signal, said)


def load_policy(spec: str, folder: Path | None = None) -> MakePolicy:
    """Find a policy by `module:name`; a class is made anew for every rollout, anything else is used as it is.

    Args:
        spec: `my_agent:policy`, or `my_package.agents:Agent.default` for an attribute of an attribute.
        folder: Where modules are looked for first; None: the current folder.

    Raises:
        PolicyError: There is no such module or name, or it can't be called; the message says which.
    """
    module_name, _, name = spec.partition(":")
    if not module_name or not name:
        raise PolicyError(f"a policy is given as module:name, such as my_agent:policy, not {spec!r}")
    here = str(folder or Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = import_module(module_name)
    except Exception as fault:
        what = f"{type(fault).__name__}: {fault}"
        raise PolicyError(f"the module {module_name} of the policy can't be imported: {what}") from fault
    for part in name.split("."):
        if not hasattr(found, part):
            raise PolicyError(f"{module_name} has no {name!r}")
        found = getattr(found, part)
    if not callable(found):
        raise PolicyError(f"{spec} is a {type(found).__name__}, which can't be called")
    return cast("MakePolicy", found) if isinstance(found, type) else lambda: cast("Policy", found)
