"""Query and body of one request: parsed, checked by the spec, coerced; or refused in words that name the field.

It knows no ASGI and no operation by name. Of what the spec does not name, fields are left alone and query parameters
are dropped.
Invariant: what comes out can be stored and sent back: finite numbers, text that is UTF-8, at most `MAX_DEPTH` deep.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, NoReturn, cast
from urllib.parse import parse_qsl

from jsonschema_rs import ValidationErrorKind

from drums.local.domain.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jsonschema_rs import Draft202012Validator, ValidationError

    from drums.local.routes import Body, Operation, Parameter

MAX_DEPTH = 100
"""Objects and arrays within each other; Python's own parser gives up at about 1,000."""
MAX_INTEGER_CHARS = 25
"""More digits than 64 bits can have; longer ones are not even converted."""
MAX_MESSAGE_CHARS = 300
"""A refusal never repeats a whole body."""


def query_of(operation: Operation, raw: str) -> dict[str, Any]:
    """The query parameters that the operation knows, coerced. Of one given twice the last counts.

    Raises:
        Refusal: One is missing or is not what the spec says.
    """
    given = dict(parse_qsl(raw, keep_blank_values=True))
    values: dict[str, Any] = {}
    for parameter in operation.query:
        if parameter.name in given:
            values[parameter.name] = _query_value(parameter, given[parameter.name])
        elif parameter.required:
            raise Refusal("bad_request", f"the query parameter {parameter.name} is missing")
    return values


def body_of(expected: Body | None, raw: bytes, content_type: str | None) -> dict[str, Any]:
    """The JSON object in a body; an empty one where the operation takes none or may do without.

    Raises:
        Refusal: It is missing, is not JSON, or is not what the spec says.
    """
    if expected is None:
        return {}
    if not raw.strip():
        if expected.required:
            raise Refusal("bad_request", "the request needs a JSON object as its body")
        return {}
    _check_media_type(content_type)
    value = parsed(raw)
    _check(expected.validator, value, "the body")
    return _with_integers(cast("dict[str, Any]", value), expected.integers)


def parsed(raw: bytes) -> object:
    """The JSON value in a body.

    Raises:
        Refusal: It is not JSON, or JSON that can't be kept: a number beyond a double or 64 bits, half a surrogate pair,
            too deep.
    """
    try:
        text = raw.decode()
        value = json.loads(text, parse_constant=_out_of_range, parse_float=_finite, parse_int=_storable)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeError as cause:
        raise Refusal("bad_request", "the body must be JSON in UTF-8") from cause
    except RecursionError as cause:
        raise _too_deep() from cause
    except ValueError as cause:
        raise Refusal("bad_request", f"the body must be JSON: {cause}"[:MAX_MESSAGE_CHARS]) from cause
    # A value can't be deeper than its text has brackets, which is quicker to tell.
    if raw.count(b"{") + raw.count(b"[") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise _too_deep()
    return value


def _check_media_type(content_type: str | None) -> None:
    media_type = (content_type or "application/json").partition(";")[0].strip().lower()
    if media_type != "application/json":
        message = f"the body must be JSON, sent with Content-Type: application/json, not {media_type}"
        raise Refusal("bad_request", message[:MAX_MESSAGE_CHARS])


def _query_value(parameter: Parameter, text: str) -> object:
    where = f"the query parameter {parameter.name}"
    try:
        value = _coerced(parameter.type, text)
    except ValueError as cause:
        raise Refusal("bad_request", f"{where} must be {_KINDS[parameter.type]}") from cause
    _check(parameter.validator, value, where)
    return value


_KINDS = {"integer": "an integer", "number": "a number", "boolean": "true or false", "string": "text"}
_INTEGER = re.compile(r"-?[0-9]+")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_TRUTH = {"true": True, "false": False}


def _coerced(kind: str, text: str) -> object:
    match kind:
        case "integer" if _INTEGER.fullmatch(text):
            return _storable(text)
        case "number" if _NUMBER.fullmatch(text):
            return _finite(text)
        case "boolean" if text in _TRUTH:
            return _TRUTH[text]
        case "string":
            return text
        case _:
            return _out_of_range(text)


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _out_of_range(text)


def _storable(text: str) -> int:
    number = int(text) if len(text) < MAX_INTEGER_CHARS else _out_of_range(text)
    return number if -(2**63) <= number < 2**63 else _out_of_range(text)


def _out_of_range(text: str) -> NoReturn:
    message = f"{text[:MAX_INTEGER_CHARS]} is out of range"
    raise ValueError(message)


def _with_integers(value: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    for name in names & value.keys():
        if isinstance(value[name], float):
            value[name] = int(value[name])
    return value


def _too_deep() -> Refusal:
    return Refusal("bad_request", f"the body nests deeper than {MAX_DEPTH} levels")


def _depth(value: object) -> int:
    """How many objects and arrays are within each other."""
    depth = 0
    level = [value]
    while any(isinstance(each, (dict, list)) for each in level):
        level = [child for each in level for child in _within(each)]
        depth += 1
    return depth


def _within(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def _check(validator: Draft202012Validator, value: object, what: str) -> None:
    if validator.is_valid(value):
        return
    error = next(validator.iter_errors(value))
    raise Refusal("bad_request", f"{what} is not what the spec says: {_words(error)}"[:MAX_MESSAGE_CHARS])


def _words(error: ValidationError) -> str:
    """The error with the place it is at: `$.action.seconds: -1 is less than the minimum of 0`."""
    kind = error.kind
    if isinstance(kind, ValidationErrorKind.OneOfNotValid | ValidationErrorKind.AnyOf):
        return _closest(kind.context) or _at(error)
    return _at(error)


def _at(error: ValidationError) -> str:
    place = "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)
    return f"{place}: {error.message}"


def _closest(variants: list[list[ValidationError]]) -> str | None:
    """What stands in the way of the variant that was meant: the one whose tag fits; or the tags there are."""
    tags: list[str] = []
    for errors in variants:
        wrong_tag = [error for error in errors if isinstance(error.kind, ValidationErrorKind.Constant)]
        if not wrong_tag:
            return _words(errors[0])
        tags += [str(_expected(error)) for error in wrong_tag]
    place = _at(variants[0][0]).partition(":")[0] if variants else "$"
    return f"{place}: type must be one of {', '.join(tags)}" if tags else None


def _expected(error: ValidationError) -> object:
    kind = error.kind
    return kind.expected_value if isinstance(kind, ValidationErrorKind.Constant) else None
