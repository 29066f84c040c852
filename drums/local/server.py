"""An ASGI application on a loopback socket, by uvicorn.

It adds what uvicorn lacks: a connection that is dropped without a reply when the application raises `Dropped`, errors
of HTTP itself as JSON, and an end that this process decides on rather than uvicorn's own signal handlers.
Invariant: it listens on loopback addresses only.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import logging
import secrets
import socket
import struct
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from drums.local.app import Dropped
from drums.local.errors import AddressError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Generator

    from drums.local.app import Receive, Scope, Send

    Application = Callable[[Scope, Receive, Send], Awaitable[None]]

GRACE_S = 5
"""How long requests in flight may go on when the server ends; then they are answered with 503."""
KEEP_ALIVE_S = 75
"""Longer than clients keep an idle connection in their pool, so that it is the client who closes."""
BACKLOG = 1024

log: logging.Logger = logging.getLogger("drums.local")


def listen_on(host: str, port: int) -> socket.socket:
    """A listening socket on a loopback address; port 0 takes a free one.

    Raises:
        AddressError: The host is not loopback, or the port is taken or not allowed.
    """
    family, address = _loopback(host, port)
    # With the protocol named, asyncio sets TCP_NODELAY on what is accepted; without it a short reply takes 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as cause:
        listener.close()
        message = (
            f"port {port} of {host} can't be listened on: {cause.strerror}; choose another with --port (0: any free)"
        )
        raise AddressError(message) from cause
    except OverflowError as cause:
        listener.close()
        message = f"{port} is no port: 0 to 65535"
        raise AddressError(message) from cause
    listener.setblocking(False)
    return listener


def url_of(listener: socket.socket) -> str:
    """The base URL under which the socket is reached."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == socket.AF_INET6 else f"http://{host}:{port}"


@contextlib.asynccontextmanager
async def listening(app: Application, listener: socket.socket, grace_s: int = GRACE_S) -> AsyncGenerator[None]:
    """Serve the application on the socket for the length of the block.

    Args:
        app: What answers.
        listener: Closed at the end of the block.
        grace_s: How long requests in flight may go on then.
    """
    server = _Server(_config(app, grace_s))
    serving = asyncio.create_task(server.serve(sockets=[listener]), name="drums http server")
    ready = asyncio.create_task(server.listening.wait())
    try:
        await asyncio.wait({serving, ready}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
        yield
    finally:
        ready.cancel()
        server.should_exit = True
        await serving
        listener.close()


def _loopback(host: str, port: int) -> tuple[socket.AddressFamily, tuple[str, int]]:
    try:
        address = ipaddress.ip_address("127.0.0.1" if host.lower() == "localhost" else host.strip("[]"))
    except ValueError as cause:
        message = f"{host} is no address of this machine's own; use 127.0.0.1, another of 127.0.0.0/8, or ::1"
        raise AddressError(message) from cause
    if not address.is_loopback:
        message = (
            f"{host} can be reached from other machines, and this daemon runs commands for whoever has its token, "
            "over plain HTTP: it serves 127.0.0.1 only. From elsewhere use a tunnel, ssh -L 7070:127.0.0.1:7070 HOST"
        )
        raise AddressError(message)
    return (socket.AF_INET6 if address.version == 6 else socket.AF_INET), (str(address), port)


def _config(app: Application, grace_s: int) -> uvicorn.Config:
    return uvicorn.Config(
        _Dropping(app),
        http=_Protocol,
        ws="none",
        loop="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=grace_s,
    )


class _Server(uvicorn.Server):
    """uvicorn's server, which leaves signals to whoever runs it and tells when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.listening.set()


class _Droppable(asyncio.Protocol):
    """What is mixed into uvicorn's protocol: the application may ask for the connection to be dropped."""

    app_state: dict[str, Any]
    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvicorn copies `app_state` into the scope of every request on this connection.
        self.app_state = {**self.app_state, "drop": lambda: _reset(cast("asyncio.Transport", transport))}
        super().connection_made(transport)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP; uvicorn calls this, and would answer with plain text."""
        request_id = secrets.token_hex(8)
        body = json.dumps({"error": msg, "code": "bad_request", "request_id": request_id}).encode()
        head = (
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n"
            f"content-length: {len(body)}\r\nx-request-id: {request_id}\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


_Protocol = cast("type[asyncio.Protocol]", type("DroppableProtocol", (_Droppable, AutoHTTPProtocol), {}))


def _reset(transport: asyncio.Transport) -> None:
    """Close so that the peer sees a reset, as after a crash, and not an orderly end."""
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


class _Dropping:
    """Turns the application's `Dropped` into a dropped connection."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except Dropped as dropped:
            log.info("%s", dropped)
            scope["state"]["drop"]()
            while (await receive())["type"] != "http.disconnect":
                pass
