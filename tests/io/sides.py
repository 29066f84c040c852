"""Both transports behind one face, so that each test holds both to the same."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

import pytest

from drums._core.settings import Settings
from drums._core.wire import Reply, Request, TransportError
from drums._io import aio, sync

if TYPE_CHECKING:
    from collections.abc import Callable


TOKEN = "drums_sk_" + "a1" * 8
"""Not one of any server's."""


class Sender(Protocol):
    """A transport, awaited or not."""

    def send(self, request: Request) -> Reply: ...

    def close(self) -> None: ...

    def end(self) -> None:
        """Close what the test needed around it, too."""
        ...


class SyncSender(sync.Transport):
    """The synchronous transport."""

    def end(self) -> None:
        self.close()


class AioSender:
    """The asynchronous transport; its loop stands still between two calls, as where a program computes."""

    def __init__(self, settings: Settings) -> None:
        self._runner = asyncio.Runner()
        self._transport = aio.Transport(settings)

    def send(self, request: Request) -> Reply:
        return self._runner.run(self._transport.send(request))

    def close(self) -> None:
        self._runner.run(self._transport.close())

    def end(self) -> None:
        self.close()
        self._runner.close()

    def __repr__(self) -> str:
        return repr(self._transport)


SIDES: dict[str, Callable[[Settings], Sender]] = {"sync": SyncSender, "aio": AioSender}


class Opened:
    """Makes senders and closes them at the end of the test."""

    def __init__(self, side: str) -> None:
        self._make = SIDES[side]
        self._senders: list[Sender] = []

    def __call__(self, url: str, token: str | None = TOKEN, *, proxy: str | None = None) -> Sender:
        sender = self._make(Settings(url, token, proxy=proxy))
        self._senders.append(sender)
        return sender

    def close(self) -> None:
        for sender in self._senders:
            sender.end()


def failure_of(sender: Sender, request: Request) -> TransportError:
    """How sending this fails; neither the failure nor any that it came of shows the token."""
    with pytest.raises(TransportError) as caught:
        sender.send(request)
    fault: BaseException | None = caught.value
    while fault is not None:
        assert TOKEN not in repr(fault) + str(fault) + repr(fault.args) + repr(vars(fault))
        fault = fault.__cause__ or fault.__context__
    return caught.value


def get(target: str = "/v1/health", timeout_s: float = 30.0) -> Request:
    """A request that only reads."""
    return Request("GET", target, None, timeout_s)


def post(target: str = "/v1/slots", body: bytes | None = b"{}", timeout_s: float = 30.0) -> Request:
    """A request that does something."""
    return Request("POST", target, body, timeout_s)


def delete(target: str = "/v1/slots/s1", timeout_s: float = 30.0) -> Request:
    """A request that ends something."""
    return Request("DELETE", target, None, timeout_s)
