"""Patterns of file names, as a shell has them.

Pure. The invariant: `*` and `?` never go over a `/`, and only a part that begins with a dot matches a hidden name.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from drums.errors import BadRequest

_MAGIC = re.compile(r"[*?\[]")
_DEEPEST = 100


class Glob(NamedTuple):
    """A pattern, taken apart."""

    base: str
    """The folder to look in; what is before the first part with a wildcard."""
    depth: int
    """How deep to look below it; 0: the pattern has no wildcard and `base` is what is meant."""
    matches: re.Pattern[str]
    """For the path below the base."""


def glob_of(pattern: str) -> Glob:
    """Take a pattern apart.

    Raises:
        BadRequest: It is empty.
    """
    if not pattern:
        raise BadRequest(400, "the pattern is empty", sent="no", hint="Give one such as ~/Desktop/*.txt")
    parts = [part for part in pattern.split("/") if part not in {"", "."}]
    first = next((at for at, part in enumerate(parts) if _MAGIC.search(part)), len(parts))
    base, rest = "/".join(parts[:first]), parts[first:]
    base = f"/{base}" if pattern.startswith("/") else base or "~"
    depth = _DEEPEST if "**" in rest else len(rest)
    return Glob(base, depth, re.compile(_regex(rest), re.DOTALL))


_FOLDERS = r"(?:(?!\.)[^/]+/)*"
"""Any number of folders that are not hidden."""


def _regex(parts: list[str]) -> str:
    """One regular expression for all parts; `**` is any number of folders that are not hidden.

    What stands between two wildcards is looked for once, where it comes first, and not again further on (`(?>…)`): a
    later place can't do better, and trying them all would take for ever on a name that a desktop chose for that.
    """
    first, *others = _split(parts, "**")
    if not others:
        return "/".join(map(_part, first))
    *middle, last = others
    made = "".join(f"{_part(part)}/" for part in first)
    for between in filter(None, middle):
        made += f"(?>{_FOLDERS}?{''.join(f'{_part(part)}/' for part in between)})"
    return made + _FOLDERS + ("/".join(map(_part, last)) if last else r"(?!\.)[^/]+")


def _part(part: str) -> str:
    """A regular expression for one part."""
    first, *others = _split(_characters(part), "*")
    made = ("" if part.startswith(".") else r"(?!\.)") + "".join(first)
    if not others:
        return made
    *middle, last = others
    made += "".join(f"(?>[^/]*?{''.join(between)})" for between in middle if between)
    return f"{made}[^/]*{''.join(last)}"


def _characters(part: str) -> list[str]:
    """A regular expression for each character of a part; a `*` stays what it is."""
    made: list[str] = []
    at = 0
    while at < len(part):
        char = part[at]
        at += 1
        if char == "*":
            made.append(char)
        elif char == "?":
            made.append("[^/]")
        elif char == "[" and (end := _end_of_class(part, at)) > 0:
            made.append(_class(part[at:end]))
            at = end + 1
        else:
            made.append(re.escape(char))
    return made


def _split(words: list[str], separator: str) -> list[list[str]]:
    """The words between separators; one more list than there are separators."""
    found: list[list[str]] = [[]]
    for word in words:
        if word == separator:
            found.append([])
        else:
            found[-1].append(word)
    return found


def _end_of_class(part: str, at: int) -> int:
    """Where the bracket closes; -1 where it does not, and stands for itself."""
    start = at + 1 if part[at : at + 1] in {"!", "^"} else at
    return part.find("]", start + 1)


def _class(inside: str) -> str:
    negated = inside[0] in "!^"
    body = inside[1:] if negated else inside
    made = ""
    at = 0
    while at < len(body):
        low, high = body[at], body[at + 2 : at + 3]
        if body[at + 1 : at + 2] == "-" and high and low <= high:
            made += f"{re.escape(low)}-{re.escape(high)}"
            at += 3
        else:
            made += re.escape(low)
            at += 1
    return f"(?!/)[{'^' if negated else ''}{made}]"
