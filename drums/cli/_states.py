"""`drums fork`, `save`, `states`: copies of running desktops.

Invariant: standard output of `fork` and `save` holds ids and nothing else, so that a script can take them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from drums.cli._ending import STATE
from drums.cli._options import EnvId, IdleTimeout, Json, StateIdleTimeout, StateTtl, TokenFile, Ttl, Url, examples
from drums.cli._output import Output, fail, note
from drums.cli._server import connected
from drums.cli._status import Status
from drums.cli._words import lease, megabytes, since

if TYPE_CHECKING:
    from drums.records import Checkpoint

COLUMNS = ("id", "kind", "saved from", "in use by", "MB", "age", "unused", "idle timeout")

Quiesce = Annotated[
    float | None,
    typer.Option(metavar="S", min=0, help="Seconds to wait for the desktop to come to rest. Default: the daemon's 30."),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("fork", epilog=examples("drums fork $id 4", "drums fork $id 2 --drop-state --json"))(fork)
    app.command("save", epilog=examples("state=$(drums save $id)", "drums save $id --name base --ttl 3600"))(save)
    app.command("states", epilog=examples("drums states", "drums states --images --json"))(states)


def fork(
    env_id: EnvId,
    n: Annotated[int, typer.Argument(metavar="N", min=1, help="How many copies.")],
    *,
    drop_state: Annotated[
        bool, typer.Option("--drop-state", help="Delete the saved state with the last of the copies.")
    ] = False,
    idle_timeout: IdleTimeout = None,
    ttl: Ttl = None,
    state_idle_timeout: StateIdleTimeout = None,
    state_ttl: StateTtl = None,
    quiesce_timeout: Quiesce = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> int:
    """Start copies of a running desktop, programs and unsaved text included, and print their ids.

    The desktop keeps running. A copy that does not come up is told on standard error and ended; the others are kept.
    """
    with connected(url, token_file) as server:
        made = server.env(env_id).fork(
            n,
            strict=False,
            quiesce_timeout=quiesce_timeout,
            keep_state=not drop_state,
            idle_timeout=idle_timeout,
            ttl=ttl,
            state_idle_timeout=state_idle_timeout,
            state_ttl=state_ttl,
        )
        bad = {error.record.get("id") for error in made.failed}
        server.client.map(server.ended, [child.id for child in made if child.id in bad])
    out = Output(as_json)
    if as_json:
        out.document(made.raw)
    else:
        out.lines(child.id for child in made if child.id not in bad)
        note(f"{env_id} is saved as {made.state}")
    return next((status for status in [fail(error) for error in made.failed]), Status.OK)


def save(
    env_id: EnvId,
    *,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Its id. Default: the daemon chooses one.")
    ] = None,
    idle_timeout: StateIdleTimeout = None,
    ttl: StateTtl = None,
    quiesce_timeout: Quiesce = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Save a desktop and its running programs, and print the state's id; the desktop keeps running."""
    with connected(url, token_file) as server:
        record = server.saved(env_id, name, quiesce_timeout, idle_timeout, ttl)
    out = Output(as_json)
    if as_json:
        out.document(record)
    else:
        out.line(record.id)


def states(
    *,
    images: Annotated[bool, typer.Option("--images", help="Also the images that desktops are made from.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Ids only.")] = False,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """List the saved states."""
    with connected(url, token_file) as server:
        found = [record for record in server.client.images() if images or record.kind == STATE]
    out = Output(as_json)
    if as_json:
        out.document(found)
    elif quiet:
        out.lines(record.id for record in found)
    else:
        out.table(COLUMNS, [_row(record) for record in found])


def _row(record: Checkpoint) -> tuple[object, ...]:
    return (
        record.id,
        record.kind,
        record.parent or "-",
        record.slots,
        megabytes(record.bytes),
        since(record.created_at),
        since(record.last_used_at),
        lease(record.idle_timeout_s),
    )
