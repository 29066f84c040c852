"""The values, operators and functions of the simulator's Python: plain data, and nothing that leads out of it.

Invariant: no operation makes a value larger than SIZE_LIMIT or a number longer than BITS_LIMIT, and no attribute of a
value is reachable but those in METHODS.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import cast

SIZE_LIMIT = 1_000_000
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
    if isinstance(value, Function):
        return f"<function {value.name}>"
    return f"<module '{value.name}'>" if isinstance(value, Module) else str(value)


# Operators.


def _multiplied(left: Value, right: Value) -> Value:
    for sequence, times in ((left, right), (right, left)):
        if isinstance(sequence, str | list | tuple | bytes) and isinstance(times, int):
            length = len(cast("Sequence[Value]", sequence))
            if length * times > SIZE_LIMIT:
                raise MemoryError("the value is larger than the simulated desktop can hold")
    return operator.mul(cast("int", left), cast("int", right))


def _raised(left: Value, right: Value) -> Value:
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() * right > BITS_LIMIT:
        raise OverflowError("the number is larger than the simulated desktop can hold")
    return cast("Value", operator.pow(left, right))


def _shifted(left: Value, right: Value) -> Value:
    if isinstance(right, int) and right > BITS_LIMIT:
        raise OverflowError("the number is larger than the simulated desktop can hold")
    return operator.lshift(cast("int", left), cast("int", right))


def _remainder(left: Value, right: Value) -> Value:
    if isinstance(left, str):
        _demand_short_widths(left)
    return cast("Value", operator.mod(left, right))


def _demand_short_widths(form: str) -> None:
    if re.search(r"\d{4}|\*", form):
        raise ValueError("the simulated desktop formats with widths of at most 999")


BINARY: Mapping[type[ast.operator], Callable[[Value, Value], Value]] = {
    ast.Add: cast("Callable[[Value, Value], Value]", operator.add),
    ast.Sub: cast("Callable[[Value, Value], Value]", operator.sub),
    ast.Mult: _multiplied,
    ast.Div: cast("Callable[[Value, Value], Value]", operator.truediv),
    ast.FloorDiv: cast("Callable[[Value, Value], Value]", operator.floordiv),
    ast.Mod: _remainder,
    ast.Pow: _raised,
    ast.LShift: _shifted,
    ast.RShift: cast("Callable[[Value, Value], Value]", operator.rshift),
    ast.BitAnd: cast("Callable[[Value, Value], Value]", operator.and_),
    ast.BitOr: cast("Callable[[Value, Value], Value]", operator.or_),
    ast.BitXor: cast("Callable[[Value, Value], Value]", operator.xor),
}
UNARY: Mapping[type[ast.unaryop], Callable[[Value], Value]] = {
    ast.UAdd: cast("Callable[[Value], Value]", operator.pos),
    ast.USub: cast("Callable[[Value], Value]", operator.neg),
    ast.Not: operator.not_,
    ast.Invert: cast("Callable[[Value], Value]", operator.invert),
}
COMPARE: Mapping[type[ast.cmpop], Callable[[Value, Value], Value]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: cast("Callable[[Value, Value], Value]", operator.lt),
    ast.LtE: cast("Callable[[Value, Value], Value]", operator.le),
    ast.Gt: cast("Callable[[Value, Value], Value]", operator.gt),
    ast.GtE: cast("Callable[[Value, Value], Value]", operator.ge),
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda left, right: left in cast("Sequence[Value]", right),
    ast.NotIn: lambda left, right: left not in cast("Sequence[Value]", right),
}


def formatted(value: Value, conversion: int, spec: str) -> str:
    """One `{…}` of an f-string."""
    _demand_short_widths(spec)
    shown = {-1: lambda: value, ord("s"): lambda: text_of(value), ord("r"): lambda: repr(value)}
    if conversion not in shown:
        raise ValueError("the simulated desktop knows !s and !r in f-strings")
    value = shown[conversion]()
    return format(value, spec) if spec else text_of(value)


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
    "repr": repr,
    "reversed": _reversed,
    "round": round,
    "sorted": sorted,
    "str": text_of,
    "sum": sum,
    "tuple": _tuple,
    "zip": _zipped,
}
BUILTINS: Mapping[str, Function] = {name: native(name, function) for name, function in _FUNCTIONS.items()}

METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(
        ["capitalize", "count", "endswith", "find", "index", "isalpha", "isdigit", "join", "lower", "lstrip", "replace", "rstrip", "split", "splitlines", "startswith", "strip", "title", "upper"]
    ),
    list: frozenset(["append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort"]),
    dict: frozenset(["copy", "get", "items", "keys", "pop", "update", "values"]),
    tuple: frozenset({"count", "index", "x", "y", "width", "height"}),
}
"""What code may call on a value, or read off it."""

MATH = Module(
    "math",
    {
        "pi": math.pi,
        **{name: native(name, getattr(math, name)) for name in ["ceil", "floor", "sqrt", "sin", "cos", "hypot", "radians", "degrees"]},
    },
)


def attribute(value: Value, name: str) -> Value:
    """An attribute of a value that code may use."""
    if isinstance(value, Module):
        return value.get(name)
    for kind, names in METHODS.items():
        if isinstance(value, kind) and name in names:
            found = cast("Value", getattr(value, name))
            return native(name, cast("Native", found)) if callable(found) else found
    raise AttributeError(f"the simulated desktop does not know the attribute {name!r} of {type(value).__name__!r}")
