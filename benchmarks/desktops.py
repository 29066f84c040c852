"""The whole SDK: a step beside what a program would do by hand, and what the local daemon's simulated desktops take.

The first rows are CPU time against the benchmark's server. The others are wall time over loopback HTTP to a daemon in
this process, so they hold the server's work too; they have no peer.
"""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from typing import TYPE_CHECKING, Any

import aiohttp

import drums
import drums.aio
import drums.local
from benchmarks.async_calls import TOKEN, Cost, cost_of, least
from benchmarks.server import a_server
from benchmarks.sync_calls import cpu_us
from benchmarks.table import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ACTION = "pyautogui.click(1, 2)"
BODY = json.dumps({"action": {"type": "pyautogui", "code": ACTION}}).encode()
HEADERS = TOKEN | {"Content-Type": "application/json"}


def _steps(url: str, rounds: int, calls: int) -> Iterator[Row]:
    with drums.connect(url, "benchmark", check=False) as client:
        env = client.create()

        def with_drums(path: str) -> bytes:
            return b"" if env.step(ACTION).result.returncode == 0 else path.encode()

        def by_hand(path: str) -> bytes:
            request = urllib.request.Request(url + path, BODY, HEADERS)
            with urllib.request.urlopen(request, timeout=60) as reply:
                return b"" if json.loads(reply.read())["result"]["returncode"] == 0 else path.encode()

        path = "/v1/slots/s1/step"
        ours, theirs = [min(cpu_us(step, path, calls) for _ in range(rounds)) for step in (with_drums, by_hand)]
    yield Row("env.step(), all of the SDK", ours, "us", "urllib, new connection, and json", theirs, 1.0)


async def _steps_at_once(url: str, at_once: int, each: int, rounds: int) -> tuple[Cost, Cost]:
    """What the SDK's steps cost, and the same with aiohttp by hand."""
    async with (
        drums.aio.connect(url, "benchmark", check=False) as client,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), headers=HEADERS) as session,
    ):
        env = await client.create()

        async def with_drums(path: str) -> bytes:
            return b"" if (await env.step(ACTION)).result.returncode == 0 else path.encode()

        async def by_hand(path: str) -> bytes:
            async with session.post(url + path, data=BODY) as reply:
                return b"" if json.loads(await reply.read())["result"]["returncode"] == 0 else path.encode()

        path = "/v1/slots/s1/step"
        ours = least([await cost_of(with_drums, path, at_once, each) for _ in range(rounds)])
        return ours, least([await cost_of(by_hand, path, at_once, each) for _ in range(rounds)])


def _ms(deed: Callable[[], Any], rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        begun = time.perf_counter()
        deed()
        best = min(best, time.perf_counter() - begun)
    return 1000 * best


def _desktops(rounds: int) -> Iterator[Row]:
    with (
        drums.local.serving(alive_gate_s=0.0) as daemon,
        drums.connect(daemon.url, daemon.token) as client,
        client.create() as env,
    ):
        yield Row("simulated desktop: client.health()", _ms(client.health, rounds * 5), "ms")
        yield Row("simulated desktop: env.step(click)", _ms(lambda: env.step(ACTION), rounds * 5), "ms")
        yield Row("simulated desktop: env.screenshot()", _ms(env.screenshot, rounds * 5), "ms")
        yield Row("simulated desktop: create and close", _ms(lambda: client.create().close(), rounds), "ms")
        yield Row("simulated desktop: fork(1) and close", _ms(lambda: env.fork(1).close(), rounds), "ms")
        yield Row("simulated desktop: fork(8) and close", _ms(lambda: env.fork(8).close(), rounds), "ms")


def rows(*, quick: bool) -> Iterator[Row]:
    """What the SDK's own calls cost."""
    with a_server() as url:
        yield from _steps(url, 2 if quick else 8, 100 if quick else 400)
        ours, theirs = asyncio.run(_steps_at_once(url, 64, 10 if quick else 40, 1 if quick else 3))
        yield Row("await env.step(), all of the SDK, 64 at once", ours.cpu_us, "us", "aiohttp and json", theirs.cpu_us)
    with a_server(slow=True) as url:
        ours, theirs = asyncio.run(_steps_at_once(url, 1000, 3 if quick else 6, 1 if quick else 3))
        what = "1000 rollouts of await env.step(), 200 ms each: 99 of 100 within"
        yield Row(what, ours.p99_ms, "ms", most=400)
        yield Row(what, ours.p99_ms, "ms", "aiohttp and json", theirs.p99_ms)
    yield from _desktops(3 if quick else 10)
