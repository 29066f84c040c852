"""Checkers of plain files and folders: a result is a file's content, or a folder's tree, None where there is none.

They read text only. Invariant: a file that is not in the desktop scores 0; one that the task should have brought and
did not is a CheckerFault.
"""

from __future__ import annotations

import math
import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from .base import (
    CheckerFault,
    CheckerSpec,
    as_bytes,
    as_content,
    as_list,
    as_object,
    as_text,
    as_texts,
    kind,
    rule,
    score,
)

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


def diff_text_file(result: object, expected: object, _: Mapping[str, object]) -> float:
    """How alike the lines of two files are, from 0 to 1: twice the lines in common, as a part of both together."""
    reference = as_content(expected, "the expected file").splitlines()
    if result is None:
        return 0.0
    lines = as_content(result, "the result").splitlines()
    return SequenceMatcher(None, lines, reference).ratio()


def compare_config(result: object, rules: object, options: Mapping[str, object]) -> float:
    """The file's text is `rules.expected`; `containment_ok`: it may be a part of it."""
    expected = as_text(rule(rules, "expected"), "rules.expected")
    if result is None:
        return 0.0
    text = as_content(result, "the result")
    return score(expected in text if options.get("containment_ok") else text == expected)


def compare_result_files(result: object, expected: object, _: Mapping[str, object]) -> float:
    """Two files have the same text around which white space does not matter; a number may be part of it, or near."""
    reference = as_content(expected, "the expected file").strip()
    if result is None:
        return 0.0
    text = as_content(result, "the result").strip()
    number = _number(reference)
    if number is None:
        return score(text == reference)
    found = _number(text)
    return score(reference in text or (found is not None and abs(found - number) < _NEAR))


def compare_python_pure_text(result: object, expected: object, _: Mapping[str, object]) -> float:
    """Two programs have the same lines, but for blank ones, those of interpreter and coding, tabs and ends of lines."""
    reference = _program(as_content(expected, "the expected file"))
    return 0.0 if result is None else score(_program(as_content(result, "the result")) == reference)


def check_line_number(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The file has `rules.expected` lines with a time of day, as 12:34:56."""
    try:
        expected = int(str(rule(rules, "expected")))
    except ValueError as error:
        raise CheckerFault("rules.expected must be a number of lines") from error
    if result is None:
        return 0.0
    return score(sum(1 for line in as_content(result, "the result").split("\n") if _CLOCK.search(line)) == expected)


def check_image_file_size(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The file has fewer than `rules.max_size` bytes."""
    most = rule(rules, "max_size")
    if isinstance(most, bool) or not isinstance(most, int | float):
        raise CheckerFault(f"rules.max_size must be a number of bytes, not {kind(most)}")
    return 0.0 if result is None else score(len(as_bytes(result, "the result")) < most)


_NEAR = 1e-4
_CLOCK = re.compile(r"\d{2}:\d{2}:\d{2}")
_HEAD_LINES = 3


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _program(text: str) -> list[str]:
    lines = [line.expandtabs(4).rstrip() for line in text.split("\n")]
    return [
        line
        for index, line in enumerate(lines)
        if line and not (index < _HEAD_LINES and line.startswith("#") and (line.startswith("#!") or "coding" in line))
    ]


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
    "diff_text_file": CheckerSpec(diff_text_file),
    "compare_config": CheckerSpec(compare_config, frozenset({"containment_ok"})),
    "compare_result_files": CheckerSpec(compare_result_files),
    "compare_python_pure_text": CheckerSpec(compare_python_pure_text),
    "check_line_number": CheckerSpec(check_line_number),
    "check_image_file_size": CheckerSpec(check_image_file_size),
    "file_contains": CheckerSpec(file_contains),
    "check_moved_jpgs": CheckerSpec(check_moved_jpgs),
}
