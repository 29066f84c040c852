"""The asyncio client of commands that make desktops, use them and close them, such as `eval` and `audit-task`.

Unlike the clients of `_server` it closes what it made, so that `DRUMS_URL=local` is as good as a daemon.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from drums._core import calls
from drums.aio._client import Client
from drums.aio._session import Session
from drums.cli._server import settings_for, telling

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path


@asynccontextmanager
async def async_client(url: str | None, token_file: Path | None) -> AsyncGenerator[Client]:
    """A client of the daemon that a command's options, or the environment, name; else of the one on this machine.

    Raises:
        DrumsError: As the SDK raises it.
    """
    session = Session(settings_for(url, token_file, local=True), close_on_exit=True, handle_signals=True)
    with telling():
        async with Client(session) as client:
            await session.send(calls.try_server())
            yield client
