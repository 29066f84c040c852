"""The comparisons that rules name: `{"method": "approx:0.1", "ref": 3}` and the like.

Every rule that compares one value with one reference does it here. Invariant: a value that cannot be compared does not
match; a method or reference that makes no sense is the task's fault, a CheckerFault.
"""

from __future__ import annotations

import math
import operator
import re
from typing import TYPE_CHECKING, cast

from .base import CheckerFault, as_list, as_text, as_texts
from .cells import Area, area_of

if TYPE_CHECKING:
    from collections.abc import Callable

_ORDER = cast(
    "dict[str, Callable[[object, object], object]]",
    {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
)
_FLAGS = dict(re.RegexFlag.__members__)
_RANGE = re.compile(r"range\.([te])([te])")


def knows(method: object) -> bool:
    """Whether `matches` has a method of this name; for refusing a task when it is read."""
    if not isinstance(method, str):
        return False
    name, _, rest = method.partition(":")
    if name == "approx":
        return _number(rest) is not None
    pattern, *flags = method.split(".")
    if pattern == "re":
        return all(flag in _FLAGS for flag in flags)
    return method in _ORDER or method in _SETS or _RANGE.fullmatch(method) is not None


def matches(method: str, ref: object, value: object) -> bool:
    """Whether a value is to a reference as the method says.

    `eq`, `ne`, `lt`, `le`, `gt`, `ge` compare; `approx:T` allows a difference of T; `re`, with flags such as
    `re.IGNORECASE`, searches; `range.te` and its kin take a pair, with `e` for a bound that counts and `t` for one that
    does not; `str_list_eq` and `str_set_eq` take a list for a text of values between commas; `spreadsheet_range` takes
    two ranges: the value covers the first and stays in the second.

    Raises:
        CheckerFault: There is no such method, or the reference is none for it.
    """
    if not knows(method):
        raise CheckerFault(f"there is no comparison {method!r}")
    if method in _ORDER:
        return _compare(method, value, ref)
    if method in _SETS:
        return isinstance(value, str) and _SETS[method](ref, value)
    if method.startswith("approx:"):
        found, wanted = _number(value), _number(ref)
        if wanted is None:
            raise CheckerFault(f"{method} compares with a number, not {ref!r}")
        return found is not None and abs(found - wanted) <= float(method.removeprefix("approx:"))
    bounds = _RANGE.fullmatch(method)
    if bounds:
        low, high = _pair(ref, method)
        names = {"t": "lt", "e": "le"}
        return _compare(names[bounds[1]], low, value) and _compare(names[bounds[2]], value, high)
    return isinstance(value, str) and _search(method, as_text(ref, "a pattern"), value)


def _compare(name: str, left: object, right: object) -> bool:
    """Python's own comparison, but truth values are no numbers, and what has no order is not in it."""
    if isinstance(left, bool) != isinstance(right, bool):
        return name == "ne"
    try:
        return bool(_ORDER[name](left, right))
    except TypeError:
        return False


def _number(value: object) -> float | None:
    """A finite number, or a text of one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _pair(ref: object, method: str) -> tuple[object, object]:
    pair = as_list(ref, f"the reference of {method}")
    if len(pair) != 2:
        raise CheckerFault(f"{method} compares with two bounds, not {len(pair)}")
    return pair[0], pair[1]


def _search(method: str, pattern: str, value: str) -> bool:
    flags = re.RegexFlag(0)
    for name in method.split(".")[1:]:
        flags |= _FLAGS[name]
    try:
        return re.search(pattern, value, flags) is not None
    except re.error as error:
        raise CheckerFault(f"{pattern!r} is no pattern: {error}") from error


def _parts(value: str) -> list[str]:
    """The values of a text such as `"a, b"`, with or without the quotes around it."""
    return [part.strip() for part in value.strip().strip("\"'").split(",")]


def _same_list(ref: object, value: str) -> bool:
    return as_texts(ref, "the reference of str_list_eq") == _parts(value)


def _same_set(ref: object, value: str) -> bool:
    return set(as_texts(ref, "the reference of str_set_eq")) == set(_parts(value))


def _is_range_between(ref: object, value: str) -> bool:
    least, most = (_areas(as_text(side, "a range")) for side in _pair(ref, "spreadsheet_range"))
    if not least or not most:
        raise CheckerFault(f"spreadsheet_range compares with two ranges, not {ref!r}")
    found = _areas(value)
    return (
        found is not None
        and all(any(outer.covers(area) for outer in found) for area in least)
        and all(any(outer.covers(area) for outer in most) for area in found)
    )


def _areas(text: str) -> list[Area] | None:
    """The areas of a text such as `A1:B2 D4`; None where a part of it is none."""
    areas = [area_of(part) for part in text.split()]
    return None if None in areas else cast("list[Area]", areas)


_SETS: dict[str, Callable[[object, str], bool]] = {
    "str_list_eq": _same_list,
    "str_set_eq": _same_set,
    "spreadsheet_range": _is_range_between,
}
