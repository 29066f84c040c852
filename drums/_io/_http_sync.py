"""Requests over sockets that are kept: the synchronous transport. It never sends a request twice.

Not httpx: beside it (`benchmarks/`) the standard library's parser on a kept socket costs a third, and only with the
socket in hand can a whole reply be held to one deadline. The invariant: `TransportError.sent` is `no` only when not one
byte of the request was taken by a connection that worked.
"""

from __future__ import annotations

import os
import time
from collections import deque
from typing import TYPE_CHECKING

from drums._core.address import authority, host_and_port, split
from drums._core.settings import CONNECT_TIMEOUT_S
from drums._io import _terms as terms
from drums._io._limits import IDLE_CONNECTIONS, IDLE_S

if TYPE_CHECKING:
    from ssl import SSLContext

    from drums._core.settings import Settings
    from drums._core.wire import Reply, Request
    from drums._io._connection import Connection


class Transport:
    """Sends requests to one server, from any number of threads.

    Connections are kept and used again while the server keeps them; a process made by `os.fork` starts with none. After
    `close` it can still be used, and connects anew.

    Args:
        settings: Where to, and with which token.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._route = _Route(settings)
        self._idle: deque[Connection] = deque()
        self._pid = os.getpid()

    def __repr__(self) -> str:
        return f"<Transport to {self._settings.url}, {len(self._idle)} connections kept>"

    def send(self, request: Request) -> Reply:
        """Do one request.

        Raises:
            BadRequest: The request can't be put into words of HTTP.
            TransportError: There is no complete reply.
        """
        deadline = time.monotonic() + request.timeout_s
        data = self._route.words_of(request)
        try:
            connection = self._written(data, request, deadline)
            return self._reply(connection, deadline)
        except TimeoutError:
            raise terms.too_late(request, "maybe") from None

    def close(self) -> None:
        """Close the connections that are not in use."""
        while connection := self._taken():
            connection.close()

    def __del__(self) -> None:
        if hasattr(self, "_idle"):
            self.close()

    def _written(self, data: bytes, request: Request, deadline: float) -> Connection:
        """A connection that has taken the request, wholly or as far as the server let it."""
        while True:
            kept = self._kept()
            connection = kept or self._route.connected(request, deadline)
            try:
                taken = connection.write(data, deadline)
            except BaseException:
                connection.close()
                raise
            if taken or connection.is_tls:
                return connection
            connection.close()
            if kept is None:
                raise terms.closed_at_once()

    def _reply(self, connection: Connection, deadline: float) -> Reply:
        try:
            reply, reusable = connection.read_reply(deadline)
        except BaseException:
            connection.close()
            raise
        if reusable:
            self._keep(connection)
        else:
            connection.close()
        return reply

    def _keep(self, connection: Connection) -> None:
        connection.unused_since = time.monotonic()
        self._idle.append(connection)
        if len(self._idle) > IDLE_CONNECTIONS:
            self._idle.popleft().close()

    def _kept(self) -> Connection | None:
        """The connection used last that still lives: the others may grow old and be closed."""
        if self._pid != os.getpid():
            self._pid = os.getpid()
            self.close()
        while connection := self._taken():
            if time.monotonic() - connection.unused_since < IDLE_S and connection.is_alive():
                return connection
            connection.close()
        return None

    def _taken(self) -> Connection | None:
        try:
            return self._idle.pop()
        except IndexError:
            return None


class _Route:
    """How to get to one server, and what to say to it."""

    def __init__(self, settings: Settings) -> None:
        self._host, self._port = host_and_port(settings.url)
        self._authority = authority(self._host, self._port)
        parts = split(settings.url)
        self._secure = parts.scheme == "https"
        self._proxy = settings.proxy
        forwarded = self._proxy is not None and not self._secure
        self._prefix = settings.url if forwarded else parts.path
        headers = {"Host": parts.netloc} | terms.headers_of(settings.token)
        if forwarded:
            headers |= _proxy_headers(settings.proxy)
        self._headers = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._context: SSLContext | None = None

    def words_of(self, request: Request) -> bytes:
        """The request as it goes over the wire."""
        terms.refuse_unsendable(request)
        if request.body is None:
            length = "" if request.method in {"GET", "DELETE"} else "Content-Length: 0\r\n"
        else:
            length = f"Content-Type: application/json\r\nContent-Length: {len(request.body)}\r\n"
        head = f"{request.method} {self._prefix}{request.target} HTTP/1.1\r\n{self._headers}{length}\r\n"
        return head.encode("ascii") + (request.body or b"")

    def connected(self, request: Request, deadline: float) -> Connection:
        """A new connection to the server.

        Raises:
            TransportError: There is none to be had.
        """
        from drums._io._connection import connected  # noqa: PLC0415  # http.client and ssl, at the first request

        limit_s = min(CONNECT_TIMEOUT_S, request.timeout_s)
        deadline = min(deadline, time.monotonic() + limit_s)
        host, port = host_and_port(self._proxy) if self._proxy else (self._host, self._port)
        where = f"the proxy {authority(host, port)}" if self._proxy else self._authority
        try:
            connection = connected(host, port, deadline)
        except TimeoutError:
            raise terms.unanswered(where, limit_s) from None
        except OSError as fault:
            raise terms.unreachable(where, fault) from fault
        return self._secured(connection, deadline, limit_s) if self._secure else connection

    def _secured(self, connection: Connection, deadline: float, limit_s: float) -> Connection:
        try:
            if self._proxy:
                connection.open_tunnel(self._authority, _lines(_proxy_headers(self._proxy)), deadline)
            return connection.secured(self._tls(), self._host, deadline)
        except TimeoutError:
            connection.close()
            raise terms.unanswered(self._authority, limit_s) from None
        except OSError as fault:
            connection.close()
            raise terms.no_tls(self._authority, fault) from fault
        except BaseException:
            connection.close()
            raise

    def _tls(self) -> SSLContext:
        if self._context is None:
            from drums._io._tls import tls_context  # noqa: PLC0415  # as above

            self._context = tls_context()
        return self._context


def _proxy_headers(proxy: str | None) -> dict[str, str]:
    """What proves to the proxy who asks, where its URL says so."""
    parts = split(proxy or "")
    if parts.username is None:
        return {}
    from base64 import b64encode  # noqa: PLC0415  # seldom needed
    from urllib.parse import unquote  # noqa: PLC0415

    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(pair.encode()).decode()}"}


def _lines(headers: dict[str, str]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in headers.items())
