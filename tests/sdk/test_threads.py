"""One client used from many threads at once, with a switch after every few bytecodes."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import drums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from drums.local import InProcess


@pytest.fixture
def hasty() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def client(daemon: InProcess) -> Iterator[drums.Client]:
    with drums.connect(daemon.url, daemon.token, retry_s=0) as client:
        yield client


@pytest.mark.usefixtures("hasty")
def test_many_threads_share_one_client(client: drums.Client) -> None:
    def life(number: int) -> int:
        with client.create() as env:
            env.step(f"pyautogui.click({number}, {number})")
            with env.fork(2, keep_state=False) as children:
                for child in children:
                    child.screenshot()
            return env.steps

    assert client.map(life, range(24), workers=12) == [1] * 24
    assert client.owned_envs() == []
    assert client.envs() == []


@pytest.mark.usefixtures("hasty")
def test_what_many_threads_make_is_all_owned(client: drums.Client) -> None:
    made = client.create_many(16, workers=16)
    assert {env.id for env in client.owned_envs()} == {env.id for env in made}
    closed = client.close()
    assert {env_id for env_id, error in closed if error is None} == {env.id for env in made}
    assert client.owned_envs() == []


def test_map_keeps_the_order_and_drops_nothing(client: drums.Client) -> None:
    def half(number: int) -> int:
        if number % 3 == 0:
            raise ValueError(number)
        return number

    outcomes = client.map(half, range(10), workers=4)
    assert [outcome if isinstance(outcome, int) else type(outcome) for outcome in outcomes] == [
        ValueError if number % 3 == 0 else number for number in range(10)
    ]
    assert client.map(half, []) == []


@pytest.mark.parametrize("workers", [0, -1, True, 1.5, None])
def test_map_with_no_workers_is_refused(client: drums.Client, workers: Any) -> None:
    with pytest.raises(drums.BadRequest):
        client.map(str, [1], workers=workers)
    with pytest.raises(drums.BadRequest):
        client.create_many(1, workers=workers)


class Failing(Executor):
    """Takes two calls, then is broken; cancels one of those it took."""

    def __init__(self) -> None:
        self.taken: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if len(self.taken) == 2:
            raise RuntimeError("broken")
        future: Future[Any] = Future()
        if self.taken:
            future.cancel()
        else:
            future.set_result(fn(*args, **kwargs))
        self.taken.append(future)
        return future


def test_an_executor_that_breaks_loses_no_item(client: drums.Client) -> None:
    outcomes = client.map(str, [1, 2, 3, 4], executor=Failing())
    assert outcomes[0] == "1"
    assert [type(outcome).__name__ for outcome in outcomes[1:]] == ["CancelledError", "RuntimeError", "RuntimeError"]


def test_any_executor_will_do(client: drums.Client) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert client.map(len, ["a", "bb", "ccc"], executor=pool) == [1, 2, 3]
        (fault,) = client.map(int, ["one"], executor=pool)
        assert isinstance(fault, ValueError)


def what_a_worker_sees(env: drums.Env) -> tuple[str, str | None, int]:
    """In another process: a desktop that came by pickle is driven from there."""
    env.step("pyautogui.click(3, 4)")
    return env.id, env.refresh().record.state, len(env.client.owned_envs())


def test_desktops_can_be_driven_from_other_processes(
    client: drums.Client, daemon: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRUMS_TOKEN", daemon.token)
    made = client.create_many(3)
    import multiprocessing

    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        outcomes = client.map(what_a_worker_sees, made, executor=pool)
    assert outcomes == [(env.id, "ready", 0) for env in made]
    assert {env.id for env in client.envs()} == {env.id for env in made}
    assert [(env.metrics().operations["step"].count) for env in made] == [1, 1, 1]


def test_a_sync_call_works_while_a_loop_runs(client: drums.Client) -> None:
    import asyncio

    async def main() -> str:
        return client.health().version

    assert asyncio.run(main())
    assert threading.current_thread() is threading.main_thread()
