"""One aiohttp session on one event loop in one process: what aiohttp does well, with four of its habits undone.

aiohttp sends a GET or DELETE again when a kept connection breaks; it learns that one was closed only when the loop gets
round to it; it takes an answer that nobody asked for as the answer to the next request; and it complains when its loop
ends first. The invariant: a request is written at most once, and `TransportError.sent` is `no` only when it was not.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import select
import socket
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from weakref import WeakSet, finalize

import aiohttp
from yarl import URL

from drums._core.address import authority, host_and_port
from drums._core.settings import CONNECT_TIMEOUT_S
from drums._core.wire import Reply, Request, TransportError
from drums._io import _terms as terms
from drums._io._limits import IDLE_S, LONGEST_BODY

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from ssl import SSLContext

    from aiohttp.client_middlewares import ClientHandlerType
    from aiohttp.connector import Connection

    from drums._core.settings import Settings

_READ_AHEAD: Final = 1024 * 1024
"""Bytes that may wait to be taken: a screenshot then never pauses its sender."""

_LARGEST_WRITE: Final = 1024 * 1024
"""Bytes of a request's body that go to the loop at once; a longer one is sent in pieces, and others have their turn."""


_ROUNDS: Final = 3
"""Turns of the loop until it has seen what waits at a socket: one to find it, one to read it, one to act on it."""


_INHERITED: Final[list[object]] = []
"""What a forked child must never finalise: that would speak through its parent's selector."""


class Session:
    """Connections to one server, kept on the running loop.

    It closes itself when the loop ends in order (as by `asyncio.run`) and when nobody holds it any more.

    Args:
        settings: Where to, and with which token.
        context: Whom to trust over https; None for http.
    """

    def __init__(self, settings: Settings, context: SSLContext | None) -> None:
        self._settings = settings
        self._server = authority(*host_and_port(settings.url))
        self._proxy = f"the proxy {authority(*host_and_port(settings.proxy))}" if settings.proxy else None
        sockets: WeakSet[socket.socket] = WeakSet()
        self._http = aiohttp.ClientSession(
            connector=_connector(context, sockets),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=terms.headers_of(settings.token),
            auto_decompress=False,
            read_bufsize=_READ_AHEAD,
            request_class=_Request,
        )
        self._used: WeakSet[object] = WeakSet()
        self._guard = _closing(self._http)
        self._dropped = finalize(
            self, _let_go, self._http, self._guard, sockets, asyncio.get_running_loop(), os.getpid()
        )
        self._dropped.atexit = False

    async def watch(self) -> None:
        """Have the loop close this session when it ends: it finishes every generator that was begun on it."""
        await anext(self._guard)

    @property
    def closed(self) -> bool:
        """Whether it is of no more use."""
        return self._http.closed

    async def close(self) -> None:
        """Close all connections."""
        self._dropped.detach()
        await self._guard.aclose()

    async def send(self, request: Request) -> Reply:
        """Do one request.

        Raises:
            TransportError: There is no complete reply.
        """
        attempt = _Attempt(self._server, self._proxy, self._used)
        body = request.body
        try:
            response = await self._http.request(
                request.method,
                URL(self._settings.url + request.target, encoded=True),
                data=body if body is None or len(body) < _LARGEST_WRITE else io.BytesIO(body),
                headers=_JSON if body is not None else None,
                skip_auto_headers=_NO_TYPE if body is None and request.method == "POST" else None,
                allow_redirects=False,
                timeout=_timeout(request.timeout_s),
                proxy=self._settings.proxy,
                middlewares=(attempt,),
            )
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Reply(response.status, headers, await _body(response))
        except TimeoutError:
            raise terms.too_late(request, "maybe" if attempt.written else "no") from None


@lru_cache(maxsize=16)
def _timeout(seconds: float) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=seconds, connect=CONNECT_TIMEOUT_S)


_JSON: Final = {"Content-Type": "application/json"}
_NO_TYPE: Final = ("Content-Type",)


class _StaleConnectionError(Exception):
    """The kept connection was found closed before anything was written to it."""


class _Request(aiohttp.ClientRequest):
    """A request that looks at its connection before it writes."""

    attempt: _Attempt | None = None

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


class _Attempt:
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
        assert isinstance(request, _Request)  # noqa: S101  # or nothing would keep watch over the connection
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


async def _body(response: aiohttp.ClientResponse) -> bytes:
    length = response.content_length
    if length is not None and length > LONGEST_BODY:
        response.close()
        raise terms.too_long()
    try:
        return await (response.read() if length is not None else _all_of(response))
    except BaseException as fault:
        response.close()
        if isinstance(fault, aiohttp.ClientError | OSError) and not isinstance(fault, TimeoutError):
            raise terms.cut(response.content.total_bytes) from fault
        raise


async def _all_of(response: aiohttp.ClientResponse) -> bytes:
    pieces: list[bytes] = []
    async for piece in response.content.iter_any():
        pieces.append(piece)
        if response.content.total_bytes > LONGEST_BODY:
            raise terms.too_long()
    return b"".join(pieces)


def _connector(context: SSLContext | None, sockets: WeakSet[socket.socket]) -> aiohttp.TCPConnector:
    def made(address: tuple[int, int, int, str, tuple[object, ...]]) -> socket.socket:
        sock = socket.socket(*address[:3])
        sockets.add(sock)
        return sock

    return aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_S, ssl=context or True, socket_factory=made)


async def _closing(http: aiohttp.ClientSession) -> AsyncGenerator[None, None]:
    """Closes the session when it is finished, by whomever."""
    try:
        yield
    finally:
        await http.close()


def _let_go(
    http: aiohttp.ClientSession,
    guard: AsyncGenerator[None, None],
    sockets: WeakSet[socket.socket],
    loop: asyncio.AbstractEventLoop,
    process: int,
) -> None:
    """Close a session that nobody holds any more, from any thread."""
    if http.closed:
        return
    if process == os.getpid() and not loop.is_closed():
        with contextlib.suppress(RuntimeError):  # the loop was closed in between
            loop.call_soon_threadsafe(lambda: loop.create_task(_finish(guard)))
        return
    for sock in list(sockets):
        sock.close()
    if process != os.getpid():
        _INHERITED.append((http.connector, guard, loop))
        http.detach()
        return
    closing = http.close()  # on a dead loop it has nothing to wait for
    with contextlib.suppress(StopIteration):
        closing.send(None)


async def _finish(guard: AsyncGenerator[None, None]) -> None:
    await guard.aclose()
