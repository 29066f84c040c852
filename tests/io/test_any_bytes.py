"""Whatever bytes come back, there is a reply or a `TransportError`, never another exception and never a hang."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from drums._core.wire import Reply, TransportError
from tests.io.server import Peer, Server
from tests.io.sides import SIDES, get

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums._core.settings import Settings

LINES = st.sampled_from(
    [
        b"HTTP/1.1 200 OK",
        b"HTTP/1.0 503 Not now",
        b"HTTP/1.1 204",
        b"HTTP/1.1 103 Hints",
        b"HTTP/1.1 101 Switching",
        b"HTTP/2 200",
        b"Content-Length: 3",
        b"Content-Length: 0",
        b"Content-Length: -1",
        b"Content-Length: 99999999999999999999",
        b"Content-Length: 3, 3",
        b"Transfer-Encoding: chunked",
        b"Transfer-Encoding: gzip",
        b"Content-Encoding: br",
        b"Connection: close",
        b"Connection: upgrade",
        b"Set-Cookie: a=\xff; Expires=never",
        b"Location: http://[::1",
        b": nothing",
        b" folded",
        b"",
        b"3",
        b"abc",
        b"0",
        b"-2",
        b"ffffffffffffffffffff",
    ]
)
ENDS = st.sampled_from([b"\r\n", b"\n", b"\r", b""])
REPLIES = st.one_of(
    st.binary(max_size=60),
    st.lists(st.tuples(st.one_of(LINES, st.binary(max_size=12)), ENDS), max_size=12).map(
        lambda lines: b"".join(line + end for line, end in lines)
    ),
    st.lists(LINES, max_size=10).map(lambda lines: b"\r\n".join([b"HTTP/1.1 200 OK", *lines])),
)


class Exchange:
    """A server that sends what a test says, and both transports to it."""

    def __init__(self) -> None:
        self.payload = b""
        self.server = Server(self._serve)
        self.senders = {side: make(self._settings()) for side, make in SIDES.items()}

    def _settings(self) -> Settings:
        from drums._core.settings import Settings

        return Settings(self.server.url)

    def _serve(self, peer: Peer) -> None:
        peer.request()
        peer.send(self.payload)

    def outcome(self, side: str, payload: bytes) -> Reply | TransportError:
        self.payload = payload
        try:
            return self.senders[side].send(get(timeout_s=5))
        except TransportError as fault:
            return fault

    def close(self) -> None:
        for sender in self.senders.values():
            sender.end()
        self.server.close()


@pytest.fixture(scope="module")
def exchange() -> Iterator[Exchange]:
    made = Exchange()
    yield made
    made.close()


@pytest.mark.parametrize("side_", sorted(SIDES))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(payload=REPLIES)
@example(payload=b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
@example(payload=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
@example(payload=b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd")
@example(payload=b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n")
def test_any_bytes_are_a_reply_or_a_transport_error(exchange: Exchange, side_: str, payload: bytes) -> None:
    outcome = exchange.outcome(side_, payload)
    event(type(outcome).__name__)
    if isinstance(outcome, TransportError):
        assert outcome.sent == "maybe"
        assert not outcome.timed_out
        assert outcome.what.isprintable()
    else:
        assert 100 <= outcome.status <= 999
        assert all(name == name.lower() for name in outcome.headers)


def test_both_outcomes_occur(exchange: Exchange) -> None:
    for side in SIDES:
        assert isinstance(exchange.outcome(side, b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), Reply)
        assert isinstance(exchange.outcome(side, b"HTTP"), TransportError)
