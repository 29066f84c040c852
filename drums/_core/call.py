"""A request together with the way to read its reply: what every public method of the SDK sends.

It is plain data: building one sends nothing, and who sends it (an asyncio or a sync session) knows nothing of its
meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from drums._core.wire import Reply

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Call(Generic[T_co]):
    """One request, not yet sent."""

    method: str
    """`GET`, `POST` or `DELETE`."""
    target: str
    """Path and query, percent-encoded, from `/v1` on."""
    read: Callable[[Reply], T_co]
    """Turns a reply with a 2xx status into the value, or raises `MisreadError`."""
    tried: str
    """The call as its caller would write it, for messages: `fork(8) of s104`."""
    body: bytes | None = None
    """JSON text, or None for none."""
    if_lost: str | None = None
    """What to do when no reply came and the server may have done it; None: the error's own hint."""
    if_refused: str | None = None
    """What to do when the server refused it with 400 or 422 and an older one would; None: the error's own hint."""
    least_timeout_s: float = 0.0
    """Seconds that the server may need by what was asked of it; a shorter timeout of the client gives way."""


class MisreadError(Exception):
    """A reply is not what the spec says.

    Args:
        what: What was expected, and what came.
        where: JSON path of the field; None for the reply as a whole.
    """

    def __init__(self, what: str, where: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
