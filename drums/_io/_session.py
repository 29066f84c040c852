"""One aiohttp session on one event loop in one process, and how it ends: with its loop, its owner or its process.

Left to itself, aiohttp complains when its loop ends first, and after a fork of the process would speak through the
parent's selector. How one request goes is in `_attempt`. The invariant: every socket is closed in the end, and none
through a loop that is dead or another process's.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import socket
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from weakref import WeakSet, finalize

import aiohttp
from yarl import URL

from drums._core.address import authority, host_and_port
from drums._core.settings import CONNECT_TIMEOUT_S
from drums._core.wire import Reply
from drums._io import _terms as terms
from drums._io._attempt import Attempt, WatchedRequest
from drums._io._limits import IDLE_S, LONGEST_BODY

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from ssl import SSLContext

    from drums._core.settings import Settings
    from drums._core.wire import Request

_READ_AHEAD: Final = 1024 * 1024
"""Bytes that may wait to be taken: a screenshot then never pauses its sender."""

_LARGEST_WRITE: Final = 1024 * 1024
"""Bytes of a request's body that go to the loop at once; a longer one is sent in pieces, and others have their turn."""

_JSON: Final = {"Content-Type": "application/json"}
_NO_TYPE: Final = ("Content-Type",)

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
            request_class=WatchedRequest,
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
        attempt = Attempt(self._server, self._proxy, self._used)
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
