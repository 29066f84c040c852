"""The operators of the simulator's Python, each with a guard against results that are too large.

Invariant: a guard looks at the operands before the operation is done, since afterwards it would be too late.
"""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, cast

from .values import BITS_LIMIT, SIZE_LIMIT, Value, demand_light, demand_short_widths, repr_of, small, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    Binary = Callable[[Value, Value], Value]

TOO_LONG = "the number is larger than the simulated desktop can hold"


def _guard_product(left: Value, right: Value) -> None:
    for sequence, times in ((left, right), (right, left)):
        if isinstance(sequence, str | list | tuple) and isinstance(times, int):
            length = len(cast("Sequence[Value]", sequence))
            if length * times > SIZE_LIMIT:
                raise MemoryError("the value is larger than the simulated desktop can hold")


def _guard_power(left: Value, right: Value) -> None:
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() * right > BITS_LIMIT:
        raise OverflowError(TOO_LONG)


def _guard_shift(_: Value, right: Value) -> None:
    if isinstance(right, int) and right > BITS_LIMIT:
        raise OverflowError(TOO_LONG)


def _guard_format(left: Value, right: Value) -> None:
    if isinstance(left, str):
        demand_short_widths(left)
        demand_light(right)


GUARDS: Mapping[type[ast.operator], Callable[[Value, Value], None]] = {
    ast.Mult: _guard_product,
    ast.Pow: _guard_power,
    ast.LShift: _guard_shift,
    ast.Mod: _guard_format,
}
BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
}
UNARY: Mapping[type[ast.unaryop], str] = {ast.UAdd: "pos", ast.USub: "neg", ast.Not: "not_", ast.Invert: "invert"}
COMPARE: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Is: "is_",
    ast.IsNot: "is_not",
}
"""The operators by their names in the module `operator`."""


def combined(kind: ast.operator, left: Value, right: Value) -> Value:
    """`left + right` and the like."""
    if type(kind) in GUARDS:
        GUARDS[type(kind)](left, right)
    return small(cast("Value", getattr(operator, BINARY[type(kind)])(left, right)))


def applied(kind: ast.unaryop, value: Value) -> Value:
    """`-value` and the like."""
    return cast("Value", getattr(operator, UNARY[type(kind)])(value))


def compared(kind: ast.cmpop, left: Value, right: Value) -> bool:
    """`left < right` and the like."""
    if isinstance(kind, ast.In | ast.NotIn):
        return (left in cast("Container[Value]", right)) == isinstance(kind, ast.In)
    return bool(getattr(operator, COMPARE[type(kind)])(left, right))


def formatted(value: Value, conversion: int, spec: str) -> str:
    """One `{…}` of an f-string."""
    demand_short_widths(spec)
    if conversion == ord("r"):
        value = repr_of(value)
    elif conversion == ord("a"):
        raise ValueError("the simulated desktop does not know !a in f-strings")
    return format(value, spec) if spec else text_of(value)
