"""What a transport says to a server, and what it makes of a sound reply."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from drums._core.settings import Settings
from drums._io import sync
from drums._version import __version__
from drums.errors import BadRequest
from tests.io.server import Peer, Server
from tests.io.sides import TOKEN, delete, get, post

if TYPE_CHECKING:
    from drums._core.wire import Request
    from tests.io.sides import Opened


def test_a_reply_comes_as_it_was_sent(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.answer(b"\x89PNG\r\n\x00", status=418, head="X-Request-ID: r7\r\nCONTENT-TYPE: image/png\r\n")

    with Server(script) as server:
        reply = opened(server.url).send(get())
    assert (reply.status, reply.body) == (418, b"\x89PNG\r\n\x00")
    assert reply.headers == {"x-request-id": "r7", "content-type": "image/png", "content-length": "7"}


def test_a_request_says_who_asks_and_wants_the_reply_uncompressed(opened: Opened) -> None:
    with Server() as server:
        opened(server.url, TOKEN).send(post("/v1/slots?x=1", b'{"n": 1}'))
    [seen] = server.seen
    assert (seen.method, seen.target, seen.body) == ("POST", "/v1/slots?x=1", b'{"n": 1}')
    assert seen.headers["authorization"] == f"Bearer {TOKEN}"
    assert seen.headers["user-agent"] == f"drums-sdk/{__version__}"
    assert seen.headers["accept-encoding"] == "identity"
    assert seen.headers["content-type"] == "application/json"
    assert seen.headers["host"] == f"127.0.0.1:{server.port}"


@pytest.mark.parametrize("request_", [get(), delete(), post(body=None)], ids=["GET", "DELETE", "POST"])
def test_a_request_without_a_body_claims_no_content_type(opened: Opened, request_: Request) -> None:
    with Server() as server:
        opened(server.url).send(request_)
    [seen] = server.seen
    assert "content-type" not in seen.headers
    assert seen.headers.get("content-length", "0") == "0"
    assert "transfer-encoding" not in seen.headers


def test_no_token_means_no_authorization(opened: Opened) -> None:
    with Server() as server:
        opened(server.url, None).send(get())
    assert "authorization" not in server.seen[0].headers


def test_the_path_of_a_gateway_is_kept_and_the_target_not_touched(opened: Opened) -> None:
    with Server() as server:
        opened(server.url + "/gw/a%20b").send(get("/v1/slots/%2e%2F%C3%A9?domain=a%2Bb&x=%7E"))
    assert server.seen[0].target == "/gw/a%20b/v1/slots/%2e%2F%C3%A9?domain=a%2Bb&x=%7E"


def test_a_connection_is_used_again(opened: Opened) -> None:
    with Server() as server:
        sender = opened(server.url)
        for _ in range(5):
            sender.send(post())
    assert [seen.connection for seen in server.seen] == [1] * 5


def test_a_redirect_is_a_reply_and_nobody_follows_it(opened: Opened) -> None:
    with Server() as other:

        def script(peer: Peer) -> None:
            peer.request()
            peer.answer(status=307, head=f"Location: {other.url}/v1/health\r\n")

        with Server(script) as server:
            reply = opened(server.url, TOKEN).send(post())
    assert (reply.status, reply.headers["location"]) == (307, f"{other.url}/v1/health")
    assert (len(server.seen), other.connections) == (1, 0)


def test_a_cookie_is_never_sent_back(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        while True:
            peer.request()
            peer.answer(head="Set-Cookie: a=b; Path=/\r\n")

    with Server(script) as server:
        sender = opened(server.url)
        sender.send(get())
        sender.send(get())
    assert all("cookie" not in seen.headers for seen in server.seen)


def test_a_compressed_reply_is_not_unpacked(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.answer(b"\x1f\x8b not really gzip", head="Content-Encoding: gzip\r\n")

    with Server(script) as server:
        assert opened(server.url).send(get()).body == b"\x1f\x8b not really gzip"


def test_a_chunked_reply_is_put_together(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        while True:
            peer.request()
            peer.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n5;x=y\r\ndefgh\r\n0\r\n\r\n")

    with Server(script) as server:
        sender = opened(server.url)
        assert [sender.send(get()).body for _ in range(2)] == [b"abcdefgh"] * 2
        assert server.connections == 1


def test_a_reply_that_ends_with_its_connection_is_whole(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(b"HTTP/1.0 200 OK\r\n\r\nuntil the end")

    with Server(script) as server:
        sender = opened(server.url)
        assert [sender.send(get()).body for _ in range(2)] == [b"until the end"] * 2
        assert server.connections == 2


def test_a_connection_that_the_server_means_to_close_is_not_used_again(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.answer(head="Connection: close\r\n")
        peer.until_gone()

    with Server(script) as server:
        sender = opened(server.url)
        sender.send(post())
        sender.send(post())
    assert [seen.connection for seen in server.seen] == [1, 2]


@pytest.mark.parametrize("status", [204, 304])
def test_a_reply_without_a_body_needs_no_length(opened: Opened, status: int) -> None:
    def script(peer: Peer) -> None:
        while True:
            peer.request()
            peer.send(f"HTTP/1.1 {status} Nothing\r\n\r\n".encode())

    with Server(script) as server:
        sender = opened(server.url)
        assert [sender.send(delete()).status for _ in range(2)] == [status, status]
        assert server.connections == 1


def test_what_comes_before_the_reply_is_skipped(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
        peer.answer(b"real")

    with Server(script) as server:
        assert opened(server.url).send(post()).body == b"real"


def test_a_reply_of_many_megabytes_comes_whole(opened: Opened) -> None:
    body = bytes(range(256)) * (1 << 16)

    def script(peer: Peer) -> None:
        peer.request()
        peer.answer(body)

    with Server(script) as server:
        assert opened(server.url).send(get()).body == body


def test_a_request_of_many_megabytes_arrives_whole(opened: Opened) -> None:
    body = bytes(range(256)) * (1 << 14)
    with Server() as server:
        opened(server.url).send(post(body=body))
    assert server.seen[0].body == body


def test_an_answer_to_a_request_that_is_still_being_sent_is_taken(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.sock.recv(1000)
        peer.answer(b"too big", status=413, head="Connection: close\r\n")
        peer.until_gone()

    with Server(script) as server:
        reply = opened(server.url).send(post(body=b"x" * 3_000_000))
    assert (reply.status, reply.body) == (413, b"too big")


@pytest.mark.parametrize(
    "request_",
    [
        get("/v1/x HTTP/1.1\r\nHost: other\r\n"),
        get("/v1/a b"),
        get("/v1/ö"),
        get("/v1/x#y"),
        get("v1/health"),
        get(""),
    ],
)
def test_a_target_that_would_end_the_request_line_is_refused_unsent(opened: Opened, request_: Request) -> None:
    with Server() as server:
        with pytest.raises(BadRequest) as caught:
            opened(server.url).send(request_)
        assert (caught.value.sent, server.connections) == ("no", 0)


def test_a_transport_can_be_closed_twice_and_used_after(opened: Opened) -> None:
    with Server() as server:
        sender = opened(server.url)
        sender.send(post())
        sender.close()
        sender.close()
        sender.send(post())
    assert [seen.connection for seen in server.seen] == [1, 2]


def test_no_transport_shows_the_token(opened: Opened) -> None:
    with Server() as server:
        sender = opened(server.url, TOKEN)
        sender.send(get())
        assert TOKEN not in repr(sender) + str(sender)
        assert server.url in repr(sender)


def test_threads_share_a_transport_and_each_gets_its_own_reply() -> None:
    wrong: list[tuple[str, bytes]] = []
    with Server() as server:
        transport = sync.Transport(Settings(server.url))

        def work(name: int) -> None:
            for index in range(50):
                target = f"/v1/slots/{name}-{index}"
                reply = transport.send(get(target))
                if reply.body != target.encode():
                    wrong.append((target, reply.body))

        threads = [threading.Thread(target=work, args=(name,)) for name in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        transport.close()
        assert server.connections <= 16
    assert wrong == []
    assert len(server.seen) == 16 * 50
