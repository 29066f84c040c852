"""The transition table: what a slot may be asked in which state, which state follows, what a refusal says.

Pure: it knows rows, no desktops. Requests are decided by `decide`; what happens to a slot by itself (it came
up, a gate failed, its desktop is gone) by `follow`. Invariant: both are total; a destroyed slot stays
destroyed; only a reset leads out of `down`; nothing but a release and then a reset leads from `quarantined` to
`ready`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from drums.local.domain.refusals import Refusal
from drums.local.store import SlotRow, SlotState

if TYPE_CHECKING:
    from collections.abc import Mapping

Operation = Literal[
    "get",
    "metrics",
    "gates",
    "screenshot",
    "step",
    "verify",
    "set_task",
    "reset",
    "quiescent",
    "capture",
    "prefork",
    "branch",
    "quarantine",
    "release",
    "delete",
]
Fact = Literal["came_up", "restore_failed", "setup_failed", "gate_failed", "desktop_gone"]

STATES: tuple[SlotState, ...] = get_args(SlotState)
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
FACTS: tuple[Fact, ...] = get_args(Fact)
INPUT: frozenset[Operation] = frozenset({"step", "verify", "set_task", "reset", "quarantine", "release", "delete"})
"""What makes a prepared fork worthless. `verify` is input because a checker may act on the desktop before it looks."""

_LOOKING: tuple[Operation, ...] = ("get", "metrics", "gates")
_ACTING: tuple[Operation, ...] = ("step", "set_task", "quiescent", "capture", "prefork", "branch")

_SERVED: dict[SlotState, dict[Operation, SlotState]] = {
    "creating": {**dict.fromkeys(_LOOKING, "creating"), "delete": "destroyed"},
    "ready": {
        **dict.fromkeys(_LOOKING, "ready"),
        **dict.fromkeys(_ACTING, "ready"),
        "screenshot": "ready",
        "verify": "ready",
        "reset": "creating",
        "quarantine": "quarantined",
        "delete": "destroyed",
    },
    "quarantined": {
        **dict.fromkeys(_LOOKING, "quarantined"),
        "screenshot": "quarantined",
        "verify": "quarantined",
        "quarantine": "quarantined",
        "release": "down",
        "delete": "destroyed",
    },
    "down": {**dict.fromkeys(_LOOKING, "down"), "verify": "down", "reset": "creating", "delete": "destroyed"},
    "destroyed": {},
}
TABLE: Mapping[tuple[SlotState, Operation], SlotState | None] = {
    (state, operation): _SERVED[state].get(operation) for state in STATES for operation in OPERATIONS
}
"""The state that a request leads to; None where it is refused."""

_FOLLOWS: Mapping[tuple[SlotState, Fact], SlotState] = {
    ("creating", "came_up"): "ready",
    ("creating", "restore_failed"): "down",
    ("creating", "setup_failed"): "down",
    ("creating", "gate_failed"): "quarantined",
    ("creating", "desktop_gone"): "down",
    ("ready", "setup_failed"): "down",
    ("ready", "gate_failed"): "quarantined",
    ("ready", "desktop_gone"): "down",
    ("quarantined", "desktop_gone"): "down",
}


def follow(state: SlotState, fact: Fact) -> SlotState:
    """The state after something happened by itself; a fact that comes too late changes nothing."""
    return _FOLLOWS.get((state, fact), state)


def decide(row: SlotRow, operation: Operation) -> SlotState:
    """The state that a request leads to.

    Raises:
        Refusal: The slot's state forbids it; `gone` for a destroyed slot, else `conflict`.
    """
    state = TABLE[row.state, operation]
    if state is not None:
        return state
    if row.state == "destroyed":
        raise gone(row)
    raise Refusal("conflict", f"{row.id} {_why_not(row)}", slot=row)


def gone(row: SlotRow) -> Refusal:
    """What a request gets that names a destroyed slot."""
    why = row.closed_reason or "closed"
    return Refusal("gone", f"{row.id} was destroyed ({why})", slot=row, closed_reason=why)


def _why_not(row: SlotRow) -> str:
    match row.state:
        case "creating":
            return "is coming up; ask again when its state is ready"
        case "ready":
            return "is not quarantined, there is nothing to release"
        case "quarantined":
            return f"is quarantined ({row.reason}); release it, then reset it, or delete it"
        case "down":
            return f"is down ({row.last_error or row.reason}); reset it, or delete it"
        case "destroyed":
            return "was destroyed"


def destroyed(row: SlotRow, why: str, now: float) -> SlotRow:
    """The record that stays of a slot."""
    return replace(row, state="destroyed", held=False, closed_reason=why, closed_at=now)
