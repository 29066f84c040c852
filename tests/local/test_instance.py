"""One daemon per state directory, and what it leaves for others to read."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from drums.local.errors import AlreadyRunningError, StateDirError
from drums.local.instance import (
    RECORD_NAME,
    Instance,
    default_state_dir,
    is_held,
    lines_for_a_shell,
    prepare_state_dir,
    record_in,
    wait_until_free,
)


def test_the_state_directory_follows_the_xdg_specification() -> None:
    assert default_state_dir({"XDG_STATE_HOME": "/var/state"}) == Path("/var/state/drums")
    home = Path.home() / ".local" / "state" / "drums"
    assert default_state_dir({}) == home
    assert default_state_dir({"XDG_STATE_HOME": "relative"}) == home


def test_a_state_directory_is_made_for_its_user_alone(tmp_path: Path) -> None:
    made = prepare_state_dir(tmp_path / "a" / "b")
    assert made.is_absolute()
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_a_state_directory_in_which_others_can_write_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(StateDirError, match="others can write"):
        prepare_state_dir(tmp_path)


def test_a_place_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StateDirError, match="can't be made"):
        prepare_state_dir(tmp_path / "file")


def test_a_second_daemon_on_the_same_directory_is_told_who_has_it(tmp_path: Path) -> None:
    with Instance(tmp_path) as first:
        first.tell(replace(first.record, url="http://127.0.0.1:7071"))
        with pytest.raises(AlreadyRunningError, match=f"process {os.getpid()}, http://127.0.0.1:7071"):
            Instance(tmp_path)


def test_a_directory_is_free_again_after_its_daemon(tmp_path: Path) -> None:
    with Instance(tmp_path):
        assert is_held(tmp_path)
    assert not is_held(tmp_path)
    with Instance(tmp_path) as second:
        assert second.record.url is None


def test_a_killed_daemon_leaves_the_directory_free_whatever_its_record_says(tmp_path: Path) -> None:
    hold = (
        "import pathlib, sys; from drums.local.instance import Instance; i = Instance(pathlib.Path(sys.argv[1])); "
        "i.tell(i.record); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert is_held(tmp_path)
        assert not wait_until_free(tmp_path, 0)
        process.kill()
        process.wait()
    stale = record_in(tmp_path)
    assert stale is not None
    assert (stale.pid, stale.ended) == (process.pid, None)
    assert wait_until_free(tmp_path, 0)
    with Instance(tmp_path):
        fresh = record_in(tmp_path)
    assert fresh is not None
    assert (fresh.pid, fresh.url) == (os.getpid(), None)


def test_a_directory_that_no_daemon_ever_used_is_free(tmp_path: Path) -> None:
    assert not is_held(tmp_path)
    assert record_in(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1, "unknown": 2}', "null"])
def test_a_record_that_cant_be_read_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / RECORD_NAME).write_text(text, encoding="utf-8")
    assert record_in(tmp_path) is None


def test_what_a_daemon_tells_is_there_for_others_to_read(tmp_path: Path) -> None:
    with Instance(tmp_path) as instance:
        instance.tell(replace(instance.record, url="http://127.0.0.1:1", machine="sim"))
        instance.tell(replace(instance.record, ended="2 desktops closed: s1 s2"))
    told = json.loads((tmp_path / RECORD_NAME).read_text(encoding="utf-8"))
    assert (told["url"], told["machine"], told["ended"]) == ("http://127.0.0.1:1", "sim", "2 desktops closed: s1 s2")


def test_a_shell_gets_both_lines_whatever_the_path(tmp_path: Path) -> None:
    awkward = tmp_path / "it's a $HOME; rm"
    script = lines_for_a_shell("http://127.0.0.1:1", awkward) + 'printf "%s|%s" "$DRUMS_URL" "$DRUMS_TOKEN_FILE"'
    shown = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown == f"http://127.0.0.1:1|{awkward}"
