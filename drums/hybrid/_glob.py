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


def _regex(parts: list[str]) -> str:
    """One regular expression for all parts; `**` is any number of folders that are not hidden."""
    last = len(parts) - 1
    made = ""
    for at, part in enumerate(parts):
        if part == "**":
            made += r"(?:(?!\.)[^/]+/)*" if at < last else r"(?:(?!\.)[^/]+/)*(?!\.)[^/]+"
        else:
            made += _part(part) + ("/" if at < last else "")
    return made


def _part(part: str) -> str:
    made = "" if part.startswith(".") else r"(?!\.)"
    at = 0
    while at < len(part):
        char = part[at]
        at += 1
        if char == "*":
            made += "[^/]*"
        elif char == "?":
            made += "[^/]"
        elif char == "[" and (end := _end_of_class(part, at)) > 0:
            made += _class(part[at:end])
            at = end + 1
        else:
            made += re.escape(char)
    return made


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
