"""One call after the other from one thread, over plain HTTP and over TLS."""

from __future__ import annotations

import os
import ssl
import time
import urllib.request
from contextlib import ExitStack
from typing import TYPE_CHECKING

import httpx

from benchmarks.server import a_server, certificate
from benchmarks.table import Row
from drums._core.settings import Settings
from drums._core.wire import Request
from drums._io.sync import Transport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Fetch = Callable[[str], bytes]

TOKEN = {"Authorization": "Bearer benchmark"}


def _clients(url: str, stack: ExitStack) -> dict[str, Fetch]:
    """What fetches a path's body from the server, by name."""
    context = ssl.create_default_context(cafile=certificate())
    transport = Transport(Settings(url, "benchmark"))
    stack.callback(transport.close)
    client = stack.enter_context(httpx.Client(headers=TOKEN, verify=context, timeout=60))

    # As `urlopen` does it, but without reading the authorities anew for each connection.
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context))

    def with_urllib(path: str) -> bytes:
        request = urllib.request.Request(url + path, headers=TOKEN)
        with opener.open(request, timeout=60) as reply:
            return bytes(reply.read())

    return {
        "drums": lambda path: transport.send(Request("GET", path)).body,
        "urllib, new connection": with_urllib,
        "httpx": lambda path: client.get(url + path).content,
    }


def cpu_us(fetch: Fetch, path: str, calls: int) -> float:
    """Microseconds of CPU for one call."""
    begun = time.process_time()
    for _ in range(calls):
        fetch(path)
    return 1e6 * (time.process_time() - begun) / calls


def rows(*, quick: bool) -> Iterator[Row]:
    """Microseconds of CPU a call."""
    os.environ["SSL_CERT_FILE"] = certificate()
    for tls in (False, True):
        for path, calls in (("/step", 400), ("/png", 100)):
            with a_server(tls=tls) as url, ExitStack() as stack:
                clients = _clients(url, stack)
                least = dict.fromkeys(clients, float("inf"))
                for _ in range(2 if quick else 8):
                    for name, fetch in clients.items():
                        fetch(path)
                        least[name] = min(least[name], cpu_us(fetch, path, calls // 4 if quick else calls))
            what = f"sync {'https' if tls else 'http'} {'screenshot of 400 kB' if path == '/png' else 'step'}"
            for peer in ("urllib, new connection", "httpx"):
                most = (0.25 if tls else 1.0) if peer != "httpx" and path == "/step" else None
                yield Row(what, least["drums"], "us", peer, least[peer], most)
