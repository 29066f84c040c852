"""A daemon inside this process: asked by calls from any thread, after a fork, at the exit, and when it ends."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import drums.local
from tests.local.asking import client_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from drums.local import InProcess


@pytest.fixture
def daemon() -> Iterator[InProcess]:
    with drums.local.in_process(alive_gate_s=0.0) as daemon:
        yield daemon


def begin(
    daemon: InProcess, method: str, target: str, body: object = None
) -> Future[tuple[int, dict[str, str], bytes]]:
    headers = {"Authorization": f"Bearer {daemon.token}", "Content-Type": "application/json"}
    return daemon.submit(method, target, headers, None if body is None else json.dumps(body).encode())


def ask(daemon: InProcess, method: str, target: str, body: object = None) -> tuple[int, Any]:
    status, headers, raw = begin(daemon, method, target, body).result(30)
    return status, json.loads(raw) if headers["content-type"] == "application/json" else raw


def create(daemon: InProcess) -> str:
    status, slot = ask(daemon, "POST", "/v1/slots", {"checkpoint": "osworld-ubuntu"})
    assert (status, slot["state"]) == (200, "ready")
    return str(slot["id"])


def used(daemon: InProcess) -> list[str]:
    """When each slot was last named by a request; to ask so names none."""
    return [slot["last_used_at"] for slot in ask(daemon, "GET", "/v1/slots")[1]]


def test_a_desktop_is_made_driven_looked_at_and_ended_without_a_socket(daemon: InProcess) -> None:
    slot = create(daemon)
    action = {"type": "execute", "command": "echo hello", "shell": True}
    status, step = ask(daemon, "POST", f"/v1/slots/{slot}/step", {"action": action})
    assert (status, step["result"]["output"]) == (200, "hello\n")
    status, png = ask(daemon, "GET", f"/v1/slots/{slot}/screenshot")
    assert (status, png[:8]) == (200, b"\x89PNG\r\n\x1a\n")
    assert ask(daemon, "DELETE", f"/v1/slots/{slot}")[1]["state"] == "destroyed"
    assert ask(daemon, "GET", f"/v1/slots/{slot}")[0] == 410


def test_the_token_is_needed_here_too_and_never_shown(daemon: InProcess) -> None:
    status, _, body = daemon.submit("GET", "/v1/health", {}, None).result(30)
    assert status == 401
    assert daemon.token not in repr(daemon)
    assert daemon.token.encode() not in body


def test_any_thread_may_ask(daemon: InProcess) -> None:
    with ThreadPoolExecutor(8) as pool:
        slots = list(pool.map(lambda _: create(daemon), range(16)))
    assert len(set(slots)) == 16


def test_giving_up_an_answer_does_not_give_up_the_work(daemon: InProcess) -> None:
    slot = create(daemon)
    action = {"type": "execute", "command": "touch /home/user/done", "shell": True}
    future = begin(daemon, "POST", f"/v1/slots/{slot}/step", {"action": action})
    if future.cancel():
        with pytest.raises(CancelledError):
            future.result()
    look = {"type": "execute", "command": "ls /home/user", "shell": True}
    assert "done" in ask(daemon, "POST", f"/v1/slots/{slot}/step", {"action": look})[1]["result"]["output"]


def test_a_dropped_connection_is_a_reset_before_and_after_the_work(daemon: InProcess) -> None:
    daemon.faults.drop_before("create_slot")
    with pytest.raises(ConnectionResetError):
        create(daemon)
    assert ask(daemon, "GET", "/v1/slots") == (200, [])
    daemon.faults.drop_after("create_slot")
    with pytest.raises(ConnectionResetError):
        create(daemon)
    assert [slot["state"] for slot in ask(daemon, "GET", "/v1/slots")[1]] == ["ready"]


def test_reset_leaves_a_daemon_as_one_that_was_just_started(daemon: InProcess) -> None:
    token = daemon.token
    create(daemon)
    daemon.faults.unavailable()
    daemon.reset()
    assert ask(daemon, "GET", "/v1/slots?limit=10&include_destroyed=true")[1]["items"] == []
    assert create(daemon) == "s1"
    assert daemon.token == token


def test_a_closed_daemon_refuses_and_closing_twice_is_fine(daemon: InProcess) -> None:
    daemon.close()
    daemon.close()
    with pytest.raises(ConnectionRefusedError):
        ask(daemon, "GET", "/v1/health")
    assert "closed" in repr(daemon)


def test_requests_in_flight_are_answered_when_the_daemon_is_closed(daemon: InProcess) -> None:
    slot = create(daemon)
    daemon.faults.keep_busy(slot)
    waiting = begin(daemon, "POST", f"/v1/slots/{slot}/quiescent", {"timeout_s": 3600})
    assert ask(daemon, "GET", "/v1/health")[0] == 200
    daemon.close()
    status, _, body = waiting.result(30)
    assert (status, json.loads(body)["code"]) == (503, "unavailable")


def test_requests_in_flight_over_http_are_answered_when_the_daemon_is_closed(caplog: pytest.LogCaptureFixture) -> None:
    with drums.local.serving(alive_gate_s=3600.0) as daemon, client_of(daemon) as http, ThreadPoolExecutor(1) as pool:
        slot = create(daemon)
        created = used(daemon)
        waiting = pool.submit(http.get, f"/v1/slots/{slot}/gates", params={"wait_s": 60})
        while used(daemon) == created:
            pass
        daemon.close()
        assert waiting.result(30).status_code == 503
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_closing_leaves_no_thread_behind() -> None:
    before = threading.active_count()
    with drums.local.in_process() as daemon:
        create(daemon)
    assert threading.active_count() == before


def test_a_daemon_that_cant_start_says_so_to_who_started_it() -> None:
    with pytest.raises(drums.local.DaemonError, match="no machine nothing"):
        drums.local.in_process(machine="nothing")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_is_told_that_it_cant_use_its_parents_daemon(daemon: InProcess) -> None:
    def child(said: Any) -> None:
        daemon.close()
        try:
            daemon.submit("GET", "/v1/health", {}, None)
        except RuntimeError as error:
            said.send(str(error))

    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=child, args=(theirs,))
    process.start()
    assert ours.poll(30)
    assert f"lives in process {os.getpid()}" in ours.recv()
    process.join(30)
    assert process.exitcode == 0
    assert ask(daemon, "GET", "/v1/health")[0] == 200


PROGRAM = """
import atexit, json, drums.local
daemon = drums.local.in_process()
headers = {"authorization": "Bearer " + daemon.token}
def ask(method, target, body=None):
    status, _, raw = daemon.submit(method, target, headers, body).result(30)
    return status, json.loads(raw)
slot = ask("POST", "/v1/slots", b'{"checkpoint": "osworld-ubuntu"}')[1]["id"]
atexit.register(lambda: print(ask("DELETE", "/v1/slots/" + slot)[1]["state"]))
"""


@pytest.mark.parametrize("ending", ["", "raise SystemExit(0)", "daemon.close()"], ids=["end", "exit", "close"])
def test_a_program_may_end_without_closing_and_clean_up_at_its_exit_still_works(ending: str) -> None:
    program = PROGRAM.replace("atexit.register", "(lambda _: None)") if "close" in ending else PROGRAM
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program + ending],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == ("" if "close" in ending else "destroyed\n")


def test_importing_the_package_loads_none_of_what_it_needs() -> None:
    heavy = ["asyncio", "uvicorn", "jsonschema_rs", "httpx", "attr", "just_bash", "PIL", "sqlite3"]
    program = f"import sys, drums.local; print([name for name in {heavy} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown == "[]\n"


@pytest.mark.parametrize("package", ["uvicorn", "jsonschema_rs"])
@pytest.mark.parametrize("use", ["in_process()", "serving()", "InProcess", "Service"])
def test_without_the_extra_every_door_says_how_to_install_it(package: str, use: str) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None\nimport drums.local\n"
        f"try:\n    drums.local.{use}\nexcept ImportError as error:\n    print(error)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown == f"drums.local needs {package}, which is not installed; pip install 'drums-sdk[local]'\n"


def test_the_names_of_the_package_are_those_it_declares() -> None:
    for name in drums.local.__all__:
        assert getattr(drums.local, name) is not None
    assert dir(drums.local) == sorted(drums.local.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Demon'"):
        drums.local.Demon  # type: ignore[attr-defined]  # noqa: B018
