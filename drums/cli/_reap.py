"""`drums reap`: ending what nobody uses, by how long it has been unused, how old it is, or all of it.

What is due is decided from two lists, without naming a desktop to the daemon: naming one counts as use. Invariant: what
is not known to be due stays; a state that a desktop was made from goes only after that desktop.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from drums.cli._ending import ENV, STATE, end_each, tell_ended
from drums.cli._options import Json, TokenFile, Url, examples
from drums.cli._output import Misused, Output
from drums.cli._server import connected
from drums.cli._status import Status
from drums.cli._words import age_s, count, seconds_of, since
from drums.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drums.cli._ending import Ended
    from drums.cli._server import Server
    from drums.records import Checkpoint, Slot

COLUMNS = ("id", "kind", "age", "unused")


class Kind(StrEnum):
    """What to end."""

    ENVS = "envs"
    STATES = "states"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Terms:
    """What is due."""

    idle_s: float | None = None
    """What was unused for so many seconds."""
    age_s: float | None = None
    """What was made so many seconds ago."""
    everything: bool = False

    def met_by(self, created_at: str | None, last_used_at: str | None) -> bool:
        """Whether something that was made and last used then is due; a moment that is not known is not."""
        if self.everything:
            return True
        idle, age = age_s(last_used_at), age_s(created_at)
        return (self.idle_s is not None and idle is not None and idle >= self.idle_s) or (
            self.age_s is not None and age is not None and age >= self.age_s
        )


@dataclass(frozen=True, slots=True)
class Due:
    """What is to be ended."""

    envs: tuple[Slot, ...]
    states: tuple[Checkpoint, ...]

    def has(self, kind: str, name: str) -> bool:
        """Whether this desktop or state is among it."""
        return any(one.id == name for of, many in self.kinds() if of == kind for one in many)

    def kinds(self) -> tuple[tuple[str, Sequence[Slot | Checkpoint]], ...]:
        """Both, with the word for each."""
        return ((ENV, self.envs), (STATE, self.states))


def register(app: typer.Typer) -> None:
    """Add `reap`."""
    reaped = examples(
        "drums reap --idle 2h --dry-run",
        "drums reap --age 1d --only states --yes",
        "drums reap --all --yes --json",
    )
    app.command("reap", epilog=reaped)(reap)


def reap(
    *,
    idle: Annotated[
        str | None, typer.Option(metavar="SPAN", help="What nobody used for so long: 90, 15m, 2h, 1d.")
    ] = None,
    age: Annotated[str | None, typer.Option(metavar="SPAN", help="What was made so long ago.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All of it, also what is in use now.")] = False,
    only: Annotated[Kind, typer.Option(help="Desktops, saved states, or both.")] = Kind.BOTH,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what is due and end nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> int:
    """End desktops that nobody uses and delete saved states, whoever made them.

    Images are never touched, nor a state that a desktop uses which stays.
    """
    terms = Terms(None if idle is None else seconds_of(idle), None if age is None else seconds_of(age), everything)
    if terms == Terms():
        raise Misused("say what is due: --idle, --age or --all")
    if not (yes or dry_run) and (as_json or not sys.stdin.isatty()):
        raise Misused("nobody can be asked here: --yes does it, --dry-run only tells")
    out = Output(as_json)
    with connected(url, token_file) as server:
        due = _due(server, terms, only)
        if dry_run:
            _tell(due, out)
            return Status.OK
        if not yes and (due.envs or due.states):
            _tell(due, out)
            typer.confirm(
                f"End {count(len(due.envs), 'desktop')} and {count(len(due.states), 'saved state')}?",
                abort=True,
                err=True,
            )
            due = _due(server, terms, only, due)  # somebody may have used one meanwhile
        outcomes = _ended(server, due)
    return tell_ended(outcomes, out)


def _due(server: Server, terms: Terms, only: Kind, asked: Due | None = None) -> Due:
    """What the terms are met by, as the daemon lists it now; of that only what was asked about, if it was."""

    def is_due(kind: str, one: Slot | Checkpoint) -> bool:
        return terms.met_by(one.created_at, one.last_used_at) and (asked is None or asked.has(kind, one.id))

    live = list(server.client.env_records())
    envs = [one for one in live if only != Kind.STATES and is_due(ENV, one)]
    staying = {one.checkpoint for one in live if one not in envs}
    listed = server.client.images() if only != Kind.ENVS else []
    states = [one for one in listed if one.kind == STATE and one.id not in staying and is_due(STATE, one)]
    return Due(tuple(envs), tuple(states))


def _ended(server: Server, due: Due) -> list[Ended]:
    """End the desktops, then the states that they were made from."""
    ends = [end for kind, many in due.kinds() for end in end_each(server, kind, [one.id for one in many])]
    # Somebody else was faster, or a state went with its last desktop: it is gone, and that was the aim.
    return [replace(one, error=None) if isinstance(one.error, NotFound) else one for one in ends]


def _tell(due: Due, out: Output) -> None:
    found = [(one.id, kind, one.created_at, one.last_used_at) for kind, many in due.kinds() for one in many]
    if out.as_json:
        keys = ("id", "kind", "created_at", "last_used_at")
        out.document([dict(zip(keys, one, strict=True)) for one in found])
    else:
        out.table(COLUMNS, [(name, kind, since(made), since(used)) for name, kind, made, used in found])
