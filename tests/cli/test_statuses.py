"""Exit statuses and errors: one table, one line each, nothing on standard output."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import drums
from drums import errors
from drums.cli import NOT_INSTALLED
from drums.cli._hints import hint_for
from drums.cli._output import fail
from drums.cli._server import settings_for
from drums.cli._status import EXEC_FAILED, Status, status_of
from drums.local.errors import DaemonError, HostUnsuitableError
from tests.rules.error_examples import all_examples

if TYPE_CHECKING:
    from drums.local import InProcess
    from tests.cli.conftest import Drums

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"
PYTHON = re.compile(r"client\.|env\.|\w\(|\bstrict=")


def every_error(kind: type[errors.DrumsError] = errors.DrumsError) -> set[type[errors.DrumsError]]:
    found = {kind}
    for below in kind.__subclasses__():
        found |= every_error(below)
    return found


def test_the_page_has_every_status_and_no_other() -> None:
    told = re.findall(r"^\| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(number) for number in told] == sorted({*map(int, Status), EXEC_FAILED})
    assert NOT_INSTALLED == HostUnsuitableError.status == Status.UNAVAILABLE


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("AuthError", 3),
        ("Forbidden", 3),
        ("QuotaExceeded", 6),
        ("NotFound", 4),
        ("EnvGone", 4),
        ("NotQuiescent", 5),
        ("CheckpointStale", 5),
        ("Overloaded", 6),
        ("GuestError", 10),
        ("DaemonUnavailable", 69),
        ("TaskUnsupported", 2),
        ("ProtocolError", 1),
    ],
)
def test_an_error_of_the_daemon_has_the_status_of_its_kind(kind: str, status: int) -> None:
    assert status_of(getattr(errors, kind)(500, "no")) == status


@pytest.mark.parametrize("error", all_examples().values(), ids=list(all_examples()))
def test_every_error_has_a_status_and_is_told_in_one_line(
    error: errors.DrumsError, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail(error) == status_of(error) > 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("drums: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("kind", sorted(every_error(), key=str))
def test_what_to_do_is_told_to_somebody_at_a_terminal(kind: type[errors.DrumsError]) -> None:
    error = kind.__new__(kind, 500, "no")
    errors.DrumsError.__init__(error, 500, "no")
    assert hint_for(error)
    assert not PYTHON.search(hint_for(error))


def test_what_an_error_knows_of_its_call_is_kept() -> None:
    assert hint_for(errors.NotFound(404, "no", hint="Look under the table")) == "Look under the table"
    lost = errors.DaemonUnavailable(0, "no reply", sent="maybe", hint="The desktop may exist")
    assert hint_for(lost) == "The desktop may exist"


def test_a_daemon_that_could_not_be_asked_has_the_status_of_its_reason() -> None:
    assert status_of(HostUnsuitableError("no")) == 69
    assert status_of(DaemonError("no")) == 1
    assert status_of(errors.ForkError([], [errors.Overloaded(429, "full")])) == 6


def test_where_nothing_listens_the_command_says_so_soon_and_how_to_start_a_daemon(
    home: Path, run: Drums, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drums.cli._server.RETRY_S", 0.0)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = run("ls", "--url", f"http://127.0.0.1:{taken.getsockname()[1]}")
    assert (nobody.status, nobody.stdout) == (69, b"")
    assert nobody.stderr.count("\n") == 1
    assert "`drums up --detach`" in nobody.stderr


def test_a_daemon_inside_the_process_is_refused_in_words(
    home: Path, run: Drums, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRUMS_URL", "local")
    refused = run("create")
    assert (refused.status, refused.stdout) == (2, b"")
    assert "DRUMS_URL=local is for programs" in refused.stderr


def test_the_token_comes_from_the_file_that_is_named_and_is_never_told(
    home: Path, daemon: InProcess, run: Drums, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert daemon.url is not None
    monkeypatch.setenv("DRUMS_TOKEN", "drums_sk_another")
    file = home / "token"
    file.write_text(daemon.token, encoding="ascii")
    file.chmod(0o600)

    wrong = run("ls", "--url", daemon.url)

    assert (wrong.status, wrong.stdout) == (3, b"")
    assert "--token-file" in wrong.stderr
    assert "another" not in wrong.stderr
    assert run("ls", "--url", daemon.url, "--token-file", str(file)).status == 0
    file.chmod(0o644)
    assert run("ls", "--url", daemon.url, "--token-file", str(file)).status == 3
    assert run("ls", "--url", daemon.url, "--token-file", str(home / "none")).status == 3


def test_no_option_of_any_command_takes_a_token() -> None:
    from drums.cli._app import COMMANDS, loaded

    flags = {flag for row in COMMANDS for one in loaded(row.name).params for flag in one.opts}
    assert {flag for flag in flags if "token" in flag} <= {"--token-file", "token_file"}


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("show", "s999999"), 4),
        (("rm", "--state", "none"), 4),
        (("create", "--image", "none"), 4),
        (("create", "--task", "ffffffff"), 4),
        (("create", "--idle-timeout", "-1"), 2),
        (("fork", "s1", "0"), 2),
        (("frobnicate",), 2),
        (("ls", "--frobnicate"), 2),
        (("show",), 2),
        (("image",), 2),
        ((), 2),
    ],
)
def test_what_is_not_there_and_what_means_nothing_is_refused(
    there: InProcess, run: Drums, arguments: tuple[str, ...], status: int
) -> None:
    refused = run(*arguments)
    assert (refused.status, refused.stdout) == (status, b"")
    assert refused.stderr


def test_ctrl_c_ends_a_command_with_130_and_no_words(
    there: InProcess, run: Drums, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(drums.Client, "env_records", interrupted)
    stopped = run("ls")
    assert (stopped.status, stopped.stdout, stopped.stderr) == (Status.INTERRUPTED, b"", "")


def test_a_warning_of_the_sdk_is_told_as_everything_else_is(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRUMS_TOKEN", "drums_sk_secret")
    assert settings_for("http://192.0.2.1:1", None).url == "http://192.0.2.1:1"
    told = capsys.readouterr().err
    assert told.startswith("drums: the token goes unencrypted to http://192.0.2.1:1")
    assert told.count("\n") == 1
