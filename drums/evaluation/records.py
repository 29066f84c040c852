"""What is kept of a rollout: one JSON object, a line of `results.jsonl`.

Plain data and the words that they use; `docs/eval.md` explains the fields. Invariant: `score` is a number only where
`outcome` is `scored`, and that is said of valid episodes alone.
"""

from __future__ import annotations

from typing import Final, Literal, TypedDict, cast

from drums.evaluation.shapes import fits

Outcome = Literal["scored", "invalid", "error"]
"""A valid episode with a score; an episode that must not count; no episode to speak of."""
OUTCOMES: Final[tuple[Outcome, ...]] = ("scored", "invalid", "error")

ErrorKind = Literal[
    "policy", "checker", "no_score", "task_unsupported", "task_setup", "restore", "desktop", "lease", "full", "server",
    "timeout",
]  # fmt: skip
"""policy: it raised, or answered no action. checker: it failed, or (no_score) gave none. full: no room in all the time.
lease: the desktop was ended meanwhile. timeout: the checker took too long. server: anything else that it said."""

Ended = Literal["done", "fail", "turns", "time"]
"""Why the policy's turns were over: it said so, or a limit did."""


class ActionRecord(TypedDict):
    """One action."""

    action: dict[str, object]
    returncode: int | None
    output: str
    """The end of what it printed."""
    error: str
    seconds: float


class TurnRecord(TypedDict):
    """One turn: what was seen, said and done."""

    at_s: float
    """Seconds from the first look."""
    screenshot: str | None
    """What the policy saw: a path in the run's folder."""
    said: str | None
    actions: list[ActionRecord]
    signal: str | None


class GateRecord(TypedDict):
    """One gate of the episode."""

    name: str
    status: str
    detail: str | None


class ErrorRecord(TypedDict):
    """Why there is no episode to speak of."""

    kind: ErrorKind
    message: str


class UsageRecord(TypedDict):
    """What the policy took of a model."""

    requests: int
    prompt_tokens: int
    completion_tokens: int


class CostRecord(TypedDict):
    """What it cost; None where the price is not known."""

    model: float | None
    host: float | None


class RolloutRecord(TypedDict):
    """One rollout."""

    kind: Literal["rollout"]
    id: str
    """`<task id>#<attempt>`."""
    task_id: str
    domain: str
    instruction: str
    attempt: int
    """From 0."""
    outcome: Outcome
    score: float | None
    """0 to 1; only with outcome `scored`."""
    trusted: bool | None
    """Whether the server's audit stands behind the score; None where it made none."""
    audit_flags: list[str]
    beyond: list[str]
    """What the audit saw touched beyond the task's scope, the first of it, in words."""
    reasons: list[str]
    """Why the episode is not valid."""
    bad_gates: list[str]
    """The gates that speak against it; `quarantine` stands for one."""
    gates: list[GateRecord]
    error: ErrorRecord | None
    ended: Ended | None
    """None when it did not come so far."""
    env: str | None
    parent: str | None
    """The desktop that it was forked from."""
    turns: list[TurnRecord]
    last_screenshot: str | None
    """The screen before the checker ran."""
    started_at: float
    """Unix time, in seconds."""
    seconds: float
    """From asking for a desktop to the reward."""
    play_seconds: float | None
    """Of these, from the first look to the policy's end."""
    usage: UsageRecord | None
    cost: CostRecord


def rollout_in(line: object) -> RolloutRecord | None:
    """The rollout that a line of results holds; None where it holds something else, or contradicts itself.

    The file may have been changed since it was written: a score that is none must not become a figure.
    """
    if not fits(line, RolloutRecord):
        return None
    record = cast("RolloutRecord", line)
    score = record["score"]
    sound = (score is None) is (record["outcome"] != "scored") and (score is None or 0 <= score <= 1)
    return record if sound and record["id"] == f"{record['task_id']}#{record['attempt']}" else None


def is_number(record: RolloutRecord) -> bool:
    """Whether its score counts. The one place that decides."""
    return record["outcome"] == "scored" and record["score"] is not None
