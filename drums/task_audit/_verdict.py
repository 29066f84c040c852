"""What the plays of an audit say of a task: pure.

Invariants: a task is `sound` only when every play was valid and scored as expected; a play that gave no usable score
is never read as one, so it makes a task `undecided` and no more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drums.task_audit._plays import Play

Word = Literal["sound", "unproven", "unsound", "undecided", "skipped"]
"""`unproven`: as expected, but there is no oracle to show that the task can be solved. `undecided`: an episode was not
valid, or the desktop failed. `skipped`: it can't be run on this server."""

PASSING: frozenset[Word] = frozenset({"sound", "unproven", "skipped"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one play came to."""

    play: Play
    score: float | None
    """None where there is none; then one of `invalid`, `checker_error` or `failed` says why."""
    flags: tuple[str, ...] = ()
    """What the server's audit said."""
    invalid: tuple[str, ...] = ()
    """Why the episode is not valid."""
    checker_error: str | None = None
    failed: str | None = None
    """What went wrong before there was a reward: an action, the desktop, the server."""
    seconds: float = 0.0

    @property
    def usable(self) -> bool:
        """Whether it tells something about the task."""
        return self.failed is None and not self.invalid

    @property
    def as_expected(self) -> bool:
        """Whether it scored what it had to."""
        return self.usable and self.checker_error is None and self.score == self.play.expected


@dataclass(frozen=True, slots=True)
class TaskAudit:
    """The verdict on one task."""

    task_id: str
    domain: str
    difficulty: str | None
    verdict: Word
    findings: tuple[str, ...]
    """What speaks against it, or why it was not decided, a sentence each; empty for a sound one."""
    outcomes: tuple[Outcome, ...] = field(default=(), repr=False)
    seconds: float = 0.0

    def scores(self, kind: str) -> list[float | None]:
        """The scores of the plays of one kind."""
        return [outcome.score for outcome in self.outcomes if outcome.play.kind == kind]


def finding(outcome: Outcome) -> str | None:
    """What is wrong with one outcome, None when nothing is."""
    named = f"{outcome.play.kind} ({outcome.play.why})"
    if outcome.failed is not None:
        return f"{named} could not be played: {outcome.failed}"
    if outcome.invalid:
        return f"{named} was no valid episode: {'; '.join(outcome.invalid)}"
    if outcome.checker_error is not None:
        return f"{named}: the checker failed: {outcome.checker_error}"
    if outcome.score != outcome.play.expected:
        return f"{named} scored {_number(outcome.score)}, expected {_number(outcome.play.expected)}"
    if outcome.flags and outcome.play.expected == 1.0:
        return f"{named} was right and is not trusted: {', '.join(outcome.flags)}"
    return None


def verdict_of(outcomes: Sequence[Outcome], *, proven: bool) -> tuple[Word, tuple[str, ...]]:
    """The verdict on a task, and what speaks against it.

    Args:
        outcomes: What was played.
        proven: Whether an oracle was among it.
    """
    found = [(outcome, words) for outcome in outcomes if (words := finding(outcome)) is not None]
    findings = tuple(words for _, words in found)
    if any(outcome.usable for outcome, _ in found):
        return "unsound", findings
    if found or not outcomes:
        return "undecided", findings or ("nothing was played",)
    return ("sound" if proven else "unproven"), ()


def passes(audits: Iterable[TaskAudit], *, require_proof: bool = False) -> bool:
    """Whether a whole audit passes: at least one task was played, none speaks against itself or stayed undecided."""
    words = [audit.verdict for audit in audits]
    allowed = PASSING - {"unproven"} if require_proof else PASSING
    return any(word != "skipped" for word in words) and all(word in allowed for word in words)


def _number(score: float | None) -> str:
    return "nothing" if score is None else f"{score:g}"
