"""What a shell completes: ids of desktops and states, names of images and tasks, as the daemon lists them now.

Invariant: completion never waits long, never prints, and never fails: where the daemon does not answer, nothing is
offered. What is offered is a plain word, so that nothing a daemon says is ever run by the shell.
"""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr
from typing import TYPE_CHECKING

import typer

from drums.errors import DrumsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from drums.cli._server import Server

PATIENCE_S = 1.0
"""Seconds that a person who pressed Tab waits at most."""
_WORD = re.compile(r"[A-Za-z0-9][\w.@+-]{0,199}", re.ASCII)


def env_ids(context: typer.Context, incomplete: str) -> list[str]:
    """Ids of the live desktops."""
    return _offered(context, incomplete, lambda server: (record.id for record in server.client.env_records()))


def state_names(context: typer.Context, incomplete: str) -> list[str]:
    """Ids of the saved states."""
    return _offered(
        context, incomplete, lambda server: (one.id for one in server.client.images() if one.kind == "state")
    )


def image_names(context: typer.Context, incomplete: str) -> list[str]:
    """Names of the images."""
    return _offered(
        context, incomplete, lambda server: (one.id for one in server.client.images() if one.kind != "state")
    )


def task_ids(context: typer.Context, incomplete: str) -> list[str]:
    """Ids of the tasks."""
    return _offered(context, incomplete, lambda server: (task.id for task in server.client.tasks()))


def _offered(context: typer.Context, incomplete: str, listed: Callable[[Server], Iterable[str]]) -> list[str]:
    from drums.cli._server import connected  # noqa: PLC0415 -- only who presses Tab needs it

    given = context.params
    try:
        with (
            redirect_stderr(io.StringIO()),
            connected(given.get("url"), given.get("token_file"), timeout_s=PATIENCE_S, retry_s=0.0) as server,
        ):
            return [word for word in listed(server) if word.startswith(incomplete) and _WORD.fullmatch(word)]
    except (DrumsError, OSError):
        return []
