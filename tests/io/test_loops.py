"""The asynchronous transport and its event loop: bound to the one that runs, gone with it, at peace with another."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import TYPE_CHECKING

import pytest

from drums._core.settings import Settings
from drums._io.aio import Transport
from tests.io.programs import output_of
from tests.io.server import Peer, Server
from tests.io.sides import get, post

if TYPE_CHECKING:
    from drums._core.wire import Reply

PROGRAM = """
    import asyncio, sys
    from drums._core.settings import Settings
    from drums._core.wire import Request
    from drums._io.aio import Transport

    transport = Transport(Settings(sys.argv[1]))
    async def ask(who):
        print((await transport.send(Request("GET", f"/v1/{who}"))).body.decode(), flush=True)
"""


def test_a_loop_that_ends_takes_its_connections_along_and_complains_of_nothing() -> None:
    program = """
    asyncio.run(ask("one"))
    asyncio.run(ask("two"))
    """
    with Server() as server:
        assert output_of(PROGRAM + program, server.url).split() == ["/v1/one", "/v1/two"]
        for _ in range(2):
            assert server.over.acquire(timeout=10)
    assert [seen.connection for seen in server.seen] == [1, 2]


def test_a_loop_that_is_closed_by_hand_does_not_spoil_the_next_one() -> None:
    program = """
    loop = asyncio.new_event_loop()
    loop.run_until_complete(ask("one"))
    loop.close()
    asyncio.run(ask("two"))
    """
    # asyncio itself tells that its transports were not closed before its loop was.
    quiet = ("-W", "ignore:unclosed transport:ResourceWarning")
    with Server() as server:
        assert output_of(PROGRAM + program, server.url, flags=quiet).split() == ["/v1/one", "/v1/two"]
    assert [seen.connection for seen in server.seen] == [1, 2]


def test_a_program_may_end_with_its_loop_still_open() -> None:
    program = """
    runner = asyncio.Runner()
    runner.run(ask("one"))
    runner.close()
    """
    with Server() as server:
        assert output_of(PROGRAM + program, server.url).split() == ["/v1/one"]


def test_two_loops_in_two_threads_have_connections_of_their_own() -> None:
    with Server() as server:
        transport = Transport(Settings(server.url))
        turn = threading.Barrier(2, timeout=10)

        async def work(name: int) -> None:
            for _ in range(5):
                turn.wait()
                reply = await transport.send(get(f"/v1/{name}"))
                assert reply.body == f"/v1/{name}".encode()

        threads = [threading.Thread(target=lambda name=name: asyncio.run(work(name))) for name in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.connections == 2
    assert len(server.seen) == 10


async def test_a_transport_that_nobody_holds_closes_its_connections() -> None:
    with Server() as server:
        transport = Transport(Settings(server.url))
        await transport.send(get())
        del transport
        gc.collect()
        await asyncio.to_thread(server.over.acquire, timeout=10)
        assert server.connections == 1


async def test_a_transport_closed_on_one_loop_is_closed_on_the_other_too() -> None:
    with Server() as server:
        transport = Transport(Settings(server.url))
        await transport.send(get())
        await asyncio.to_thread(asyncio.run, transport.close())
        gc.collect()
        assert await asyncio.to_thread(server.over.acquire, timeout=10)


async def test_a_cancelled_request_gives_up_its_connection_and_no_other() -> None:
    arrived = threading.Semaphore(0)

    def script(peer: Peer) -> None:
        seen = peer.request()
        while seen.method == "GET":
            peer.answer()
            seen = peer.request()
        arrived.release()
        peer.until_gone()

    with Server(script) as server:
        transport = Transport(Settings(server.url))
        waiting = asyncio.create_task(transport.send(post()))
        assert await asyncio.to_thread(arrived.acquire, timeout=10)
        await transport.send(get())
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await asyncio.to_thread(server.over.acquire, timeout=10)
        await transport.send(get())
        await transport.close()
    assert [(seen.method, seen.connection) for seen in server.seen] == [("POST", 1), ("GET", 2), ("GET", 2)]


async def test_hundreds_of_requests_go_at_once_and_each_gets_its_own_reply() -> None:
    together = threading.Barrier(200, timeout=30)

    def script(peer: Peer) -> None:
        seen = peer.request()
        together.wait()
        peer.answer(seen.target.encode())

    with Server(script) as server:
        transport = Transport(Settings(server.url))

        async def ask(name: int) -> Reply:
            return await transport.send(get(f"/v1/{name}"))

        replies = await asyncio.gather(*(ask(name) for name in range(200)))
        await transport.close()
    assert [reply.body for reply in replies] == [f"/v1/{name}".encode() for name in range(200)]
