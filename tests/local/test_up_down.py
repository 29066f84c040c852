"""`drums up` and `drums down` as a user runs them: processes, files, signals."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import sqlite3
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from drums.local.instance import LOG_NAME, STORE_NAME, is_held, record_in
from drums.local.machines.registry import MACHINES, chosen
from drums.local.server import listen_on

if TYPE_CHECKING:
    from collections.abc import Iterator

DRUMS = [sys.executable, "-m", "drums.local"]
LINES = re.compile(r"export DRUMS_URL=(.+)\nexport DRUMS_TOKEN_FILE=(.+)\n")


@dataclass(frozen=True)
class Up:
    """Where a daemon said that it listens."""

    url: str
    token_file: Path

    def ask(self, method: str, target: str, body: object = None) -> tuple[int, Any]:
        """One request over HTTP."""
        request = urllib.request.Request(
            self.url + target,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {self.token_file.read_text(encoding='ascii').strip()}",
                "Content-Type": "application/json",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def create(self) -> str:
        """A ready desktop."""
        status, slot = self.ask("POST", "/v1/slots", {"checkpoint": "osworld-ubuntu"})
        assert (status, slot["state"]) == (200, "ready")
        return str(slot["id"])


def said(lines: str) -> Up:
    """What the two lines say, read as a shell reads them."""
    found = LINES.fullmatch(lines)
    assert found, lines
    url, token_file = (shlex.split(text)[0] for text in found.groups())
    return Up(url, Path(token_file))


@contextlib.contextmanager
def up(state_dir: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], Up]]:
    """A daemon in the foreground on a free port, which is killed at the end if it still runs."""
    command = [*DRUMS, "up", "--machine", "sim", "--port", "0", "--state-dir", str(state_dir), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            lines = process.stdout.readline() + process.stdout.readline()
            assert lines or process.stderr is None, process.stderr.read()
            yield process, said(lines)
        finally:
            process.kill()


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DRUMS, *arguments],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.fixture
def state_dir(tmp_path: Path) -> Iterator[Path]:
    """A state directory whose daemon, if any, is ended after the test."""
    path = tmp_path / "state"
    yield path
    if is_held(path):
        run("down", "--state-dir", str(path))
    assert not is_held(path)


def test_up_serves_until_it_is_told_to_end_and_then_ends_its_desktops(state_dir: Path) -> None:
    with up(state_dir) as (process, daemon):
        slot = daemon.create()
        assert daemon.ask("GET", "/v1/health")[1]["machine"] == "sim"
        process.send_signal(signal.SIGTERM)
        out, log = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "")
    assert f"1 desktop closed: {slot}" in log
    with contextlib.closing(sqlite3.connect(state_dir / STORE_NAME)) as store:
        assert store.execute("SELECT state, closed_reason FROM slots").fetchall() == [("destroyed", "daemon stopped")]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_signal_that_asks_for_an_end_ends_it_in_order(state_dir: Path, number: signal.Signals) -> None:
    with up(state_dir) as (process, _daemon):
        process.send_signal(number)
        assert process.wait(30) == 0
    record = record_in(state_dir)
    assert record is not None
    assert record.ended == "0 desktops closed"


def test_the_log_says_what_was_asked_and_holds_no_token(state_dir: Path) -> None:
    with up(state_dir, "--verbose") as (process, daemon):
        token = daemon.token_file.read_text(encoding="ascii").strip()
        daemon.ask("GET", "/v1/health")
        process.send_signal(signal.SIGTERM)
        log = process.communicate(timeout=30)[1]
    assert "GET /v1/health 200" in log
    assert token not in log


def test_left_to_choose_it_says_which_machine_it_took_and_why(state_dir: Path) -> None:
    choice = chosen("auto")
    if choice.kind.name != "sim":
        pytest.skip("here it would start real desktops")
    with up(state_dir, "--machine", "auto") as (process, _daemon):
        process.send_signal(signal.SIGTERM)
        assert f"with machine sim ({choice.why})" in process.communicate(timeout=30)[1]


def test_all_it_keeps_is_for_its_user_alone(state_dir: Path) -> None:
    with up(state_dir) as (_process, daemon):
        daemon.create()
        assert stat.S_IMODE(state_dir.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in state_dir.iterdir()} == {0o600}


def test_the_token_and_the_slots_numbers_outlive_a_restart(state_dir: Path) -> None:
    with up(state_dir) as (process, daemon):
        first, token = daemon.create(), daemon.token_file.read_text(encoding="ascii")
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    with up(state_dir) as (_process, daemon):
        assert daemon.token_file.read_text(encoding="ascii") == token
        status, gone = daemon.ask("GET", f"/v1/slots/{first}")
        assert (status, gone["closed_reason"]) == (410, "daemon stopped")
        assert daemon.create() != first


def test_a_killed_daemon_is_followed_by_one_that_puts_its_records_right(state_dir: Path) -> None:
    with up(state_dir) as (process, daemon):
        slot = daemon.create()
        process.kill()
        process.wait(30)
    with up(state_dir) as (_process, daemon):
        assert daemon.ask("GET", f"/v1/slots/{slot}")[0] == 410
        assert daemon.ask("GET", "/v1/slots") == (200, [])


def test_a_second_daemon_on_the_same_directory_is_refused_and_told_of_the_first(state_dir: Path) -> None:
    with up(state_dir) as (process, daemon):
        second = run("up", "--port", "0", "--state-dir", str(state_dir))
    assert (second.returncode, second.stdout) == (1, "")
    assert f"process {process.pid}, {daemon.url}" in second.stderr
    assert "Traceback" not in second.stderr


def test_detached_it_goes_on_until_down_and_down_tells_what_was_closed(state_dir: Path) -> None:
    started = run("up", "--detach", "--machine", "sim", "--port", "0", "--state-dir", str(state_dir))
    assert (started.returncode, started.stderr) == (0, "")
    daemon = said(started.stdout)
    slot = daemon.create()
    ended = run("down", "--state-dir", str(state_dir))
    assert ended.returncode == 0
    assert f"1 desktop closed: {slot}" in ended.stdout
    assert "listening on" in (state_dir / LOG_NAME).read_text(encoding="utf-8")
    with pytest.raises(urllib.error.URLError):
        daemon.ask("GET", "/v1/health")


def test_detached_twice_is_one_daemon_and_the_same_two_lines(state_dir: Path) -> None:
    first = run("up", "--detach", "--machine", "sim", "--port", "0", "--state-dir", str(state_dir))
    again = run("up", "--detach", "--machine", "sim", "--port", "0", "--state-dir", str(state_dir))
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert "already runs" in again.stderr


def test_a_detached_start_that_fails_tells_why(state_dir: Path) -> None:
    with listen_on("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        failed = run("up", "--detach", "--port", str(port), "--state-dir", str(state_dir))
    assert (failed.returncode, failed.stdout) == (1, "")
    assert f"port {port} of 127.0.0.1 can't be listened on" in failed.stderr


def test_down_where_nothing_runs_is_fine(state_dir: Path) -> None:
    for _ in range(2):
        ended = run("down", "--state-dir", str(state_dir))
        assert (ended.returncode, ended.stdout) == (0, f"no daemon runs on {state_dir}\n")


def test_down_after_a_kill_does_not_touch_whoever_has_the_number_now(state_dir: Path) -> None:
    with up(state_dir) as (process, _daemon):
        process.kill()
        process.wait(30)
    record = state_dir / "daemon.json"
    told = json.loads(record.read_text(encoding="utf-8"))
    record.write_text(json.dumps({**told, "pid": os.getpid()}), encoding="utf-8")
    assert run("down", "--state-dir", str(state_dir)).stdout == f"no daemon runs on {state_dir}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--host", "0.0.0.0"], "it serves 127.0.0.1 only"),
        (["--port", "70000"], "70000 is no port"),
    ],
)
def test_what_cant_be_had_is_refused_in_one_message(state_dir: Path, arguments: list[str], words: str) -> None:
    refused = run("up", "--state-dir", str(state_dir), *arguments)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert words in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_damaged_store_is_told_with_what_to_do(state_dir: Path) -> None:
    state_dir.mkdir(mode=0o700)
    (state_dir / STORE_NAME).write_bytes(b"not a database at all, but long enough to be taken for one" * 20)
    refused = run("up", "--machine", "sim", "--port", "0", "--state-dir", str(state_dir))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert str(state_dir / STORE_NAME) in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_machine_that_cant_be_used_here_is_refused_with_its_reason(state_dir: Path) -> None:
    reason = next(kind for kind in MACHINES if kind.name == "runc").why_not()
    if reason is None:
        pytest.skip("this host can run real desktops")
    refused = run("up", "--state-dir", str(state_dir), "--machine", "runc")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert f"runc can't be used here: {reason}" in refused.stderr


@pytest.mark.parametrize(
    "arguments", [["--fault", "nonsense"], ["--max-slots", "0"], ["--emulate", "0.1"], ["--port", "x"]]
)
def test_arguments_that_mean_nothing_are_refused_with_the_usage(state_dir: Path, arguments: list[str]) -> None:
    refused = run("up", "--state-dir", str(state_dir), *arguments)
    assert refused.returncode == 2
    assert "usage:" in refused.stderr


def test_a_token_file_that_others_can_read_is_refused(state_dir: Path, tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    token_file.write_text("a-token-of-sixteen-or-more\n", encoding="ascii")
    token_file.chmod(0o644)
    refused = run("up", "--port", "0", "--state-dir", str(state_dir), "--token-file", str(token_file))
    assert refused.returncode == 1
    assert "others can read" in refused.stderr
    assert "a-token-of" not in refused.stderr


def test_a_token_file_of_the_users_own_is_used_and_named(state_dir: Path, tmp_path: Path) -> None:
    token_file = tmp_path / "my token"
    with up(state_dir, "--token-file", str(token_file)) as (_process, daemon):
        assert daemon.token_file == token_file
        assert daemon.ask("GET", "/v1/health")[0] == 200


def test_limits_faults_and_age_are_options_of_the_command(state_dir: Path) -> None:
    options = ["--max-slots", "1", "--fault", "429:1:3s", "--emulate", "0.4.1", "--price-per-hour", "2.5"]
    with up(state_dir, *options) as (_process, daemon):
        assert daemon.ask("GET", "/v1/slots")[1]["retry_after_s"] == 3.0
        assert daemon.ask("GET", "/v1/health")[1]["version"] == "0.4.1"
        daemon.create()
        status, refused = daemon.ask("POST", "/v1/slots", {"checkpoint": "osworld-ubuntu"})
        assert (status, refused["code"]) == (429, "overloaded")
        assert daemon.ask("GET", "/v1/metrics")[1]["cost"]["host_price_per_hour"] == 2.5


def test_the_state_directory_is_where_xdg_says(tmp_path: Path) -> None:
    told = run("down", XDG_STATE_HOME=str(tmp_path))
    assert told.stdout == f"no daemon runs on {tmp_path / 'drums'}\n"


def test_the_drums_command_is_the_same_and_knows_its_version() -> None:
    from drums._version import __version__

    drums = [sys.executable, "-c", "import sys; from drums.cli import main; sys.exit(main())"]
    shown = subprocess.run([*drums, "--version"], capture_output=True, text=True, check=True).stdout
    assert shown == f"drums {__version__}\n"
    usage = subprocess.run([*drums, "up", "--help"], capture_output=True, text=True, check=True).stdout
    assert "--detach" in usage
    assert "drop-after:OPERATION" in "".join(usage.split())
