"""Requests over aiohttp: the asynchronous transport. It never sends a request twice.

aiohttp, because plain httpx costs many times as much with many requests under way (`benchmarks/`). Three habits of aiohttp
are undone here: it sends a DELETE again when a kept connection breaks, notices that one was closed only when the loop comes
round to it, and complains when a loop ends before its session. The invariant: `TransportError.sent` is `no` only when not
one byte of the request was written.
"""

from __future__ import annotations

import asyncio
import os
import socket
from typing import TYPE_CHECKING, Any

from drums._core.settings import CONNECT_TIMEOUT_S
from drums._core.wire import Reply, Request, TransportError
from drums._io._limits import IDLE_S, LONGEST_BODY, headers_of, refuse_unsendable

if TYPE_CHECKING:
    from aiohttp import ClientSession

    from drums._core.settings import Settings


class Transport:
    """Sends requests to one server, from the running event loop.

    Connections are kept and used again while the server keeps them. Another loop, or a process made by `os.fork`, starts
    with none. After `close` it can still be used, and connects anew.

    Args:
        settings: Where to, and with which token.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._session: ClientSession | None = None
        self._home: tuple[int, asyncio.AbstractEventLoop] | None = None

    def __repr__(self) -> str:
        return f"<Transport to {self._settings.url}>"

    async def send(self, request: Request) -> Reply:
        """Do one request.

        Raises:
            BadRequest: The request can't be put into words of HTTP.
            TransportError: There is no complete reply.
        """
        refuse_unsendable(request)
        import aiohttp

        session = self._opened()
        try:
            async with session.request(
                request.method,
                self._settings.url + request.target,
                data=request.body,
                headers={"Content-Type": "application/json"} if request.body is not None else None,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=request.timeout_s, connect=CONNECT_TIMEOUT_S),
                proxy=self._settings.proxy,
            ) as response:
                body = await response.read()
                return Reply(response.status, {k.lower(): v for k, v in response.headers.items()}, body)
        except TimeoutError:
            raise TransportError(f"no complete reply in {request.timeout_s:g} s", "maybe", timed_out=True) from None
        except aiohttp.ClientConnectorError as fault:
            raise TransportError(str(fault), "no") from fault
        except (aiohttp.ClientError, OSError) as fault:
            raise TransportError(str(fault), "maybe") from fault

    async def close(self) -> None:
        """Close all connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _opened(self) -> ClientSession:
        import aiohttp

        home = (os.getpid(), asyncio.get_running_loop())
        if self._session is None or self._home != home:
            self._home = home
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_S),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers=headers_of(self._settings.token),
                auto_decompress=False,
            )
        return self._session
