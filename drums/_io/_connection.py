"""One HTTP/1.1 connection over a blocking socket: every wait ends at a deadline, however slowly the server dribbles.

The standard library parses the replies; this holds the socket, the clock and the truth about what was sent. The
invariant: a connection is used again only after a reply that was read to its last byte, with nothing behind it since.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
from typing import TYPE_CHECKING, Final

from drums._core.wire import Reply, TransportError
from drums._io import _terms as terms
from drums._io._limits import LONGEST_BODY

if TYPE_CHECKING:
    from typing_extensions import Buffer

_PIECE: Final = 1024 * 1024
"""Bytes to ask for at a time where the reply does not say how long it is."""


class Connection:
    """A connected socket and what has been read ahead from it.

    Args:
        sock: Connected, and wrapped in TLS where that is spoken.
    """

    __slots__ = ("_inbound", "_reader", "_sock", "unused_since")

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._inbound = _Inbound(sock)
        self._reader = _Reader(self._inbound)
        self.unused_since = 0.0
        """Monotonic instant of the last reply."""

    @property
    def is_tls(self) -> bool:
        """Whether it is encrypted."""
        return isinstance(self._sock, ssl.SSLSocket)

    def is_alive(self) -> bool:
        """Whether the server has neither closed nor said anything unasked. Asks the kernel, waits for nothing."""
        try:
            self._sock.settimeout(0.0)
            self._sock.recv(1)
        except (BlockingIOError, ssl.SSLWantReadError):
            return True
        except OSError:
            return False
        return False

    def close(self) -> None:
        """Let go of the socket without a word to the server, which in a forked child is still its parent's."""
        self._sock.close()

    def write(self, data: bytes, deadline: float) -> int:
        """Send it all.

        Returns:
            Bytes that the kernel took: fewer than all where the server had closed already.

        Raises:
            TimeoutError: The deadline passed.
        """
        rest = memoryview(data)
        try:
            while rest:
                self._sock.settimeout(left(deadline))
                rest = rest[self._sock.send(rest) :]
        except TimeoutError:
            raise
        except OSError:
            return len(data) - len(rest)
        terms.hurry(self._sock)
        return len(data)

    def read_reply(self, deadline: float) -> tuple[Reply, bool]:
        """The next reply, and whether the connection can be used again.

        Raises:
            TransportError: The reply is cut, too long or not HTTP.
            TimeoutError: The deadline passed.
        """
        self._inbound.deadline, self._inbound.received = deadline, 0
        try:
            response = self._head()
            body = _body(response)
        except TimeoutError:
            raise
        except http.client.RemoteDisconnected:
            raise terms.closed_early() from None
        except http.client.IncompleteRead:
            raise terms.cut(self._inbound.received) from None
        except (http.client.HTTPException, ValueError) as fault:
            raise terms.not_http(repr(fault)) from fault
        except OSError as fault:
            raise terms.broken(fault) from fault
        finally:
            self._inbound.deadline = None
        headers = {name.lower(): value for name, value in response.headers.items()}
        reusable = not response.will_close and not self._reader.peek(1)
        return Reply(response.status, headers, body), reusable

    def open_tunnel(self, authority: str, headers: str, deadline: float) -> None:
        """Have the proxy at the other end connect to `authority`; from then on this is a connection to there.

        Raises:
            TransportError: The proxy does not.
            TimeoutError: The deadline passed.
        """
        self.write(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{headers}\r\n".encode("ascii"), deadline)
        self._inbound.deadline = deadline
        try:
            response = self._head()
        except TimeoutError:
            raise
        except (OSError, http.client.HTTPException, ValueError) as fault:
            raise TransportError(f"the proxy gave no reply: {fault!r:.100}", "no") from fault
        if response.status != 200:
            raise TransportError(f"the proxy refused to connect: {response.status}", "no")

    def secured(self, context: ssl.SSLContext, host: str, deadline: float) -> Connection:
        """The same connection with TLS on top; this one is not to be used any more."""
        self._sock.settimeout(left(deadline))
        return Connection(context.wrap_socket(self._sock, server_hostname=host))

    def _head(self) -> http.client.HTTPResponse:
        while True:
            response = http.client.HTTPResponse(self._reader)  # type: ignore[arg-type]
            response.begin()
            if self._reader.last_line not in {b"\r\n", b"\n"}:  # http.client takes a cut head for a whole one
                raise http.client.IncompleteRead(b"")
            if response.status == 101 or response.status >= 200:
                return response


class _Inbound(io.RawIOBase):
    """The receiving half of a socket; a read that would pass the deadline raises TimeoutError."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self.deadline: float | None = None
        """None: nothing is read; only what is buffered can be looked at."""
        self.received = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int | None:
        if self.deadline is None:
            return None
        self._sock.settimeout(left(self.deadline))
        count = self._sock.recv_into(buffer)
        self.received += count
        return count


class _Reader(io.BufferedReader):
    """What `http.client` reads from. A response closes its file when it is done; the connection outlives it."""

    def __init__(self, inbound: _Inbound) -> None:
        super().__init__(inbound, 64 * 1024)

    last_line = b""

    def readline(self, size: int | None = -1, /) -> bytes:
        self.last_line = super().readline(size)
        return self.last_line

    def makefile(self, mode: str) -> _Reader:
        del mode
        return self

    def close(self) -> None:
        """Stay open."""

    def flush(self) -> None:
        """Nothing is written here; a response asks for it even when its connection is gone."""


def _body(response: http.client.HTTPResponse) -> bytes:
    if response.length is not None:
        if response.length > LONGEST_BODY:
            raise terms.too_long()
        return response.read()
    if not response.chunked and "content-length" in response.headers:
        raise http.client.HTTPException("a length that is no number")
    pieces: list[bytes] = []
    size = 0
    while piece := response.read(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > LONGEST_BODY:
            raise terms.too_long()
    return b"".join(pieces)


def connected(host: str, port: int, deadline: float) -> Connection:
    """A new connection, to the first of the host's addresses that takes one.

    Raises:
        OSError: None does.
        TimeoutError: The deadline passed. (Looking up a name can't be stopped: it takes as long as the system takes.)
    """
    fault: OSError = OSError(f"the name {host} has no address")
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for number, (family, kind, protocol, _, address) in enumerate(addresses):
        sock = socket.socket(family, kind, protocol)
        try:
            # Each address has its share of the time, so that a silent one leaves some for the others.
            sock.settimeout(left(deadline) / (len(addresses) - number))
            sock.connect(address)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return Connection(sock)
        except OSError as refused:
            sock.close()
            fault = refused
        except BaseException:
            sock.close()
            raise
    raise fault


def left(deadline: float) -> float:
    """Seconds until then.

    Raises:
        TimeoutError: There are none.
    """
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds
