"""`drums mcp`: one desktop for an agent, over standard input and output.

It parses; what is served is `drums.mcp`'s. Invariant: standard output holds the protocol and nothing else.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Annotated

import typer

from drums.cli._options import FromState, Image, Task, TokenFile, Url, examples
from drums.errors import BadRequest

if TYPE_CHECKING:
    from pathlib import Path

    from drums.mcp import Terms

SIZE = re.compile(r"(\d{1,4})x(\d{1,4})")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "mcp",
        epilog=examples(
            "drums mcp --task e0df059f --max-calls 100",
            "drums mcp --env $id --read-only",
        ),
    )(mcp)


def mcp(
    *,
    env: Annotated[
        str | None, typer.Option(metavar="ID", help="A desktop that exists; it outlives the server.")
    ] = None,
    image: Image = None,
    task: Task = None,
    from_state: FromState = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="The agent may only look.")] = False,
    verify: Annotated[
        bool, typer.Option("--allow-verify", help="The agent may ask for its own score; not where it trains.")
    ] = False,
    max_calls: Annotated[int | None, typer.Option(metavar="N", min=1, help="Calls that the agent may make.")] = None,
    max_seconds: Annotated[float | None, typer.Option(metavar="S", help="Seconds that it may take.")] = None,
    lease: Annotated[
        float, typer.Option(metavar="S", help="Seconds after which its desktop ends, should the server be killed.")
    ] = 60.0,
    size: Annotated[str, typer.Option(metavar="WxH", help="Size of the agent's pictures, in pixels.")] = "1280x720",
    url: Url = None,
    token_file: TokenFile = None,
) -> None:
    """Serve one desktop to an agent over MCP, on standard input and output, until the input ends.

    Without --env a desktop is made, and ended with the server.
    """
    from drums.mcp import Terms  # noqa: PLC0415 -- only this command needs it

    found = SIZE.fullmatch(size)
    if found is None:
        raise BadRequest(
            400, f"--size is {size!r}", sent="no", hint="Give width and height in pixels, such as 1280x720"
        )
    terms = Terms(
        env=env,
        image=image,
        task=task,
        from_state=from_state,
        read_only=read_only,
        verify=verify,
        max_calls=max_calls,
        max_seconds=max_seconds,
        width=int(found[1]),
        height=int(found[2]),
        lease_s=lease,
    )
    asyncio.run(_served(terms, url, token_file))


async def _served(terms: Terms, url: str | None, token_file: Path | None) -> None:
    from drums.cli._async_client import async_client  # noqa: PLC0415 -- as above
    from drums.mcp import serve  # noqa: PLC0415 -- as above

    async with async_client(url, token_file) as client:
        await serve(client, terms)
