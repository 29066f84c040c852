"""What others say, made fit to be quoted: no secrets, one short line; and unknown JSON read with care.

It knows neither errors nor records. The one invariant: what `redacted` gives holds no bearer token, no `drums_sk_` key
and no URL's user name and password; what `excerpt` gives is moreover one printable line of at most `EXCERPT_CHARS`
characters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final, cast

EXCERPT_CHARS: Final = 200
"""The most of another's words (the server's, the guest's) that a message quotes."""


_SECRETS: Final = re.compile(
    r"""(?P<bearer> bearer (?: \s | %20 | \+ )+ ["']? ) [^\s"']+
      | (?P<key> drums_sk_ ) [\w-]+
      | (?P<slashes> (?: \\? / ){2} ) [^\s/?\#]* @""",
    re.VERBOSE | re.IGNORECASE,
)
_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_ENOUGH: Final = 8 * EXCERPT_CHARS
"""Characters of a long text that are looked at for an excerpt."""


def redacted(text: str, *secrets: str) -> str:
    """The text without bearer tokens, `drums_sk_` keys, a URL's user name and password, and the `secrets` given."""
    for secret in secrets:
        text = text.replace(secret, "***") if secret else text
    return _SECRETS.sub(lambda found: f"{found[1] or found[2] or found[3]}***{'@' if found[3] else ''}", text)


def scrubbed(value: Any, *secrets: str) -> Any:
    """A copy of a JSON-like value with every text in it `redacted`; what is none is passed through."""
    if isinstance(value, str):
        clean = redacted(value, *secrets)
        return value if clean == value else clean
    if isinstance(value, bytes):
        return redacted(value.decode("latin-1"), *secrets).encode("latin-1")
    if isinstance(value, dict):
        whole = cast("dict[object, object]", value)
        clean_items = {scrubbed(key, *secrets): scrubbed(item, *secrets) for key, item in whole.items()}
        return whole if clean_items == whole else _with_items(whole, clean_items)
    if type(value) in {list, tuple}:
        return type(value)(scrubbed(item, *secrets) for item in value)
    return value


def _with_items(old: Any, items: dict[object, object]) -> Any:
    """A copy of a dict, of whatever subclass, with other items; `dict`'s own methods change a read-only one too."""
    from copy import copy  # noqa: PLC0415  # 9 ms of `import drums` that only a secret costs

    made: dict[object, object] = copy(old)
    dict[object, object].clear(made)
    dict[object, object].update(made, items)
    return made


def one_line(text: str) -> str:
    """The text as one printable line, without secrets, terminal escapes and control characters."""
    clean = redacted(_CONTROLS.sub(" ", _ESCAPES.sub("", text)))
    return redacted(" ".join("".join(char if char.isprintable() else " " for char in clean).split()))


def excerpt(text: str, *, end: bool = False) -> str:
    """At most `EXCERPT_CHARS` characters of another's words, as one printable line without a final stop.

    Args:
        text: What was said.
        end: Quote the end of it, where a traceback says what happened, and not the start.
    """
    clean = redacted(_CONTROLS.sub(" ", _ESCAPES.sub("", text)))
    words = one_line(clean[-_ENOUGH:] if end else clean[:_ENOUGH]).rstrip(".:; ")
    if len(words) <= EXCERPT_CHARS:
        return words
    return "…" + words[1 - EXCERPT_CHARS :] if end else words[: EXCERPT_CHARS - 1].rstrip() + "…"


def words_of(body: object) -> str:
    """What the body of an error reply says happened; never empty."""
    for name in ("error", "message", "detail"):
        said = text_at(body, name)
        if said and excerpt(said):
            return said
    if isinstance(body, str) and excerpt(body):
        title = re.search(r"<title>([^<]{1,200})", body, re.IGNORECASE)
        return f"a page instead of JSON: {title[1]}" if title else excerpt(body)
    return "an empty body" if body in ("", b"", None) else "a body that does not say why"


def mapping_at(body: object, name: str) -> Mapping[str, object] | None:
    """The object at a name of a JSON value; None when there is none."""
    value = cast("Mapping[str, object]", body).get(name) if isinstance(body, Mapping) else None
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def text_at(body: object, name: str) -> str | None:
    """The text at a name of a JSON value; None when there is none or it is empty."""
    value = cast("Mapping[str, object]", body).get(name) if isinstance(body, Mapping) else None
    return value if isinstance(value, str) and value else None


def seconds_at(body: object, name: str) -> float | None:
    """The span at a name of a JSON value, in seconds; None when there is none or it is no sensible one."""
    value = cast("Mapping[str, object]", body).get(name) if isinstance(body, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if value >= 0 and value < 1e9 and isfinite(value) else None
