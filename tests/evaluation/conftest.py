"""One daemon for all tests of a module, as good as new for each of them, and a client of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import drums.aio
import drums.local
from drums.evaluation import admission

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from drums.local import InProcess


@pytest.fixture(scope="module")
def shared_daemon() -> Iterator[InProcess]:
    """A daemon that other tests of the module have used; take `daemon`."""
    with drums.local.serving(alive_gate_s=0.0) as daemon:
        yield daemon


@pytest.fixture
def daemon(shared_daemon: InProcess) -> Iterator[InProcess]:
    """A daemon without desktops and faults."""
    yield shared_daemon
    shared_daemon.reset()


@pytest.fixture
async def client(daemon: InProcess) -> AsyncIterator[drums.aio.Client]:
    async with drums.aio.connect(daemon.url, daemon.token, retry_s=0, timeout=30) as client:
        yield client


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that is full is asked again soon."""
    monkeypatch.setattr(admission, "FIRST_WAIT_S", 0.01)
