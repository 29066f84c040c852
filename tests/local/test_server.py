"""The socket: loopback only, JSON errors, dropped connections, an end in order. With tiny applications."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import TYPE_CHECKING

import pytest

from drums.local.app import Dropped
from drums.local.errors import AddressError
from drums.local.server import listen_on, listening, url_of

if TYPE_CHECKING:
    from drums.local.app import Receive, Scope, Send


async def hello(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


async def dropping(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise Dropped("as ordered")


async def said(port: int, request: bytes) -> bytes:
    """Everything that comes back on one connection until the server closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        return await reader.read()
    finally:
        writer.close()


GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.0.7", "8.8.8.8", "::", "example.com", ""])
def test_addresses_that_others_can_reach_are_refused(host: str) -> None:
    with pytest.raises(AddressError, match=r"tunnel|no address of this machine's own"):
        listen_on(host, 0)


@pytest.mark.parametrize(("host", "url"), [("127.0.0.1", "http://127.0.0.1:"), ("localhost", "http://127.0.0.1:")])
def test_the_url_tells_which_port_was_taken(host: str, url: str) -> None:
    with listen_on(host, 0) as listener:
        assert url_of(listener) == f"{url}{listener.getsockname()[1]}"


@pytest.mark.skipif(not socket.has_ipv6, reason="this Python has no IPv6")
def test_the_loopback_of_ipv6_is_loopback_too() -> None:
    try:
        listener = listen_on("::1", 0)
    except AddressError:
        pytest.skip("this system has no IPv6 loopback")
    with listener:
        assert url_of(listener).startswith("http://[::1]:")


def test_a_port_in_use_is_told_with_a_way_out() -> None:
    with listen_on("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(AddressError, match=f"port {port} .*in use.*--port"):
            listen_on("127.0.0.1", port)


@pytest.mark.parametrize("port", [-1, 65536])
def test_what_is_no_port_is_told(port: int) -> None:
    with pytest.raises(AddressError, match="0 to 65535"):
        listen_on("127.0.0.1", port)


async def test_an_application_is_served() -> None:
    listener = listen_on("127.0.0.1", 0)
    async with listening(hello, listener):
        assert (await said(listener.getsockname()[1], GET)).endswith(b"\r\n\r\nhello")


async def test_a_dropped_request_ends_in_a_reset_and_the_server_goes_on() -> None:
    listener = listen_on("127.0.0.1", 0)
    async with listening(dropping, listener):
        for _ in range(2):
            with pytest.raises(ConnectionResetError):
                await said(listener.getsockname()[1], GET)


async def test_a_dropped_request_that_was_not_read_to_its_end_is_dropped_all_the_same() -> None:
    listener = listen_on("127.0.0.1", 0)
    async with listening(dropping, listener):
        with pytest.raises(ConnectionResetError):
            await said(listener.getsockname()[1], b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{}")


async def test_what_is_not_http_is_refused_in_json() -> None:
    listener = listen_on("127.0.0.1", 0)
    async with listening(hello, listener):
        reply = await said(listener.getsockname()[1], b"HELO there\r\n\r\n")
    head, _, body = reply.partition(b"\r\n\r\n")
    error = json.loads(body)
    assert head.startswith(b"HTTP/1.1 400")
    assert error["code"] == "bad_request"
    assert f"x-request-id: {error['request_id']}".encode() in head


async def test_no_upgrade_to_a_websocket_is_made() -> None:
    listener = listen_on("127.0.0.1", 0)
    upgrade = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n"
    async with listening(hello, listener):
        assert (await said(listener.getsockname()[1], upgrade)).startswith(b"HTTP/1.1 200")


async def test_a_request_in_flight_is_finished_before_the_server_ends() -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def waiting(scope: Scope, receive: Receive, send: Send) -> None:
        begun.set()
        await go_on.wait()
        await hello(scope, receive, send)

    listener = listen_on("127.0.0.1", 0)
    port = listener.getsockname()[1]
    async with listening(waiting, listener):
        reply = asyncio.create_task(said(port, GET))
        await begun.wait()
        asyncio.get_running_loop().call_later(0.01, go_on.set)
    assert (await reply).endswith(b"hello")


async def test_an_idle_connection_does_not_keep_the_server_from_ending() -> None:
    listener = listen_on("127.0.0.1", 0)
    async with listening(hello, listener):
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.getsockname()[1])
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert await reader.readuntil(b"hello")
    assert await reader.read() == b""
    writer.close()
    assert listener.fileno() == -1
