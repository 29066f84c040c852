"""The daemon of tests/wire, for what only one side has: cancellation, threads, processes."""

from __future__ import annotations

from tests.wire.conftest import daemon, shared_daemon

__all__ = ["daemon", "shared_daemon"]
