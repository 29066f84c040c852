"""Our own comparison of two OpenAPI documents, schema by schema. Pure.

It runs beside redocly's and alone where there is no Node.js. A request may only widen, a reply only narrow. Invariant:
two places are compared by what they describe, never by the names of schemas, so renaming one is no change. A change
inside a named schema is told once, by that name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from tools._compat.change import Change, Impact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Schema = dict[str, Any]
Direction = Literal["request", "response"]
LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def change(rule: str, where: str, what: str, impact: Impact = "major") -> Change:
    """A change that these rules found."""
    return Change(rule, where, what, impact, "drums")


def resolved(document: Mapping[str, Any], part: Any) -> Schema:
    """A part of a document with its `$ref` followed and its `allOf` merged."""
    found: Any = part or {}
    while "$ref" in found:
        node: Any = document
        for step in found["$ref"].removeprefix("#/").split("/"):
            node = node[step.replace("~1", "/").replace("~0", "~")]
        found = node
    if "allOf" not in found:
        return cast("Schema", found)
    merged: Schema = {name: value for name, value in found.items() if name != "allOf"}
    for inner in found["allOf"]:
        one = resolved(document, inner)
        merged["properties"] = {**merged.get("properties", {}), **one.get("properties", {})}
        merged["required"] = [*merged.get("required", []), *one.get("required", [])]
        merged = {**{name: value for name, value in one.items() if name not in {"properties", "required"}}, **merged}
    return merged


class Walk:
    """Compares schemas of two documents.

    Args:
        old: The released document.
        new: This checkout's.
    """

    def __init__(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        self._old, self._new = old, new
        self._known: dict[tuple[object, ...], list[Change]] = {}

    def old(self, part: Any) -> Schema:
        """A part of the released document."""
        return resolved(self._old, part)

    def new(self, part: Any) -> Schema:
        """A part of this checkout's."""
        return resolved(self._new, part)

    def schemas(self, old: Any, new: Any, direction: Direction, where: str) -> Iterator[Change]:
        """What changed between two schemas at the same place."""
        names: list[Any] = [part.get("$ref") if part else None for part in (old, new)]
        if None in names:
            yield from self._resolved(self.old(old), self.new(new), direction, where)
            return
        key: tuple[object, ...] = (*names, direction)
        if key not in self._known:
            self._known[key] = []  # what a schema finds in itself is found where it is used first
            name = str(names[0]).rpartition("/")[2]
            self._known[key] = list(self._resolved(self.old(old), self.new(new), direction, name))
        yield from self._known[key]

    def _resolved(self, old: Schema, new: Schema, direction: Direction, where: str) -> Iterator[Change]:
        yield from _types(old, new, direction, where)
        yield from _enums(old, new, direction, where)
        yield from _open_enums(old, new, direction, where)
        yield from _bounds(old, new, direction, where)
        yield from self._variants(old, new, direction, where)
        yield from self._properties(old, new, direction, where)
        if "items" in old and "items" in new:
            yield from self.schemas(old["items"], new["items"], direction, f"{where}[]")
        more = (old.get("additionalProperties", True), new.get("additionalProperties", True))
        if all(isinstance(one, dict) for one in more):
            yield from self.schemas(*more, direction, f"{where}{{}}")
        elif direction == "request" and more[1] is False and more[0] is not False:
            yield change("request-closed", where, "fields that are not named are refused")

    def _properties(self, old: Schema, new: Schema, direction: Direction, where: str) -> Iterator[Change]:
        before: dict[str, Any] = old.get("properties") or {}
        after: dict[str, Any] = new.get("properties") or {}
        needed, needed_now = set(old.get("required") or ()), set(new.get("required") or ())
        for name, part in before.items():
            if name not in after:
                yield change(f"{direction}-property-removed", f"{where}.{name}", "the field is no longer named")
            else:
                yield from self.schemas(part, after[name], direction, f"{where}.{name}")
        if before or after:
            for name in after.keys() - before.keys() - (needed_now if direction == "request" else set()):
                yield change(f"{direction}-property-added", f"{where}.{name}", "the field is new", "minor")
        if direction == "request":
            for name in sorted(needed_now - needed):
                yield change("request-property-required", f"{where}.{name}", "the field must be sent now")
        else:
            for name in sorted((needed - needed_now) & after.keys()):
                yield change("response-property-optional", f"{where}.{name}", "the field may be missing now")

    def _variants(self, old: Schema, new: Schema, direction: Direction, where: str) -> Iterator[Change]:
        for word in ("oneOf", "anyOf"):
            left: list[Any] = list(new.get(word) or ())
            for variant in old.get(word) or ():
                match = self._match(variant, left, direction, where)
                if match is None:
                    yield change(f"{direction}-variant-removed", where, f"{_name(variant)} is no longer one of them")
                    continue
                left.remove(match)
                yield from self.schemas(variant, match, direction, where)
            for variant in left:
                impact: Impact = "major" if direction == "response" and word in old else "minor"
                if word in old:
                    yield change(f"{direction}-variant-added", where, f"{_name(variant)} is one of them now", impact)

    def _match(self, variant: Any, left: list[Any], direction: Direction, where: str) -> Any:
        """What a variant has become: that of the same name, else one that differs in nothing that breaks."""
        named = [other for other in left if "$ref" in variant and other.get("$ref") == variant["$ref"]]
        alike = (
            other
            for other in left
            if all(one.impact != "major" for one in self.schemas(variant, other, direction, where))
        )
        return named[0] if named else next(alike, None)


def _name(variant: Any) -> str:
    name: str = variant.get("$ref", "").rpartition("/")[2] or str(variant.get("type"))
    return name


def _words(schema: Schema) -> set[str] | None:
    """The JSON types of a schema; None for any."""
    found = schema.get("type")
    if found is None:
        return {"string"} if isinstance(schema.get("const"), str) else None
    words = set(cast("list[str]", found) if isinstance(found, list) else [str(found)])
    return words | {"integer"} if "number" in words else words


def _types(old: Schema, new: Schema, direction: Direction, where: str) -> Iterator[Change]:
    before, after = _words(old), _words(new)
    told = f"{_listed(before)} became {_listed(after)}"
    if direction == "request" and after is not None and (before is None or not before <= after):
        yield change("request-narrowed", where, told)
    elif direction == "response" and before is not None and (after is None or not after <= before):
        yield change("response-widened", where, told)
    elif before != after:
        yield change("type-changed", where, told, "minor")
    if old.get("format") != new.get("format"):
        yield change("format-changed", where, f"format {old.get('format')} became {new.get('format')}")


def _enums(old: Schema, new: Schema, direction: Direction, where: str) -> Iterator[Change]:
    before, after = _values(old), _values(new)
    if before is None and after is None:
        return
    gone = _listed(None if before is None else before - (after or before))
    come = _listed(None if after is None else after - (before or set()))
    if direction == "request":
        if after is not None and (before is None or before - after):
            yield change("request-enum-value-removed", where, f"no longer taken: {gone}")
        elif before is not None and before != after:
            yield change("request-enum-value-added", where, f"taken now: {come}", "minor")
        return
    if before is not None and (after is None or after - before):
        yield change("response-enum-value-added", where, f"sent now: {come}")
    if before is not None and after is not None and before - after:
        yield change("response-enum-value-removed", where, f"no longer sent: {gone}")


def _open_enums(old: Schema, new: Schema, direction: Direction, where: str) -> Iterator[Change]:
    before, after = set(old.get("x-extensible-enum") or ()), set(new.get("x-extensible-enum") or ())
    if before and not after and direction == "response" and ("enum" in new or "const" in new):
        yield change("open-enum-closed", where, "the open enum is closed")
        return
    code = old.get("title") in {"ErrorCode", "ChildErrorCode"}
    for value in sorted(before - after):
        rule = "error-code-removed" if code else "open-enum-value-removed"
        yield change(rule, where, f"{value} is no longer named")
    for value in sorted(after - before if before else ()):
        yield change("open-enum-value-added", where, f"{value} is named", "minor")


def _bounds(old: Schema, new: Schema, direction: Direction, where: str) -> Iterator[Change]:
    for word in LOWER + UPPER:
        before, after = old.get(word), new.get(word)
        if before == after:
            continue
        tighter = after is not None and (before is None or (after > before) is (word in LOWER))
        bad = tighter is (direction == "request")
        rule = "request-narrowed" if direction == "request" else "response-widened"
        yield change(
            rule if bad else "bound-changed", where, f"{word} {before} became {after}", "major" if bad else "minor"
        )
    if old.get("pattern") != new.get("pattern"):
        rule = "request-narrowed" if direction == "request" else "response-widened"
        bad = (new if direction == "request" else old).get("pattern") is not None
        yield change(rule if bad else "bound-changed", where, "another pattern", "major" if bad else "minor")


def _values(schema: Schema) -> set[str] | None:
    if "const" in schema:
        return {str(schema["const"])}
    return {str(value) for value in schema["enum"]} if "enum" in schema else None


def _listed(words: set[str] | None) -> str:
    return "anything" if words is None else ", ".join(sorted(words)) or "nothing"
