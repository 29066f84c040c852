"""The daemon's HTTP: who may ask, what was asked (by the spec), the handler, the reply. It holds no rule of the domain.

Every request passes the same gates in the same order: token (401), the name it was sent to and the page it came from
(403), path (404), method (405), faults that a test ordered (429, 503, a dropped connection), size (413), query and body
(400), and then its handler. So whoever has no token learns nothing, not even which paths exist.

Routes and checks come from `openapi.json` through jsonschema-rs, in a bare ASGI callable. Why no framework: routing
and checking one step cost 7 us so, 18 us with Starlette, 340 us with Connexion 3.3 (which refuses OpenAPI 3.1: measured
with a 3.0 copy of the spec) and 3,100 us with openapi-core 0.23, on one machine; those two also add some 450 modules
and a quarter of a second to the start. With all of the gates above a request costs some 25 us here.

Invariants: a request has exactly one reply, or none and then `Dropped` is raised; what nobody foresaw is a 500 with the
request's id, and what happened is in the log under that id, never in the reply.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

from drums.local.answers import HttpRefusal, Reply, body_of, reply_of, reply_refusing
from drums.local.domain.refusals import Refusal
from drums.local.handlers import Call
from drums.local.requests import body_of as request_body_of
from drums.local.requests import query_of

if TYPE_CHECKING:
    from drums.local.domain.host import Host
    from drums.local.faults import Faults
    from drums.local.handlers import Handler
    from drums.local.routes import Operation, Routes

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

log: logging.Logger = logging.getLogger("drums.local")

_LOOPBACK = r"(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]{1,5})?"
_HOST = re.compile(_LOOPBACK, re.IGNORECASE)
"""The names of this machine, with any port: a tunnel or a port mapping arrives with its own."""
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Dropped(ConnectionResetError):
    """A test ordered that this request gets no reply; whoever serves the application closes the connection."""


class ClientLeft(Exception):
    """The client went away before it had sent its whole request; nobody waits for a reply."""


class App:
    """The daemon as an ASGI application.

    Args:
        host: The domain.
        token: What every request must carry.
        handlers: One for each operation of the routes.
        routes: What the spec says.
        faults: What tests ordered to go wrong.
        max_body_bytes: Longer request bodies are refused unread.
    """

    def __init__(
        self,
        host: Host,
        token: str,
        handlers: Mapping[str, Handler],
        routes: Routes,
        *,
        faults: Faults,
        max_body_bytes: int,
    ) -> None:
        self._host = host
        self._token = token.encode()
        self._handlers = handlers
        self._routes = routes
        self._faults = faults
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request.

        Raises:
            Dropped: A test ordered that this request gets no reply.
        """
        if scope["type"] != "http":
            message = f"the daemon speaks HTTP only, not {scope['type']}"
            raise ValueError(message)
        request = _Request(scope, receive)
        started = time.perf_counter()
        try:
            reply = await self._reply(request)
        except ClientLeft:
            log.debug("%s %s: the client left before it had sent its request", request.method, request.path)
            return
        await _send(send, request, reply)
        level = logging.DEBUG if request.method == "GET" and reply.status < 400 else logging.INFO
        spent_ms = (time.perf_counter() - started) * 1000
        log.log(level, "%s %s %d %.0f ms %s", request.method, request.path, reply.status, spent_ms, request.id)

    async def _reply(self, request: _Request) -> Reply:
        try:
            return await self._answer(request)
        except (Refusal, HttpRefusal) as refusal:
            return reply_refusing(refusal, request.id)
        except (ClientLeft, Dropped):
            raise
        except asyncio.CancelledError:
            # Only the end of the daemon cancels a request, and the task ends with this reply.
            return reply_refusing(_stopping(), request.id)
        except Exception:
            log.exception("%s %s failed unexpectedly, request %s", request.method, request.path, request.id)
            return reply_refusing(_unforeseen(request.id), request.id)

    async def _answer(self, request: _Request) -> Reply:
        self._admit(request.headers)
        operation, values = self._find(request)
        self._refuse_if_ordered()
        body = await request.body(self._max_body_bytes) if operation.body else b""
        call = Call(
            path=values,
            query=query_of(operation, request.query),
            body=request_body_of(operation.body, body, request.headers.get("content-type")),
        )
        return await self._do(operation, call)

    async def _do(self, operation: Operation, call: Call) -> Reply:
        if self._faults.take_drop_before(operation.id):
            raise Dropped("dropped before the work, as ordered")
        reply = reply_of(await self._handlers[operation.id](self._host, call))
        if self._faults.take_drop_after(operation.id):
            raise Dropped("dropped after the work, as ordered")
        return reply

    def _admit(self, headers: Mapping[str, str]) -> None:
        """Refuse whoever lacks the token, and pages but this address's own (DNS rebinding, forged requests)."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode("latin-1"), self._token):
            raise HttpRefusal(
                401, "unauthorized", "the token is missing or wrong", headers={"www-authenticate": "Bearer"}
            )
        host = headers.get("host", "")
        if not _HOST.fullmatch(host):
            raise HttpRefusal(403, "forbidden", "the Host header names another machine than this one")
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host.lower()}":
            raise HttpRefusal(403, "forbidden", "requests from web pages of another origin are refused")

    def _find(self, request: _Request) -> tuple[Operation, Mapping[str, str]]:
        match = self._routes.find(request.path)
        if match is None:
            raise HttpRefusal(404, "not_found", "the API has no such path")
        operation = match.operations.get(request.method)
        if operation is None:
            allowed = ", ".join(sorted(match.operations))
            raise HttpRefusal(405, "method_not_allowed", f"this path takes {allowed}", headers={"allow": allowed})
        return operation, match.values

    def _refuse_if_ordered(self) -> None:
        refused = self._faults.take_refusal()
        if refused is not None:
            code = "overloaded" if refused.status == 429 else "unavailable"
            raise HttpRefusal(refused.status, code, "refused, as ordered", retry_after_s=refused.retry_after_s)


class _Request:
    """One request as ASGI tells it."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.method: str = scope["method"]
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        self.path: str = scope["raw_path"].decode("ascii", "backslashreplace")
        """Percent-encoded, as it was sent; fit to be logged."""
        self.query: str = scope["query_string"].decode("latin-1")
        given = self.headers.get("x-request-id", "")
        self.id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        """The client's own, if it is a plain word."""
        self._receive = receive

    async def body(self, limit: int) -> bytes:
        """The whole body.

        Raises:
            HttpRefusal: It is longer than `limit` bytes.
            ClientLeft: It does not come.
        """
        declared = self.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > limit:
            raise _too_large(limit)
        body = bytearray()
        more = True
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientLeft
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > limit:
                raise _too_large(limit)
        return bytes(body)


async def _send(send: Send, request: _Request, reply: Reply) -> None:
    body = body_of(reply)
    headers = {
        **reply.headers,
        "x-request-id": request.id,
        "content-length": str(len(body)),
        "cache-control": "no-store",
    }
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": reply.status, "headers": encoded})
    await send({"type": "http.response.body", "body": b"" if request.method == "HEAD" else body})


def _too_large(limit: int) -> HttpRefusal:
    # The connection stays open: a client that is still sending would lose this reply in the reset of a closed one.
    return HttpRefusal(413, "body_too_large", f"the body is longer than {limit} bytes")


def _stopping() -> HttpRefusal:
    return HttpRefusal(503, "unavailable", "the daemon is stopping")


def _unforeseen(request_id: str) -> HttpRefusal:
    return HttpRefusal(
        500, "internal", f"the daemon met something unforeseen; its log tells more at request {request_id}"
    )
