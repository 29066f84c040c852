"""`run_each`, `finish` and their like: the same on threads and on a loop, and honest when interrupted."""

from __future__ import annotations

import asyncio
import inspect
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import pytest

from drums._core.wire import Request, TransportError
from drums._io import aio, sync
from tests.io.programs import output_of, started

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def test_both_sides_have_the_same_names_with_the_same_arguments() -> None:
    # Only what can be awaited and entered needs a class for that; the converter writes the plain type in its place.
    assert set(aio.__all__) - set(sync.__all__) == {"Opening"}
    assert set(sync.__all__) <= set(aio.__all__)
    for name in sync.__all__:
        ours, theirs = getattr(sync, name), getattr(aio, name)
        if inspect.isfunction(ours):
            assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)
        if inspect.isclass(ours):
            public = {member for member in vars(ours) if not member.startswith("_")}
            assert public == {member for member in vars(theirs) if not member.startswith("_")}


def test_run_each_keeps_the_order_and_drops_nothing_on_threads() -> None:
    def work(n: int) -> int:
        if n % 3 == 0:
            raise ValueError(n)
        if n % 7 == 0:
            raise SystemExit(n)
        return n * n

    outcomes = sync.run_each(work, range(50), 8)
    check_outcomes(outcomes)


async def test_run_each_keeps_the_order_and_drops_nothing_on_a_loop() -> None:
    async def work(n: int) -> int:
        await asyncio.sleep(0)
        if n % 3 == 0:
            raise ValueError(n)
        if n % 7 == 0:
            raise asyncio.CancelledError(n)
        return n * n

    check_outcomes(await aio.run_each(work, range(50), 8))


def check_outcomes(outcomes: list[int | BaseException]) -> None:
    assert len(outcomes) == 50
    for n, outcome in enumerate(outcomes):
        if isinstance(outcome, BaseException):
            assert outcome.args == (n,)
            assert n % 3 == 0 or n % 7 == 0
        else:
            assert outcome == n * n


@pytest.mark.parametrize("workers", [1, 3, 100])
def test_threads_are_as_many_as_asked_for(workers: int) -> None:
    together = threading.Barrier(min(workers, 12), timeout=10)
    at_once, most, lock = 0, 0, threading.Lock()

    def work(n: int) -> int:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        together.wait()
        with lock:
            at_once -= 1
        return n

    assert sync.run_each(work, range(12), workers) == list(range(12))
    assert most <= workers


@pytest.mark.parametrize("workers", [1, 3, 100])
async def test_tasks_are_as_many_as_asked_for(workers: int) -> None:
    together = asyncio.Barrier(min(workers, 12))
    at_once, most = 0, 0

    async def work(n: int) -> int:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await together.wait()
        at_once -= 1
        return n

    assert await aio.run_each(work, range(12), workers) == list(range(12))
    assert most <= workers


def test_where_there_is_no_thread_to_be_had_the_calls_are_made_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert sync.run_each(lambda n: (n, threading.current_thread()), range(3), 8) == [
        (n, threading.main_thread()) for n in range(3)
    ]


async def test_nothing_to_do_is_done_at_once() -> None:
    async def never(n: int) -> int:
        raise AssertionError(n)

    def nor(n: int) -> int:
        raise AssertionError(n)

    assert await aio.run_each(never, [], 4) == []
    assert sync.run_each(nor, [], 4) == []


async def test_a_cancelled_run_cancels_what_is_under_way_and_starts_no_more() -> None:
    begun: list[int] = []
    ended: list[int] = []
    all_begun = asyncio.Event()

    async def work(n: int) -> None:
        begun.append(n)
        if len(begun) == 3:
            all_begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append(n)

    run = asyncio.create_task(aio.run_each(work, range(10), 3))
    await all_begun.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert (begun, sorted(ended)) == ([0, 1, 2], [0, 1, 2])


def test_ctrl_c_starts_no_more_and_waits_for_what_is_under_way() -> None:
    program = """
    import signal, threading, time
    from drums._io import sync

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    interrupted = threading.Event()
    def monotonic():
        interrupted.set()  # asked for only once the interruption has arrived
        return time.monotonic()
    sync.monotonic = monotonic

    def work(n):
        print("begun", n, flush=True)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        assert interrupted.wait(10)
        print("ended", n, flush=True)
    try:
        sync.run_each(work, range(5), 1)
    except KeyboardInterrupt:
        print("interrupted")
    """
    assert output_of(program).splitlines() == ["begun 0", "ended 0", "interrupted"]


def test_a_call_that_hangs_in_a_thread_does_not_keep_the_process_from_ending() -> None:
    program = """
    import signal, threading
    from drums._io import sync
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sync.GRACE_S = 0.1
    def work(n):
        print("begun", flush=True)
        threading.Event().wait()
    sync.run_each(work, range(5), 2)
    """
    with started(program) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["begun\n"] * 2
        process.send_signal(2)
        _, complaints = process.communicate(timeout=30)
    assert complaints.endswith("KeyboardInterrupt\n")


async def test_finish_runs_to_its_end_though_its_caller_is_cancelled_twice() -> None:
    begun, go, done = asyncio.Event(), asyncio.Event(), False

    async def clean_up(value: int, *, more: int) -> int:
        nonlocal done
        begun.set()
        await go.wait()
        done = True
        return value + more

    caller = asyncio.create_task(aio.finish(clean_up, 1, more=2))
    await begun.wait()
    for _ in range(2):
        caller.cancel()
        await asyncio.sleep(0)
    assert not done
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert done


async def test_finish_gives_what_its_function_gives() -> None:
    async def give(value: int) -> int:
        return value

    async def fail(value: int) -> int:
        raise ValueError(value)

    assert await aio.finish(give, 5) == 5
    with pytest.raises(ValueError, match="6"):
        await aio.finish(fail, 6)
    assert sync.finish(abs, -5) == 5


async def test_a_clean_up_that_fails_while_its_caller_is_cancelled_is_the_cancellation_s_cause() -> None:
    go = asyncio.Event()

    async def fail() -> None:
        await go.wait()
        raise ValueError("not cleaned")

    caller = asyncio.create_task(aio.finish(fail))
    await asyncio.sleep(0)
    caller.cancel()
    await asyncio.sleep(0)
    go.set()
    with pytest.raises(asyncio.CancelledError) as caught:
        await caller
    assert str(caught.value.__cause__) == "not cleaned"


async def test_a_cancelled_finish_works_inside_a_timeout() -> None:
    ended = False

    async def clean_up() -> None:
        nonlocal ended
        await asyncio.sleep(0.05)
        ended = True

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await aio.finish(clean_up)
    assert ended


def test_a_lock_of_threads_locks_and_one_of_a_loop_does_not() -> None:
    lock = sync.thread_lock()
    with lock:
        assert isinstance(lock, type(threading.Lock()))
        assert lock.locked()
    free = aio.thread_lock()
    with free, free:
        pass


async def test_sleeping_no_time_is_no_error() -> None:
    for seconds in (0.0, -1.0):
        sync.sleep(seconds)
        await aio.sleep(seconds)


class Daemon:
    """Stands for the daemon inside this process: answers as a test says."""

    token = "drums_sk_" + "b2" * 8

    def __init__(self, answer: Callable[[Future[tuple[int, dict[str, str], bytes]]], object]) -> None:
        self._answer = answer
        self.asked: list[tuple[str, str, Mapping[str, str], bytes | None]] = []
        self.futures: list[Future[tuple[int, dict[str, str], bytes]]] = []

    def submit(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes | None
    ) -> Future[tuple[int, dict[str, str], bytes]]:
        self.asked.append((method, target, headers, body))
        future: Future[tuple[int, dict[str, str], bytes]] = Future()
        self.futures.append(future)
        self._answer(future)
        return future


def asked(side: str, daemon: Daemon, request: Request) -> Any:
    if side == "sync":
        return sync.InProcessTransport(daemon).send(request)
    return asyncio.run(aio.InProcessTransport(daemon).send(request))


def test_the_daemon_inside_is_asked_as_one_outside(side: str) -> None:
    daemon = Daemon(lambda future: future.set_result((201, {"X-Request-Id": "r1"}, b"{}")))
    reply = asked(side, daemon, Request("POST", "/v1/slots", b"{}", 5.0))
    assert (reply.status, dict(reply.headers), reply.body) == (201, {"x-request-id": "r1"}, b"{}")
    [(method, target, headers, body)] = daemon.asked
    assert (method, target, body) == ("POST", "/v1/slots", b"{}")
    assert headers["authorization"] == f"Bearer {daemon.token}"
    assert headers["content-type"] == "application/json"


def test_a_connection_that_the_daemon_inside_drops_leaves_open_what_was_done(side: str) -> None:
    daemon = Daemon(lambda future: future.set_exception(ConnectionResetError()))
    with pytest.raises(TransportError) as caught:
        asked(side, daemon, Request("POST", "/v1/slots", b"{}", 5.0))
    assert (caught.value.sent, caught.value.timed_out) == ("maybe", False)


def test_a_daemon_inside_that_does_not_answer_is_left_when_the_time_is_up(side: str) -> None:
    daemon = Daemon(id)
    with pytest.raises(TransportError) as caught:
        asked(side, daemon, Request("GET", "/v1/health", None, 0.05))
    assert (caught.value.sent, caught.value.timed_out) == ("maybe", True)
    assert daemon.futures[0].cancelled()
