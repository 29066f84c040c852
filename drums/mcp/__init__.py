"""One desktop for an agent over MCP: screen, mouse, keyboard, commands, files, programs.

    drums mcp --task e0df059f

serves it over standard input and output, `python -m drums.mcp` is the same. The desktop is chosen by whoever starts the
server; the agent can pass no URL, token, host path or other desktop. In a program of one's own:

    async with drums.aio.connect() as client, await client.create() as env:
        server = drums.mcp.DesktopServer(env, drums.mcp.Terms(read_only=True))
"""

from drums.mcp._server import DesktopServer, serve
from drums.mcp._terms import Terms

__all__ = ["DesktopServer", "Terms", "serve"]
