"""A daemon over loopback HTTP for the tests that need real connections, and a plain HTTP client of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import drums.local
from tests.local.asking import client_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from drums.local import InProcess


@pytest.fixture(scope="module")
def served() -> Iterator[InProcess]:
    """A daemon that other tests of the module have used; take `daemon`."""
    with drums.local.serving(alive_gate_s=0.0) as daemon:
        yield daemon


@pytest.fixture
def daemon(served: InProcess) -> Iterator[InProcess]:
    """A daemon as one that was just started."""
    yield served
    served.reset()


@pytest.fixture
def http(daemon: InProcess) -> Iterator[httpx.Client]:
    """A client that has the token."""
    with client_of(daemon) as client:
        yield client
