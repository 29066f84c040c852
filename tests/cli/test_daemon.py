"""A daemon of one's own from the command line: started, found without being named, ended."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from drums.local import detach
from drums.local.instance import default_state_dir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.conftest import Drums

UP = ("up", "--detach", "--machine", "sim", "--port", "0")
LINES = re.compile(r"export DRUMS_URL=http://127\.0\.0\.1:\d+\nexport DRUMS_TOKEN_FILE=\S+\n")


@pytest.fixture
def nobody(home: Path) -> Iterator[None]:
    """No daemon before, and none after."""
    yield
    detach.stop(default_state_dir())


@pytest.mark.usefixtures("nobody")
def test_a_daemon_that_was_started_here_is_found_without_being_named(run: Drums) -> None:
    started = run(*UP, "--max-slots", "1")
    assert started.status == 0
    assert LINES.fullmatch(started.out)

    made = run("create")

    assert made.status == 0
    assert run("ls", "--quiet").out == made.out
    assert run("create").status == 6
    again = run(*UP)
    assert (again.status, again.out) == (0, started.out)
    assert "already runs" in again.stderr
    assert run("down").out.endswith("1 desktop closed: s1\n")
    assert run("down").out == f"no daemon runs on {default_state_dir()}\n"


@pytest.mark.usefixtures("nobody")
def test_a_daemons_beginning_and_end_are_told_as_json_too(run: Drums) -> None:
    started = run(*UP, "--json")
    assert set(started.document) == {"url", "token_file"}
    assert run("ls", "--url", started.document["url"], "--token-file", started.document["token_file"]).status == 0
    assert run(*UP, "--json").document == started.document
    ended = run("down", "--json").document
    assert (ended["state_dir"], type(ended["pid"])) == (str(default_state_dir()), int)
    assert run("down", "--json").document["pid"] is None


@pytest.mark.usefixtures("nobody")
def test_what_is_named_is_preferred_to_what_is_found(run: Drums, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*UP)
    monkeypatch.setattr("drums.cli._server.RETRY_S", 0.0)
    assert run("ls", "--url", "http://127.0.0.1:9").status == 69
    monkeypatch.setenv("DRUMS_TOKEN", "drums_sk_of_another_daemon")
    assert run("ls").status == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--max-slots", "0"), "must be at least 1"),
        (("--fault", "nonsense"), "'nonsense' is not a fault; the forms are gate:NAME"),
        (("--machine", "abacus"), "abacus"),
        (("--port", "x"), "--port"),
        (("--price-per-hour", "inf"), "must be a number, 0 or more"),
    ],
)
def test_an_option_that_means_nothing_is_refused_in_one_line_with_the_reason(
    home: Path, run: Drums, arguments: tuple[str, ...], words: str
) -> None:
    refused = run("up", *arguments)
    assert (refused.status, refused.stdout) == (2, b"")
    assert words in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_what_cant_be_had_has_the_status_of_before(home: Path, run: Drums) -> None:
    refused = run("up", "--host", "0.0.0.0")
    assert (refused.status, refused.stdout) == (1, b"")
    assert "it serves 127.0.0.1 only" in refused.stderr
