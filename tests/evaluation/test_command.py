"""`drums eval` as a user types it: what it prints, how it ends, and what is there after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import drums
from drums.cli import main
from drums.cli._status import Status
from drums.evaluation.results import NAME, read
from tests.evaluation.stage import RENAME_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from drums.local import InProcess

POLICY = '''
import pathlib, threading

RENAME = {"type": "execute", "command": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2", "shell": True}
played = 0


class Renames:
    """Solves the task; the third rollout of a process hangs while there is a file `hang`."""

    def __init__(self):
        global played
        played += 1

    def __call__(self, seen):
        if played == 3 and pathlib.Path("hang").exists():
            print("it hangs", flush=True)
            threading.Event().wait()
        return RENAME if seen.turn == 0 else "DONE"


def raises(seen):
    raise ValueError("no \\x1b[31mmodel")
'''

needs_posix = pytest.mark.skipif(os.name != "posix", reason="signals are another matter there")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a policy in it."""
    (tmp_path / "renames.py").write_text(POLICY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(here: Path, daemon: InProcess, monkeypatch: pytest.MonkeyPatch) -> Callable[..., subprocess.Popen[str]]:
    """Starts `drums eval` on the daemon, four attempts at one task, one after the other."""
    assert daemon.url is not None
    monkeypatch.setenv("DRUMS_URL", daemon.url)
    monkeypatch.setenv("DRUMS_TOKEN", daemon.token)

    def begin(*more: str) -> subprocess.Popen[str]:
        asked = ["--policy", "renames:Renames", "--tasks", RENAME_FOLDER, "-n", "4", "-c", "1", "--pause", "0"]
        start = "import sys; from drums.cli import main; sys.exit(main())"
        return subprocess.Popen(
            [sys.executable, "-c", start, "eval", *asked, "--out", "run", *more],
            cwd=here,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return begin


def until_it_hangs(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "it hangs\n"


def envs(daemon: InProcess) -> list[str]:
    with drums.connect(daemon.url, daemon.token) as client:
        return [env.id for env in client.envs()]


@needs_posix
def test_a_run_that_was_killed_goes_on_where_it_was(here: Path, command: Callable[..., subprocess.Popen[str]]) -> None:
    (here / "hang").touch()
    killed = command()
    until_it_hangs(killed)
    killed.kill()
    killed.communicate()
    before = (here / "run" / NAME).read_bytes()
    assert len(read(here / "run").rollouts) == 2
    (here / "run" / NAME).write_bytes(before + b'{"kind": "rollout", "id": "torn')  # a kill in the middle of a line
    (here / "hang").unlink()
    done = command("--resume", "--json")
    printed, told = done.communicate()
    assert done.returncode == Status.OK, told
    assert (here / "run" / NAME).read_bytes().startswith(before)
    assert "2 of 4 rollouts are recorded already" in told
    facts = json.loads(printed)
    assert (facts["recorded"], facts["complete"], facts["total"]["mean_score"]) == (4, True, 1.0)
    assert facts["total"]["pass_at_k"] == {"1": 1.0, "2": 1.0, "4": 1.0}
    assert (here / "run" / "report.html").stat().st_size > 10_000


@needs_posix
@pytest.mark.parametrize("numbers", [[signal.SIGINT], [signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
def test_a_signal_ends_a_run_with_no_desktop_left_and_what_it_has_kept(
    here: Path, command: Callable[..., subprocess.Popen[str]], daemon: InProcess, numbers: list[signal.Signals]
) -> None:
    (here / "hang").touch()
    process = command()
    until_it_hangs(process)
    for number in numbers:
        process.send_signal(number)
    printed, told = process.communicate(timeout=60)
    assert process.returncode == 128 + numbers[0]
    assert "stopping: closing the desktops" in told
    assert "Traceback" not in told
    assert envs(daemon) == []
    assert len(read(here / "run").rollouts) == 2
    if len(numbers) == 1:
        assert "2 of 4 rollouts are recorded, --resume --out run goes on" in told
        assert "100.0" in printed


def run_here(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["eval", "--url", "local", "--pause", "0", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_a_newcomer_can_try_it_without_a_daemon(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--policy", "drums.evaluation.policies:noop", "--tasks", "e0df059f", "--out", "run")
    status, printed, told = run_here(capsys, *asked)
    assert status == Status.OK
    assert f"1/1 {RENAME_FOLDER}#0 score 0 | valid 1 (mean 0.00), invalid 0, errors 0" in told
    assert "0-79" in printed
    assert "report: run/report.html" in printed
    assert run_here(capsys, *asked, "--resume", "--at-least", "0.5")[0] == Status.BELOW
    status, _, told = run_here(capsys, *asked, "--resume", "--max-turns", "3")
    assert status == Status.USAGE
    assert "max_turns was 15 and is 3" in told


def test_where_nothing_gave_a_score_there_is_none_and_the_status_says_so(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, printed, told = run_here(capsys, "--policy", "renames:raises", "--tasks", "e0df059f", "--json")
    assert status == Status.FAILED
    facts = json.loads(printed)
    assert facts["total"]["mean_score"] is None
    assert facts["total"]["errors_by_kind"] == {"policy": 1}
    assert "\x1b" not in told
    assert facts["folder"].startswith("drums-eval")


@pytest.mark.parametrize(("arguments", "words"), [
    ([], "--policy"),
    (["--policy", "a:b", "--base-url", "http://127.0.0.1/v1", "--model", "m"], "--policy"),
    (["--base-url", "http://127.0.0.1/v1"], "--model"),
    (["--base-url", "nowhere", "--model", "m", "--tasks", "os"], "no base URL"),
    (["--policy", "no_such_module:x"], "can't be imported"),
    (["--policy", "renames:Renames", "--tasks", "nothing"], "no task, no domain and no file"),
    (["--policy", "renames:Renames", "--screen", "wide"], "--screen"),
    (["--policy", "renames:Renames", "--body", "[1]"], "--body"),
    (["--policy", "renames:Renames", "--resume"], "--out"),
    (["--policy", "renames:Renames", "--again", "error"], "--resume"),
    (["--policy", "renames:Renames", "--resume", "--out", "x", "--again", "score"], "--again"),
    (["--policy", "renames:Renames", "--fork", "-c", "1", "--out", "y"], "two places"),
])  # fmt: skip
def test_what_does_not_go_together_is_told_in_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    status, printed, told = run_here(capsys, *arguments)
    assert status == Status.USAGE
    assert words in told
    assert told.count("\n") == 1
    assert printed == ""


def test_the_key_of_an_endpoint_comes_from_the_environment_and_stays_there(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret-0123456789")
    monkeypatch.setattr("drums.evaluation.chat.TRIES", 1)
    endpoint = ("--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--api-key-env", "MY_KEY")
    status, printed, told = run_here(capsys, *endpoint, "--tasks", "e0df059f", "--out", "run")
    assert status == Status.FAILED
    assert "no reply" in told
    everything: list[Any] = [
        printed,
        told,
        *(file.read_bytes() for file in (here / "run").rglob("*.*") if file.is_file()),
    ]
    assert not [one for one in everything if "sk-secret" in str(one)]
