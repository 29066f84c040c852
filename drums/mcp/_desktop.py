"""The one desktop of a server: found or made at its start, kept while it lives, ended with it.

It offers nothing to a model. Invariants: no other desktop can be reached from here; one that was made here ends with
the server, or, should the server be killed, with a lease that nobody renews any more.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from drums.aio import DEFAULT_IMAGE
from drums.errors import DrumsError, NotFound

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from drums.aio import Client, Env
    from drums.mcp._terms import Terms

RENEWALS_PER_LEASE = 4

logger = logging.getLogger("drums.mcp")


@asynccontextmanager
async def desktop(client: Client, terms: Terms) -> AsyncGenerator[Env]:
    """The desktop, ready, for the length of the block.

    Args:
        client: Connected; it closes what it made when it is closed.
        terms: Which desktop.

    Raises:
        DrumsError: The desktop can't be found or made.
    """
    if terms.env is not None:
        yield await _found(client, terms.env)
        return
    async with await _made(client, terms) as env:
        await env.wait_valid()
        renewal = asyncio.create_task(_renew(env, terms.lease_s / RENEWALS_PER_LEASE))
        try:
            yield env
        finally:
            renewal.cancel()
            with suppress(asyncio.CancelledError):
                await renewal


async def _found(client: Client, env_id: str) -> Env:
    for env in await client.envs():
        if env.id == env_id:
            return env
    raise NotFound(404, f"there is no desktop {env_id}", hint="See which there are with `drums ls`")


async def _made(client: Client, terms: Terms) -> Env:
    if terms.from_state is not None:
        return await client.create(task=terms.task, from_state=terms.from_state, idle_timeout=terms.lease_s)
    image = terms.image or DEFAULT_IMAGE
    return await client.create(image, terms.task, idle_timeout=terms.lease_s)


async def _renew(env: Env, every_s: float) -> None:
    """Use the desktop now and then: a lease counts from the last use."""
    while True:
        await asyncio.sleep(every_s)
        try:
            await env.refresh()
        except DrumsError as error:
            logger.warning("the lease of %s could not be renewed: %s", env.id, error)
