"""Ending desktops and deleting states, several at a time, and telling what came of each.

Invariant: every id that was given is told of, once, with its error or without.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from drums.cli._output import fail, note
from drums.cli._status import Status
from drums.errors import Conflict, EnvGone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from drums.cli._output import Output
    from drums.cli._server import Server


ENV, STATE = "env", "state"


@dataclass(frozen=True, slots=True)
class Ended:
    """One that was to be ended."""

    kind: str
    """`env` or `state`."""
    id: str
    error: BaseException | None
    """What stopped it; one that is `EnvGone` was gone before."""


def end_each(server: Server, kind: str, ids: Iterable[str]) -> list[Ended]:
    """End all of them.

    Args:
        server: Where they are.
        kind: `env` or `state`.
        ids: Which; one that is named twice is ended once.
    """
    names = list(dict.fromkeys(ids))
    end: Callable[[str], Any] = server.ended if kind == ENV else server.client.delete_state
    outcomes = server.client.map(end, names)
    for outcome in outcomes:
        if kind == STATE and isinstance(outcome, Conflict):
            outcome.hint = "End them first: `drums rm`"
    return [
        Ended(kind, name, outcome if isinstance(outcome, BaseException) else None)
        for name, outcome in zip(names, outcomes, strict=True)
    ]


def tell_ended(ended: Sequence[Ended], out: Output) -> int:
    """Print which of them were ended, and give the exit status: that of the first error, if any."""
    gone = [one for one in ended if isinstance(one.error, EnvGone)]
    bad = [one.error for one in ended if one.error is not None and one not in gone]
    if out.as_json:
        out.document([{"id": one.id, "kind": one.kind, "error": None if one in gone else one.error} for one in ended])
    else:
        out.lines(one.id for one in ended if one.error is None)
    for one in gone:
        note(f"{one.id} was gone before")
    return next(iter([fail(error) for error in bad]), Status.OK)
