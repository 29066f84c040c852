"""The operations of the API as the installed spec lists them, and whether a reply is one that it allows.

It reads `drums/local/openapi.json` as data, so it needs nothing of the local daemon. Invariant: a reply that passes
`fault` has a documented status, its content type, its headers, and the shape of its schema; unknown fields and unknown
values of open enums pass, as the spec says they must.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from drums import records
from drums._record import Record, items_fault, shape_fault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drums._core.wire import Reply

CODES: Mapping[int, frozenset[str]] = {
    400: frozenset({"bad_request"}),
    401: frozenset({"unauthorized"}),
    403: frozenset({"forbidden", "quota_exceeded"}),
    404: frozenset({"not_found"}),
    409: frozenset({"conflict", "not_quiescent", "checkpoint_stale"}),
    410: frozenset({"gone"}),
    413: frozenset({"body_too_large"}),
    422: frozenset({"task_unsupported"}),
    429: frozenset({"overloaded"}),
    502: frozenset({"guest_error"}),
    503: frozenset({"unavailable"}),
}
"""Which codes go with which status."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the spec."""

    id: str
    method: str
    path: str
    """With `{id}` where it names something."""
    schemas: Mapping[int, Mapping[str, Any]]
    """The schema of each documented status's JSON; empty for the picture."""
    pages: bool
    """Whether a reply may be a bare list, because nothing in the query asked for a page."""

    @property
    def names_a_slot(self) -> bool:
        """Whether its path holds a slot's id."""
        return self.path.startswith("/v1/slots/{id}")

    @property
    def names_a_checkpoint(self) -> bool:
        """Whether its path holds a checkpoint's id."""
        return self.path.startswith("/v1/checkpoints/{id}")


@cache
def document() -> Mapping[str, Any]:
    """The spec that is installed with this package."""
    text = (files("drums.local") / "openapi.json").read_text(encoding="utf-8")
    spec: dict[str, Any] = json.loads(text)
    return spec


@cache
def operations() -> Mapping[str, Operation]:
    """Every operation by its id."""
    return {
        found["operationId"]: _operation(method, path, found)
        for path, methods in document()["paths"].items()
        for method, found in methods.items()
        if method != "parameters"
    }


def fault(operation: Operation, reply: Reply, content: Any, *, paged: bool = True) -> str | None:
    """What of a reply is not as the spec says; None where it is.

    Args:
        operation: What was asked.
        reply: What came.
        content: Its body: JSON already parsed, or bytes.
        paged: Whether the query asked for a page.
    """
    schema = operation.schemas.get(reply.status)
    if schema is None:
        return f"status {reply.status}, which the spec does not have for {operation.id}"
    if not reply.headers.get("x-request-id"):
        return "no X-Request-Id header"
    kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    expected = "application/json" if schema else "image/png"
    if kind != expected:
        return f"content type {kind or 'nothing'} instead of {expected}"
    if reply.status != 200:
        return _error_fault(reply, content)
    if schema and operation.pages and not paged:
        return _shape(schema_of_items(records.Slot), content)
    return _shape(schema, content) if schema else None


def schema_of_items(record: type[Record]) -> Mapping[str, Any]:
    """The schema of a list of a record."""
    return {"type": "array", "items": {"$ref": f"#/components/schemas/{record.__name__}"}}


def _error_fault(reply: Reply, content: Any) -> str | None:
    found = shape_fault(records.ErrorReply, content)
    if found is not None:
        return str(found)
    code = content.get("code")
    allowed = CODES.get(reply.status)
    if allowed and code not in allowed:
        return f"code {code!r} with status {reply.status}; it goes with {', '.join(sorted(allowed))}"
    if content.get("request_id") != reply.headers["x-request-id"]:
        return "request_id in the body is not the X-Request-Id header"
    return None


def _shape(schema: Mapping[str, Any], content: Any) -> str | None:
    if schema.get("type") == "array":
        if not isinstance(content, list):
            return f"expected array, got {type(cast('object', content)).__name__} at $"
        found = items_fault(_record(schema["items"]), cast("object", content))
    else:
        found = shape_fault(_record(schema), content)
    return None if found is None else str(found)


def _record(schema: Mapping[str, Any]) -> type[Record]:
    record: type[Record] = getattr(records, schema["$ref"].rpartition("/")[2])
    return record


def _operation(method: str, path: str, found: Mapping[str, Any]) -> Operation:
    schemas: dict[int, Mapping[str, Any]] = {}
    for status, response in found["responses"].items():
        content = _resolved(response)["content"]
        schemas[int(status)] = content["application/json"]["schema"] if "application/json" in content else {}
    return Operation(found["operationId"], method.upper(), path, schemas, found["operationId"] == "list_slots")


def _resolved(part: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in part:
        return part
    found: Any = document()
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return _resolved(found)
