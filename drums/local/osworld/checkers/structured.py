"""Checkers of JSON: values inside of objects that were printed or saved.

They compare; they know no application's settings. Invariant: what is not JSON has no values; only where the task's
own rules are malformed is it a CheckerFault.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, cast

from .base import CheckerFault, CheckerSpec, as_content, as_list, as_object, as_text, rule, score
from .matching import knows, matches

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
    settings = _parsed(as_content(result, "the result"))
    if not isinstance(settings, dict):
        return 0.0
    found = cast("dict[str, object]", settings)
    return score(all(key in found and found[key] == value for key, value in expected.items()))


def check_json_keybindings(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The JSON list, with or without a line of comment before it, has `rules.expected` as an element."""
    expected = as_object(rule(rules, "expected"), "rules.expected")
    if result is None:
        return 0.0
    text = as_content(result, "the result")
    for candidate in (text, text.partition("\n")[2]):
        found = _parsed(candidate)
        if isinstance(found, list):
            return score(expected in cast("list[object]", found))
    return 0.0


def check_json(result: object, rules: object, options: Mapping[str, object]) -> float:
    """The JSON file (`is_yaml`: YAML) has a value that fits at every place of `rules.expect`, at none of `unexpect`.

    A rule is `{key: [a path of names], method, ref}`.
    """
    expect = [_Rule.read(value) for value in as_list(rule(rules, "expect", []), "rules.expect")]
    unexpect = [_Rule.read(value) for value in as_list(rule(rules, "unexpect", []), "rules.unexpect")]
    if result is None:
        return 0.0
    text = as_content(result, "the result")
    found = _yaml(text) if options.get("is_yaml") else _parsed(text)
    return score(
        all(wanted.fits(found, default=False) for wanted in expect)
        and not any(refused.fits(found, default=None) for refused in unexpect)
    )


@dataclass(frozen=True, slots=True)
class _Rule:
    """A comparison of the value at one place."""

    path: tuple[str | int, ...]
    method: str
    ref: object

    @classmethod
    def read(cls, value: object) -> _Rule:
        path = as_list(rule(value, "key"), "a rule's key")
        if not all(isinstance(name, str | int) for name in path):
            raise CheckerFault("a rule's key must be a list of names and positions")
        method = as_text(rule(value, "method"), "a rule's method")
        if not knows(method):
            raise CheckerFault(f"there is no comparison {method!r}")
        return cls(tuple(cast("list[str | int]", path)), method, rule(value, "ref"))

    def fits(self, document: object, default: Literal[False] | None) -> bool:
        """Whether the value fits. Where there is none: it does not (False), or None is compared instead."""
        value = document
        for name in self.path:
            if isinstance(value, dict) and name in value:
                value = cast("dict[object, object]", value)[name]
            elif isinstance(value, list) and isinstance(name, int) and name < len(cast("list[object]", value)):
                value = cast("list[object]", value)[name]
            elif default is False:
                return False
            else:
                return matches(self.method, self.ref, None)
        return matches(self.method, self.ref, value)


def _parsed(text: str) -> object:
    """The JSON value of a text; None where it is none."""
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None


def _yaml(text: str) -> object:
    """The YAML value of a text; None where it is none. No tag of it makes an object."""
    import yaml  # noqa: PLC0415  an extra

    try:
        return cast("object", yaml.safe_load(text))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def _refuse_yaml(options: Mapping[str, object]) -> str | None:
    if options.get("is_yaml") and find_spec("yaml") is None:
        return "check_json needs the library 'yaml' for is_yaml: pip install 'drums-sdk[checkers]'"
    return None


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
    "check_json_keybindings": CheckerSpec(check_json_keybindings),
    "check_json": CheckerSpec(check_json, frozenset({"is_yaml"}), refuse=_refuse_yaml),
}
