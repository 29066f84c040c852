"""A stage for each test, on a daemon that is as good as new."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

import drums.aio
from tests.wire.conftest import daemon, shared_daemon

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from drums.local import InProcess
    from tests.verifiers.stage import Stage

__all__ = ["daemon", "shared_daemon"]


@pytest.fixture(autouse=True)
def _nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DRUMS_URL", "DRUMSD_URL", "DRUMS_TOKEN", "DRUMS_TOKEN_FILE", "DRUMS_RECORD"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
async def stage(daemon: InProcess, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    """The daemon, named by the environment as for a user, and a model."""
    from tests.verifiers.stage import Stage

    assert find_spec("verifiers") is not None
    assert daemon.url is not None
    monkeypatch.setenv("DRUMS_URL", daemon.url)
    monkeypatch.setenv("DRUMS_TOKEN", daemon.token)
    async with drums.aio.connect(retry_s=0) as watcher:
        yield Stage(daemon, watcher)
