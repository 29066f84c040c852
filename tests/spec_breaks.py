"""Ways to break JSON that spec/openapi.yaml allows: one thing at a time, with the place where it shows.

A break is a required field taken out, or a value put where the document allows none of its JSON type.
"""

from __future__ import annotations

import copy
import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

from tests.spec_strategies import SCHEMAS, json_types, resolved, schema_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.spec_strategies import Schema

Step = str | int

_EXAMPLES: dict[str, Any] = {
    "string": "1.0",
    "integer": 7,
    "number": 0.5,
    "boolean": True,
    "null": None,
    "array": [1],
    "object": {"x": 1},
}


class Break(NamedTuple):
    """One thing that is wrong."""

    steps: tuple[Step, ...]
    """Where, from the root."""
    missing: bool
    """Whether the field is taken out; else `value` is put there."""
    value: Any = None

    @property
    def path(self) -> str:
        """The place as a JSON path."""
        return "$" + "".join(_step(step) for step in self.steps)

    def applied_to(self, sound: Any) -> Any:
        """A copy with this one thing broken."""
        broken = [copy.deepcopy(sound)]
        parent: Any = broken
        last: Step = 0
        for step in self.steps:
            parent, last = parent[last], step
        if self.missing:
            del parent[last]
        else:
            parent[last] = self.value
        return broken[0]


def breaks_of(schema: Schema, value: Any, steps: tuple[Step, ...] = ()) -> Iterator[Break]:
    """Every way to break a value that the schema allows."""
    words = json_types(schema)
    if not words:
        return
    yield from (Break(steps, False, wrong) for wrong in _wrong_values(words))
    schema = resolved(schema)
    for part in [schema, *schema.get("oneOf", [])]:
        yield from _breaks_within(resolved(part), value, steps)


def _breaks_within(schema: Schema, value: Any, steps: tuple[Step, ...]) -> Iterator[Break]:
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from breaks_of(schema["items"], item, (*steps, index))
    if not isinstance(value, dict):
        return
    for name in schema.get("required", []):
        yield Break((*steps, name), missing=True)
    inner: Schema = schema.get("properties", {})
    for name, item in value.items():
        part = inner.get(name, schema.get("additionalProperties"))
        if part is not None:
            yield from breaks_of(part, item, (*steps, name))


def _wrong_values(words: list[str]) -> Iterator[Any]:
    allowed = {*words, *(["integer"] if "number" in words else [])}
    yield from (value for word, value in _EXAMPLES.items() if word not in allowed)
    if "number" in allowed:
        yield from (math.nan, math.inf)


def _step(step: Step) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if step.isidentifier() else f"[{json.dumps(step, ensure_ascii=False)}]"


@st.composite
def broken_values(draw: st.DrawFn, name: str) -> tuple[Any, Break]:
    """JSON that a named schema would allow but for one thing, and that thing."""
    sound = draw(schema_values(name))
    one = draw(st.sampled_from(list(breaks_of(SCHEMAS[name], sound))))
    return one.applied_to(sound), one
