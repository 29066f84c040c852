"""Whether the changes may be merged: the allow-list, and the version that they demand. Pure.

Invariant: a breaking change passes only with an entry that says why; and it demands its version all the same.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tools._compat.change import Change, Impact, highest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Version = tuple[int, int, int]


class ListError(Exception):
    """The allow-list is not what it has to be."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """An entry of the allow-list."""

    rule: str
    where: str
    """A pattern with `*`."""
    reason: str

    def covers(self, change: Change) -> bool:
        """Whether the entry is about a change."""
        return self.rule == change.rule and fnmatch.fnmatchcase(change.where, self.where)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a comparison."""

    old: str
    """The released version."""
    new: str
    changes: tuple[Change, ...]
    refused: tuple[Change, ...]
    """Those that break somebody and are not allowed."""
    allowed: tuple[tuple[Change, str], ...]
    """Those that break somebody and are allowed, with the reason."""
    unused: tuple[Allowed, ...]
    """Entries of the allow-list that nothing needs."""
    needed: str
    """The lowest version that the changes allow."""
    notes: tuple[str, ...] = ()

    @property
    def version_is_too_low(self) -> bool:
        """Whether `info.version` has not moved as far as the changes demand."""
        return parsed(self.new) < parsed(self.needed)

    @property
    def passes(self) -> bool:
        """Whether it may be merged."""
        return not (self.refused or self.unused or self.version_is_too_low)


def read_list(entries: Any) -> list[Allowed]:
    """The allow-list from its YAML.

    Raises:
        ListError: An entry lacks its rule, its place or its reason.
    """
    listed: list[Any] = entries or []
    found: list[Allowed] = []
    for number, entry in enumerate(listed, 1):
        texts = [str(entry.get(name) or "").strip() for name in ("rule", "where", "reason")] if _is_map(entry) else [""]
        if not all(texts):
            raise ListError(f"entry {number} of the allow-list needs rule, where and reason, each a text")
        found.append(Allowed(*texts))
    return found


def _is_map(entry: Any) -> bool:
    return isinstance(entry, dict)


def judged(
    old: str, new: str, changes: Sequence[Change], allowed: Sequence[Allowed], notes: Iterable[str] = ()
) -> Verdict:
    """The verdict over some changes."""
    breaking = [one for one in changes if one.impact == "major"]
    reasons = {one: next((entry.reason for entry in allowed if entry.covers(one)), None) for one in breaking}
    return Verdict(
        old,
        new,
        tuple(changes),
        tuple(one for one, reason in reasons.items() if reason is None),
        tuple((one, reason) for one, reason in reasons.items() if reason is not None),
        tuple(entry for entry in allowed if not any(entry.covers(one) for one in breaking)),
        needed(old, highest(changes)),
        tuple(notes),
    )


def parsed(version: str) -> Version:
    """The three numbers of a version.

    Raises:
        ListError: It has not three.
    """
    parts = version.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdecimal() for part in parts):
        raise ListError(f"{version} is not a version like 1.2.3")
    return int(parts[0]), int(parts[1]), int(parts[2])


def needed(old: str, impact: Impact | None) -> str:
    """The lowest version that may follow `old` with changes of this impact.

    Below 1.0 what breaks moves the second number and what adds the third; from 1.0 on it is the first and the second.
    Other words alone (`patch`) demand nothing below 1.0.
    """
    major, minor, patch = parsed(old)
    if impact is None or (impact == "patch" and not major):
        return old
    if impact == "major":
        return f"{major + 1}.0.0" if major else f"0.{minor + 1}.0"
    if impact == "minor" and major:
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"
