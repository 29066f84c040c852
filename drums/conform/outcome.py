"""What came of the scenarios: one `Outcome` each, and the ways a scenario ends early.

Pure. Invariant: an outcome that failed or was skipped says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, cast

Status = Literal["passed", "failed", "skipped"]


class Broken(Exception):
    """The daemon did not keep a rule."""


class NotHere(Exception):
    """The scenario says nothing about this daemon, and why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one scenario."""

    group: str
    name: str
    """The scenario's name, a Python identifier."""
    rule: str
    """What it holds the daemon to, one sentence."""
    status: Status
    detail: str = ""
    """Why it failed or was skipped."""
    seconds: float = 0.0
    requests: tuple[str, ...] = field(default=())
    """The last requests before it failed, oldest first."""


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run."""

    url: str
    version: str
    """What the daemon says its version is."""
    machine: str
    """What it says runs its desktops."""
    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()
    """What was not checked, and what could not be cleaned up."""
    seconds: float = 0.0

    @property
    def conforms(self) -> bool:
        """Whether nothing failed and something passed."""
        words = {outcome.status for outcome in self.outcomes}
        return "failed" not in words and "passed" in words

    def count(self, status: Status) -> int:
        """How many scenarios ended so."""
        return sum(outcome.status == status for outcome in self.outcomes)


def hold(kept: bool, rule: str, saw: object = None) -> None:
    """Go on only if the daemon kept a rule.

    Raises:
        Broken: It did not; the message is the rule and what was seen instead.
    """
    if not kept:
        raise Broken(rule if saw is None else f"{rule}; saw {_brief(saw)}")


def part(of: Any, name: str) -> dict[str, Any]:
    """An object inside a reply; empty where there is none, so that it can be read on."""
    found = of.get(name)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _brief(saw: object) -> str:
    text = repr(saw)
    return text if len(text) <= 300 else f"{text[:300]}…"
