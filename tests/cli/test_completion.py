"""Completion in the shells: its scripts, the commands, and what the daemon has."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from drums.cli._app import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

    import drums
    from drums.local import InProcess
    from tests.cli.conftest import Drums

SHELLS = ["bash", "zsh", "fish"]


def completed(run: Drums, monkeypatch: pytest.MonkeyPatch, words: str) -> list[str]:
    """What bash would offer after these words."""
    monkeypatch.setenv("_DRUMS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    told = run()
    assert told.status == 0
    assert told.stderr == ""
    return told.out.split()


@pytest.mark.parametrize("shell", SHELLS)
def test_there_is_a_script_for_each_shell_and_the_shell_reads_it(
    home: Path, run: Drums, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    monkeypatch.setenv("_DRUMS_COMPLETE", f"source_{shell}")
    script = run()
    assert script.status == 0
    assert "_DRUMS_COMPLETE" in script.out
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n", "-c", script.out], check=True)


def test_the_names_of_commands_and_options_are_completed(
    home: Path, run: Drums, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert completed(run, monkeypatch, "drums ") == [row.name for row in COMMANDS]
    assert completed(run, monkeypatch, "drums sc") == ["screenshot"]
    assert "--from-state" in completed(run, monkeypatch, "drums create --")
    assert completed(run, monkeypatch, "drums image ") == ["build", "ls", "rm"]


def test_what_the_daemon_has_is_completed(
    env: drums.Env, run: Drums, monkeypatch: pytest.MonkeyPatch, client: drums.Client
) -> None:
    state = env.save("a-state")
    assert env.id in completed(run, monkeypatch, "drums show ")
    assert completed(run, monkeypatch, "drums create --from-state a-") == [state]
    assert completed(run, monkeypatch, "drums create --task e0df") == ["e0df059f-28a6-4169-924f-b9623e7184cc"]
    assert "osworld-ubuntu" in completed(run, monkeypatch, "drums create --image o")
    client.delete_state(state)


def test_the_daemon_of_the_line_is_asked(
    home: Path, run: Drums, daemon: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "token"
    file.write_text(daemon.token, encoding="ascii")
    file.chmod(0o600)
    line = f"drums create --url {daemon.url} --token-file {file} --image os"
    assert "osworld-ubuntu" in completed(run, monkeypatch, line)


def test_where_no_daemon_answers_nothing_is_offered(home: Path, run: Drums, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRUMS_URL", "http://127.0.0.1:9")
    assert completed(run, monkeypatch, "drums show ") == []
    monkeypatch.setenv("DRUMS_URL", "local")
    assert completed(run, monkeypatch, "drums show ") == []


def test_a_name_that_a_shell_could_run_is_never_offered(
    there: InProcess, run: Drums, monkeypatch: pytest.MonkeyPatch
) -> None:
    import drums as sdk
    from drums.records import Slot

    ids = ["s1", "$(reboot)", "s2;reboot", "`id`", "s3\nreboot", "-x", "a b", "\x1b[2J", "s\u202e4"]
    monkeypatch.setattr(
        sdk.Client, "env_records", lambda _client: iter([Slot({"id": one, "state": "ready"}) for one in ids])
    )
    assert completed(run, monkeypatch, "drums show ") == ["s1"]
