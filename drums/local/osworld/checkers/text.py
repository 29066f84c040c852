"""Checkers of texts and lists: what a command printed, compared with what the task says.

They read no file formats. Invariant: each runs in time linear in its input, and what cannot be judged is a
CheckerFault.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, cast

from .base import CheckerFault, CheckerSpec, as_list, as_text, as_texts, choice, rule, score

if TYPE_CHECKING:
    from collections.abc import Mapping


def exact_match(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The result is `rules.expected`, its type and line end included."""
    return score(result == rule(rules, "expected"))


def match_in_list(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The result is one of `rules.expected`."""
    return score(result in as_list(rule(rules, "expected"), "rules.expected"))


def is_in_list(result: object, rules: object, _: Mapping[str, object]) -> float:
    """`rules.expected` is in the result: an element of a list, a part of a text."""
    wanted = rule(rules, "expected")
    if isinstance(result, str):
        return score(as_text(wanted, "rules.expected") in result)
    return score(wanted in as_list(result, "the result"))


def literal_match(result: object, expected: object, options: Mapping[str, object]) -> float:
    """The result equals what is expected, both as text, or element by element with the option `type` = `list`."""
    kind = options.get("type", "str")
    if kind == "str":
        left, right = str(result), str(expected)
        return score(left.lower() == right.lower() if options.get("ignore_case") else left == right)
    if kind == "list":
        left_list, right_list = as_list(result, "the result"), as_list(expected, "the expected value")
        return score([str(value) for value in left_list] == [str(value) for value in right_list])
    raise CheckerFault(f"literal_match compares type 'str' or 'list', not {kind!r}")


def check_include_exclude(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Every text of `rules.include` is in the result and none of `rules.exclude` is."""
    if result is None:
        return 0.0
    text = as_text(result, "the result")
    include = as_texts(rule(rules, "include", []), "rules.include")
    exclude = as_texts(rule(rules, "exclude", []), "rules.exclude")
    return score(all(part in text for part in include) and not any(part in text for part in exclude))


def check_gnome_favorite_apps(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The printed list of apps has the same members as `rules.expected`, in any order."""
    expected = as_texts(rule(rules, "expected"), "rules.expected")
    text = as_text(result, "the result").strip().removeprefix("@as ")
    try:
        apps = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return 0.0
    return score(isinstance(apps, list) and sorted(map(str, cast("list[object]", apps))) == sorted(expected))


def is_utc_0(result: object, _: object, __: Mapping[str, object]) -> float:
    """The fourth line of `timedatectl status`, the time zone, is at offset zero."""
    lines = as_text(result, "the result").split("\n")
    return score(len(lines) > 3 and lines[3].endswith("+0000)"))


def is_extension_installed(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The printed list contains `rules.expected`, or does not where `rules.type` is `not_contain`."""
    text, name = as_text(result, "the result"), as_text(rule(rules, "expected"), "rules.expected")
    return score((name in text) == (choice(rules, "type", "contain", "not_contain") == "contain"))


def is_in_vm_clickboard(rules: object, clipboard: object, _: Mapping[str, object]) -> float:
    """The clipboard, which comes second, contains `rules.expected`: a text, or every text of a list."""
    wanted = _rule_texts(rules, "expected")
    if clipboard is None:
        return 0.0
    text = as_text(clipboard, "the clipboard")
    return score(all(part in text for part in wanted))


def _rule_texts(rules: object, name: str) -> list[str]:
    """A rule that is a list of texts, or one text."""
    value = rule(rules, name)
    return [value] if isinstance(value, str) else as_texts(value, f"rules.{name}")


CHECKERS: Mapping[str, CheckerSpec] = {
    "exact_match": CheckerSpec(exact_match),
    "match_in_list": CheckerSpec(match_in_list),
    "is_in_list": CheckerSpec(is_in_list),
    "literal_match": CheckerSpec(literal_match, frozenset({"type", "ignore_case"})),
    "check_include_exclude": CheckerSpec(check_include_exclude),
    "check_gnome_favorite_apps": CheckerSpec(check_gnome_favorite_apps),
    "is_utc_0": CheckerSpec(is_utc_0, expected=False),
    "is_extension_installed": CheckerSpec(is_extension_installed),
    "is_in_vm_clickboard": CheckerSpec(is_in_vm_clickboard),
}
