"""Many calls at once from one event loop: what one costs, and how long the slowest of a hundred takes."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, NamedTuple

import aiohttp
import httpx

from benchmarks.server import a_server
from benchmarks.table import Row
from drums._core.settings import Settings
from drums._core.wire import Request
from drums._io.aio import Transport

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    Fetch = Callable[[str], Awaitable[bytes]]

TOKEN = {"Authorization": "Bearer benchmark"}


class Cost(NamedTuple):
    """What one way of calling cost."""

    cpu_us: float
    """Microseconds of CPU a call."""
    p99_ms: float
    """Milliseconds that 99 of 100 calls take at most."""


class Plan(NamedTuple):
    """What is asked for, by how many at once, how often by each."""

    path: str
    at_once: int
    each: int


async def _clients(url: str, stack: AsyncExitStack) -> dict[str, Fetch]:
    transport = Transport(Settings(url, "benchmark"))
    stack.push_async_callback(transport.close)
    session = await stack.enter_async_context(
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), headers=TOKEN)
    )
    unlimited = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    client = await stack.enter_async_context(httpx.AsyncClient(headers=TOKEN, limits=unlimited, timeout=120))

    async def with_drums(path: str) -> bytes:
        return (await transport.send(Request("GET", path))).body

    async def with_aiohttp(path: str) -> bytes:
        async with session.get(url + path) as reply:
            return await reply.read()

    async def with_httpx(path: str) -> bytes:
        return (await client.get(url + path)).content

    return {"drums": with_drums, "aiohttp": with_aiohttp, "httpx": with_httpx}


async def cost_of(fetch: Fetch, path: str, at_once: int, each: int) -> Cost:
    """`at_once` workers, each of which calls `each` times in turn; their connections are open already."""
    seconds: list[float] = []

    async def work(times: int) -> None:
        for _ in range(times):
            begun = time.perf_counter()
            await fetch(path)
            seconds.append(time.perf_counter() - begun)

    await asyncio.gather(*(work(1) for _ in range(at_once)))
    seconds.clear()
    begun = time.process_time()
    await asyncio.gather(*(work(each) for _ in range(at_once)))
    spent = time.process_time() - begun
    seconds.sort()
    return Cost(1e6 * spent / len(seconds), 1e3 * seconds[int(0.99 * len(seconds))])


def least(found: Sequence[Cost]) -> Cost:
    """The best of several rounds, in each respect."""
    return Cost(min(cost.cpu_us for cost in found), min(cost.p99_ms for cost in found))


async def _measured(url: str, plan: Plan, rounds: int, *names: str) -> dict[str, Cost]:
    async with AsyncExitStack() as stack:
        clients = await _clients(url, stack)
        costs: dict[str, list[Cost]] = {name: [] for name in names}
        for _ in range(rounds):
            for name in names:
                # httpx costs so much with many at once that it gets fewer calls: enough for a mean.
                times = plan.each if name != "httpx" else max(1, plan.each // 8)
                costs[name].append(await cost_of(clients[name], plan.path, plan.at_once, times))
        return {name: least(found) for name, found in costs.items()}


def rows(*, quick: bool) -> Iterator[Row]:
    """Microseconds of CPU a call, and milliseconds of the 99th percentile."""
    rounds, part = (1, 4) if quick else (3, 1)
    plans = [Plan("/step", 1, 800), Plan("/step", 64, 40), Plan("/step", 256, 12), Plan("/png", 16, 16)]
    with a_server() as url:
        for plan in plans:
            fewer = plan._replace(each=max(1, plan.each // part))
            costs = asyncio.run(_measured(url, fewer, rounds, "drums", "aiohttp", "httpx"))
            what = f"async {'screenshot of 400 kB' if plan.path == '/png' else 'step'}, {plan.at_once} at once"
            for peer in ("httpx", "aiohttp"):
                most = 0.15 if (plan.path, plan.at_once, peer) == ("/step", 64, "httpx") else None
                yield Row(what, costs["drums"].cpu_us, "us", peer, costs[peer].cpu_us, most)
    with a_server(slow=True) as url:
        costs = asyncio.run(_measured(url, Plan("/step", 1000, 3 if quick else 6), rounds, "drums", "aiohttp"))
    what = "1000 rollouts at once, steps of 200 ms"
    yield Row(f"{what}: 99 of 100 within", costs["drums"].p99_ms, "ms", "aiohttp", costs["aiohttp"].p99_ms)
    yield Row(what, costs["drums"].cpu_us, "us", "aiohttp", costs["aiohttp"].cpu_us)
