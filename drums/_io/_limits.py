"""Numbers, names and request heads that both transports keep to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drums._version import __version__
from drums.errors import BadRequest

if TYPE_CHECKING:
    from drums._core.wire import Request

LONGEST_BODY: Final = 256 * 1024 * 1024
"""Bytes of a reply's body that are read at most: hundreds of screenshots, and no more memory than any host has."""

IDLE_S: Final = 55.0
"""Seconds that an unused connection is kept: less than the 60 s after which common load balancers drop theirs silently."""

IDLE_CONNECTIONS: Final = 256
"""Unused connections that are kept at most; more threads than that connect anew."""

GRACE_S: Final = 10.0
"""Seconds that an interrupted caller waits for calls already under way in its threads."""

USER_AGENT: Final = f"drums-sdk/{__version__}"


def headers_of(token: str | None) -> dict[str, str]:
    """What every request says beside its own: who asks, and that a reply must come as it is, not compressed."""
    headers = {"User-Agent": USER_AGENT, "Accept": "*/*", "Accept-Encoding": "identity"}
    return headers if token is None else headers | {"Authorization": f"Bearer {token}"}


def refuse_unsendable(request: Request) -> None:
    """Keep out of a request line what would end it.

    Raises:
        BadRequest: The method is no word, or the target is no percent-encoded path.
    """
    target = request.target
    if not (request.method.isalpha() and request.method.isascii() and request.method.isupper()):
        raise BadRequest(400, f"{request.method!r} is no HTTP method", sent="no")
    if not (
        target.startswith("/") and target.isascii() and target.isprintable() and " " not in target and "#" not in target
    ):
        raise BadRequest(400, f"{target[:80]!r} is no percent-encoded path", sent="no")
