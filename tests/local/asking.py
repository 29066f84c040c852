"""How the tests of the daemon's HTTP ask: an ASGI application without a socket, or a daemon over one."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping, Sequence

    from drums.local import InProcess
    from drums.local.app import App

TOKEN = "drums_sk_the-token-of-the-tests"
HOST = "127.0.0.1:7070"


@dataclass(frozen=True)
class Said:
    """What an application replied."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


@dataclass
class Asked:
    """A request as ASGI tells it, part by part."""

    method: str
    target: str
    headers: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    parts: Sequence[bytes] = ()
    complete: bool = True
    """Whether the client stays until its last part was read."""
    read: int = 0

    def scope(self) -> dict[str, Any]:
        """With the token and the Host header unless they are given; None takes one away."""
        path, _, query = self.target.partition("?")
        headers: dict[str, str | None] = {"host": HOST, "authorization": f"Bearer {TOKEN}", **self.headers}
        return {
            "type": "http",
            "method": self.method,
            "path": path,
            "raw_path": path.encode("latin-1"),
            "query_string": query.encode("latin-1"),
            "headers": [
                (name.encode(), value.encode("latin-1")) for name, value in headers.items() if value is not None
            ],
            "state": {},
        }

    async def receive(self) -> dict[str, Any]:
        """The next part, or the end."""
        if self.read == len(self.parts) and not self.complete:
            return {"type": "http.disconnect"}
        part = self.parts[self.read] if self.parts else b""
        self.read += 1
        return {"type": "http.request", "body": part, "more_body": self.read < len(self.parts) or not self.complete}


async def ask(
    app: App, method: str, target: str, body: object = None, headers: Mapping[str, str | None] | None = None
) -> Said:
    """One request with a JSON body, or with bytes as they are."""
    raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    said = await send(app, Asked(method, target, headers or {}, [raw]))
    assert said is not None
    return said


async def send(app: App, asked: Asked) -> Said | None:
    """One request; None where there was no reply."""
    messages: list[MutableMapping[str, Any]] = []

    async def collect(message: MutableMapping[str, Any]) -> None:
        messages.append(message)

    await app(asked.scope(), asked.receive, collect)
    if not messages:
        return None
    start, end = messages
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return Said(start["status"], headers, end["body"])


def client_of(daemon: InProcess) -> httpx.Client:
    """A client that has the daemon's token."""
    assert daemon.url is not None
    return httpx.Client(base_url=daemon.url, headers={"Authorization": f"Bearer {daemon.token}"}, timeout=30)
