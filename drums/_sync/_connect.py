# Generated from drums/aio/_connect.py by tools/generate_sync.py. Edit that file.
"""The two ways in: `connect()` to a server, and `env()` to one desktop.

Neither holds anything: what they open closes itself. The environment is read when they are called, not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums._core import calls
from drums._core.settings import RETRY_S, TIMEOUT_S, resolve
from drums._io import sync as io
from drums._sync._client import DEFAULT_IMAGE, Client
from drums._sync._session import Session

if TYPE_CHECKING:
    from drums._core.task_source import TaskSource
    from drums._sync._env import Env


def connect(
    url: str | None = None,
    token: str | None = None,
    *,
    timeout: float = TIMEOUT_S,
    retry_s: float = RETRY_S,
    check: bool = True,
    close_on_exit: bool = True,
    handle_signals: bool = True,
) -> Client:
    """Connect to a server: `with drums.connect() as client`, or `client = drums.connect()`.

    Args:
        url: `http://…`, `https://…`, or `local` for simulated desktops in this process; None: `$DRUMS_URL`, or
            `$DRUMSD_URL`, else `http://127.0.0.1:7070`.
        token: None: `$DRUMS_TOKEN`, else what the file holds that `$DRUMS_TOKEN_FILE` names.
        timeout: Seconds that one request may take.
        retry_s: Seconds to go on trying a GET while the server can't be reached. POST and DELETE are never repeated.
        check: Whether to try server and token at once.
        close_on_exit: Whether to close what the client made when the process ends.
        handle_signals: Whether also on SIGTERM and SIGHUP, where their default handlers are in place.

    Returns:
        The client.

    Raises:
        BadRequest: The URL or a time is not usable.
        AuthError: The token is missing or not this server's; or its file is not private.
        DaemonUnavailable: Nothing answers there.

    Server: list_slots
    """
    settings = resolve(url, token, timeout_s=timeout, retry_s=retry_s, stacklevel=2)

    def opened() -> Client:
        session = Session(settings, close_on_exit=close_on_exit, handle_signals=handle_signals)
        try:
            if check:
                session.send(calls.try_server())
        except BaseException:
            io.finish(session.close)
            raise
        return Client(session)

    return io.opening(opened)


def env(
    task: TaskSource | None = None,
    *,
    from_state: str | None = None,
    checkpoint: str = DEFAULT_IMAGE,
    url: str | None = None,
    token: str | None = None,
) -> Env:
    """Connect and start one desktop; closing it closes the connection too. The entry point of version 0.1.

    Args:
        task: An OSWorld task, the path of a JSON file with one, or the id of one that the server knows.
        from_state: The saved state to start from, instead of an image.
        checkpoint: The installed image to start from.
        url: As for `connect()`.
        token: As for `connect()`.

    Returns:
        The env.

    Raises:
        DrumsError: As `connect()` and `client.create()` raise.

    Server: create_slot, get_task, list_slots
    """
    settings = resolve(url, token, stacklevel=2)

    def opened() -> Env:
        session = Session(settings, close_on_exit=True, handle_signals=True)
        client = Client(session)
        try:
            made = client.create(checkpoint, task, from_state=from_state)
        except BaseException:
            io.finish(client.close)
            raise
        session.closes_with = made.id
        return made

    return io.opening(opened)
