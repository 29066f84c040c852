"""Between a `Request` and the daemon inside this process: what both transports say to it and make of its answers.

The daemon runs on a thread and loop of its own; an answer is a future of `concurrent.futures`. A broken promise of the
daemon (any other exception from that future) is a fault of the program and passes through as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from drums._core.wire import Reply, TransportError
from drums._io._terms import headers_of, refuse_unsendable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future

    from drums._core.wire import Request

Answer = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""


class InProcess(Protocol):
    """The daemon inside this process, as `drums.local.in_process` makes it."""

    @property
    def token(self) -> str:
        """The token that it takes."""
        ...

    def submit(self, method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> Future[Answer]:
        """Begin one request; a `ConnectionResetError` from the future stands for a dropped connection."""
        ...


def submitted(daemon: InProcess, request: Request) -> Future[Answer]:
    """Hand a request to the daemon."""
    refuse_unsendable(request)
    headers = {name.lower(): value for name, value in headers_of(daemon.token).items()}
    if request.body is not None:
        headers["content-type"] = "application/json"
    return daemon.submit(request.method, request.target, headers, request.body)


def reply_of(answer: Answer) -> Reply:
    """The daemon's answer as it would have come over a wire."""
    status, headers, body = answer
    return Reply(status, {name.lower(): value for name, value in headers.items()}, body)


def lost(fault: ConnectionError) -> TransportError:
    """The connection was dropped; before or after the work was done can't be known."""
    return TransportError(f"the daemon dropped the connection: {str(fault) or type(fault).__name__}", "maybe")
