"""A simulated desktop with all tools, over real loopback HTTP: a daemon for a module, a desktop for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import drums.aio
import drums.hybrid.aio
import drums.local

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
    """A daemon without desktops."""
    yield shared_daemon
    shared_daemon.reset()


@pytest.fixture
async def client(daemon: InProcess) -> AsyncIterator[drums.aio.Client]:
    """A client that asks once."""
    async with drums.aio.connect(daemon.url, daemon.token, retry_s=0) as client:
        yield client


@pytest.fixture
async def tools(client: drums.aio.Client) -> drums.hybrid.aio.Tools:
    """The tools over a desktop that is as new."""
    return drums.hybrid.aio.Tools(await client.create())
