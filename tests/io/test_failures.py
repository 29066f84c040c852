"""How a transport fails: with a `TransportError`, in time, and claiming of the server only what is certain."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import pytest

from drums._io import _connection, _http_sync, _session
from tests.io.server import Peer, Server
from tests.io.sides import delete, failure_of, get, post

if TYPE_CHECKING:
    from drums._core.wire import Request
    from tests.io.sides import Opened

SOON_S = 0.3
"""Long enough for a loopback exchange, short enough for a test that waits it out."""

EVERY_METHOD = pytest.mark.parametrize("request_", [get(), post(), delete()], ids=["GET", "POST", "DELETE"])


def a_closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@EVERY_METHOD
def test_a_refused_connection_means_that_nothing_was_sent(opened: Opened, request_: Request) -> None:
    port = a_closed_port()
    failure = failure_of(opened(f"http://127.0.0.1:{port}"), request_)
    assert (failure.sent, failure.timed_out) == ("no", False)
    assert failure.what == f"can't connect to 127.0.0.1:{port}: connection refused"


def test_a_name_without_an_address_means_that_nothing_was_sent(opened: Opened) -> None:
    failure = failure_of(opened("http://no-such-host.invalid"), get())
    assert failure.sent == "no"
    assert "no-such-host.invalid:80" in failure.what


def test_a_server_that_takes_no_connection_means_that_nothing_was_sent(opened: Opened) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        failure = failure_of(opened(f"http://127.0.0.1:{port}"), post(timeout_s=SOON_S))
        for filler in fillers:
            filler.close()
    assert (failure.sent, failure.timed_out) == ("no", True)


@pytest.mark.parametrize("timeout_s", [0.0, -1.0, float("nan")])
def test_a_request_without_any_time_is_not_begun(opened: Opened, timeout_s: float) -> None:
    with Server() as server:
        failure = failure_of(opened(server.url), post(timeout_s=timeout_s))
        assert (failure.sent, failure.timed_out, server.connections) == ("no", True, 0)


@EVERY_METHOD
def test_a_request_is_not_sent_again_where_a_new_connection_ends_without_a_reply(
    opened: Opened, request_: Request
) -> None:
    with Server(Peer.request) as server:
        failure = failure_of(opened(server.url), request_)
        assert len(server.seen) == 1
    assert (failure.sent, failure.timed_out) == ("maybe", False)
    assert failure.what == "the server closed the connection without a reply"


@EVERY_METHOD
def test_a_request_is_not_sent_again_where_a_kept_connection_ends_without_a_reply(
    opened: Opened, request_: Request
) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.answer()
        peer.request()

    with Server(script) as server:
        sender = opened(server.url)
        sender.send(get())
        failure = failure_of(sender, request_)
        assert len(server.seen) == 2
    assert failure.sent == "maybe"


@EVERY_METHOD
def test_a_reset_after_the_request_leaves_open_what_was_done(opened: Opened, request_: Request) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.reset()

    with Server(script) as server:
        failure = failure_of(opened(server.url), request_)
        assert len(server.seen) == 1
    assert failure.sent == "maybe"
    assert "connection reset by peer" in failure.what


def test_a_reset_before_the_request_never_claims_that_it_was_answered(opened: Opened) -> None:
    with Server(Peer.reset) as server:
        failure = failure_of(opened(server.url), post())
        assert server.seen == []
    assert failure.sent in {"no", "maybe"}


def test_a_server_that_closes_every_connection_at_once_is_not_tried_for_ever(opened: Opened) -> None:
    def nothing(peer: Peer) -> None:
        del peer

    with Server(nothing) as server:
        failure = failure_of(opened(server.url), get())
        assert (failure.timed_out, server.connections) == (False, 1)


def test_a_server_that_speaks_first_is_no_web_server(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.send(b"220 mail.example ESMTP\r\n")
        peer.until_gone()

    with Server(script) as server:
        failure = failure_of(opened(server.url), get())
        assert (failure.timed_out, server.connections) == (False, 1)
    assert failure.what.startswith("what came back is not HTTP")


@EVERY_METHOD
def test_a_connection_closed_while_it_was_idle_costs_nothing(opened: Opened, request_: Request) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.answer()

    with Server(script) as server:
        sender = opened(server.url)
        for _ in range(3):
            assert sender.send(request_).status == 200
            assert server.over.acquire(timeout=10)
    assert [seen.connection for seen in server.seen] == [1, 2, 3]


@EVERY_METHOD
def test_a_connection_reset_while_it_was_idle_costs_nothing(opened: Opened, request_: Request) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.answer()
        peer.reset()

    with Server(script) as server:
        sender = opened(server.url)
        for _ in range(3):
            assert sender.send(request_).status == 200
            assert server.over.acquire(timeout=10)
    assert [seen.connection for seen in server.seen] == [1, 2, 3]


def test_an_answer_that_nobody_asked_for_answers_no_later_request(opened: Opened) -> None:
    forged = threading.Semaphore(0)

    def script(peer: Peer) -> None:
        peer.answer(peer.request().target.encode())
        peer.answer(b"forged")
        forged.release()
        peer.until_gone()

    with Server(script) as server:
        sender = opened(server.url)
        for n in range(3):
            assert sender.send(get(f"/v1/slots/{n}")).body == f"/v1/slots/{n}".encode()
            assert forged.acquire(timeout=10)


def test_an_answer_glued_to_another_answers_no_later_request(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}" * 2)
        peer.until_gone()

    with Server(script) as server:
        sender = opened(server.url)
        sender.send(get())
        sender.send(get())
    assert [seen.connection for seen in server.seen] == [1, 2]


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nonly this",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nonly this\r\n",
    ],
    ids=["length", "chunk", "between chunks"],
)
def test_a_cut_reply_is_no_reply(opened: Opened, reply: bytes) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(reply)

    with Server(script) as server:
        failure = failure_of(opened(server.url), post())
        assert len(server.seen) == 1
    assert (failure.sent, failure.timed_out) == ("maybe", False)
    assert failure.what.startswith("the reply was cut after ")


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nContent-Le", b"HTTP/1.1 200 OK\r\nA: b\r\n", b"HTT"])
def test_a_reply_cut_in_its_head_is_no_reply(opened: Opened, head: bytes) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(head)

    with Server(script) as server:
        failure = failure_of(opened(server.url), post())
    assert failure.sent == "maybe"


@pytest.mark.parametrize(
    "reply",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        b"\x15\x03\x01\x00\x02\x02P",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/9 x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n",
    ],
    ids=["ssh", "tls alert", "no status", "no version", "length", "chunk size", "negative chunk"],
)
def test_what_is_not_http_is_no_reply(opened: Opened, reply: bytes) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(reply)

    with Server(script) as server:
        failure = failure_of(opened(server.url), post())
    assert failure.sent == "maybe"


def test_a_head_without_end_is_no_reply(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(b"HTTP/1.1 200 OK\r\n")
        while True:
            peer.send(b"X-More: and more\r\n" * 1000)

    with Server(script) as server:
        failure = failure_of(opened(server.url), get(timeout_s=5))
    assert failure.sent == "maybe"  # aiohttp before 3.14 counts no lines, and reads on until the time is up


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (b"", b""),
        (b"", b"H"),
        (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"x"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["silence", "status line", "head", "body", "chunks", "until closed", "continue"],
)
def test_a_server_that_dribbles_is_left_when_the_time_is_up(opened: Opened, first: bytes, then: bytes) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(first)
        if then:
            peer.dribble(then)
        peer.until_gone()

    with Server(script) as server:
        failure = failure_of(opened(server.url), post(timeout_s=SOON_S))
        assert len(server.seen) == 1
    assert failure.sent == "maybe"
    # A head can prove not to be HTTP before the time is up.
    assert failure.timed_out or failure.what.startswith("what came back is not HTTP")


def test_a_server_that_reads_nothing_is_left_when_the_time_is_up(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.server.closing.wait()

    with Server(script) as server:
        failure = failure_of(opened(server.url), post(body=b"x" * 30_000_000, timeout_s=SOON_S))
    assert (failure.sent, failure.timed_out) == ("maybe", True)


def test_a_connection_whose_time_ran_out_is_not_used_again(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        if peer.number == 1:
            peer.request()
            peer.until_gone()
        peer.answer(peer.request().target.encode())

    with Server(script) as server:
        sender = opened(server.url)
        failure_of(sender, post(timeout_s=SOON_S))
        assert sender.send(post("/v1/slots/2")).body == b"/v1/slots/2"
    assert [seen.connection for seen in server.seen] == [1, 2]


def test_a_reply_that_announces_more_than_anybody_needs_is_not_read(opened: Opened) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n")
        peer.until_gone()

    with Server(script) as server:
        failure = failure_of(opened(server.url), get())
    assert (failure.sent, failure.timed_out) == ("maybe", False)
    assert failure.what == "the reply is longer than 268435456 bytes, the most that is read"


@pytest.mark.parametrize("head", [b"Transfer-Encoding: chunked\r\n", b""], ids=["chunked", "until closed"])
def test_a_reply_without_end_is_left(opened: Opened, head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (_connection, _session):
        monkeypatch.setattr(module, "LONGEST_BODY", 3_000_000)
    piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"

    def script(peer: Peer) -> None:
        peer.request()
        peer.send(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n")
        while True:
            peer.send(piece)

    with Server(script) as server:
        failure = failure_of(opened(server.url), get())
    assert (failure.sent, failure.timed_out) == ("maybe", False)
    assert failure.what.startswith("the reply is longer than ")


def test_an_old_connection_is_not_used_again(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (_http_sync, _session):
        monkeypatch.setattr(module, "IDLE_S", 0.0)
    with Server() as server:
        sender = opened(server.url)
        sender.send(post())
        sender.send(post())
    assert [seen.connection for seen in server.seen] == [1, 2]
