"""A hold on a client's requests, so that a test can act while a reply is outstanding."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import drums
    import drums.aio
    from drums._core.wire import Reply, Request


class HeldOnALoop:
    """Lets every request through but keeps back the replies to some, which were done by then.

    Args:
        client: Whose requests.
        method: Of those that are held.
        ending: What their path ends with.
    """

    def __init__(self, client: drums.aio.Client, method: str, ending: str) -> None:
        self.arrived = asyncio.Event()
        self.release = asyncio.Event()
        self.held = (method, ending)
        self.inner: Any = client._session._transport
        client._session._transport = self  # type: ignore[assignment]

    async def send(self, request: Request) -> Reply:
        reply: Reply = await self.inner.send(request)
        if request.method == self.held[0] and request.target.endswith(self.held[1]):
            self.arrived.set()
            await self.release.wait()
        return reply

    async def close(self) -> None:
        await self.inner.close()


class HeldInAThread:
    """The same for a sync client.

    Args:
        client: Whose requests.
        method: Of those that are held.
        ending: What their path ends with.
    """

    def __init__(self, client: drums.Client, method: str, ending: str) -> None:
        self.arrived = threading.Event()
        self.release = threading.Event()
        self.held = (method, ending)
        self.inner: Any = client._session._transport
        client._session._transport = self  # type: ignore[assignment]

    def send(self, request: Request) -> Reply:
        reply: Reply = self.inner.send(request)
        if request.method == self.held[0] and request.target.endswith(self.held[1]):
            self.arrived.set()
            assert self.release.wait(30), "nobody released the reply"
        return reply

    def close(self) -> None:
        self.inner.close()
