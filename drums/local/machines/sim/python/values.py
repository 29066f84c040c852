"""The values and functions of the simulator's Python: plain data, and nothing that leads out of it.

Invariant: no operation makes a value larger than SIZE_LIMIT or a number longer than BITS_LIMIT, and no attribute of a
value is reachable but those in METHODS.
"""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import cast

SIZE_LIMIT = 20_000
"""Most characters of a text, elements of a list."""
BITS_LIMIT = 4096
"""Most bits of a whole number."""

Value = object
Native = Callable[..., Value]
Coroutine = Callable[..., Awaitable[Value]]


@dataclass(frozen=True, slots=True)
class Function:
    """Something that code may call."""

    name: str
    call: Coroutine


@dataclass(frozen=True, slots=True)
class Module:
    """What `import` gives: names that can be read, and the few that can be set."""

    name: str
    members: Mapping[str, Value]
    settings: dict[str, Value] = field(default_factory=dict[str, Value])
    """Members that code may assign, e.g. `pyautogui.PAUSE`."""

    def get(self, name: str) -> Value:
        """A member."""
        if name in self.settings:
            return self.settings[name]
        if name not in self.members:
            raise AttributeError(f"the simulated desktop has no {self.name}.{name}")
        return self.members[name]

    def put(self, name: str, value: Value) -> None:
        """Assign a member."""
        if name not in self.settings:
            raise AttributeError(f"the simulated desktop cannot set {self.name}.{name}")
        self.settings[name] = value


def native(name: str, function: Native) -> Function:
    """A function of plain values as something that code may call."""

    async def call(*args: Value, **kwargs: Value) -> Value:
        for value in [*args, *kwargs.values()]:
            _demand_small(value)
        return small(function(*args, **kwargs))

    return Function(name, call)


def small(value: Value) -> Value:
    """The value, if it is not too large."""
    if isinstance(value, int) and value.bit_length() > BITS_LIMIT:
        raise OverflowError("the number is larger than the simulated desktop can hold")
    _demand_small(value)
    return value


def _demand_small(value: Value) -> None:
    if isinstance(value, Sized) and len(value) > SIZE_LIMIT:
        raise MemoryError("the value is larger than the simulated desktop can hold")


def text_of(value: Value) -> str:
    """What `print` and `str` show."""
    demand_light(value)
    if isinstance(value, Function):
        return f"<function {value.name}>"
    return f"<module '{value.name}'>" if isinstance(value, Module) else str(value)


def repr_of(value: Value) -> str:
    """What `repr` shows."""
    demand_light(value)
    return text_of(value) if isinstance(value, Function | Module) else repr(value)


def demand_light(value: Value) -> None:
    """Lists in lists can share their elements, and be far longer as text than they are."""
    if isinstance(value, list | tuple | dict):
        left, todo = SIZE_LIMIT, [cast("Value", value)]
        while todo:
            part = todo.pop()
            left -= len(part) if isinstance(part, str) else 1
            if left < 0:
                raise MemoryError("the value is larger than the simulated desktop can hold")
            if isinstance(part, dict):
                todo += [*cast("dict[Value, Value]", part), *cast("dict[Value, Value]", part).values()]
            elif isinstance(part, list | tuple):
                todo += cast("Sequence[Value]", part)


def demand_short_widths(form: str) -> None:
    """Refuse a format that makes text much longer than itself."""
    if re.search(r"\d{4}|\*", form):
        raise ValueError("the simulated desktop formats with widths of at most 999")


# Functions and methods.


def _list(values: Iterable[Value] = ()) -> list[Value]:
    return list(values)


def _tuple(values: Iterable[Value] = ()) -> tuple[Value, ...]:
    return tuple(values)


def _enumerated(values: Iterable[Value], start: int = 0) -> list[tuple[int, Value]]:
    return list(enumerate(values, start))


def _zipped(*values: Iterable[Value]) -> list[tuple[Value, ...]]:
    return list(zip(*values, strict=False))


def _reversed(values: Sequence[Value]) -> list[Value]:
    return list(reversed(values))


_FUNCTIONS: Mapping[str, Native] = {
    "abs": abs,
    "all": all,
    "any": any,
    "bool": bool,
    "chr": chr,
    "enumerate": _enumerated,
    "float": float,
    "int": int,
    "len": len,
    "list": _list,
    "max": max,
    "min": min,
    "ord": ord,
    "range": range,
    "repr": repr_of,
    "reversed": _reversed,
    "round": round,
    "sorted": sorted,
    "str": text_of,
    "sum": sum,
    "tuple": _tuple,
    "zip": _zipped,
}
BUILTINS: Mapping[str, Function] = {name: native(name, function) for name, function in _FUNCTIONS.items()}


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


METHODS: Mapping[type, frozenset[str]] = {
    str: _names(
        """
        capitalize count endswith find index isalpha isdigit join lower lstrip replace rstrip split splitlines
        startswith strip title upper
        """
    ),
    list: _names("append clear copy count extend index insert pop remove reverse sort"),
    dict: _names("copy get items keys pop update values"),
    tuple: _names("count index x y width height"),
}
"""What code may call on a value, or read off it."""

MATH = Module(
    "math",
    {
        "pi": math.pi,
        **{name: native(name, getattr(math, name)) for name in _names("ceil floor sqrt sin cos hypot radians degrees")},
    },
)


def attribute(value: Value, name: str) -> Value:
    """An attribute of a value that code may use."""
    if isinstance(value, Module):
        return value.get(name)
    for kind, names in METHODS.items():
        if isinstance(value, kind) and name in names:
            found = cast("Value", getattr(value, name))
            return native(name, found) if callable(found) else found
    raise AttributeError(f"the simulated desktop does not know the attribute {name!r} of {type(value).__name__!r}")
