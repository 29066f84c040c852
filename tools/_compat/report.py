"""A verdict for a person, for a program, and as a section of the change log. Pure."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tools._compat.change import Change
    from tools._compat.verdict import Verdict


def readable(verdict: Verdict, subject: str) -> str:
    """What changed, where, whom it breaks, what to do."""
    return "\n".join(_lines(verdict, subject))


def as_json(verdict: Verdict) -> str:
    """The same for a program."""
    return json.dumps(
        {
            "passes": verdict.passes,
            "old": verdict.old,
            "new": verdict.new,
            "needed": verdict.needed,
            "refused": [_facts(one) for one in verdict.refused],
            "allowed": [{**_facts(one), "reason": reason} for one, reason in verdict.allowed],
            "unused": [asdict(entry) for entry in verdict.unused],
            "changes": [_facts(one) for one in verdict.changes],
            "notes": list(verdict.notes),
        },
        indent=2,
    )


def change_log(verdict: Verdict) -> str:
    """A section for CHANGELOG.md about the API."""
    breaking = [one for one in verdict.changes if one.impact == "major"]
    added = [one for one in verdict.changes if one.impact == "minor"]
    lines = [f"### API {verdict.new}", ""]
    if not breaking and not added:
        return "\n".join([*lines, f"No change since {verdict.old}.", ""])
    for title, changes in (("Breaking", breaking), ("Added and relaxed", added)):
        if changes:
            lines += [f"{title}:", *_bullets(changes), ""]
    return "\n".join(lines)


def _bullets(changes: Iterable[Change]) -> list[str]:
    """One line for each place; our own words rather than another tool's."""
    chosen: dict[str, Change] = {}
    for one in changes:
        if one.found_by != "redocly":
            chosen.setdefault(f"{one.where} {one.what}", one)
    return [f"- `{one.where}`: {one.what}" for one in chosen.values()]


def _lines(verdict: Verdict, subject: str) -> Iterator[str]:
    for one in verdict.refused:
        yield f"BREAKS  {one.where}"
        yield f"        what: {one.what}  [{one.rule}, found by {one.found_by}]"
        yield f"        who:  {one.who}"
        yield f"        do:   {one.todo}"
    for one, reason in verdict.allowed:
        yield f"allowed {one.where}: {one.what}  [{one.rule}] because {reason}"
    for entry in verdict.unused:
        yield f"UNUSED  the allow-list's entry {entry.rule} at {entry.where} is needed by nothing; take it out"
    if verdict.version_is_too_low:
        yield f"VERSION {verdict.new} must become {verdict.needed} or higher: that is what these changes demand"
    yield from (f"note    {note}" for note in verdict.notes)
    counts = {impact: sum(one.impact == impact for one in verdict.changes) for impact in ("major", "minor", "patch")}
    told = f"{counts['major']} breaking, {counts['minor']} adding, {counts['patch']} of words only"
    yield f"{subject} {verdict.old} -> {verdict.new}: {told}: {'passes' if verdict.passes else 'REFUSED'}"


def _facts(one: Change) -> dict[str, str]:
    facts: dict[str, str] = asdict(one)
    return {**facts, "who": one.who, "todo": one.todo}
