"""Checkers of JSON: values inside of objects that were printed or saved.

They compare; they know no application's settings. Invariant: what is not JSON has no values; only where the task's
own rules are malformed is it a CheckerFault.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from .base import CheckerFault, CheckerSpec, as_content, as_object, rule, score

if TYPE_CHECKING:
    from collections.abc import Mapping


def check_direct_json_object(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The result, an object or its text, has the values of `rules.expected`, or contains them (`expect_in_result`)."""
    expected = as_object(rule(rules, "expected"), "rules.expected")
    if result is None or "__EVALUATION_FAILED__" in [value for value in expected.values() if isinstance(value, str)]:
        return 0.0
    found = as_object(_json_of(result), "the result")
    if rule(rules, "expect_in_result", default=False):
        return score(all(_is_within(value, found.get(key)) for key, value in expected.items()))
    if expected.get("ignore_list_order"):
        return score(all(_same_members(value, found.get(key)) for key, value in expected.items()))
    return score(all(value == found.get(key) for key, value in expected.items()))


def check_json_settings(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The JSON file has every key of `rules.expected` with its value. A file that is not JSON has none."""
    if result is None:
        return 0.0
    expected = as_object(rule(rules, "expected"), "rules.expected")
    try:
        settings = json.loads(as_content(result, "the result"))
    except (ValueError, RecursionError):
        return 0.0
    if not isinstance(settings, dict):
        return 0.0
    found = cast("dict[str, object]", settings)
    return score(all(key in found and found[key] == value for key, value in expected.items()))


def _json_of(result: object) -> object:
    """A result that is text is read as JSON; single quotes count as double ones, as in OSWorld."""
    if not isinstance(result, str):
        return result
    try:
        return json.loads(result.strip().replace("'", '"'))
    except (ValueError, RecursionError) as error:
        raise CheckerFault(f"the result is not JSON: {error}") from error


def _is_within(wanted: object, found: object) -> bool:
    """Some element of a list of candidates is in (or is) what was found; a text is part of it."""
    if isinstance(wanted, list):
        candidates = cast("list[object]", wanted)
        if isinstance(found, list):
            return any(candidate in cast("list[object]", found) for candidate in candidates)
        return any(candidate == found for candidate in candidates)
    return isinstance(wanted, str) and isinstance(found, str | list) and wanted in cast("str | list[object]", found)


def _same_members(wanted: object, found: object) -> bool:
    """Two lists are equal but for the order. OSWorld sorts both values: what cannot be sorted is never the same."""
    if not isinstance(wanted, list) or not isinstance(found, list):
        return False
    return _sorted(cast("list[object]", wanted)) == _sorted(cast("list[object]", found))


def _sorted(values: list[object]) -> list[str]:
    return sorted(json.dumps(value, sort_keys=True) for value in values)


CHECKERS: Mapping[str, CheckerSpec] = {
    "check_direct_json_object": CheckerSpec(check_direct_json_object),
    "check_json_settings": CheckerSpec(check_json_settings),
}
