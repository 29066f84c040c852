"""The body of a reply as JSON, and the headers that say how to read it; nothing here knows what a reply is about.

A body that can't be read is a `MisreadError`, whatever is wrong with it. What `parsed` gives is JSON as every other
program knows it: no `NaN`, and not so deep that it could not be printed, compared or pickled.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NoReturn, cast

from drums._core.call import MisreadError
from drums._quote import excerpt, seconds_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from drums._core.wire import Reply

DEEPEST: Final = 100
"""Levels of a reply's JSON; no record has ten."""


def json_of(reply: Reply) -> object:
    """The JSON value of a reply that should be JSON."""
    kind = content_type(reply)
    if kind and "json" not in kind:
        raise MisreadError(f"expected JSON, got {excerpt(kind)}, {len(reply.body)} bytes")
    return parsed(reply.body)


def content_type(reply: Reply) -> str:
    """The media type without its parameters; empty when the reply names none."""
    return reply.headers.get("content-type", "").partition(";")[0].strip().lower()


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


_decoder = json.JSONDecoder(parse_constant=_no_constant)


def parsed(body: bytes) -> object:
    """The JSON value of a body; `NaN` and `Infinity`, which JSON does not have, are refused."""
    if not body.strip():
        raise MisreadError("expected JSON, got an empty body")
    try:
        value = cast("object", _decoder.decode(body.decode("utf-8-sig")))
    except UnicodeDecodeError as fault:
        raise MisreadError(f"expected JSON, got {len(body)} bytes that are not UTF-8") from fault
    except RecursionError as fault:
        raise MisreadError("expected JSON of a few levels, got more than can be read") from fault
    except ValueError as fault:
        start = excerpt(body[:200].decode("utf-8", "replace"))
        raise MisreadError(f"expected JSON, got {len(body)} bytes that are none: {start}") from fault
    if body.count(b"[") + body.count(b"{") > DEEPEST and _depth(value) > DEEPEST:
        raise MisreadError(f"expected JSON of a few levels, got more than {DEEPEST}")
    return value


def _depth(value: object) -> int:
    """Levels of a JSON value, counted up to one more than `DEEPEST`."""
    level: list[object] = [value]
    depth = 0
    while level and depth <= DEEPEST:
        depth += 1
        level = [inner for item in level for inner in _inside(item) if isinstance(inner, dict | list)]
    return depth


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def body_of(reply: Reply) -> object:
    """The body as an error keeps it: parsed, else as text, else as bytes."""
    try:
        return parsed(reply.body)
    except MisreadError:
        pass
    try:
        return reply.body.decode("utf-8")
    except UnicodeDecodeError:
        return reply.body


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After` asks for, a number or a date as against the reply's own; None without a usable one."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    if value.isascii() and value.replace(".", "", 1).isdigit():
        return seconds_at({"s": float(value)}, "s")
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  # 20 ms that only a dated header costs

    try:
        until, now = parsedate_to_datetime(value), parsedate_to_datetime(headers.get("date", ""))
        return seconds_at({"s": max(0.0, (until - now).total_seconds())}, "s")
    except (ValueError, TypeError, OverflowError):
        return None  # no date, or one with a zone and one without
