"""Ctrl-C halfway through a sync create or fork leaves nothing behind."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING, Any

import pytest

import drums
from tests.sdk.held import HeldInAThread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from drums.local import InProcess


@pytest.fixture
def client(daemon: InProcess) -> Iterator[drums.Client]:
    with drums.connect(daemon.url, daemon.token, retry_s=0) as client:
        yield client


@pytest.fixture
def onlooker(daemon: InProcess) -> drums.Client:
    """Another client, which sees what is really there."""
    return drums.connect(daemon.url, daemon.token)


def there(onlooker: drums.Client) -> list[str]:
    return [env.id for env in onlooker.envs()]


def pressed_after(event: threading.Event) -> None:
    """Press Ctrl-C when the time has come."""
    assert event.wait(30)
    os.kill(os.getpid(), signal.SIGINT)


def interrupted(client: drums.Client, ending: str, work: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the work in this thread, the main one, and press Ctrl-C while its reply is outstanding.

    The reply comes as soon as the work waits for it, interrupted, and asks how long it may.
    """
    held = HeldInAThread(client, "POST", ending)
    grace_s = client._session.grace_s

    def released() -> float:
        held.release.set()
        return grace_s()

    monkeypatch.setattr(client._session, "grace_s", released)

    finger = threading.Thread(target=pressed_after, args=(held.arrived,))
    finger.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    finger.join()


def test_a_create_is_undone(client: drums.Client, onlooker: drums.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(client, "/slots", client.create, monkeypatch)
    assert (there(onlooker), client.owned_envs()) == ([], [])


def test_a_fork_is_undone_with_its_state(
    client: drums.Client, onlooker: drums.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = client.create()
    interrupted(client, "/branch", lambda: env.fork(3), monkeypatch)
    assert there(onlooker) == [env.id]
    assert [image.kind for image in onlooker.images()] == ["image"]
    assert client.owned_envs() == [env]
    assert env.step("pyautogui.click(1, 2)").result.returncode == 0


def test_what_cannot_be_undone_stays_owned(
    client: drums.Client,
    daemon: InProcess,
    onlooker: drums.Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    daemon.faults.drop_before("delete_slot")
    interrupted(client, "/slots", client.create, monkeypatch)
    (left,) = client.owned_envs()
    assert there(onlooker) == [left.id]
    assert f"{left.id} was not closed" in caplog.text


def test_a_server_that_never_answers_does_not_hold_the_caller_for_ever(
    client: drums.Client, onlooker: drums.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When its answer comes after all, what it made is owned, and closed with the client."""
    held = HeldInAThread(client, "POST", "/slots")
    came, own = threading.Event(), client._session.own

    def owned(env: drums.Env) -> None:
        own(env)
        came.set()

    monkeypatch.setattr(client._session, "own", owned)
    monkeypatch.setattr(client._session, "grace_s", lambda: 0.05)
    finger = threading.Thread(target=pressed_after, args=(held.arrived,))
    finger.start()
    with pytest.raises(KeyboardInterrupt):
        client.create()
    finger.join()
    held.release.set()
    assert came.wait(30)
    assert there(onlooker) == [env.id for env in client.owned_envs()]
    client.close()
    assert there(onlooker) == []


def test_a_block_that_is_interrupted_closes_what_it_made(daemon: InProcess, onlooker: drums.Client) -> None:
    def block() -> None:
        with drums.connect(daemon.url, daemon.token) as client, client.create() as env, env.fork(2):
            assert len(there(onlooker)) == 3
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        block()
    assert there(onlooker) == []


def test_in_another_thread_a_create_is_a_plain_call(client: drums.Client) -> None:
    """Only the main thread can be interrupted, so no other needs a thread to be safe from it."""
    names: list[str] = []
    send = client._session.send_making

    def told(call: Any) -> Any:
        names.append(threading.current_thread().name)
        return send(call)

    client._session.send_making = told  # type: ignore[method-assign]
    worker = threading.Thread(target=client.create, name="worker")
    worker.start()
    worker.join()
    client.create()
    assert names[0] == "worker"
    assert names[1] not in {"worker", "MainThread"}
