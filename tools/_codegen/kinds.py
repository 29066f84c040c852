"""A field's schema as Python: its JSON types, the record or items in it, and the type that its attribute has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools._codegen.faults import CodegenError
from tools._codegen.spec import reference

if TYPE_CHECKING:
    from tools._codegen.spec import Schema, Spec

_PYTHON = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


@dataclass(frozen=True, slots=True)
class Kind:
    """What a field may hold.

    Args:
        words: Its JSON types in the schema's order; empty for anything.
        record: Class of an object; "" for none.
        each: What each item of an array, or each value of a map, is.
        known: Values of an open enum known today.
        title: Name of that enum.
    """

    words: tuple[str, ...]
    record: str = ""
    each: Kind | None = None
    known: tuple[str, ...] = ()
    title: str = ""

    @property
    def annotation(self) -> str:
        """The type of the attribute, without None for a field that may be absent."""
        if not self.words:
            return "object"
        return " | ".join(sorted((self._python(word) for word in self.words), key=lambda name: name == "None"))

    @property
    def shape(self) -> str:
        """The expression of its `Shape` in drums/records.py."""
        words = [f'"{" or ".join(self.words)}"']
        record = [f"record={self.record}"] if self.record else []
        each = [f"each={self.each.shape}"] if self.each else []
        return f"Shape({', '.join(words + record + each)})"

    @property
    def nullable(self) -> bool:
        """Whether null is one of its types."""
        return "null" in self.words

    @property
    def main(self) -> str:
        """Its one JSON type beside null; "" where there are several or any."""
        others = [word for word in self.words if word != "null"]
        return others[0] if len(others) == 1 else ""

    def _python(self, word: str) -> str:
        if word == "array":
            return f"list[{self.each.annotation if self.each else 'object'}]"
        if word == "object":
            return self.record or f"dict[str, {self.each.annotation if self.each else 'object'}]"
        return _PYTHON[word]


def kind_of(spec: Spec, schema: Schema, where: str) -> Kind:
    """What a schema says.

    Args:
        spec: The document that it is part of.
        schema: The schema.
        where: Its place, for the message.

    Raises:
        CodegenError: It is outside of the part of OpenAPI that is understood here.
    """
    if "$ref" in schema:
        return _named(spec, reference(schema, where), where)
    if "oneOf" in schema:
        return _nullable(spec, schema, where)
    if "type" not in schema:
        return Kind(())
    words: str | list[str] = schema["type"]
    each: Schema | None = schema.get("items")
    return Kind(
        (words,) if isinstance(words, str) else tuple(words),
        each=None if each is None else kind_of(spec, each, where),
        known=tuple(schema.get("x-extensible-enum", ())),
        title=schema.get("title", ""),
    )


def _named(spec: Spec, name: str, where: str) -> Kind:
    schema = spec.schemas[name]
    if schema.get("type") != "object":
        raise CodegenError(f"{where}: {name} is no object; only objects can be referred to in a reply")
    if is_map(schema):
        return Kind(("object",), each=kind_of(spec, schema["additionalProperties"], where))
    return Kind(("object",), record=name)


def _nullable(spec: Spec, schema: Schema, where: str) -> Kind:
    parts = [part for part in schema["oneOf"] if part.get("type") != "null"]
    if len(parts) != 1 or len(schema["oneOf"]) != 2:
        raise CodegenError(f"{where}: a union of a reply may only be one named object and null")
    kind = _named(spec, reference(parts[0], where), where)
    return Kind((*kind.words, "null"), record=kind.record, each=kind.each)


def is_map(schema: Schema) -> bool:
    """Whether an object is a map from names to values of one kind, and so has no record."""
    return isinstance(schema.get("additionalProperties"), dict)
