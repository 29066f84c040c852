"""One change of the API: what, where, whom it breaks and what to do. Pure.

`RULES` has the words for every rule that this repository knows. Invariant: a change that breaks somebody says whom and
what to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Impact = Literal["major", "minor", "patch"]
IMPACTS: tuple[Impact, ...] = ("patch", "minor", "major")


@dataclass(frozen=True, slots=True)
class Change:
    """One change."""

    rule: str
    """What kind of change it is, a word for the allow-list."""
    where: str
    """The operation or schema, as a person names it."""
    what: str
    """What it was and what it is."""
    impact: Impact
    found_by: str
    """`redocly`, `drums` or `griffe`."""

    @property
    def who(self) -> str:
        """Whom it breaks; empty for nobody."""
        return _words(self.rule)[0] if self.impact == "major" else ""

    @property
    def todo(self) -> str:
        """What to do about it; empty for nothing."""
        return _words(self.rule)[1] if self.impact == "major" else ""


OLD_CLIENTS = "every client that sends it"
READERS = "clients that read it"
TYPED = "generated clients: their code no longer compiles or parses"

RULES: dict[str, tuple[str, str]] = {
    "path-removed": (OLD_CLIENTS, "keep the path, deprecated, until the next version that may break"),
    "operation-removed": (OLD_CLIENTS, "keep the operation, deprecated, until the next version that may break"),
    "operation-id-renamed": (TYPED, "keep the old operationId; the name of every generated method comes from it"),
    "parameter-removed": (OLD_CLIENTS, "go on taking the parameter and ignore it"),
    "parameter-required": (OLD_CLIENTS, "let the parameter be optional, with what its absence meant so far"),
    "request-body-required": (OLD_CLIENTS, "let the body be optional, as `{}`"),
    "request-property-removed": (TYPED, "go on naming the field, as ignored"),
    "request-property-required": (OLD_CLIENTS, "let the field be optional, with what its absence meant so far"),
    "request-narrowed": (OLD_CLIENTS, "go on taking what was allowed so far"),
    "request-enum-value-removed": (OLD_CLIENTS, "go on taking the value"),
    "request-variant-removed": (OLD_CLIENTS, "go on taking the variant"),
    "request-closed": ("clients that send fields of a newer version", "leave additional fields allowed"),
    "response-property-removed": (READERS, "go on sending the field, null if there is nothing to tell"),
    "response-property-optional": (READERS, "go on sending the field always"),
    "response-widened": (READERS, "put what is new into a field of its own"),
    "response-enum-value-added": (
        "clients that know the closed enum",
        "make it an open enum first: string and x-extensible-enum",
    ),
    "response-enum-value-removed": (TYPED, "keep the value in the document; servers that send it exist"),
    "response-variant-added": (READERS, "put the variant into a field of its own"),
    "response-variant-removed": (TYPED, "keep the variant in the document"),
    "media-type-removed": (READERS, "go on sending that type"),
    "success-status-removed": (READERS, "go on answering with that status"),
    "format-changed": (READERS, "put the other format into a field of its own"),
    "open-enum-value-removed": ("clients that wait for the value", "keep the value in the list; older servers send it"),
    "open-enum-closed": ("clients, at the next value that is added", "keep it a string with x-extensible-enum"),
    "error-code-removed": ("clients that branch on the code", "go on sending the code"),
}
"""Whom each rule's change breaks, and what to do instead."""


PYTHON = ("programs written for the last release", "keep the old name or signature beside the new one, deprecated")


def _words(rule: str) -> tuple[str, str]:
    if rule.startswith("python-"):
        return PYTHON
    return RULES.get(rule, ("clients of the released API", "undo the change, or add what is new beside what is there"))


def highest(changes: Sequence[Change]) -> Impact | None:
    """The greatest impact of some changes; None for none."""
    found = {change.impact for change in changes}
    return next((impact for impact in reversed(IMPACTS) if impact in found), None)
