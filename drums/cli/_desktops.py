"""`drums create`, `ls`, `show`, `rm`, `reset`, `quarantine`, `release`: desktops, one by one and all of them.

A desktop that is made here outlives the command; its lease or `drums rm` ends it.
Invariant: `create` prints the id and nothing else, and leaves nothing behind where it fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from drums.cli._complete import env_ids
from drums.cli._ending import ENV, STATE, end_each, tell_ended
from drums.cli._options import (
    EnvId,
    FromState,
    IdleTimeout,
    Image,
    Json,
    Task,
    TokenFile,
    Ttl,
    Url,
    examples,
)
from drums.cli._output import Output
from drums.cli._server import connected
from drums.cli._words import age_s, lease, since, task_of, verdict_of

if TYPE_CHECKING:
    from drums._sync._env import Env
    from drums.records import Slot

COLUMNS = ("id", "state", "episode", "verdict", "task", "made from", "age", "unused")
WAIT_VALID_S = 60.0
"""How long `create --wait-valid` waits for a verdict."""

Ids = Annotated[list[str], typer.Argument(metavar="ID", help="One id or more.", autocompletion=env_ids)]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    made = examples(
        "id=$(drums create --task e0df059f)",
        "drums create --wait-valid --idle-timeout 600 --json",
        "drums create --from-state $state",
    )
    app.command("create", epilog=made)(create)
    app.command("ls", epilog=examples("drums ls", "drums ls --all --json", "drums ls --quiet"))(ls)
    app.command("show", epilog=examples("drums show $id", "drums show $id --json"))(show)
    app.command("rm", epilog=examples("drums rm $id", "drums rm --state $state"))(remove)
    app.command("reset", epilog=examples("drums reset $id"))(reset)
    app.command("quarantine", epilog=examples("drums quarantine $id --reason 'the screen is black'"))(quarantine)
    app.command("release", epilog=examples("drums release $quarantined"))(release)


def create(
    *,
    task: Task = None,
    image: Image = None,
    from_state: FromState = None,
    idle_timeout: IdleTimeout = None,
    ttl: Ttl = None,
    wait_valid: Annotated[
        bool, typer.Option("--wait-valid", help="Wait until every gate of its episode has passed; else end it again.")
    ] = False,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Start a desktop and print its id."""
    source: dict[str, Any] = {} if image is None else {"image": image}
    with connected(url, token_file) as server:
        env = server.client.create(task=task, from_state=from_state, idle_timeout=idle_timeout, ttl=ttl, **source)
        if wait_valid:
            _wait_valid(env)
    out = Output(as_json)
    if as_json:
        out.document(env.record)
    else:
        out.line(env.id)


def ls(
    *,
    everything: Annotated[bool, typer.Option("--all", "-a", help="Also those that are gone.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Ids only.")] = False,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """List the desktops, whoever made them."""
    with connected(url, token_file) as server:
        records = list(server.client.env_records(include_destroyed=everything))
    out = Output(as_json)
    if as_json:
        out.document(records)
    elif quiet:
        out.lines(record.id for record in records)
    else:
        out.table(COLUMNS, [row_of(record) for record in records])


def show(env_id: EnvId, *, url: Url = None, token_file: TokenFile = None, as_json: Json = False) -> None:
    """Tell what a desktop is now: its state, episode, verdict, task and lease."""
    with connected(url, token_file) as server:
        record = server.env(env_id).record
    _tell(record, as_json)


def remove(
    ids: Ids,
    *,
    state: Annotated[bool, typer.Option("--state", help="They are saved states, not desktops.")] = False,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> int:
    """End desktops, or delete saved states; one that is already gone is fine."""
    with connected(url, token_file) as server:
        ended = end_each(server, STATE if state else ENV, ids)
    return tell_ended(ended, Output(as_json))


def reset(env_id: EnvId, *, url: Url = None, token_file: TokenFile = None, as_json: Json = False) -> None:
    """Throw away what a desktop is, restore it, and begin its next episode; its task's setup runs again."""
    with connected(url, token_file) as server:
        record = server.env(env_id).reset().record
    _tell(record, as_json)


def quarantine(
    env_id: EnvId,
    *,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; it comes back with the reward.")] = "client",
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Bar a desktop from giving a reward in this episode; it keeps running, to be looked at."""
    with connected(url, token_file) as server:
        record = server.env(env_id).quarantine(reason).record
    _tell(record, as_json)


def release(env_id: EnvId, *, url: Url = None, token_file: TokenFile = None, as_json: Json = False) -> None:
    """End a quarantine: the desktop's processes are killed; `drums reset` brings it back."""
    with connected(url, token_file) as server:
        record = server.env(env_id).release().record
    _tell(record, as_json)


def row_of(record: Slot) -> tuple[object, ...]:
    """A desktop's row under `COLUMNS`."""
    return (
        record.id,
        record.state,
        record.episode,
        verdict_of(record),
        task_of(record),
        record.checkpoint,
        since(record.created_at),
        since(record.last_used_at),
    )


def _wait_valid(env: Env) -> None:
    try:
        env.wait_valid(WAIT_VALID_S)
    except BaseException:
        env.close()
        raise


def _tell(record: Slot, as_json: bool) -> None:
    out = Output(as_json)
    if as_json:
        out.document(record)
        return
    task = record.task
    out.pairs(
        (
            ("id", record.id),
            ("state", record.state),
            ("episode", record.episode),
            ("verdict", verdict_of(record)),
            ("task", None if task is None else task.get("id")),
            ("instruction", None if task is None else task.instruction),
            ("made from", record.checkpoint),
            ("parent", record.parent),
            ("last error", record.last_error),
            ("reason", record.reason),
            ("closed", record.closed_reason),
            ("made", f"{since(record.created_at)} ago" if age_s(record.created_at) is not None else None),
            ("idle timeout", lease(record.idle_timeout_s)),
            ("time to live", lease(record.ttl_s)),
        )
    )
