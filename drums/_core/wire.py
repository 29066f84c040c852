"""What goes over the wire, in the SDK's own words: one request, one reply, one way to fail.

Transports (`drums._io`) turn a `Request` into a `Reply`; everything above them is pure. It knows no HTTP library and no
event loop. A transport never interprets a status: a 503 is a `Reply`. It raises `TransportError` only when there is no
complete reply.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Sent = Literal["no", "maybe", "yes"]
"""What the server may have done: `no` it never saw the request, `maybe` it can't be known, `yes` it replied."""


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request, ready to send; the transport adds the base URL and the token."""

    method: str
    """`GET`, `POST` or `DELETE`."""
    target: str
    """Path and query, percent-encoded, from `/v1` or `/health` on; appended to the base URL, whose own path is kept."""
    body: bytes | None = None
    """JSON text, or None for no body (and then no Content-Type)."""
    timeout_s: float = 900.0
    """Seconds until the reply must be complete, connecting included."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One complete HTTP reply; nothing in it has been checked."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Names in lower case."""
    body: bytes = b""


class TransportError(Exception):
    """There is no complete reply. The message tells what happened, without the token or a URL's user name and password.

    Args:
        what: Plain words: "connection refused", "no reply in 900 s", "the reply was cut after 120 bytes".
        sent: What the server may have done.
        timed_out: Whether the time ran out, as against a connection that broke.
    """

    def __init__(self, what: str, sent: Sent, *, timed_out: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.sent: Sent = sent
        self.timed_out = timed_out
