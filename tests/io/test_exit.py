"""However a process ends, what it owns is ended with it: once, by its owner alone, and within a bounded time."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.io.programs import output_of, started
from tests.io.server import Peer, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and fork as POSIX has them")

OWNER = """
    import asyncio, os, signal, sys, threading, time
    from drums import _exit
    from drums._core.settings import Settings
    from drums._core.wire import Request

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    settings = Settings(sys.argv[1])

    class Owner:
        def __init__(self, *names):
            self.names = list(names)
        def end_all(self, deadline):
            requests = [Request("DELETE", f"/v1/slots/{name}") for name in self.names]
            for name, reply in zip(list(self.names), _exit.send_all(settings, requests, deadline)):
                if getattr(reply, "status", 0) == 200:
                    self.names.remove(name)

    owner = Owner("s1", "s2", "s3")
    registration = _exit.register(owner.end_all)

    def wait():
        print("ready", flush=True)
        time.sleep(60)
"""


def ended_at(server: Server) -> list[str]:
    """What was deleted, in the order of names; each by one DELETE."""
    assert all(seen.method == "DELETE" for seen in server.seen)
    return sorted(seen.target.rpartition("/")[2] for seen in server.seen)


def run(program: str, server: Server, *signals: int) -> tuple[int, str]:
    """Run it to its end, sending it the signals once it is ready; its exit status and what it said last."""
    with started(OWNER + program, server.url) as process:
        try:
            if signals:
                assert process.stdout is not None
                assert process.stdout.readline() == "ready\n"
            for number in signals:
                process.send_signal(number)
            _, complaints = process.communicate(timeout=30)
        except BaseException:
            process.kill()
            raise
    return process.returncode, complaints.strip().rpartition("\n")[2]


@pytest.mark.parametrize(
    ("program", "status", "last_words"),
    [
        ("pass", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("raise ValueError('broken')", 1, "ValueError: broken"),
        ("asyncio.run(asyncio.sleep(0))", 0, ""),
        ("threading.Thread(target=time.sleep, args=(0.05,)).start()", 0, ""),
    ],
    ids=["end", "exit", "exception", "dead loop", "thread"],
)
def test_a_process_that_ends_ends_what_it_owns(program: str, status: int, last_words: str) -> None:
    with Server() as server:
        assert run(f"\n    {program}\n", server) == (status, last_words)
        assert ended_at(server) == ["s1", "s2", "s3"]


IN_A_LOOP = """
    async def main():
        print("ready", flush=True)
        await asyncio.sleep(60)
    asyncio.run(main())
"""

IN_A_BLOCKED_LOOP = """
    async def main():
        wait()
    asyncio.run(main())
"""

WAITS = {"plain": "\n    wait()\n", "loop": IN_A_LOOP, "blocked loop": IN_A_BLOCKED_LOOP}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("where", sorted(WAITS))
def test_a_signal_ends_what_the_process_owns_and_then_the_process(where: str, number: int) -> None:
    with Server() as server:
        assert run(WAITS[where], server, number)[0] == 128 + number
        assert ended_at(server) == ["s1", "s2", "s3"]


@pytest.mark.parametrize("where", ["plain", "loop"])
def test_ctrl_c_ends_what_the_process_owns(where: str) -> None:
    with Server() as server:
        status, last_words = run(WAITS[where], server, signal.SIGINT)
        assert status != 0
        assert last_words == "KeyboardInterrupt"
        assert ended_at(server) == ["s1", "s2", "s3"]


def test_a_signal_unwinds_the_program_as_an_exit_does() -> None:
    program = """
    try:
        wait()
    finally:
        print("unwound", flush=True)
        assert owner.names == []
        assert 0 < _exit.time_left() <= _exit.LIMIT_S
    """
    with Server() as server:
        assert run(program, server, signal.SIGTERM) == (128 + signal.SIGTERM, "")


@contextmanager
def a_server_that_takes_no_connection() -> Iterator[str]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        yield f"http://127.0.0.1:{port}"
        for filler in fillers:
            filler.close()


@pytest.mark.parametrize("number", [None, signal.SIGTERM])
def test_an_unreachable_server_holds_no_process_back(number: int | None) -> None:
    program = """
    _exit.LIMIT_S, _exit._UNWIND_S = 0.3, 0.2
    print("ready", flush=True)
    if sys.argv[2] != "None":
        time.sleep(60)
    """
    with (
        a_server_that_takes_no_connection() as url,
        started(OWNER + program, url, str(number)) as process,
    ):
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        if number is not None:
            process.send_signal(number)
        process.communicate(timeout=30)
    assert process.returncode == (0 if number is None else 128 + number)


def test_a_server_that_dribbles_holds_no_process_back() -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.dribble(b"H")

    with Server(script) as server:
        assert run("\n    _exit.LIMIT_S = 0.3\n", server) == (0, "")
        assert "s1" in ended_at(server)


FORKED_END = """
    child = os.fork()
    if not child:
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    print("ready", flush=True)
    sys.stdin.read()
    registration.cancel()
"""


def test_a_forked_child_ends_nothing_of_its_parent_s() -> None:
    with Server() as server, started(OWNER + FORKED_END, server.url) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert server.connections == 0
        process.communicate("", timeout=30)
        assert (process.returncode, server.connections) == (0, 0)


def test_a_signal_kills_a_forked_child_as_if_nothing_were_registered() -> None:
    program = """
    child = os.fork()
    if not child:
        os.kill(os.getpid(), signal.SIGTERM)
    assert os.waitpid(child, 0)[1] == signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    registration.cancel()
    """
    with Server() as server:
        assert run(program, server) == (0, "")
        assert server.connections == 0


def test_a_forked_child_ends_what_it_made_itself() -> None:
    program = """
    child = os.fork()
    if not child:
        mine = Owner("child-s")
        _exit.register(mine.end_all)
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    registration.cancel()
    """
    with Server() as server:
        assert run(program, server) == (0, "")
        assert ended_at(server) == ["child-s"]


def test_a_worker_of_multiprocessing_ends_what_it_made_itself_and_nothing_else() -> None:
    program = """
    import multiprocessing
    def work(n):
        global mine
        mine = Owner(f"worker-{n}")
        _exit.register(mine.end_all)
        _exit.register(mine.end_all).cancel()
    workers = [multiprocessing.get_context("fork").Process(target=work, args=(n,)) for n in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    registration.cancel()
    """
    with Server() as server:
        assert run(program, server) == (0, "")
        assert ended_at(server) == ["worker-0", "worker-1"]


@pytest.mark.parametrize("handler", ["SIG_IGN", "print"])
def test_a_signal_that_has_a_handler_keeps_it(handler: str) -> None:
    program = f"""
    import signal
    signal.signal(signal.SIGTERM, {"print" if handler == "print" else "signal.SIG_IGN"})
    from drums import _exit
    registration = _exit.register(id)
    assert signal.getsignal(signal.SIGTERM) is {"print" if handler == "print" else "signal.SIG_IGN"}
    assert signal.getsignal(signal.SIGHUP) is not signal.SIG_DFL
    registration.cancel()
    assert signal.getsignal(signal.SIGTERM) is {"print" if handler == "print" else "signal.SIG_IGN"}
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    """
    output_of(program)


def test_the_last_registration_gives_the_signals_back() -> None:
    program = """
    import signal
    from drums import _exit
    one, two, three = _exit.register(id), _exit.register(id), _exit.register(id, signals=False)
    one.cancel()
    one.cancel()
    assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    two.cancel()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    """
    output_of(program)


def test_a_thread_takes_no_signals_but_ends_what_it_owns() -> None:
    program = """
    registration.cancel()
    def work():
        global mine
        mine = Owner("of-a-thread")
        _exit.register(mine.end_all)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    """
    with Server() as server:
        assert run(program, server) == (0, "")
        assert ended_at(server) == ["of-a-thread"]


def test_a_cancelled_registration_ends_nothing_and_a_signal_kills_as_by_default() -> None:
    with Server() as server:
        assert run("\n    registration.cancel()\n    wait()\n", server, signal.SIGTERM)[0] == -signal.SIGTERM
        assert server.connections == 0


def test_a_registration_keeps_no_client_alive() -> None:
    program = """
    import gc, weakref
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None
    wait()
    """
    with Server() as server:
        assert run(program, server, signal.SIGTERM)[0] == -signal.SIGTERM
        assert server.connections == 0


def test_a_clean_up_that_fails_is_told_and_keeps_no_other_from_its_own() -> None:
    program = """
    import logging
    logging.basicConfig(format="%(name)s: %(message)s")
    def fail(deadline):
        raise ValueError("no way")
    _exit.register(fail)
    """
    with Server() as server:
        assert run(program, server) == (0, "ValueError: no way")
        assert ended_at(server) == ["s1", "s2", "s3"]


def test_a_second_signal_kills_at_once() -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.server.closing.wait()

    with Server(script) as server, started(OWNER + WAITS["plain"], server.url) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.2)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        assert process.returncode == -signal.SIGTERM


def test_a_lock_that_the_interrupted_thread_holds_only_delays_the_end() -> None:
    program = """
    _exit._UNWIND_S = 0.1
    lock = threading.Lock()
    def locked(deadline):
        with lock:
            pass
    keep = _exit.register(locked)
    with lock:
        wait()
    """
    with Server() as server:
        assert run(program, server, signal.SIGTERM) == (128 + signal.SIGTERM, "")
        assert ended_at(server) == ["s1", "s2", "s3"]


def test_a_program_that_survives_a_signal_goes_on_and_ends_the_rest_at_its_end() -> None:
    program = """
    try:
        wait()
    except SystemExit:
        pass
    assert _exit.time_left() == float("inf")
    owner.names = ["s4"]
    """
    with Server() as server:
        assert run(program, server, signal.SIGTERM) == (0, "")
        assert ended_at(server) == ["s1", "s2", "s3", "s4"]
