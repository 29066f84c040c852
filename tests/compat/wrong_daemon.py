"""A local daemon that breaks one rule: a sound one, with a mutation between it and who asks.

A mutation gets each request and the sound daemon, and answers as it likes; `mutations` has them, one a rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlencode

from drums._core.wire import Reply, Request
from drums.conform.operations import operations
from drums.local.daemon import Daemon, Options
from drums.local.domain.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local.embedded import InProcess

TOKEN = "a-token-of-the-tests"
FORK_LIMIT = 3


@dataclass(frozen=True)
class Asked:
    """A request."""

    method: str
    path: str
    """Percent-encoded."""
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any = None
    """JSON already parsed; bytes where it is none."""

    @property
    def operation(self) -> str:
        """The `operationId`; empty for what the spec has not."""
        return next((one for one, pattern in _patterns() if pattern.fullmatch(f"{self.method} {self.path}")), "")

    @property
    def id(self) -> str:
        """The id in the path."""
        parts = self.path.split("/")
        return unquote(parts[3]) if len(parts) > 3 else ""

    def to(self, operation: str, id: str = "", body: Any = None, **query: str) -> Asked:
        """Another request by the same client."""
        found = operations()[operation]
        path = found.path.replace("{id}", id)
        return replace(self, method=found.method, path=path, query=query, body=body)

    def with_body(self, **changes: Any) -> Asked:
        """The same request with other fields; None takes one out."""
        body = {name: value for name, value in {**(self.body or {}), **changes}.items() if value is not None}
        return replace(self, body=body)


@dataclass(frozen=True)
class Said:
    """A reply."""

    status: int
    headers: Mapping[str, str]
    content: Any
    """JSON already parsed, or bytes."""

    def but(self, **fields: Any) -> Said:
        """The same reply with other fields."""
        return replace(self, content={**self.content, **fields})


Sound = Callable[[Asked], Awaitable[Said]]


@dataclass
class Memory:
    """What a mutation remembers between requests."""

    replies: dict[str, Any] = field(default_factory=dict[str, Any])


Mutation = Callable[[Asked, Sound, Memory], Awaitable[Said]]


class WrongDaemon(Daemon):
    """A daemon with a mutation in front."""

    def __init__(self, mutation: Mutation) -> None:
        limits = Limits(fork=FORK_LIMIT, max_slots=200, max_states=60)
        super().__init__(Options(machine="sim", limits=limits, alive_gate_s=0.2), TOKEN)
        sound, memory = self.app, Memory()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            asked = await _asked(scope, receive)

            async def ask(other: Asked) -> Said:
                return await _answered(sound, scope, other)

            said = await mutation(asked, ask, memory)
            await _send(send, said)

        self.app = app  # type: ignore[assignment]  # an ASGI application like the one that it wraps


class InProcessSender:
    """Sends to a daemon in this process, for `drums.conform`."""

    def __init__(self, daemon: InProcess, token: str | None = TOKEN) -> None:
        self._daemon = daemon
        self._token = token

    def send(self, request: Request) -> Reply:
        """Do one request."""
        headers = {} if self._token is None else {"authorization": f"Bearer {self._token}"}
        if request.body is not None:
            headers["content-type"] = "application/json"
        future = self._daemon.submit(request.method, request.target, headers, request.body)
        return Reply(*future.result(request.timeout_s))

    def as_somebody(self, token: str | None) -> InProcessSender:
        """The same daemon with another token."""
        return InProcessSender(self._daemon, token)


async def _asked(scope: Any, receive: Any) -> Asked:
    raw = b""
    more = True
    while more:
        message = await receive()
        raw += message.get("body", b"")
        more = message.get("more_body", False)
    try:
        body = json.loads(raw) if raw else None
    except ValueError:
        body = raw
    headers = {name.decode(): value.decode() for name, value in scope["headers"]}
    query = dict(parse_qsl(scope["query_string"].decode()))
    return Asked(scope["method"], scope["raw_path"].decode(), query, headers, body)


async def _answered(app: Any, scope: Any, asked: Asked) -> Said:
    raw = (
        asked.body if isinstance(asked.body, bytes) else b"" if asked.body is None else json.dumps(asked.body).encode()
    )
    headers = {**asked.headers, "content-type": "application/json"}
    headers.pop("content-length", None)
    inner = {
        **scope,
        "method": asked.method,
        "path": unquote(asked.path),
        "raw_path": asked.path.encode(),
        "query_string": urlencode(asked.query).encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    messages: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": raw, "more_body": False}

    async def send(message: Any) -> None:
        messages.append(message)

    await app(inner, receive, send)
    start, body = messages[0], b"".join(message["body"] for message in messages[1:])
    said = {name.decode(): value.decode() for name, value in start["headers"]}
    is_json = said["content-type"].startswith("application/json")
    return Said(start["status"], said, json.loads(body) if is_json else body)


async def _send(send: Any, said: Said) -> None:
    body = said.content if isinstance(said.content, bytes) else json.dumps(said.content).encode()
    headers = {**said.headers, "content-length": str(len(body))}
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": said.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for one in operations().values():
        yield one.id, re.compile(f"{one.method} {one.path.replace('{id}', '[^/]+')}")
