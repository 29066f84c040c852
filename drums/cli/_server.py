"""The daemon that a command talks to, for as long as the command runs.

What a command makes outlives it: nothing here closes a desktop, leases and `drums rm` do.
Invariant: a command never waits long for a daemon that does not answer.
"""

from __future__ import annotations

import logging
import os
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from drums._core import calls
from drums._core.settings import DEFAULT_URL, TIMEOUT_S, resolve
from drums._sync._client import Client
from drums._sync._env import Env
from drums._sync._session import Session
from drums.cli._output import note
from drums.errors import BadRequest
from drums.local.instance import default_state_dir, is_held, record_in

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from drums._core.settings import Settings
    from drums.records import Checkpoint, Slot

RETRY_S = 2.0
"""A person waits for the answer: a daemon that is not there is told of at once, one that restarts is not."""

NO_LOCAL = (
    'a command ends before its desktops would: DRUMS_URL=local is for programs. Start a daemon: eval "$(drums up '
    '--detach)", or name one with --url'
)


class Server:
    """A connection to one daemon.

    Args:
        settings: Where it is and with which token.
    """

    def __init__(self, settings: Settings) -> None:
        self._session = Session(settings, close_on_exit=False, handle_signals=False)
        self.client = Client(self._session)
        """What the SDK offers; its `close()` would close desktops too, `connected()` does not."""

    def env(self, env_id: str) -> Env:
        """The desktop of that id.

        Raises:
            NotFound: There never was one.
            EnvGone: It was destroyed.
        """
        return Env(self.client, self._session, self._session.send(calls.get_slot(env_id)))

    def ended(self, env_id: str) -> Slot:
        """End a desktop, and give its last record.

        Raises:
            NotFound: There never was one.
            EnvGone: It was gone before.
        """
        return self._session.send(calls.delete_slot(env_id))

    def saved(
        self,
        env_id: str,
        name: str | None,
        quiesce_timeout: float | None,
        idle_timeout: float | None,
        ttl: float | None,
    ) -> Checkpoint:
        """Save a desktop, as `Env.save` does, and give the whole record of the state."""
        return self._session.send(calls.capture_slot(env_id, name, quiesce_timeout, idle_timeout, ttl))

    def close(self) -> None:
        """Let go of the connection."""
        self._session.close()


def settings_for(
    url: str | None,
    token_file: Path | None,
    *,
    timeout_s: float = TIMEOUT_S,
    retry_s: float | None = None,
    local: bool = False,
) -> Settings:
    """Where a command's daemon is, and its token.

    Without options and without `DRUMS_URL` it is the one that `drums up` started on this machine, wherever it listens.

    Args:
        url: The command's `--url`.
        token_file: Its `--token-file`.
        timeout_s: Seconds that one request may take.
        retry_s: Seconds to go on trying a GET while nothing answers; None: a few.
        local: Whether the URL may be `local`, because the command closes what it made before it ends.

    Raises:
        BadRequest: The URL is not usable, or is `local`.
        AuthError: The token file is not usable.
    """
    environ = dict(os.environ)
    if token_file is not None:
        environ |= {"DRUMS_TOKEN": "", "DRUMS_TOKEN_FILE": str(token_file)}
    if url is None and not environ.get("DRUMS_URL") and not environ.get("DRUMSD_URL"):
        url = _take_running(environ)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        settings = resolve(url, timeout_s=timeout_s, retry_s=RETRY_S if retry_s is None else retry_s, environ=environ)
    for warning in warned:
        note(warning.message)
    if settings.is_local and not local:
        raise BadRequest(400, NO_LOCAL, sent="no", hint="")
    return settings


@contextmanager
def connected(
    url: str | None, token_file: Path | None, *, timeout_s: float = TIMEOUT_S, retry_s: float | None = None
) -> Generator[Server]:
    """The command's daemon, for a block; nothing is asked of it before the block does.

    Raises:
        BadRequest: The URL is not usable, or is `local`.
        AuthError: The token file is not usable.
    """
    server = Server(settings_for(url, token_file, timeout_s=timeout_s, retry_s=retry_s))
    try:
        with telling():
            yield server
    finally:
        server.close()


@contextmanager
def telling() -> Generator[None]:
    """The SDK's warnings told as everything else is, for a block."""
    logger, notes = logging.getLogger("drums"), _Notes(logging.WARNING)
    logger.addHandler(notes)
    try:
        yield
    finally:
        logger.removeHandler(notes)


class _Notes(logging.Handler):
    """Tells the SDK's warnings as everything else is told; a try to reach a daemon needs no words of its own."""

    def emit(self, record: logging.LogRecord) -> None:
        if "; again in " not in str(record.msg):
            note(record.getMessage())


def _take_running(environ: dict[str, str]) -> str:
    """The URL of the daemon on this machine; its token file goes into the environment where that names no token."""
    state_dir = default_state_dir(environ)
    record = record_in(state_dir) if is_held(state_dir) else None
    if record is None or record.url is None:
        return DEFAULT_URL
    if record.token_file and not environ.get("DRUMS_TOKEN") and not environ.get("DRUMS_TOKEN_FILE"):
        environ["DRUMS_TOKEN_FILE"] = record.token_file
    return record.url
