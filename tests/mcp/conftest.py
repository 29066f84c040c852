"""The daemon of tests/wire, and sessions of the MCP SDK's own client with a server over one of its desktops."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("mcp", reason="the extra [mcp] is not installed")

from mcp import Client

from drums.mcp import DesktopServer, Terms
from tests.wire.conftest import client, daemon, env, shared_daemon, token

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import drums.aio

__all__ = ["client", "daemon", "env", "shared_daemon", "token"]


class Session:
    """What a model does, as a test reads it."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The envelope of one call."""
        result = await self.client.call_tool(name, arguments)
        assert isinstance(result.structured_content, dict), result
        assert result.is_error is not result.structured_content["ok"]
        return result.structured_content

    async def content(self, name: str, **arguments: Any) -> list[Any]:
        """The content of one call, as a model without structured results gets it."""
        return list((await self.client.call_tool(name, arguments)).content)


@asynccontextmanager
async def session(env: drums.aio.Env, terms: Terms | None = None) -> AsyncGenerator[Session]:
    """A session with a server over this desktop."""
    async with Client(DesktopServer(env, terms or Terms())) as connected:
        yield Session(connected)
