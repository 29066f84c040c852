"""The one exception that the domain raises for the caller: a request that is not done, and why.

It names a kind, never an HTTP status; `app.py` holds the table from kinds to statuses.
Invariant: a refusal raised before a deed's intent was written left the desktop as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from drums.local.store import GateRow, SlotRow

Kind = Literal[
    "bad_request",
    "not_found",
    "conflict",
    "not_quiescent",
    "checkpoint_stale",
    "gone",
    "task_unsupported",
    "quota_exceeded",
    "overloaded",
    "guest_error",
    "unavailable",
]


@dataclass(frozen=True, slots=True)
class GateReport:
    """The gates of one episode of one slot, and what follows from them."""

    slot: str
    episode: int
    verdict: Literal["pending", "valid", "invalid"]
    gates: tuple[GateRow, ...]


class Refusal(Exception):
    """A request that was not done.

    Args:
        kind: What sort of refusal it is.
        message: For the caller: what stands in the way and what to do; no host path, no secret.
        slot: The slot's record, where the request named one that exists.
        gates: The slot's gate report, where gates are the reason.
        closed_reason: Why a destroyed slot was closed.
        retry_after_s: Seconds after which the same request may succeed.
    """

    def __init__(
        self,
        kind: Kind,
        message: str,
        *,
        slot: SlotRow | None = None,
        gates: GateReport | None = None,
        closed_reason: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.message = message
        self.slot = slot
        self.gates = gates
        self.closed_reason = closed_reason
        self.retry_after_s = retry_after_s
