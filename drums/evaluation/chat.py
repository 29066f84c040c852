"""One conversation's requests to an OpenAI-compatible endpoint: sent, repeated where that may help, read, counted.

It knows nothing of desktops. Invariant: the key is in the request's header and nowhere else: whatever an endpoint says
is told without it.
"""

from __future__ import annotations

import asyncio
import json
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

import httpx

from drums._core.arguments import refused
from drums._quote import excerpt, redacted, words_of
from drums.evaluation.policy import PolicyError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums.evaluation.policy import Usage

TRIES: Final = 6
FIRST_WAIT_S: Final = 1.0
LONGEST_WAIT_S: Final = 60.0
"""Seconds between two tries; an endpoint that asks for more is asked again after as many."""
TIMEOUT_S: Final = 300.0
"""Seconds that one reply may take."""
LONGEST_REPLY: Final = 16 * 2**20
"""Bytes."""
AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may succeed."""
BROKEN_TRIES: Final = 3
"""How often a reply that is no completion is believed to be an accident."""


class Endpoint:
    """An OpenAI-compatible server, as all rollouts of a run share it.

    Args:
        base_url: With the version: `http://127.0.0.1:8000/v1`.
        model: Its name there.
        key: None: none is sent.
        body: Fields that are added to every request.
        timeout_s: Seconds that one reply may take.
        first_wait_s: Seconds before the second try, doubling from there.

    Raises:
        BadRequest: The URL is not usable.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        key: str | None = None,
        *,
        body: Mapping[str, Any] | None = None,
        timeout_s: float = TIMEOUT_S,
        first_wait_s: float = FIRST_WAIT_S,
    ) -> None:
        self.url: str = _checked_url(base_url)
        self.model = model
        self._key = key
        self._body = dict(body or {})
        self._first_wait_s = first_wait_s
        self._client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(timeout_s, pool=None),
            limits=httpx.Limits(max_connections=None),
            # A proxy is for others than this machine.
            mounts={"all://127.0.0.1": None, "all://localhost": None, "all://[::1]": None},
        )

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.aclose()

    async def complete(
        self,
        messages: list[dict[str, Any]],
        tools: list[dict[str, Any]],
        usage: Usage,
        heard: Callable[[str | None], None] = lambda _trouble: None,
    ) -> dict[str, Any]:
        """The model's next message.

        Args:
            messages: The conversation.
            tools: What it may call.
            usage: Where tokens are counted, also those of replies that were of no use.
            heard: Is told what went wrong with a try that is repeated, and None once there is an answer.

        Raises:
            PolicyError: The endpoint refused, gave no completion, or did not answer in all tries.
        """
        body = {**self._body, "model": self.model, "messages": messages, "tools": tools}
        tries = broken = 0
        while True:
            tries += 1
            asked_s: float | None = None
            try:
                status, headers, text = await self._post(body)
            except httpx.HTTPError as fault:
                why = f"no reply: {type(fault).__name__} {fault}"
            else:
                usage.requests += 1
                if status == 200:
                    message = _message_in(text, usage)
                    if message is not None:
                        heard(None)
                        return message
                    broken += 1
                    why = f"a reply that is no chat completion: {text[:200].decode('utf-8', 'replace')}"
                else:
                    why = f"status {status}: {words_of(_json(text) or text.decode('utf-8', 'replace'))}"
                    if status not in AGAIN:
                        raise self._failed(why)
                    asked_s = retry_after(headers.get("retry-after"))
            if tries >= TRIES or broken >= BROKEN_TRIES:
                raise self._failed(f"{why} (tried {tries} times)")
            heard(self._told_of(why))
            await asyncio.sleep(wait_before(tries, self._first_wait_s, asked_s))

    async def _post(self, body: Mapping[str, Any]) -> tuple[int, httpx.Headers, bytes]:
        async with self._client.stream("POST", f"{self.url}/chat/completions", json=body) as reply:
            read = bytearray()
            async for part in reply.aiter_bytes():
                read += part
                if len(read) > LONGEST_REPLY:
                    raise self._failed(f"a reply of more than {LONGEST_REPLY} bytes")
            return reply.status_code, reply.headers, bytes(read)

    def _failed(self, why: str) -> PolicyError:
        return PolicyError(self._told_of(why))

    def _told_of(self, why: str) -> str:
        return f"the endpoint gave {excerpt(self.told(why))}"

    def told(self, text: str) -> str:
        """What the endpoint said, without the key."""
        return redacted(text, self._key) if self._key else text

    def __repr__(self) -> str:
        return f"<Endpoint {self.model} at {redacted(self.url)}>"


def wait_before(tries: int, first_s: float, asked_s: float | None) -> float:
    """Seconds to wait after so many tries, at least as many as were asked for, at most `LONGEST_WAIT_S`."""
    return min(max(first_s * float(1 << min(tries - 1, 10)), asked_s or 0.0), LONGEST_WAIT_S)


def retry_after(header: str | None, now: float | None = None) -> float | None:
    """Seconds that a `Retry-After` asks for, given as a number or as a date; None for what is neither.

    Args:
        header: Its value.
        now: Unix time; None: the present.
    """
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - (time.time() if now is None else now)
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if abs(seconds) < 1e9 else None


def _checked_url(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and not (parts.query or parts.fragment)
    except ValueError:
        usable = False
        parts = urlsplit("")
    if not usable:
        raise refused(f"{excerpt(base_url)} is no base URL", hint="Give one such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise refused("the base URL holds a user name or password", hint="Give the key by --api-key-env")
    return base_url.rstrip("/")


def _message_in(text: bytes, usage: Usage) -> dict[str, Any] | None:
    """The message of a completion, None where it is none; its tokens are counted in any case."""
    reply = _json(text)
    if not isinstance(reply, dict):
        return None
    fields = cast("dict[str, Any]", reply)
    told: object = fields.get("usage")
    if isinstance(told, dict):
        usage.prompt_tokens += _count(cast("dict[str, object]", told).get("prompt_tokens"))
        usage.completion_tokens += _count(cast("dict[str, object]", told).get("completion_tokens"))
    choices: object = fields.get("choices")
    first = cast("list[object]", choices)[0] if isinstance(choices, list) and choices else None
    message = cast("dict[str, object]", first).get("message") if isinstance(first, dict) else None
    return cast("dict[str, Any]", message) if isinstance(message, dict) else None


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else 0


def _json(text: bytes) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value
