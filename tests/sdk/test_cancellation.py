"""Cancelled halfway, a create or fork leaves nothing behind: on the server, in the client, and on the loop."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import pytest

import drums
import drums.aio
from tests.sdk.held import HeldOnALoop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from drums.local import InProcess


@pytest.fixture
async def client(daemon: InProcess) -> AsyncIterator[drums.aio.Client]:
    async with drums.aio.connect(daemon.url, daemon.token, retry_s=0) as client:
        yield client


@pytest.fixture
def onlooker(daemon: InProcess) -> drums.Client:
    """Another client, which sees what is really there."""
    return drums.connect(daemon.url, daemon.token)


def there(onlooker: drums.Client) -> list[str]:
    return [env.id for env in onlooker.envs()]


async def test_a_create_that_is_cancelled_while_its_reply_is_outstanding_is_undone(
    client: drums.aio.Client, onlooker: drums.Client
) -> None:
    held = HeldOnALoop(client, "POST", "/slots")
    creating = asyncio.create_task(client.create())
    await held.arrived.wait()
    assert len(there(onlooker)) == 1
    creating.cancel()
    await asyncio.sleep(0)
    assert not creating.done(), "it waits for the reply, which alone tells what to end"
    held.release.set()
    with pytest.raises(asyncio.CancelledError):
        await creating
    assert (there(onlooker), client.owned_envs()) == ([], [])


async def test_a_create_that_is_cancelled_again_and_again_is_undone(
    client: drums.aio.Client, onlooker: drums.Client
) -> None:
    held = HeldOnALoop(client, "POST", "/slots")
    creating = asyncio.create_task(client.create())
    await held.arrived.wait()
    for _ in range(5):
        creating.cancel()
        await asyncio.sleep(0)
    held.release.set()
    with pytest.raises(asyncio.CancelledError):
        await creating
    assert (there(onlooker), client.owned_envs()) == ([], [])


async def test_a_create_that_runs_out_of_its_callers_time_is_undone(
    client: drums.aio.Client, onlooker: drums.Client
) -> None:
    held = HeldOnALoop(client, "POST", "/slots")
    timeout = asyncio.timeout(None)

    async def create() -> None:
        async with timeout:
            await client.create()

    creating = asyncio.create_task(create())
    await held.arrived.wait()
    timeout.reschedule(asyncio.get_running_loop().time())
    held.release.set()
    with pytest.raises(TimeoutError):
        await creating
    assert (there(onlooker), client.owned_envs()) == ([], [])


async def test_a_fork_that_is_cancelled_is_undone_with_its_state(
    client: drums.aio.Client, onlooker: drums.Client
) -> None:
    env = await client.create()
    held = HeldOnALoop(client, "POST", "/branch")
    forking = asyncio.create_task(env.fork(3))
    await held.arrived.wait()
    assert len(there(onlooker)) == 4
    forking.cancel()
    held.release.set()
    with pytest.raises(asyncio.CancelledError):
        await forking
    assert there(onlooker) == [env.id]
    assert [image.kind for image in onlooker.images()] == ["image"]
    assert client.owned_envs() == [env]
    assert (await env.step("pyautogui.click(1, 2)")).result.returncode == 0


async def test_a_batch_that_is_cancelled_ends_what_was_made_and_what_is_being_made(
    client: drums.aio.Client, onlooker: drums.Client
) -> None:
    first = asyncio.Event()
    own = client._session.own

    def owned(env: drums.aio.Env) -> None:
        own(env)
        first.set()

    client._session.own = owned  # type: ignore[method-assign]
    batch = asyncio.create_task(client.create_many(6, workers=2))
    await first.wait()
    batch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await batch
    assert (there(onlooker), client.owned_envs()) == ([], [])


async def test_what_cannot_be_undone_stays_owned_and_is_told_to_the_log(
    client: drums.aio.Client, daemon: InProcess, onlooker: drums.Client, caplog: pytest.LogCaptureFixture
) -> None:
    held = HeldOnALoop(client, "POST", "/slots")
    daemon.faults.drop_before("delete_slot")
    creating = asyncio.create_task(client.create())
    await held.arrived.wait()
    creating.cancel()
    held.release.set()
    with pytest.raises(asyncio.CancelledError):
        await creating
    (left,) = client.owned_envs()
    assert there(onlooker) == [left.id]
    assert f"{left.id} was not closed" in caplog.text
    await client.close()
    assert there(onlooker) == []


async def test_a_server_that_never_answers_does_not_hold_a_cancelled_caller_for_ever(
    client: drums.aio.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drums.aio._session.GRACE_S", 0.05)
    held = HeldOnALoop(client, "POST", "/slots")
    creating = asyncio.create_task(client.create())
    await held.arrived.wait()
    creating.cancel()
    with pytest.raises(asyncio.CancelledError):
        await creating
    assert not held.release.is_set()


async def test_a_create_that_fails_while_its_caller_is_cancelled_is_a_cancellation(
    client: drums.aio.Client, daemon: InProcess
) -> None:
    daemon.faults.fail_restore()
    held = HeldOnALoop(client, "POST", "/slots")
    creating = asyncio.create_task(client.create())
    await held.arrived.wait()
    creating.cancel()
    held.release.set()
    with pytest.raises(asyncio.CancelledError):
        await creating
    assert client.owned_envs() == []


async def test_a_finished_create_is_handed_over_and_not_undone(
    client: drums.aio.Client, onlooker: drums.Client
) -> None:
    env = await asyncio.create_task(client.create())
    assert there(onlooker) == [env.id]


async def test_a_block_that_is_cancelled_closes_what_it_made(daemon: InProcess, onlooker: drums.Client) -> None:
    made = asyncio.Event()

    async def block() -> None:
        async with drums.aio.connect(daemon.url, daemon.token) as client, await client.create() as env:
            await env.fork(2)
            made.set()
            await asyncio.Event().wait()

    running = asyncio.create_task(block())
    await made.wait()
    assert len(there(onlooker)) == 3
    for _ in range(3):
        running.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await running
    assert there(onlooker) == []


def test_a_create_in_flight_when_the_program_ends_is_undone(daemon: InProcess, onlooker: drums.Client) -> None:
    """`asyncio.run` cancels whatever still runs when its main coroutine is over."""

    async def main() -> None:
        client = await drums.aio.connect(daemon.url, daemon.token)
        held = HeldOnALoop(client, "POST", "/slots")
        creating = asyncio.create_task(client.create())
        await held.arrived.wait()
        asyncio.get_running_loop().call_later(0.05, held.release.set)
        assert not creating.done()

    asyncio.run(main())
    assert there(onlooker) == []


def test_a_program_that_cancels_every_task_ends_no_create_halfway(daemon: InProcess, onlooker: drums.Client) -> None:
    """What signal handlers of servers do: `for task in asyncio.all_tasks(): task.cancel()`."""

    async def main() -> Any:
        client = await drums.aio.connect(daemon.url, daemon.token)
        held = HeldOnALoop(client, "POST", "/slots")
        creating = asyncio.create_task(client.create())
        await held.arrived.wait()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        held.release.set()
        await asyncio.wait((creating,))
        await client.close()
        return creating.cancelled()

    assert asyncio.run(main())
    assert there(onlooker) == []


async def test_a_map_that_is_cancelled_cancels_its_calls(client: drums.aio.Client) -> None:
    entered = asyncio.Event()
    ended: list[int] = []

    async def call(item: int) -> None:
        try:
            entered.set()
            await asyncio.Event().wait()
        finally:
            ended.append(item)

    mapping = asyncio.create_task(client.map(call, range(10), workers=4))
    await entered.wait()
    mapping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await mapping
    assert ended == [0, 1, 2, 3][: len(ended)]
    assert ended


async def test_a_cancelled_request_is_logged_as_interrupted(
    client: drums.aio.Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="drums")
    held = HeldOnALoop(client, "GET", "/health")
    asking = asyncio.create_task(client.health())
    await held.arrived.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert "GET /v1/health interrupted" in caplog.text
