"""One function per operationId of the spec: takes a validated call, asks the domain, builds the reply with the generated models.

It parses no HTTP (app.py did, by the spec) and decides nothing (the domain does). Refusals pass through as exceptions.
Invariant: `HANDLERS` has exactly the spec's operationIds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from drums.local.domain.host import Host


@dataclass(frozen=True, slots=True)
class Call:
    """One request, checked and coerced by the spec."""

    path: Mapping[str, str] = field(default_factory=dict[str, str])
    """Path parameters by name, percent-decoded."""
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Query parameters that were given, coerced to the spec's types."""
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The JSON object, or an empty one where there was no body."""


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON reply."""

    status: int
    content: dict[str, Any] | list[Any]


@dataclass(frozen=True, slots=True)
class Png:
    """A picture."""

    content: bytes


Handler = Callable[["Host", Call], Awaitable[Json | Png]]

HANDLERS: Mapping[str, Handler] = {}
