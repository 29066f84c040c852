"""What the spec says a request may be: which path and method is which operation, and what its query and body look like.

It reads `openapi.json`, the spec as `tools/generate.py` writes it into the package; it reads no request (requests.py
does) and knows no handler.
Invariant: an operation that is not in the spec can't be reached, and one that is can't be reached in another shape.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast
from urllib.parse import unquote_to_bytes

from jsonschema_rs import Draft202012Validator

Schema = Mapping[str, Any]
Scalar = Literal["integer", "number", "boolean", "string"]

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
JSON_BODY = "application/json"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One query parameter."""

    name: str
    type: Scalar
    required: bool
    validator: Draft202012Validator


@dataclass(frozen=True, slots=True)
class Body:
    """The JSON object that an operation takes."""

    required: bool
    validator: Draft202012Validator
    integers: frozenset[str]
    """Fields of type integer: JSON knows no integers, `2.0` is one too, and a handler gets an `int`."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path."""

    id: str
    method: str
    path: str
    """The path as the spec writes it, `/v1/slots/{id}/step`."""
    query: tuple[Parameter, ...] = ()
    body: Body | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """What a path leads to: the operations by method, and the values in the path."""

    operations: Mapping[str, Operation]
    values: Mapping[str, str]


@dataclass(slots=True)
class _Node:
    """One segment of the known paths."""

    literal: dict[str, _Node] = field(default_factory=dict[str, "_Node"])
    variable: tuple[str, _Node] | None = None
    operations: dict[str, Operation] = field(default_factory=dict[str, Operation])


class Routes:
    """The operations of a spec, found by path.

    Args:
        spec: An OpenAPI 3.1 document in one piece.
    """

    def __init__(self, spec: Schema) -> None:
        self.operations: dict[str, Operation] = {}
        self._root = _Node()
        for path, item in cast("Mapping[str, Schema]", spec["paths"]).items():
            for method in METHODS:
                if method in item:
                    self._add(_operation(spec, path, method, item))

    def _add(self, operation: Operation) -> None:
        node = self._root
        for segment in operation.path.split("/")[1:]:
            if segment.startswith("{"):
                if node.variable is None:
                    node.variable = (segment[1:-1], _Node())
                node = node.variable[1]
            else:
                node = node.literal.setdefault(segment, _Node())
        node.operations[operation.method] = operation
        self.operations[operation.id] = operation

    def find(self, raw_path: str) -> Match | None:
        """What a percent-encoded path leads to; None where the spec has no such path.

        An encoded slash is part of a segment. A segment that is not UTF-8 or is empty is no name of anything.
        """
        node = self._root
        values: dict[str, str] = {}
        for raw in raw_path.split("/")[1:]:
            segment = _decoded(raw)
            if segment in node.literal:
                node = node.literal[segment]
            elif segment and node.variable is not None:
                name, node = node.variable
                values[name] = segment
            else:
                return None
        return Match(node.operations, values) if node.operations else None


@cache
def routes() -> Routes:
    """The routes of the spec this daemon was made with."""
    return Routes(spec())


@cache
def spec() -> Schema:
    """The spec this daemon was made with."""
    loaded: Schema = json.loads(files("drums.local").joinpath("openapi.json").read_bytes())
    return loaded


def _decoded(raw: str) -> str | None:
    if "%" not in raw:
        return raw
    try:
        return unquote_to_bytes(raw).decode()
    except UnicodeDecodeError:
        return None


def _operation(spec: Schema, path: str, method: str, item: Schema) -> Operation:
    operation = item[method]
    parameters = [_resolved(spec, each) for each in (*item.get("parameters", ()), *operation.get("parameters", ()))]
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        query=tuple(_parameter(spec, each) for each in parameters if each["in"] == "query"),
        body=_body(spec, _resolved(spec, operation["requestBody"])) if "requestBody" in operation else None,
    )


def _parameter(spec: Schema, parameter: Schema) -> Parameter:
    schema = _resolved(spec, parameter["schema"])
    kind: Scalar = schema.get("type", "string")
    return Parameter(parameter["name"], kind, parameter.get("required", False), _validator(spec, parameter["schema"]))


def _body(spec: Schema, body: Schema) -> Body:
    schema: Schema = body["content"][JSON_BODY]["schema"]
    fields = _properties(spec, schema)
    return Body(
        required=body.get("required", False),
        validator=_validator(spec, schema),
        integers=frozenset(name for name, each in fields.items() if _takes_integers(_resolved(spec, each))),
    )


def _properties(spec: Schema, schema: Schema) -> dict[str, Schema]:
    schema = _resolved(spec, schema)
    found: dict[str, Schema] = dict(schema.get("properties", {}))
    for part in schema.get("allOf", ()):
        found |= _properties(spec, part)
    return found


def _takes_integers(schema: Schema) -> bool:
    kind = schema.get("type", ())
    return kind == "integer" or "integer" in kind


def _resolved(spec: Schema, part: Schema) -> Schema:
    """The part, or what it refers to within the document."""
    while "$ref" in part:
        found: Schema = spec
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = found
    return part


def _validator(spec: Schema, schema: Schema) -> Draft202012Validator:
    # References stay as they are (`#/components/...`): the schema becomes a document that holds the components too.
    return Draft202012Validator({**schema, "components": spec["components"]})
