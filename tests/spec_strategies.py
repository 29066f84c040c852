"""Hypothesis strategies made from spec/openapi.yaml: JSON that a schema allows, a newer peer's fields and words too.

`schema_values("Slot")` is what a correct server may send as a slot, `schema_values("BranchRequest")` what a client may
ask. It knows the keywords that the document uses and refuses others, so that no constraint is overlooked.
"""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

Schema = dict[str, Any]

SPEC: dict[str, Any] = yaml.safe_load((Path(__file__).parent.parent / "spec" / "openapi.yaml").read_bytes())
SCHEMAS: dict[str, Schema] = SPEC["components"]["schemas"]

_SILENT = {"description", "title", "discriminator"}
"""Keywords that allow and forbid nothing."""
_KNOWN = _SILENT | {
    "$ref",
    "additionalProperties",
    "allOf",
    "const",
    "contentEncoding",
    "enum",
    "format",
    "items",
    "maximum",
}
_KNOWN |= {
    "maxItems",
    "maxLength",
    "minItems",
    "minimum",
    "minLength",
    "oneOf",
    "pattern",
    "properties",
    "required",
    "type",
    "x-extensible-enum",
}

_texts = st.text(max_size=12)
_anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_texts, inner, max_size=2),
    max_leaves=4,
)
_moments = st.datetimes().map(lambda moment: f"{moment.isoformat()}Z")
_base64 = st.binary(max_size=24).map(lambda content: base64.b64encode(content).decode())


def resolved(schema: Schema, schemas: Schema = SCHEMAS) -> Schema:
    """A schema with its `$ref` followed and its `allOf` merged into one object."""
    if "$ref" in schema:
        return resolved(schemas[schema["$ref"].rsplit("/", 1)[1]], schemas)
    if "allOf" not in schema:
        return schema
    parts = [resolved(part, schemas) for part in schema["allOf"]]
    return {
        "type": "object",
        "required": [name for part in parts for name in part.get("required", [])],
        "properties": {name: value for part in parts for name, value in part["properties"].items()},
    }


def json_types(schema: Schema) -> list[str]:
    """The JSON types that a schema names; empty for one that allows anything."""
    schema = resolved(schema)
    if "oneOf" in schema:
        return [word for part in schema["oneOf"] for word in json_types(part)]
    words: str | list[str] = schema.get("type", [])
    return [words] if isinstance(words, str) else words


@cache
def validator(name: str) -> Draft202012Validator:
    """What tells whether JSON is what a named schema allows."""
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": SPEC["components"]})


def schema_values(name: str, *, extra_fields: bool = True) -> st.SearchStrategy[Any]:
    """JSON that a named schema allows.

    Args:
        name: The schema.
        extra_fields: Whether objects may have fields that the document does not name, as a newer peer's have.
    """
    return values_of(SCHEMAS[name], extra_fields=extra_fields)


def values_of(schema: Schema, *, extra_fields: bool = True, schemas: Schema = SCHEMAS) -> st.SearchStrategy[Any]:
    """JSON that a schema allows; see `schema_values`. `schemas` are those of another document, if it is in one."""
    unknown = schema.keys() - _KNOWN
    assert not unknown, f"no strategy for {sorted(unknown)} in {schema}"
    schema = resolved(schema, schemas)
    if "oneOf" in schema:
        return st.one_of([values_of(part, extra_fields=extra_fields, schemas=schemas) for part in schema["oneOf"]])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if isinstance(schema.get("type"), list):
        return st.one_of([_typed(schema, word, extra_fields, schemas) for word in schema["type"]])
    return _typed(schema, schema["type"], extra_fields, schemas) if "type" in schema else _anything


def _typed(schema: Schema, word: str, extra_fields: bool, schemas: Schema) -> st.SearchStrategy[Any]:
    match word:
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema.get("minimum", -(2**31)), schema.get("maximum", 2**53))
        case "number":
            low, high = schema.get("minimum"), schema.get("maximum")
            return st.floats(low, high, allow_nan=False, allow_infinity=False) | st.integers(low, high)
        case "array":
            items = values_of(schema["items"], extra_fields=extra_fields, schemas=schemas)
            return st.lists(items, min_size=schema.get("minItems", 0), max_size=min(3, schema.get("maxItems", 3)))
        case "object":
            return _objects(schema, extra_fields, schemas)
    assert word == "string", word
    return _strings(schema)


def _strings(schema: Schema) -> st.SearchStrategy[str]:
    if "pattern" in schema:
        pattern: str = schema["pattern"]
        return st.from_regex(pattern, fullmatch=True).filter(lambda text: len(text) <= schema["maxLength"])
    if "x-extensible-enum" in schema:
        return st.sampled_from(schema["x-extensible-enum"]) | _texts
    if schema.get("format") == "date-time":
        return _moments
    if "contentEncoding" in schema:
        return _base64
    return st.text(min_size=schema.get("minLength", 0), max_size=min(12, schema.get("maxLength", 12)))


def _objects(schema: Schema, extra_fields: bool, schemas: Schema) -> st.SearchStrategy[Schema]:
    fields = {
        name: values_of(part, extra_fields=extra_fields, schemas=schemas)
        for name, part in schema.get("properties", {}).items()
    }
    required = set(schema.get("required", []))
    named = st.fixed_dictionaries(
        {name: values for name, values in fields.items() if name in required},
        optional={name: values for name, values in fields.items() if name not in required},
    )
    if "additionalProperties" in schema:
        values = values_of(schema["additionalProperties"], extra_fields=extra_fields, schemas=schemas)
        return st.dictionaries(_texts, values, max_size=3)
    if not extra_fields:
        return named
    unknown = st.dictionaries(_texts.filter(lambda name: name not in fields), _anything, max_size=2)
    return st.builds(lambda extra, known: extra | known, unknown, named)
