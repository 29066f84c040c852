"""Checkers of plain files and folders: a result is a file's content, or a folder's tree, None where there is none.

They read text only. Invariant: a file that is not in the desktop scores 0; one that the task should have brought and
did not is a CheckerFault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base import CheckerSpec, as_content, as_list, as_object, as_text, as_texts, rule, score

if TYPE_CHECKING:
    from collections.abc import Mapping


def compare_text_file(result: object, expected: object, options: Mapping[str, object]) -> float:
    """Two files have the same text; `ignore_blanks`: white space counts as one blank; `ignore_case`: as lower case."""
    if result is None:
        return 0.0
    left, right = as_content(result, "the result"), as_content(expected, "the expected file")
    if options.get("ignore_blanks"):
        left, right = " ".join(left.split()), " ".join(right.split())
    if options.get("ignore_case"):
        left, right = left.lower(), right.lower()
    return score(left == right)


def compare_config(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The file's text is `rules.expected`."""
    if result is None:
        return 0.0
    return score(as_content(result, "the result") == as_text(rule(rules, "expected"), "rules.expected"))


def file_contains(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Every text of `rules.expected` is in the file."""
    if result is None:
        return 0.0
    text = as_content(result, "the result")
    return score(all(part in text for part in as_texts(rule(rules, "expected"), "rules.expected")))


def check_moved_jpgs(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The folder holds exactly the entries named in `rules.expected`."""
    if result is None:
        return 0.0
    children = as_list(as_object(result, "the result").get("children"), "the result's children")
    names = [as_object(child, "an entry").get("name") for child in children]
    expected = as_texts(rule(rules, "expected"), "rules.expected")
    return score(len(names) == len(expected) and set(names) == set(expected))


CHECKERS: Mapping[str, CheckerSpec] = {
    "compare_text_file": CheckerSpec(compare_text_file, frozenset({"ignore_blanks", "ignore_case"})),
    "compare_config": CheckerSpec(compare_config),
    "file_contains": CheckerSpec(file_contains),
    "check_moved_jpgs": CheckerSpec(check_moved_jpgs),
}
