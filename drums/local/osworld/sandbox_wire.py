"""What is said between the sandbox and a checker's process: one request, one reply.

No I/O. A request is JSON with the bytes of files behind it; a reply is a small JSON object. Invariant: nothing that a
checker's process says is believed unless it is exactly a score from 0 to 1 or a fault's text.
"""

from __future__ import annotations

import json
import secrets
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from .checkers.base import CheckerFault

if TYPE_CHECKING:
    from collections.abc import Mapping

REPLY_LIMIT_BYTES = 64 * 1024
FAULT_LIMIT = 500
"""The longest text of a fault, in characters."""
BEGUN = b"+"
"""A process says so when it lives; what follows is the reply."""

_PREAMBLE = struct.Struct("!dB")
_LENGTH = struct.Struct("!Q")


class Reader(Protocol):
    """Gives the bytes of a request."""

    def read(self, size: int, /) -> bytes:
        """Exactly so many bytes; fewer at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Preamble:
    """What a worker has to know before it makes a process for a request."""

    name: str
    """The checker's."""
    timeout_s: float

    def encoded(self) -> bytes:
        """As it is sent."""
        name = self.name.encode()
        return _PREAMBLE.pack(self.timeout_s, len(name)) + name

    @classmethod
    def read(cls, reader: Reader) -> Preamble:
        """As it was sent."""
        timeout_s, length = _PREAMBLE.unpack(reader.read(_PREAMBLE.size))
        return cls(reader.read(length).decode(), timeout_s)


@dataclass(frozen=True, slots=True)
class Request:
    """What a checker is to judge."""

    result: object
    expected: object
    options: Mapping[str, object]

    def encoded(self) -> list[bytes]:
        """As it is sent, part by part: a file's content is not copied.

        Raises:
            CheckerFault: A value is neither JSON nor bytes, or too deeply nested.
        """
        files: list[bytes] = []
        # The values may hold any object that JSON can: the word that marks a file must not be one of theirs.
        mark = secrets.token_hex(8)

        def file(value: object) -> object:
            if not isinstance(value, bytes):
                raise CheckerFault(f"a value of the kind {type(value).__name__} can't be judged")
            files.append(value)
            return {mark: len(files) - 1}

        try:
            values = json.dumps([self.result, self.expected, dict(self.options)], default=file).encode()
        except (RecursionError, ValueError, TypeError) as error:
            raise CheckerFault(f"what was fetched can't be judged: {type(error).__name__}") from error
        header = json.dumps(
            {"mark": mark, "values": len(values), "files": [len(content) for content in files]}
        ).encode()
        return [_LENGTH.pack(len(header)), header, values, *files]

    @classmethod
    def read(cls, reader: Reader) -> Request:
        """As it was sent."""
        (length,) = _LENGTH.unpack(reader.read(_LENGTH.size))
        header = json.loads(reader.read(length))
        values = reader.read(header["values"])
        mark, files = header["mark"], [reader.read(size) for size in header["files"]]

        def file(found: dict[str, object]) -> object:
            return files[cast("int", found[mark])] if mark in found else found

        result, expected, options = json.loads(values, object_hook=file)
        return cls(result, expected, options)


def encoded_reply(outcome: float | str) -> bytes:
    """A score, or a fault's text, as it is sent."""
    said = {"fault": outcome[:FAULT_LIMIT]} if isinstance(outcome, str) else {"score": outcome}
    return json.dumps(said).encode()


def read_reply(name: str, data: bytes) -> float:
    """The score in a reply that may be anything.

    Raises:
        CheckerFault: It is a fault, or neither a fault nor a score.
    """
    said = _json(data)
    if len(said) == 1:
        (kind, value), *_ = said.items()
        if kind == "fault" and isinstance(value, str):
            raise CheckerFault(value[:FAULT_LIMIT].encode(errors="replace").decode())
        if kind == "score" and isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
            return float(value)
    raise CheckerFault(f"{name} gave no score from 0 to 1")


def _json(data: bytes) -> dict[str, object]:
    try:
        said: object = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", said) if isinstance(said, dict) else {}
