"""What every checker is made of: its entry in the table, its fault, and the reading of values with a fault by name.

It judges nothing. Invariant: what comes out of an `as_…` function has the kind that its name says, or CheckerFault
was raised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Checker = Callable[[object, object, Mapping[str, object]], float]


class CheckerFault(Exception):
    """The checker cannot judge what it was given: the fault is the task's or the fetching's, not the agent's."""


class CheckerTimeout(CheckerFault):
    """The checker took longer than it may."""


@dataclass(frozen=True, slots=True)
class CheckerSpec:
    """A checker and what it takes."""

    run: Checker
    """From result, expected value and options to a score from 0 to 1; its docstring's first line is its meaning."""
    options: frozenset[str] = frozenset()
    """The options that it knows; a task with another one is not supported."""
    expected: bool = True
    """Whether it needs something to compare with."""
    libraries: tuple[str, ...] = ()
    """The modules that it imports when it runs: those of the extra `checkers`, and of ours those that need them.

    A worker imports them once, ahead of the checks.
    """
    refuse: Callable[[Mapping[str, object]], str | None] | None = None
    """What in a task's options is not built, in words; None where all of it is. Asked when the task is read."""
    all_files: bool = False
    """Whether it gets all files of a `multi` getter, as a list, also where the task names none (`gives`)."""


def score(passed: bool) -> float:
    """1 for a pass, 0 for none."""
    return 1.0 if passed else 0.0


_MISSING = object()


def rule(rules: object, name: str, default: object = _MISSING) -> object:
    """One of the task's rules; the default, or CheckerFault, where it is missing."""
    value = as_object(rules, "the rules").get(name, default)
    if value is _MISSING:
        raise CheckerFault(f"rules.{name} is missing")
    return value


def choice(rules: object, name: str, *known: str) -> str:
    """One of the task's rules that is a word out of a few."""
    value = rule(rules, name)
    if not isinstance(value, str) or value not in known:
        raise CheckerFault(f"rules.{name} must be one of {', '.join(known)}, not {value!r}")
    return value


def as_object(value: object, what: str) -> dict[str, object]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise CheckerFault(f"{what} must be an object, not {kind(value)}")
    return cast("dict[str, object]", value)


def as_list(value: object, what: str) -> list[object]:
    """A list."""
    if not isinstance(value, list | tuple):
        raise CheckerFault(f"{what} must be a list, not {kind(value)}")
    return list(cast("Iterable[object]", value))


def as_text(value: object, what: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise CheckerFault(f"{what} must be text, not {kind(value)}")
    return value


def as_texts(value: object, what: str) -> list[str]:
    """A list of texts."""
    return [as_text(part, f"an element of {what}") for part in as_list(value, what)]


def as_bytes(value: object, what: str) -> bytes:
    """A file's content."""
    if not isinstance(value, bytes):
        raise CheckerFault(f"{what} must be a file's content, not {kind(value)}")
    return value


def as_many(value: object) -> list[object]:
    """What is one value or a list of them, as a list."""
    return list(cast("list[object]", value)) if isinstance(value, list) else [value]


def as_content(value: object, what: str) -> str:
    """A file's text: bytes of UTF-8 with or without a mark, with any line ends."""
    text = as_bytes(value, what).decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def kind(value: object) -> str:
    """What a value is, for messages."""
    return "nothing" if value is None else type(value).__name__
