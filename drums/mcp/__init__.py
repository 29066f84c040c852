"""One desktop for an agent over MCP: screen, mouse, keyboard, commands, files, programs.

    drums mcp --task e0df059f

serves it over standard input and output, `python -m drums.mcp` is the same. The desktop is chosen by whoever starts the
server; the agent can pass no URL, token, host path or other desktop. In a program of one's own:

    async with drums.aio.connect() as client, await client.create() as env:
        server = drums.mcp.DesktopServer(env, drums.mcp.Terms(read_only=True))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums._extras import needing
from drums.mcp._terms import Terms

if TYPE_CHECKING:
    from drums.mcp._server import DesktopServer, serve

__all__ = ["DesktopServer", "Terms", "serve"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with needing("drums.mcp", "mcp"):
        from drums.mcp import _server  # noqa: PLC0415 - it needs the extra

    return getattr(_server, name)
