"""A server with every byte decided by a test: a script serves each connection, in a thread, on a loopback socket."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

CERTIFICATES = Path(__file__).parent / "certificates"
"""Self-signed, valid for a century: `localhost.pem` is this machine's, `elsewhere.pem` another's."""


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int
    """Which connection it came on, from 1."""


class Gone(Exception):  # it ends a script, and is no error
    """The client has closed the connection."""


class Peer:
    """One connection, from the server's side."""

    def __init__(self, server: Server, sock: socket.socket, number: int) -> None:
        self.server, self.sock, self.number = server, sock, number
        self._buffer = b""

    def request(self) -> Seen:
        """Read the next request, whole."""
        head = self._until(b"\r\n\r\n").decode("latin-1")
        line, *lines = head.split("\r\n")
        method, target, _ = line.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (text.partition(":") for text in lines)}
        body = self._exactly(int(headers.get("content-length", "0")))
        seen = Seen(method, target, headers, body, self.number)
        self.server.seen.append(seen)
        return seen

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        try:
            self.sock.sendall(data)
        except OSError as fault:
            raise Gone from fault

    def answer(self, body: bytes = b"{}", *, status: int = 200, head: str = "") -> None:
        """Send one sound reply; `head` are further header lines, each with its line end."""
        self.send(f"HTTP/1.1 {status} Word\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode("latin-1") + body)

    def dribble(self, piece: bytes) -> None:
        """Send it over and over, a little at a time, for as long as the client bears it."""
        while not self.server.closing.wait(0.005):
            self.send(piece)

    def reset(self) -> None:
        """Break the connection off, as a crashed machine does."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def until_gone(self) -> None:
        """Read and drop whatever comes until the client has closed."""
        with suppress(Gone):
            while True:
                self._more()
                self._buffer = b""

    def _until(self, mark: bytes) -> bytes:
        while mark not in self._buffer:
            self._more()
        found, _, self._buffer = self._buffer.partition(mark)
        return found

    def _exactly(self, count: int) -> bytes:
        while len(self._buffer) < count:
            self._more()
        found, self._buffer = self._buffer[:count], self._buffer[count:]
        return found

    def _more(self) -> None:
        try:
            data = self.sock.recv(65536)
        except OSError as fault:
            raise Gone from fault
        if not data:
            raise Gone
        self._buffer += data


def polite(peer: Peer) -> None:
    """Answer every request with its own target."""
    while True:
        peer.answer(peer.request().target.encode())


class Server:
    """Listens on a free loopback port and serves each connection by its script.

    Args:
        script: Serves one connection; when it returns, the connection is closed.
        certificate: File name in `CERTIFICATES` to speak TLS with.
    """

    def __init__(self, script: Callable[[Peer], object] = polite, *, certificate: str | None = None) -> None:
        self.script = script
        self.seen: list[Seen] = []
        self.connections = 0
        self.over = threading.Semaphore(0)
        """Released when this side has closed a connection."""
        self.closing = threading.Event()
        self._context = None if certificate is None else ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if self._context is not None and certificate is not None:
            self._context.load_cert_chain(CERTIFICATES / certificate)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._listener.getsockname()[1]
        self._sockets: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http{'' if self._context is None else 's'}://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening and break off what is open."""
        self.closing.set()
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), timeout=10).close()  # wakes the accepting thread
        for sock in self._sockets:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        for thread in list(self._threads):
            thread.join(10)
        self._listener.close()

    def _accept(self) -> None:
        while not self.closing.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            if self.closing.is_set():
                sock.close()
                return
            self.connections += 1
            self._sockets.append(sock)
            thread = threading.Thread(target=self._serve, args=(sock, self.connections), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, plain: socket.socket, number: int) -> None:
        sock = plain
        try:
            if self._context is not None:
                sock = self._context.wrap_socket(plain, server_side=True)
                self._sockets.append(sock)
            self.script(Peer(self, sock, number))
        except (Gone, OSError):
            pass
        finally:
            sock.close()
            plain.close()
            self.over.release()
