"""Checkers: pure functions from what was fetched to a score from 0 to 1, with OSWorld's meaning and none of its code.

They do no I/O, run no guest content and never guess: a value of a kind that they do not judge raises CheckerFault,
which becomes a `checker_error` and never the score 0. Each runs in time linear in its input, so that a hostile file
cannot hold the daemon.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Checker = Callable[[object, object, Mapping[str, object]], float]


class CheckerFault(Exception):
    """The checker cannot judge what it was given: the fault is the task's or the fetching's, not the agent's."""


@dataclass(frozen=True, slots=True)
class CheckerSpec:
    """A checker and what it takes."""

    run: Checker
    options: frozenset[str] = frozenset()
    """The options that it knows; a task with another one is not supported."""
    expected: bool = True
    """Whether it needs something to compare with."""


# Text and lists.


def exact_match(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The result is `rules.expected`, its type and line end included."""
    return _score(result == _rule(rules, "expected"))


def match_in_list(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The result is one of `rules.expected`."""
    return _score(result in _list(_rule(rules, "expected"), "rules.expected"))


def is_in_list(result: object, rules: object, _: Mapping[str, object]) -> float:
    """`rules.expected` is in the result: an element of a list, a part of a text."""
    wanted = _rule(rules, "expected")
    if isinstance(result, str):
        return _score(_text(wanted, "rules.expected") in result)
    return _score(wanted in _list(result, "the result"))


def literal_match(result: object, expected: object, options: Mapping[str, object]) -> float:
    """The result equals what is expected, both as text, or element by element with the option `type` = `list`."""
    kind = options.get("type", "str")
    if kind == "str":
        left, right = str(result), str(expected)
        return _score(left.lower() == right.lower() if options.get("ignore_case") else left == right)
    if kind == "list":
        left_list, right_list = _list(result, "the result"), _list(expected, "the expected value")
        return _score([str(value) for value in left_list] == [str(value) for value in right_list])
    raise CheckerFault(f"literal_match compares type 'str' or 'list', not {kind!r}")


def check_include_exclude(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Every text of `rules.include` is in the result and none of `rules.exclude` is."""
    if result is None:
        return 0.0
    text = _text(result, "the result")
    include = _texts(_rule(rules, "include", []), "rules.include")
    exclude = _texts(_rule(rules, "exclude", []), "rules.exclude")
    return _score(all(part in text for part in include) and not any(part in text for part in exclude))


def check_gnome_favorite_apps(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The printed list of apps has the same members as `rules.expected`, in any order."""
    expected = _texts(_rule(rules, "expected"), "rules.expected")
    text = _text(result, "the result").strip().removeprefix("@as ")
    try:
        apps = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return 0.0
    return _score(isinstance(apps, list) and sorted(map(str, cast("list[object]", apps))) == sorted(expected))


def is_utc_0(result: object, _: object, __: Mapping[str, object]) -> float:
    """The fourth line of `timedatectl status`, the time zone, is at offset zero."""
    lines = _text(result, "the result").split("\n")
    return _score(len(lines) > 3 and lines[3].endswith("+0000)"))


# JSON.


def check_direct_json_object(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The result, an object or its text, has the values of `rules.expected`, or contains them (`expect_in_result`)."""
    expected = _object(_rule(rules, "expected"), "rules.expected")
    if result is None or "__EVALUATION_FAILED__" in [value for value in expected.values() if isinstance(value, str)]:
        return 0.0
    found = _object(_json_of(result), "the result")
    if _rule(rules, "expect_in_result", default=False):
        return _score(all(_is_within(value, found.get(key)) for key, value in expected.items()))
    if expected.get("ignore_list_order"):
        return _score(all(_same_members(value, found.get(key)) for key, value in expected.items()))
    return _score(all(value == found.get(key) for key, value in expected.items()))


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


# Files: a result is the file's content, None where there is no such file.


def compare_text_file(result: object, expected: object, options: Mapping[str, object]) -> float:
    """Two files have the same text; `ignore_blanks`: white space counts as one blank; `ignore_case`: as lower case."""
    if result is None:
        return 0.0
    left, right = _content(result, "the result"), _content(expected, "the expected file")
    if options.get("ignore_blanks"):
        left, right = " ".join(left.split()), " ".join(right.split())
    if options.get("ignore_case"):
        left, right = left.lower(), right.lower()
    return _score(left == right)


def compare_config(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The file's text is `rules.expected`."""
    if result is None:
        return 0.0
    return _score(_content(result, "the result") == _text(_rule(rules, "expected"), "rules.expected"))


def file_contains(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Every text of `rules.expected` is in the file."""
    if result is None:
        return 0.0
    text = _content(result, "the result")
    return _score(all(part in text for part in _texts(_rule(rules, "expected"), "rules.expected")))


def check_json_settings(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The JSON file has every key of `rules.expected` with its value. A file that is not JSON has none."""
    if result is None:
        return 0.0
    expected = _object(_rule(rules, "expected"), "rules.expected")
    try:
        settings = json.loads(_content(result, "the result"))
    except (ValueError, RecursionError):
        return 0.0
    if not isinstance(settings, dict):
        return 0.0
    found = cast("dict[str, object]", settings)
    return _score(all(key in found and found[key] == value for key, value in expected.items()))


def is_extension_installed(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The printed list contains `rules.expected`, or does not where `rules.type` is `not_contain`."""
    text, name = _text(result, "the result"), _text(_rule(rules, "expected"), "rules.expected")
    kind = _rule(rules, "type")
    if kind not in {"contain", "not_contain"}:
        raise CheckerFault(f"is_extension_installed knows type 'contain' and 'not_contain', not {kind!r}")
    return _score((name in text) == (kind == "contain"))


# Folders: a result is a tree of {type, name, children}, None where there is no such folder.


def check_moved_jpgs(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The folder holds exactly the entries named in `rules.expected`."""
    if result is None:
        return 0.0
    children = _list(_object(result, "the result").get("children"), "the result's children")
    names = [_object(child, "an entry").get("name") for child in children]
    expected = _texts(_rule(rules, "expected"), "rules.expected")
    return _score(len(names) == len(expected) and set(names) == set(expected))


CHECKERS: Mapping[str, CheckerSpec] = {
    "exact_match": CheckerSpec(exact_match),
    "match_in_list": CheckerSpec(match_in_list),
    "is_in_list": CheckerSpec(is_in_list),
    "literal_match": CheckerSpec(literal_match, frozenset({"type", "ignore_case"})),
    "check_include_exclude": CheckerSpec(check_include_exclude),
    "check_gnome_favorite_apps": CheckerSpec(check_gnome_favorite_apps),
    "is_utc_0": CheckerSpec(is_utc_0, expected=False),
    "check_direct_json_object": CheckerSpec(check_direct_json_object),
    "compare_text_file": CheckerSpec(compare_text_file, frozenset({"ignore_blanks", "ignore_case"})),
    "compare_config": CheckerSpec(compare_config),
    "file_contains": CheckerSpec(file_contains),
    "check_json_settings": CheckerSpec(check_json_settings),
    "is_extension_installed": CheckerSpec(is_extension_installed),
    "check_moved_jpgs": CheckerSpec(check_moved_jpgs),
}
"""Every checker that is built, by OSWorld's name for it."""


def _score(passed: bool) -> float:
    return 1.0 if passed else 0.0


_MISSING = object()


def _rule(rules: object, name: str, default: object = _MISSING) -> object:
    value = _object(rules, "the rules").get(name, default)
    if value is _MISSING:
        raise CheckerFault(f"rules.{name} is missing")
    return value


def _object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise CheckerFault(f"{what} must be an object, not {_kind(value)}")
    return cast("dict[str, object]", value)


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise CheckerFault(f"{what} must be a list, not {_kind(value)}")
    return list(cast("Iterable[object]", value))


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise CheckerFault(f"{what} must be text, not {_kind(value)}")
    return value


def _texts(value: object, what: str) -> list[str]:
    return [_text(part, f"an element of {what}") for part in _list(value, what)]


def _content(value: object, what: str) -> str:
    """A file's text: bytes of UTF-8 with or without a mark, with any line ends."""
    if isinstance(value, bytes):
        text = value.decode("utf-8-sig", errors="replace")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    raise CheckerFault(f"{what} must be a file's content, not {_kind(value)}")


def _kind(value: object) -> str:
    return "nothing" if value is None else type(value).__name__
