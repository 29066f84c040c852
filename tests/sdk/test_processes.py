"""The end of a process, a fork of it, and what a pickle carries: whose desktops live on, and whose do not."""

from __future__ import annotations

import asyncio
import copy
import os
import pickle
import signal
from typing import TYPE_CHECKING

import pytest

import drums
import drums.aio
from tests.io.programs import output_of, started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local import InProcess


@pytest.fixture(autouse=True)
def _environment(daemon: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRUMS_URL", daemon.url or "")
    monkeypatch.setenv("DRUMS_TOKEN", daemon.token)


@pytest.fixture
def client(daemon: InProcess) -> Iterator[drums.Client]:
    with drums.connect(daemon.url, daemon.token, retry_s=0) as client:
        yield client


def there(client: drums.Client) -> set[str]:
    return {env.id for env in client.envs()}


# --- the end of a process ---------------------------------------------------------------------------------------------

ENDS = {
    "the end of the program": "",
    "sys.exit": "import sys; sys.exit(0)",
    "a client that was dropped": "del client, env",
}


@pytest.mark.parametrize("how", ENDS)
def test_an_end_in_order_closes_what_was_made(client: drums.Client, how: str) -> None:
    program = f"import drums; client = drums.connect(); env = client.create(); env.fork(2); print(env.id)\n{ENDS[how]}"
    assert output_of(program).strip()
    assert there(client) == set()


def test_the_end_of_an_asyncio_program_closes_what_was_made(client: drums.Client) -> None:
    output_of(
        """
        import asyncio, drums.aio
        async def main():
            client = await drums.aio.connect()
            env = await client.create()
            await env.fork(2)
        asyncio.run(main())
        """
    )
    assert there(client) == set()


def test_an_end_by_an_error_closes_what_was_made(client: drums.Client) -> None:
    with started("import drums; env = drums.connect().create(); raise SystemError('on purpose')") as process:
        _, complaints = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "on purpose" in complaints
    assert there(client) == set()


WAITING = """
    import sys, drums
    client = drums.connect()
    env = client.create()
    print(env.id, flush=True)
    sys.stdin.read()
"""
WAITING_ON_A_LOOP = """
    import asyncio, sys, drums.aio
    async def main():
        async with drums.aio.connect() as client:
            env = await client.create()
            print(env.id, flush=True)
            await asyncio.Event().wait()
    asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("program", [WAITING, WAITING_ON_A_LOOP], ids=["sync", "asyncio"])
def test_a_signal_closes_what_was_made_and_says_which_it_was(
    client: drums.Client, program: str, number: signal.Signals
) -> None:
    with started(program) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() in there(client)
        process.send_signal(number)
        process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert there(client) == set()


@pytest.mark.parametrize("program", [WAITING, WAITING_ON_A_LOOP], ids=["sync", "asyncio"])
def test_ctrl_c_closes_what_was_made(client: drums.Client, program: str) -> None:
    with started(program) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() in there(client)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode in {130, -signal.SIGINT}
    assert there(client) == set()


def test_a_signal_in_the_middle_of_a_create_closes_what_it_made(client: drums.Client) -> None:
    """The reply comes while the process is already on its way out."""
    with started(
        """
        import os, signal, threading, drums
        from tests.sdk.held import HeldInAThread
        client = drums.connect()
        held = HeldInAThread(client, "POST", "/slots")
        grace_s = client._session.grace_s
        def released():
            held.release.set()
            return grace_s()
        client._session.grace_s = released
        threading.Thread(target=lambda: held.arrived.wait() and os.kill(os.getpid(), signal.SIGTERM)).start()
        client.create()
        print("never reached")
        """
    ) as process:
        printed, _ = process.communicate(timeout=60)
    assert (process.returncode, printed) == (128 + signal.SIGTERM, "")
    assert there(client) == set()


def test_a_client_may_be_told_to_leave_its_desktops(client: drums.Client) -> None:
    program = "import drums; print(drums.connect(close_on_exit=False).create().id)"
    made = output_of(program, flags=("-W", "ignore::ResourceWarning")).strip()
    assert there(client) == {made}


def test_a_handler_of_the_programs_own_is_left_in_place() -> None:
    assert output_of(
        """
        import signal, drums
        signal.signal(signal.SIGTERM, mine := lambda *_: None)
        client = drums.connect()
        print(signal.getsignal(signal.SIGTERM) is mine)
        quiet = drums.connect(handle_signals=False)
        print(signal.getsignal(signal.SIGHUP) is not signal.SIG_DFL)
        """
    ).split() == ["True", "True"]


def test_an_exit_does_not_hang_when_the_server_is_gone(client: drums.Client) -> None:
    """What could not be closed is told, and the process ends."""
    with started(
        """
        import logging, drums
        logging.basicConfig(level=logging.WARNING)
        client = drums.connect()
        env = client.create()
        from drums._core.settings import Settings
        client._session.settings = Settings("http://127.0.0.1:9")
        print(env.id)
        """
    ) as process:
        made, complaints = process.communicate(timeout=60)
    assert process.returncode == 0
    assert f"{made.strip()} was not closed" in complaints
    assert there(client) == {made.strip()}


# --- forks ------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_owns_nothing_and_ends_nothing_of_its_parents(client: drums.Client) -> None:
    printed = output_of(
        """
        import os, sys, drums
        client = drums.connect()
        env = client.create()
        child = os.fork()
        if child == 0:
            assert client.owned_envs() == []
            assert env.refresh().state == "ready"
            own = client.create()
            assert client.owned_envs() == [own]
            print(own.id, flush=True)
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        print(env.refresh().state, len(client.owned_envs()), [one.id for one in client.envs()] == [env.id])
        """,
        flags=("-W", "ignore::DeprecationWarning"),
    )
    assert printed.splitlines()[1] == "ready 1 True"
    assert there(client) == set()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_worker_of_multiprocessing_drives_a_desktop_and_leaves_it(client: drums.Client, method: str) -> None:
    printed = output_of(
        """
        import multiprocessing, sys
        import drums
        from tests.sdk.test_processes import drive
        if __name__ == "__main__":
            client = drums.connect()
            env = client.create()
            with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
                print(pool.apply(drive, (env,)))
            print(env.refresh().state)
        """,
        method,
        flags=("-W", "ignore::DeprecationWarning"),
    )
    assert printed.split() == ["0", "ready"]
    assert there(client) == set()


def drive(env: drums.Env) -> int:
    """In a worker: use a desktop that the parent made, and make one of its own, which goes with the worker."""
    env.step("pyautogui.click(1, 2)")
    with env.client.create():
        pass
    return len(env.client.owned_envs())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_local_daemon_is_not_reached_from_a_forked_child() -> None:
    printed = output_of(
        """
        import os, drums
        client = drums.connect("local")
        child = os.fork()
        if child == 0:
            try:
                client.health()
            except drums.DaemonUnavailable as error:
                print(error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        client.health()
        """,
        flags=("-W", "ignore::DeprecationWarning"),
    )
    assert "the local daemon lives in the process that this one was forked from" in printed


# --- pickles ----------------------------------------------------------------------------------------------------------


def test_a_pickled_env_drives_the_same_desktop_and_owns_nothing(client: drums.Client, daemon: InProcess) -> None:
    env = client.create(task="e0df059f")
    env.step("pyautogui.click(1, 2)")
    state = env.save()
    carried = pickle.dumps(env)
    assert daemon.token.encode() not in carried
    copied = pickle.loads(carried)
    assert (copied.id, copied.record, copied.steps, copied.last_state) == (env.id, env.record, 1, state)
    assert type(copied.last_state) is drums.State
    assert copied.client.owned_envs() == []
    assert copied.step("pyautogui.click(1, 2)").result.returncode == 0
    copied.client.close()
    assert there(client) == {env.id}


def test_a_pickled_fork_keeps_its_children_and_their_state(client: drums.Client) -> None:
    children = client.create().fork(2)
    copied = pickle.loads(pickle.dumps(children))
    assert [child.id for child in copied] == [child.id for child in children]
    assert (copied.state, copied.checkpoint, copied.failed) == (children.state, children.checkpoint, [])
    assert len({id(child.client) for child in copied}) == 1
    assert copied.close() == [(child.id, None) for child in children]


def test_a_pickled_client_asks_with_the_token_of_its_own_environment(
    client: drums.Client, daemon: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried = pickle.dumps(client)
    assert daemon.token.encode() not in carried
    copied = pickle.loads(carried)
    assert (copied.url, copied.timeout, copied.retry_s) == (client.url, client.timeout, client.retry_s)
    assert copied.health().version
    monkeypatch.setenv("DRUMS_TOKEN", "another")
    with pytest.raises(drums.AuthError):
        pickle.loads(carried).health()


def test_a_client_without_a_token_in_its_new_process_says_so_at_its_first_call(
    client: drums.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not when it is unpickled: a worker that fails at that tells nobody why."""
    monkeypatch.delenv("DRUMS_TOKEN")
    copied = pickle.loads(pickle.dumps(client))
    for _ in range(2):
        with pytest.raises(drums.AuthError, match="DRUMS_TOKEN") as refusal:
            copied.health()
        assert refusal.value.sent == "no"
    again = pickle.loads(pickle.dumps(copied))
    with pytest.raises(drums.AuthError, match="a pickle carries no token"):
        again.envs()


def test_a_client_whose_token_file_is_missing_in_its_new_process_says_so(
    client: drums.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DRUMS_TOKEN")
    monkeypatch.setenv("DRUMS_TOKEN_FILE", "/nowhere/token")
    copied = pickle.loads(pickle.dumps(client))
    with pytest.raises(drums.AuthError, match="/nowhere/token"):
        copied.health()


async def test_an_asyncio_client_is_pickled_too(daemon: InProcess) -> None:
    async with drums.aio.connect(daemon.url, daemon.token) as client:
        env = await client.create()
        carried = pickle.dumps(env)
        assert daemon.token.encode() not in carried
        copied: drums.aio.Env = pickle.loads(carried)
        assert (await copied.refresh()).state == "ready"
        assert copied.client.owned_envs() == []
        await copied.client.close()


def test_a_client_of_a_local_daemon_is_not_pickled() -> None:
    with drums.connect("local") as client:
        for kept in (client, client.create()):
            with pytest.raises(TypeError, match="drums up"):
                pickle.dumps(kept)


def test_a_copy_in_the_same_process_keeps_its_token(client: drums.Client) -> None:
    env = client.create()
    for copied in (copy.copy(env), copy.deepcopy(env), copy.deepcopy(client).envs()[0]):
        assert copied.refresh().id == env.id


def test_nothing_public_shows_the_token(client: drums.Client, daemon: InProcess) -> None:
    env = client.create(task="e0df059f")
    children = env.fork(1)
    seen = [client, env, env.record, children, children.state, env.observe(), env.verify(), env.step("1")]
    for thing in seen:
        assert daemon.token not in f"{thing!r} {thing}"
        assert daemon.token.encode() not in pickle.dumps(thing)
    assert daemon.token not in repr(env.guest())


def test_loops_come_and_go_under_one_client(daemon: InProcess) -> None:
    client = asyncio.run(opened(daemon))
    assert asyncio.run(seen_by(client)) == 0
    asyncio.run(closed(client))


async def opened(daemon: InProcess) -> drums.aio.Client:
    return await drums.aio.connect(daemon.url, daemon.token)


async def seen_by(client: drums.aio.Client) -> int:
    return len(await client.envs())


async def closed(client: drums.aio.Client) -> None:
    await client.close()
