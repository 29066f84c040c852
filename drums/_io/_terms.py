"""What both transports have in common: what they say to a server, and how they tell of a failure.

Pure. The invariant: a failure reads the same, and claims the same of what the server saw, whichever transport met it.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

from drums._core.wire import TransportError
from drums._io._limits import LONGEST_BODY
from drums._version import __version__
from drums.errors import BadRequest

if TYPE_CHECKING:
    from drums._core.wire import Request, Sent

_QUICK_ACK: Final[int | None] = getattr(socket, "TCP_QUICKACK", None)

USER_AGENT: Final = f"drums-sdk/{__version__}"


class SocketLike(Protocol):
    """A socket, or what an event loop shows of one."""

    def setsockopt(self, level: int, optname: int, value: int, /) -> None:
        """Set an option."""
        ...


def headers_of(token: str | None) -> dict[str, str]:
    """What every request says beside its own: who asks, and that a reply must come as it is, not compressed."""
    headers = {"User-Agent": USER_AGENT, "Accept": "*/*", "Accept-Encoding": "identity"}
    return headers if token is None else headers | {"Authorization": f"Bearer {token}"}


def refuse_unsendable(request: Request) -> None:
    """Keep out of a request line what would end it, and do not begin what has no time.

    Raises:
        BadRequest: The method is no word, or the target is no percent-encoded path.
        TransportError: The request has no time at all (which aiohttp would take for all the time there is).
    """
    method, target = request.method, request.target
    if not request.timeout_s > 0:
        raise too_late(request, "no")
    if not (method.isascii() and method.isalpha() and method.isupper()):
        raise BadRequest(400, f"{method!r} is no HTTP method", sent="no")
    if not (
        target[:1] == "/" and target.isascii() and target.isprintable() and " " not in target and "#" not in target
    ):
        raise BadRequest(400, f"{target[:80]!r} is no percent-encoded path", sent="no")


def hurry(sock: SocketLike | None) -> None:
    """Have the kernel acknowledge the reply's first bytes at once; said anew after each request, for it soon forgets.

    Without that, a server that sends head and body apart and has Nagle's algorithm on waits 40 ms between the two.
    """
    if sock is not None and _QUICK_ACK is not None:
        with suppress(OSError):  # it was closed meanwhile, which the next read will tell
            sock.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)


def unreachable(where: str, fault: OSError) -> TransportError:
    """No connection came about."""
    return TransportError(f"can't connect to {where}: {words(fault)}", "no")


def no_tls(where: str, fault: OSError) -> TransportError:
    """The two sides did not agree on encryption, or the server is not who it claims to be."""
    return TransportError(f"no TLS with {where}: {words(fault)}", "no")


def unanswered(where: str, limit_s: float) -> TransportError:
    """No connection came about in time."""
    return TransportError(f"{where} took no connection in {limit_s:g} s", "no", timed_out=True)


def too_late(request: Request, sent: Sent) -> TransportError:
    """The request's time ran out."""
    return TransportError(f"no complete reply in {request.timeout_s:g} s", sent, timed_out=True)


def closed_at_once() -> TransportError:
    """A new connection was closed before any of the request was taken."""
    return TransportError("the server closed the new connection at once", "no")


def closed_early() -> TransportError:
    """The connection was closed where a reply should have begun."""
    return TransportError("the server closed the connection without a reply", "maybe")


def cut(received: int) -> TransportError:
    """The connection was closed before the reply was complete."""
    return TransportError(f"the reply was cut after {received} bytes", "maybe")


def broken(fault: OSError) -> TransportError:
    """The connection broke after the request was on its way."""
    return TransportError(f"the connection broke: {words(fault)}", "maybe")


def not_http(why: str) -> TransportError:
    """Something answered, but not a web server."""
    return TransportError(f"what came back is not HTTP: {' '.join(why.split())[:120]}", "maybe")


def too_long() -> TransportError:
    """The reply's body is longer than anything that is read."""
    return TransportError(f"the reply is longer than {LONGEST_BODY} bytes, the most that is read", "maybe")


def words(fault: OSError) -> str:
    """What the system or the TLS library says, without its numbers and places."""
    distrust = getattr(fault, "verify_message", None)
    if distrust:
        return f"its certificate is not trusted: {distrust} (SSL_CERT_FILE names further authorities)"
    if getattr(fault, "reason", None) == "WRONG_VERSION_NUMBER":
        return "it does not speak TLS there (is it an http:// address?)"
    if getattr(fault, "library", None) is None and fault.errno is not None and fault.errno > 0:
        return os.strerror(fault.errno).lower()
    return (fault.strerror or str(fault) or type(fault).__name__).lower()
