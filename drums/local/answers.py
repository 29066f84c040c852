"""A reply as it goes out: status, headers, bytes; made of what a handler returned, or of the reason why it did not.

The one table from kinds of refusals to statuses is here. It knows neither ASGI nor which operation was asked.
Invariant: every error is the spec's ErrorReply with the request's id.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from drums_api.models import ErrorReply
from drums_api.types import UNSET

from drums.local.handlers import Json, Png
from drums.local.replies import gate_report_of, slot_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drums.local.domain.refusals import Kind, Refusal

STATUS_OF: Mapping[Kind, int] = {
    "bad_request": 400,
    "quota_exceeded": 403,
    "not_found": 404,
    "conflict": 409,
    "not_quiescent": 409,
    "checkpoint_stale": 409,
    "gone": 410,
    "task_unsupported": 422,
    "overloaded": 429,
    "guest_error": 502,
    "unavailable": 503,
}
"""What the domain refuses; the kind itself is the reply's `code`."""


class HttpRefusal(Exception):
    """A request that is not done for reasons the domain does not know.

    Args:
        status: The HTTP status.
        code: The word that programs test; None for none.
        message: For the caller.
        headers: Further reply headers, names in lower case.
        retry_after_s: Seconds after which the same request may succeed.
    """

    def __init__(
        self,
        status: int,
        code: str | None,
        message: str,
        *,
        headers: Mapping[str, str] | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers: dict[str, str] = dict(headers or {})
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply, with its content not yet in bytes."""

    status: int
    content: Any
    """A JSON value, or the bytes of a picture."""
    headers: Mapping[str, str]
    """Names in lower case."""


def reply_of(result: Json | Png) -> Reply:
    """What a handler returned."""
    if isinstance(result, Png):
        return Reply(200, result.content, {"content-type": "image/png"})
    return Reply(result.status, result.content, {"content-type": "application/json"})


def reply_refusing(refusal: Refusal | HttpRefusal, request_id: str) -> Reply:
    """Why nothing was done."""
    status, code, headers = _head(refusal)
    content: dict[str, Any] = ErrorReply(error=refusal.message, code=code or UNSET, request_id=request_id).to_dict()
    if not isinstance(refusal, HttpRefusal):
        content |= _facts(refusal)
    if refusal.retry_after_s is not None:
        content["retry_after_s"] = refusal.retry_after_s
        headers["retry-after"] = str(max(0, math.ceil(refusal.retry_after_s)))
    return Reply(status, content, {"content-type": "application/json", **headers})


def body_of(reply: Reply) -> bytes:
    """The reply's content as it goes over the wire."""
    if isinstance(reply.content, bytes):
        return reply.content
    text = json.dumps(reply.content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode(errors="replace")  # half a character is in no text of ours, and no reply is lost by one


def _head(refusal: Refusal | HttpRefusal) -> tuple[int, str | None, dict[str, str]]:
    if isinstance(refusal, HttpRefusal):
        return refusal.status, refusal.code, refusal.headers
    return STATUS_OF[refusal.kind], refusal.kind, {}


def _facts(refusal: Refusal) -> dict[str, Any]:
    facts = {
        "slot": refusal.slot and slot_of(refusal.slot).to_dict(),
        "gates": refusal.gates and gate_report_of(refusal.gates).to_dict(),
        "closed_reason": refusal.closed_reason,
    }
    return {name: value for name, value in facts.items() if value is not None}
