"""Requests over aiohttp: the asynchronous transport. It never sends a request twice.

aiohttp, because plain httpx costs many times as much with many requests under way (`benchmarks/`). This finds the
`Session` of the loop that runs, in the process that runs; how one request goes is in `_session`. The invariant: no
socket is used by two loops or two processes.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from drums._io._terms import refuse_unsendable

if TYPE_CHECKING:
    from ssl import SSLContext

    from drums._core.settings import Settings
    from drums._core.wire import Reply, Request
    from drums._io._session import Session


class Transport:
    """Sends requests to one server, from the running event loop.

    Connections are kept and used again while the server keeps them. Another loop, or a process made by `os.fork`,
    starts with none. After `close` it can still be used, and connects anew.

    Args:
        settings: Where to, and with which token.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._sessions: dict[asyncio.AbstractEventLoop, Session] = {}
        self._pid = os.getpid()
        self._context: SSLContext | None = None

    def __repr__(self) -> str:
        return f"<Transport to {self._settings.url}>"

    async def send(self, request: Request) -> Reply:
        """Do one request.

        Raises:
            BadRequest: The request can't be put into words of HTTP.
            TransportError: There is no complete reply.
        """
        refuse_unsendable(request)
        session = self._sessions.get(asyncio.get_running_loop())
        if session is None or session.closed:
            session = await self._opened()
        return await session.send(request)

    async def close(self) -> None:
        """Close all connections."""
        mine = self._of_this_process().pop(asyncio.get_running_loop(), None)
        self._sessions.clear()
        if mine is not None:
            await mine.close()

    async def _opened(self) -> Session:
        from drums._io._session import Session  # noqa: PLC0415  # aiohttp, at the first request

        sessions = self._of_this_process()
        for loop in [loop for loop in sessions if loop.is_closed()]:
            del sessions[loop]
        session = sessions[asyncio.get_running_loop()] = Session(self._settings, self._tls())
        await session.watch()
        return session

    def _of_this_process(self) -> dict[asyncio.AbstractEventLoop, Session]:
        """The sessions by loop, to add to and take from. One that is taken out closes itself as its loop permits."""
        if self._pid != os.getpid():
            self._pid = os.getpid()
            self._sessions.clear()
        return self._sessions

    def _tls(self) -> SSLContext | None:
        if self._context is None and self._settings.url.startswith("https:"):
            from drums._io._tls import tls_context  # noqa: PLC0415  # ssl, for https alone

            self._context = tls_context()
        return self._context
