"""The OpenAPI document, read for generation: its schemas, and which of them a reply may hold.

It knows the part of OpenAPI 3.1 that spec/openapi.yaml uses, and refuses the rest with the schema's name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from tools._codegen.faults import CodegenError

if TYPE_CHECKING:
    from collections.abc import Iterator

Schema = dict[str, Any]

_PREFIX = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class Field:
    """One property of a schema."""

    name: str
    schema: Schema
    required: bool

    @property
    def description(self) -> str:
        """What it means, as one paragraph."""
        return " ".join(str(self.schema.get("description", "")).split())


class Spec:
    """One OpenAPI document.

    Args:
        text: Its YAML.
    """

    def __init__(self, text: bytes) -> None:
        self.document: dict[str, Any] = yaml.safe_load(text)
        self.schemas: dict[str, Schema] = self.document["components"]["schemas"]

    def as_json(self) -> bytes:
        """The document as JSON on one line, for readers that have no YAML."""
        return (json.dumps(self.document, ensure_ascii=False, separators=(",", ":")) + "\n").encode()

    def objects(self) -> list[str]:
        """Names of the schemas that are objects."""
        return [name for name, schema in self.schemas.items() if schema.get("type") == "object"]

    def fields(self, name: str) -> list[Field]:
        """The properties of a named object, those of `allOf` included, in the document's order."""
        schema = self.schemas[name]
        found: dict[str, Field] = {}
        for part in schema.get("allOf", []):
            found |= {field.name: field for field in self.fields(reference(part, name))}
        required = set(schema.get("required", []))
        for key, value in schema.get("properties", {}).items():
            found[key] = Field(key, value, key in required)
        return list(found.values())

    def reply_objects(self) -> list[str]:
        """Names of the objects that a reply may hold, each after those that it refers to."""
        ordered: list[str] = []
        for root in self._reply_roots():
            self._visit(root, ordered, ())
        return ordered

    def _reply_roots(self) -> Iterator[str]:
        for operation in self.operations().values():
            for response in operation["responses"].values():
                for media in self.resolved(response).get("content", {}).values():
                    yield from references(media.get("schema", {}))

    def operations(self) -> dict[str, dict[str, Any]]:
        """The operations by their operationId."""
        return {
            operation["operationId"]: operation
            for path in self.document["paths"].values()
            for method, operation in path.items()
            if method in {"get", "post", "put", "patch", "delete"}
        }

    def resolved(self, part: Schema) -> Schema:
        """What a part of the document is, its `$ref` followed."""
        while "$ref" in part:
            steps = str(part["$ref"]).removeprefix("#/").split("/")
            part = self.document
            for step in steps:
                part = part[step]
        return part

    def _visit(self, name: str, ordered: list[str], above: tuple[str, ...]) -> None:
        if name in above:
            raise CodegenError(f"the schemas {' > '.join((*above, name))} refer to each other in a ring")
        if name in ordered:
            return
        parts = [field.schema for field in self.fields(name)]
        parts.append({"items": self.schemas[name].get("additionalProperties", {})})
        for part in parts:
            for inner in references(part):
                self._visit(inner, ordered, (*above, name))
        ordered.append(name)


def reference(part: Schema, where: str) -> str:
    """The name of the schema that a `$ref` names.

    Raises:
        CodegenError: It is no reference to a named schema.
    """
    target = str(part.get("$ref", ""))
    if not target.startswith(_PREFIX):
        raise CodegenError(f"{where}: expected a reference to a named schema, got {sorted(part)}")
    return target.removeprefix(_PREFIX)


def references(schema: Schema) -> Iterator[str]:
    """Names of the schemas that a property's schema refers to directly, in order."""
    if str(schema.get("$ref", "")).startswith(_PREFIX):
        yield str(schema["$ref"]).removeprefix(_PREFIX)
    for key in ("oneOf", "anyOf", "allOf"):
        for part in schema.get(key, []):
            yield from references(part)
    if "items" in schema:
        yield from references(schema["items"])
