"""Requests over aiohttp: the asynchronous transport. It never sends a request twice.

aiohttp, because plain httpx costs many times as much with many requests under way (`benchmarks/`). This finds the
`Session` of the loop that runs, in the process that runs; how one request goes is in `_session`. The invariant: no
socket is used by two loops or two processes.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Final

from drums._io._terms import refuse_unsendable

if TYPE_CHECKING:
    from ssl import SSLContext

    from drums._core.settings import Settings
    from drums._core.wire import Reply, Request
    from drums._io._session import Session

_INHERITED: Final[list[object]] = []
"""What a forked child must never finalise: that would speak through the parent's selector."""


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
        mine = self._sessions.pop(asyncio.get_running_loop(), None)
        self._let_go()
        # A session of another loop that runs closes itself there, now that nobody holds it.
        self._sessions.clear()
        if mine is not None:
            await mine.close()

    async def _opened(self) -> Session:
        from drums._io._session import Session  # noqa: PLC0415  # aiohttp, at the first request

        self._let_go()
        session = Session(self._settings, self._tls())
        self._sessions[asyncio.get_running_loop()] = session
        await session.watch()
        return session

    def _let_go(self) -> None:
        """Drop the sessions whose loop has ended, or is another process's."""
        inherited = self._pid != os.getpid()
        for loop, session in list(self._sessions.items()):
            if inherited:
                _INHERITED.append(session)
            if inherited or loop.is_closed():
                session.abandon()
                del self._sessions[loop]
        self._pid = os.getpid()

    def _tls(self) -> SSLContext | None:
        if self._context is None and self._settings.url.startswith("https:"):
            from drums._io._tls import tls_context  # noqa: PLC0415  # ssl, for https alone

            self._context = tls_context()
        return self._context
