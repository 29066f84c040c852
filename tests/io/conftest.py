"""Fixtures for the tests that talk over real sockets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.io.sides import SIDES, Opened

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(params=sorted(SIDES))
def side(request: pytest.FixtureRequest) -> str:
    """Which transport."""
    return str(request.param)


@pytest.fixture
def opened(side: str) -> Iterator[Opened]:
    """Opens a transport to a URL, with a token or none."""
    made = Opened(side)
    yield made
    made.close()
