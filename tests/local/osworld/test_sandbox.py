"""A checker's process can neither hold, lie to, nor harm the daemon that wants its score."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drums.local.osworld import sandbox as sandbox_module
from drums.local.osworld.checkers import CheckerFault, CheckerTimeout
from drums.local.osworld.confine import MEMORY_BYTES
from drums.local.osworld.sandbox import Sandbox, run_checker
from drums.local.osworld.sandbox_wire import FAULT_LIMIT, Preamble, Request, encoded_reply, read_reply

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTILE = "tests.local.osworld.hostile"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the filter of system calls is Linux's")


@pytest.fixture(scope="module")
def hostile() -> Iterator[Sandbox]:
    sandbox = Sandbox(HOSTILE)
    yield sandbox
    sandbox.end()


@pytest.fixture(params=["a warm worker", "a process for each check"])
def either(request: pytest.FixtureRequest, hostile: Sandbox) -> Sandbox:
    return hostile if request.param == "a warm worker" else Sandbox(HOSTILE, forks=False)


async def run(sandbox: Sandbox, name: str, result: object = None, expected: object = None, **more: float) -> float:
    return await sandbox.run(name, result, expected, {}, **more)


async def test_a_checker_is_given_what_was_fetched_and_its_score_comes_back(either: Sandbox) -> None:
    assert await run(either, "answer", b"\x00" * (3 << 20), 0.25) == 0.25


async def test_nothing_of_the_daemon_is_in_a_checkers_process(either: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRUMS_TOKEN", "secret")
    with socket.socket() as held:
        os.set_inheritable(held.fileno(), True)
        if either._forks:  # a process for each check has its three standard streams
            assert await run(either, "has_nothing") == 1.0


async def test_one_check_leaves_nothing_behind_for_the_next(hostile: Sandbox) -> None:
    assert [await run(hostile, "counts") for _ in range(3)] == [0.1, 0.1, 0.1]


@pytest.mark.parametrize("answer", [float("nan"), float("inf"), -0.1, 1.1, True, None, "1", [1], 10**400])
async def test_what_is_no_score_from_0_to_1_is_a_fault(hostile: Sandbox, answer: object) -> None:
    with pytest.raises(CheckerFault):
        await run(hostile, "answer", None, answer)


@pytest.mark.parametrize(
    "said", [b"", b"{", b"[]", b'{"score": 1, "fault": ""}', b'{"score": "1"}', b'{"fault": 1}', b"[" * 60000, b"\xff"]
)
async def test_what_a_captured_process_says_is_not_believed(hostile: Sandbox, said: bytes) -> None:
    with pytest.raises(CheckerFault):
        await run(hostile, "says", said)


async def test_a_process_that_talks_without_end_is_not_listened_to(hostile: Sandbox) -> None:
    with pytest.raises(CheckerFault, match="gave no score"):
        await run(hostile, "says", b"x" * (1 << 20))


async def test_a_faults_text_comes_back_short_and_sound(either: Sandbox) -> None:
    with pytest.raises(CheckerFault, match=r"^there is nothing to compare with") as caught:
        await run(either, "refuses")
    assert len(str(caught.value)) <= FAULT_LIMIT
    str(caught.value).encode()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("breaks", "KeyError: 'gone'"),
        ("leaves", "SystemExit: 3"),
        ("crashes", "ended without an answer"),
        ("nests", "nested too deeply"),
        ("hoards", "more memory than a check may have"),
        ("no_such_checker", "there is no checker 'no_such_checker'"),
        ("needs_a_library", r"no_library_has_this_name: pip install 'drums-sdk\[checkers\]'"),
    ],
)
async def test_a_checker_that_breaks_is_a_fault_that_says_how(either: Sandbox, name: str, why: str) -> None:
    with pytest.raises(CheckerFault, match=why) as caught:
        await run(either, name)
    assert not isinstance(caught.value, CheckerTimeout)


@on_linux
async def test_memory_has_an_end(hostile: Sandbox) -> None:
    with pytest.raises(CheckerFault, match=r"more memory|without an answer"):
        await run(hostile, "hoards_slowly")
    assert MEMORY_BYTES <= 1 << 30


@pytest.mark.parametrize("name", ["never_ends", "sleeps", "backtracks"])
async def test_time_has_an_end(either: Sandbox, name: str) -> None:
    with pytest.raises(CheckerTimeout, match=rf"{name} took longer than 0\.2 s"):
        await run(either, name, timeout_s=0.2)


async def test_a_process_that_stops_its_clock_is_ended_with_its_worker_and_the_next_check_has_another(
    hostile: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_module, "_GRACE_S", 0.2)
    with pytest.raises(CheckerTimeout):
        await run(hostile, "ignores_the_clock", timeout_s=0.2)
    assert hostile._worker is None
    assert await run(hostile, "answer", None, 1) == 1.0


@on_linux
@pytest.mark.parametrize("name", ["forks", "starts_a_program", "starts_a_thread", "writes_a_file"])
async def test_a_checkers_process_can_start_nothing_and_write_nothing(either: Sandbox, name: str) -> None:
    assert await run(either, name) == 1.0


@on_linux
@pytest.mark.parametrize("name", ["empties_a_file", "fills_a_file", "removes_a_file"])
async def test_a_checkers_process_can_harm_no_file(hostile: Sandbox, name: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("content")
    assert await run(hostile, name, str(file)) == 1.0
    assert file.read_text() == "content"


@on_linux
async def test_a_checkers_process_reaches_no_network_and_no_other_process(hostile: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert await run(hostile, "connects", server.getsockname()[1]) == 1.0
    for name in ("signals_the_daemon", "limits_the_daemon", "slows_the_daemon", "has_the_daemon_signalled"):
        assert (name, await run(hostile, name, os.getpid())) == (name, 1.0)


async def test_a_hundred_checks_at_once_share_one_worker(hostile: Sandbox) -> None:
    scores = await asyncio.gather(*(run(hostile, "answer", b"x" * 10_000, n / 100) for n in range(100)))
    assert scores == [n / 100 for n in range(100)]


async def test_a_worker_that_was_killed_is_replaced(hostile: Sandbox) -> None:
    assert await run(hostile, "answer", None, 1) == 1.0
    assert hostile._worker is not None
    process = hostile._worker._process
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert await run(hostile, "answer", None, 1) == 1.0


@pytest.mark.parametrize("forks", [True, False])
async def test_a_worker_that_does_not_start_is_a_fault(forks: bool, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CheckerFault, match="the process that runs checkers does not start"):
        await run(Sandbox("no.such.table", forks=forks), "answer")
    assert "No module named 'no'" in capfd.readouterr().err


async def test_an_interpreter_that_is_not_there_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/interpreter")
    with pytest.raises(CheckerFault, match="can't be started"):
        await run(Sandbox(HOSTILE), "answer")


async def test_a_check_that_is_given_up_leaves_the_worker_in_order(hostile: Sandbox) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(run(hostile, "sleeps", timeout_s=0.5), 0.05)
    assert await run(hostile, "answer", None, 1) == 1.0


async def test_the_last_lease_ends_the_worker_and_its_folder(hostile: Sandbox) -> None:
    first, second = hostile.lease(), hostile.lease()
    await run(hostile, "answer", None, 1)
    worker = hostile._worker
    assert worker is not None
    first.close()
    first.close()
    assert worker._process.poll() is None
    second.close()
    assert worker._process.poll() is not None
    assert not Path(worker._folder).exists()  # noqa: ASYNC240


FORKING = """
import os, sys
from drums.local.osworld.sandbox import SANDBOX, run_checker
arguments = ("exact_match", "a", {"expected": "a"}, {})
run_checker(*arguments)
worker = SANDBOX._worker
child = os.fork()
if not child:
    sys.exit(0 if SANDBOX._worker is None and run_checker(*arguments) == 1.0 else 1)
sys.exit(os.waitpid(child, 0)[1] or SANDBOX._worker is not worker or run_checker(*arguments) != 1.0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_forked_copy_of_the_process_has_a_worker_of_its_own_and_leaves_this_one_alone() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", FORKING], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


KILLED = """
import os
from drums.local.osworld.sandbox import run_checker
run_checker("exact_match", "a", {"expected": "a"}, {})
os.kill(os.getpid(), 9)
"""


def test_the_worker_and_its_folder_end_with_the_process_that_started_it(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    # The worker has its standard error: that the end of it is read means that both are gone.
    done = subprocess.run(
        [sys.executable, "-c", KILLED], env=environment, check=False, stderr=subprocess.PIPE, timeout=60
    )
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, b"")
    assert list(tmp_path.iterdir()) == []


def test_a_checker_can_be_run_without_an_event_loop() -> None:
    assert run_checker("exact_match", "a", {"expected": "a"}, {}) == 1.0
    with pytest.raises(CheckerFault, match=r"rules\.expected is missing"):
        run_checker("exact_match", "a", {}, {})


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


class Bytes:
    def __init__(self, content: bytes) -> None:
        self.content = content

    def read(self, size: int, /) -> bytes:
        part, self.content = self.content[:size], self.content[size:]
        return part


@given(values, values, st.dictionaries(st.text(), values))
def test_a_request_arrives_as_it_was_sent(result: object, expected: object, options: dict[str, Any]) -> None:
    request = Request(result, expected, options)
    assert Request.read(Bytes(b"".join(request.encoded()))) == request
    preamble = Preamble("name", 1.5)
    assert Preamble.read(Bytes(preamble.encoded())) == preamble


def test_what_is_neither_json_nor_bytes_is_not_sent() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (deep, object(), {1, 2}):
        with pytest.raises(CheckerFault):
            Request(value, None, {}).encoded()


@settings(max_examples=300)
@given(st.binary(max_size=80) | values.map(repr).map(str.encode) | st.floats().map(encoded_reply))
def test_a_reply_is_a_score_from_0_to_1_or_a_fault(data: bytes) -> None:
    try:
        score = read_reply("checker", data)
    except CheckerFault:
        return
    assert 0.0 <= score <= 1.0
