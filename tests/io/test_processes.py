"""Sockets belong to one process: a forked child starts with none, and does not disturb its parent's."""

from __future__ import annotations

import multiprocessing
import sys

import pytest

from drums._core.settings import resolve
from tests.io.programs import asked_elsewhere, output_of
from tests.io.server import Server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no fork here")

SYNC = """
    import os, sys
    from drums._core.settings import Settings
    from drums._core.wire import Request
    from drums._io.sync import Transport

    transport = Transport(Settings(sys.argv[1]))
    def ask(who):
        return transport.send(Request("GET", f"/v1/{who}")).body.decode()
"""

AIO = """
    import asyncio, os, sys
    from drums._core.settings import Settings
    from drums._core.wire import Request
    from drums._io.aio import Transport

    transport = Transport(Settings(sys.argv[1]))
    runner = asyncio.Runner()
    def ask(who):
        return runner.run(transport.send(Request("GET", f"/v1/{who}"))).body.decode()
"""

FORKED = """
    print(ask("parent"), flush=True)
    child = os.fork()
    if not child:
        {anew}
        for _ in range(2):
            print(ask("child"), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    print(ask("parent"))
    {end}
"""

WORKERS = """
    import multiprocessing
    def work(n):
        {anew}
        return ask(f"child{{n}}")
    if __name__ == "__main__":
        print(ask("parent"), flush=True)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(*sorted(pool.map(work, range(2), 1)))
            pool.close()
            pool.join()
        print(ask("parent"))
        {end}
"""

ENDS = {
    "sync": {"anew": "pass", "end": "transport.close()"},
    "aio": {"anew": "runner = asyncio.Runner()", "end": "runner.run(transport.close()); runner.close()"},
}


@pytest.mark.parametrize("side", ["sync", "aio"])
def test_a_forked_child_shares_no_connection_with_its_parent(side: str) -> None:
    program = (SYNC if side == "sync" else AIO) + FORKED.format(**ENDS[side])
    with Server() as server:
        assert output_of(program, server.url).split() == ["/v1/parent", "/v1/child", "/v1/child", "/v1/parent"]
    assert [seen.connection for seen in server.seen] == [1, 2, 2, 1]


@pytest.mark.parametrize("side", ["sync", "aio"])
def test_workers_of_multiprocessing_share_no_connection_with_their_parent(side: str) -> None:
    ends = {**ENDS[side], "anew": ENDS[side]["anew"].replace("runner", "global runner; runner", 1)}
    program = (SYNC if side == "sync" else AIO) + WORKERS.format(**ends)
    with Server() as server:
        assert output_of(program, server.url).split() == ["/v1/parent", "/v1/child0", "/v1/child1", "/v1/parent"]
    by_parent = {seen.connection for seen in server.seen if seen.target == "/v1/parent"}
    by_children = {seen.connection for seen in server.seen if seen.target != "/v1/parent"}
    assert (by_parent, by_parent & by_children) == ({1}, set())


def test_a_worker_with_an_interpreter_of_its_own_takes_the_address_along_and_finds_its_own_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DRUMS_TOKEN", "the-worker-s")
    with Server() as server, multiprocessing.get_context("spawn").Pool(1) as pool:
        settings = resolve(server.url, "the-parent-s")
        assert pool.apply(asked_elsewhere, (settings,)) == b"/v1/worker"
        pool.close()
        pool.join()
    assert server.seen[0].headers["authorization"] == "Bearer the-worker-s"


def test_a_transport_that_nobody_closed_leaves_no_complaint() -> None:
    with Server() as server:
        assert output_of(SYNC + "\n    print(ask('me'))", server.url) == "/v1/me\n"
