"""Whether JSON that was read from a file has the shape of a `TypedDict`.

Pure. Invariant: what fits can be used as the type says, and its numbers are finite; fields beyond the type's own do not
matter.
"""

from __future__ import annotations

from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints, is_typeddict


def fits(value: object, kind: Any) -> bool:
    """Whether a JSON value is of a type: a `TypedDict`, `list[…]`, `dict[str, …]`, a union, literals, a scalar.

    Args:
        value: As `json.loads` gives it.
        kind: The type.
    """
    origin = get_origin(kind)
    if origin in {Union, UnionType}:
        return any(fits(value, one) for one in get_args(kind))
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in get_args(kind))
    if origin is list:
        return isinstance(value, list) and all(fits(item, get_args(kind)[0]) for item in cast("list[object]", value))
    if origin is dict or is_typeddict(kind):
        return isinstance(value, dict) and _fields_fit(cast("dict[str, object]", value), kind)
    return _is_scalar(value, kind)


def _fields_fit(fields: dict[str, object], kind: Any) -> bool:
    if not is_typeddict(kind):
        of = get_args(kind)[1]
        return all(fits(field, of) for field in fields.values())
    hints = get_type_hints(kind)
    return all(name in fields and fits(fields[name], hint) for name, hint in hints.items())


def _is_scalar(value: object, kind: Any) -> bool:
    if kind in {object, Any}:
        return True
    if kind is NoneType:
        return value is None
    if isinstance(value, bool):
        return kind is bool
    if kind is float:
        return isinstance(value, int | float) and _is_finite(value)
    if kind is int and isinstance(value, float):  # 3.0 is a whole number in JSON
        return value.is_integer()
    return isinstance(value, kind)


def _is_finite(value: float) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # a whole number that no float can hold
        return False
