"""One request over aiohttp, from a connection that stands to a reply or a failure that tells the truth.

aiohttp sends a GET or DELETE again when a kept connection breaks; it learns that one was closed only when the loop gets
round to it; and it takes an answer that nobody asked for as the answer to the next request. None of that happens here.
The invariant: a request is written at most once, and `TransportError.sent` is `no` only when it was not.
"""

from __future__ import annotations

import asyncio
import select
from typing import TYPE_CHECKING, Final

import aiohttp

from drums._core.settings import CONNECT_TIMEOUT_S
from drums._core.wire import TransportError
from drums._io import _terms as terms

if TYPE_CHECKING:
    import socket
    from weakref import WeakSet

    from aiohttp.client_middlewares import ClientHandlerType
    from aiohttp.connector import Connection

_ROUNDS: Final = 3
"""Turns of the loop until it has seen what waits at a socket: one to find it, one to read it, one to act on it."""


class _StaleConnectionError(Exception):
    """The kept connection was found closed before anything was written to it."""


class WatchedRequest(aiohttp.ClientRequest):
    """A request that looks at its connection before it writes."""

    attempt: Attempt | None = None

    async def send(self, conn: Connection) -> aiohttp.ClientResponse:
        if self.attempt is not None:
            await self.attempt.look_at(conn)
        response = await super().send(conn)
        sock = conn.transport.get_extra_info("socket") if conn.transport is not None else None
        if self.body:  # it is written by a task that has not had its turn yet
            self.loop.call_soon(terms.hurry, sock)
        else:
            terms.hurry(sock)
        return response


class Attempt:
    """One request's way to its reply; a middleware, so that aiohttp sees no failure that makes it send again.

    Args:
        server: Host and port to reach.
        proxy: What to call the proxy that leads there; None without one.
        used: The connections that have carried a request before.
    """

    __slots__ = ("_first", "_server", "_used", "written")

    def __init__(self, server: str, proxy: str | None, used: WeakSet[object]) -> None:
        self._server = server
        self._first = proxy or server
        self._used = used
        self.written = False

    async def look_at(self, conn: Connection) -> None:
        """See that the connection still stands; from here on the request counts as written.

        Raises:
            TransportError: It is new, and closed already.
        """
        if conn.protocol in self._used:
            if await _is_stale(conn):
                raise _StaleConnectionError
        elif _is_useless(conn):
            raise terms.closed_at_once()
        self._used.add(conn.protocol)
        self.written = True

    async def __call__(self, request: aiohttp.ClientRequest, handler: ClientHandlerType) -> aiohttp.ClientResponse:
        assert isinstance(request, WatchedRequest)  # noqa: S101  # or nothing would keep watch over the connection
        request.attempt = self
        while True:
            try:
                return await handler(request)
            except _StaleConnectionError:
                continue
            except (aiohttp.ClientError, OSError) as fault:
                if isinstance(fault, TimeoutError) and not isinstance(fault, aiohttp.ConnectionTimeoutError):
                    raise
                told, cause = self._told(fault), _cause_of(fault)
            raise told from cause

    def _told(self, fault: aiohttp.ClientError | OSError) -> TransportError:
        if isinstance(fault, aiohttp.ConnectionTimeoutError):
            return terms.unanswered(self._first, CONNECT_TIMEOUT_S)
        if isinstance(fault, aiohttp.ClientHttpProxyError):
            return TransportError(f"the proxy refused to connect: {fault.status}", "no")
        if isinstance(fault, aiohttp.ClientSSLError):
            return terms.no_tls(self._server, _cause_of(fault) or fault)
        if isinstance(fault, aiohttp.ClientConnectorError):
            return terms.unreachable(self._first, fault.os_error)
        if isinstance(fault, aiohttp.ServerDisconnectedError):
            return terms.closed_early()
        if isinstance(fault, OSError):
            return terms.broken(fault)
        return terms.not_http(fault.message if isinstance(fault, aiohttp.ClientResponseError) else str(fault))


def _cause_of(fault: aiohttp.ClientError | OSError) -> OSError | None:
    """What the system said, for those who look into a failure. aiohttp's own errors hold the token and are not kept."""
    return fault.__cause__ if isinstance(fault.__cause__, OSError) else None


async def _is_stale(conn: Connection) -> bool:
    """Whether the server has closed this connection or said something unasked: asks the kernel, then the loop."""
    if _is_useless(conn) or conn.transport is None:
        return True
    sock: socket.socket | None = conn.transport.get_extra_info("socket")
    if sock is None or not _is_readable(sock.fileno()):
        return False
    # What waits there may be TLS's own, such as a ticket for a later session: only the transport can tell.
    for _ in range(_ROUNDS):
        await asyncio.sleep(0)
    return _is_useless(conn) or _is_readable(sock.fileno())


def _is_useless(conn: Connection) -> bool:
    return conn.protocol is None or conn.protocol.should_close or not conn.protocol.is_connected()


def _is_readable(descriptor: int) -> bool:
    if not hasattr(select, "poll"):  # Windows, where select takes any number
        return bool(select.select([descriptor], [], [], 0)[0])
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
