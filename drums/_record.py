"""`Record`: a reply that reads both ways, as a dict and by typed attributes; and the check that a reply has its shape.

The classes themselves are generated (`drums.records`). Nothing here knows HTTP or what a field means. The one
invariant: a record holds the server's JSON as it came, every unknown field included, and is never changed; what is
wrong in it is told by `shape_fault`, never mended.
"""

from __future__ import annotations

from copy import deepcopy
from json.encoder import encode_basestring
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, NoReturn, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self, TypeAlias

    Json: TypeAlias = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

_REPR_FIELDS: Final = 6
_REPR_CHARACTERS: Final = 60
_QUOTED_CHARACTERS: Final = 40


class ShapeFault(NamedTuple):
    """One place where a reply is not what the spec says."""

    path: str
    """Where, as a JSON path from the reply's root: `$.children[2].state`."""
    expected: str
    """What the spec says, in JSON's words: `number or null`."""
    got: str
    """What is there: `string "1.0"`, `null`, `nothing`."""

    def __str__(self) -> str:
        return f"expected {self.expected}, got {self.got} at {self.path}"


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


_FLOAT: Final = frozenset({float})
_HOLDERS: Final = frozenset({float, list, dict})


class Shape:
    """What JSON a field may hold.

    Args:
        words: JSON types, joined by " or "; "" for anything.
        record: What an object must be.
        each: What each item of an array, or each value of an object, must be.
    """

    __slots__ = ("each", "plain", "record", "types", "words")

    def __init__(self, words: str, record: type[Record] | None = None, each: Shape | None = None) -> None:
        self.words = words
        self.record = record
        self.each = each
        self.types = frozenset(kind for word in words.split(" or ") if word for kind in _TYPES[word])
        self.plain = self.types - (_HOLDERS if record or each else _FLOAT)
        """The types that need no look inside the value."""

    def fault(self, value: Json) -> ShapeFault | None:
        """Where a value is not of this shape, its path relative to the value; None where it is."""
        if type(value) in self.plain or not self.words:
            return None
        if isinstance(value, float):
            return None if self._takes(value) else ShapeFault("", self.words, _described(value))
        if isinstance(value, dict) and dict in self.types:
            return self._within(value)
        if isinstance(value, list) and list in self.types:
            return self._each_fault((f"[{index}]", item) for index, item in enumerate(value))
        return ShapeFault("", self.words, _described(value))

    def _takes(self, value: float) -> bool:
        """Whether a float is a number here: 3.0 is an integer in JSON's eyes, NaN and infinity are nothing."""
        return isfinite(value) and (float in self.types or (int in self.types and value.is_integer()))

    def _within(self, value: dict[str, Json]) -> ShapeFault | None:
        if self.record is not None:
            return _object_fault(self.record, value)
        return self._each_fault((_step(name), item) for name, item in value.items())

    def _each_fault(self, steps: Iterable[tuple[str, Json]]) -> ShapeFault | None:
        if self.each is None:
            return None
        for step, item in steps:
            fault = self.each.fault(item)
            if fault is not None:
                return fault._replace(path=step + fault.path)
        return None


class Record(dict[str, Any]):
    """A reply of the server, read-only: `record.state` or `record["state"]`.

    It is a `dict`: `json.dumps`, `==`, `|`, `in`, `.get` work as with one. Fields that the spec does not name are there
    by name. An attribute is None where the server sent null or nothing; a list or map is empty then. `dict(record)` is
    a copy that can be changed.
    """

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {}
    __required__: ClassVar[tuple[str, ...]] = ()

    def __setitem__(self, key: str, value: Any, /) -> NoReturn:
        self._refuse()

    def __delitem__(self, key: str, /) -> NoReturn:
        self._refuse()

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise TypeError(f"{type(self).__name__} is read-only; change a copy: dict(record)")

    if not TYPE_CHECKING:
        clear = pop = popitem = setdefault = update = __ior__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return type(self)(deepcopy(dict(self), memo))

    def __repr__(self) -> str:
        shown = [f"{name}={_brief(value)}" for name, value in self.items() if value is not None][:_REPR_FIELDS]
        more = len(self) - len(shown)
        if more:
            shown.append(f"… {more} more")
        return f"{type(self).__name__}({', '.join(shown)})"


def shape_fault(record: type[Record], value: object, where: str = "$") -> ShapeFault | None:
    """The first place where a reply is not of a record's shape; None where it is.

    Looks at required fields and at JSON types, scalars included, as deep as the spec goes. Unknown fields and unknown
    values of open enums always pass.

    Args:
        record: The record that the reply should be.
        value: The reply, as `json.loads` gives it, or a part of it.
        where: JSON path of `value` in the reply.
    """
    fault = _object_fault(record, cast("Json", value))
    return None if fault is None else fault._replace(path=where + fault.path)


def items_fault(record: type[Record], value: object, where: str = "$") -> ShapeFault | None:
    """The same for a reply that is an array of records."""
    fault = Shape("array", each=Shape("object", record)).fault(cast("Json", value))
    return None if fault is None else fault._replace(path=where + fault.path)


def _object_fault(record: type[Record], value: Json) -> ShapeFault | None:
    if not isinstance(value, dict):
        return ShapeFault("", "object", _described(value))
    shapes = record.__shapes__
    for name, item in value.items():
        shape = shapes.get(name)
        if shape is None or type(item) in shape.plain:
            continue
        fault = shape.fault(item)
        if fault is not None:
            return fault._replace(path=_step(name) + fault.path)
    for name in record.__required__:
        if name not in value:
            return ShapeFault(_step(name), shapes[name].words, "nothing")
    return None


def _step(name: str) -> str:
    return f".{name}" if name.isidentifier() else f"[{encode_basestring(name)}]"


def _described(value: Json) -> str:
    """A value in JSON's words, short enough for an error's message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"string {encode_basestring(_cut(value))}"
    if isinstance(value, int | float):
        return f"number {_cut(str(value))}"
    return _sized(value)


def _sized(value: Json) -> str:
    if isinstance(value, dict):
        return f"object of {len(value)} fields"
    if isinstance(value, list):
        return f"array of {len(value)}"
    return type(value).__name__


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED_CHARACTERS else text[: _QUOTED_CHARACTERS - 1] + "…"


def _brief(value: Json) -> str:
    if isinstance(value, dict | list):
        return f"<{_sized(value)}>"
    if isinstance(value, str) and len(value) > _REPR_CHARACTERS:
        return f"<string of {len(value)} characters>"
    return repr(value)
