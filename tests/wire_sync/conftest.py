# Generated from tests/wire/conftest.py by tools/generate_sync.py. Edit that file.
"""One daemon over real loopback HTTP for all tests of a module, as good as new for each of them; and older ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import drums
import drums.local

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local import InProcess

ALIVE_GATE_S = 0.0
"""The last gate is taken at once, so that no test waits for a verdict but those that start a daemon of their own."""


RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
"""The task that every daemon knows."""


@pytest.fixture(scope="module")
def shared_daemon() -> Iterator[InProcess]:
    """A daemon that other tests of the module have used; take `daemon`."""
    with drums.local.serving(alive_gate_s=ALIVE_GATE_S) as daemon:
        yield daemon


@pytest.fixture
def daemon(shared_daemon: InProcess) -> Iterator[InProcess]:
    """A daemon without slots, states, figures or faults: `.url`, `.token`, `.faults`, `.reset()`."""
    yield shared_daemon
    shared_daemon.reset()


@pytest.fixture
def token(daemon: InProcess) -> str:
    """The daemon's token."""
    return daemon.token


@pytest.fixture(params=["0.3", "0.4.1"])
def old_daemon(request: pytest.FixtureRequest) -> Iterator[InProcess]:
    """A daemon of each older version that can be emulated."""
    with drums.local.serving(alive_gate_s=ALIVE_GATE_S, emulate=request.param) as daemon:
        yield daemon


@pytest.fixture
def client(daemon: InProcess) -> Iterator[drums.Client]:
    """A client that asks once; tests of its patience make their own."""
    with drums.connect(daemon.url, daemon.token, retry_s=0, timeout=30) as client:
        yield client


@pytest.fixture
def env(client: drums.Client) -> drums.Env:
    """A ready desktop with the built-in task."""
    return client.create(task=RENAME_FOLDER)
