"""The tools on real desktops: what the simulator lacks, and that both do the same."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import drums
import drums.local
from drums.hybrid import (
    CommandLate,
    FileDenied,
    FileError,
    FileMissing,
    FileTaken,
    IsAFolder,
    NotAFolder,
    Tools,
    WindowMissing,
    gestures,
)
from tests.desktops.conftest import ALIVE_GATE_S, eventually

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from drums.hybrid import Element

MIB = 1024 * 1024
TEXT = "plain <tags> é ü 漢字 😀 \"'$(id)`"
names = st.binary(min_size=1, max_size=40).filter(lambda raw: not {*b"/\0"} & {*raw} and raw not in {b".", b".."})


@pytest.fixture
def tools(env: drums.Env) -> Tools:
    """The tools over a desktop whose gates have passed."""
    return Tools(env)


def elements(tree: Element) -> Iterator[Element]:
    """An element and all below it."""
    yield tree
    for child in tree.children:
        yield from elements(child)


def test_what_is_written_is_read_whatever_its_name(tools: Tools) -> None:
    @settings(max_examples=25)
    @given(name=names, content=st.binary(max_size=3000))
    def check(name: bytes, content: bytes) -> None:
        path = b"/home/user/round/" + name
        assert tools.files.write_bytes(path, content).size == len(content)
        assert tools.files.read_bytes(path) == content
        assert [entry.path for entry in tools.files.list("round")] == [path.decode("utf-8", "surrogateescape")]
        tools.files.remove(path)

    check()
    assert tools.files.list("round") == []


def test_a_refusal_says_what_is_there(tools: Tools) -> None:
    files = tools.files
    files.write_text("note", "text", mode=0o600)
    files.mkdir("folder/below")
    tools.shell.run("ln -s note link; ln -s nowhere dangling; ln -s circle circle; mkfifo pipe")
    assert files.write_text("link", "new").path == "/home/user/note"
    assert (files.stat("note").mode, files.read_text("note")) == (0o600, "new")
    for kind, path in (
        (IsAFolder, "folder"), (NotAFolder, "note/x"), (FileDenied, "/etc/x"), (FileError, "circle"),
    ):  # fmt: skip
        with pytest.raises(kind):
            files.write_text(path, "never")
    for kind, path in ((FileMissing, "x"), (FileMissing, "dangling"), (IsAFolder, "folder"), (FileError, "pipe")):
        with pytest.raises(kind):
            files.read_bytes(path)
    for call in (files.move, files.copy):
        with pytest.raises(FileTaken):
            call("note", "folder", overwrite=True)
        with pytest.raises(FileMissing):
            call("note", "no/folder")
        with pytest.raises(FileError, match="itself"):
            call("folder", "folder/below/x")
    assert files.read_text("/proc/sys/kernel/ostype") == "Linux\n"
    assert [entry.name for entry in files.list("~") if entry.name.startswith(".drums")] == []


def test_a_hundred_megabytes_go_there_and_back_with_progress(tools: Tools, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(random.Random(1).randbytes(100 * MIB))
    told: list[tuple[int, int]] = []
    tools.files.upload(source, "big", progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (100 * MIB, 100 * MIB)
    told.clear()
    tools.files.download("big", target, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (100 * MIB, 100 * MIB)
    assert target.read_bytes() == source.read_bytes()


def test_a_job_lives_on_in_a_fork_and_is_killed_with_all_that_it_started(tools: Tools) -> None:
    job = tools.shell.start("echo begun; sleep 1000 & sleep 1000; wait")
    eventually(lambda: tools.shell.job(job.id).output().stdout == "begun\n")
    with tools.env.fork(1) as children:
        child = Tools(children[0].wait_valid())
        copy = child.shell.job(job.id)
        assert copy.poll() is None
        assert copy.kill() == copy.poll() == -9
        assert child.shell.run("pgrep -c sleep", check=False).stdout == "0\n"
        assert job.poll() is None
    assert tools.shell.run("pgrep -c sleep").stdout == "2\n"
    job.remove()
    assert tools.shell.run("pgrep -c sleep", check=False).stdout == "0\n"


def test_a_command_that_takes_too_long_is_ended_with_all_that_it_started(tools: Tools) -> None:
    with pytest.raises(CommandLate) as late:
        tools.shell.run("echo begun; sleep 1000 & sleep 1000", timeout=0.5)
    assert late.value.result.stdout == "begun\n"
    assert tools.shell.run("pgrep -c sleep", check=False).stdout == "0\n"


def test_windows_are_found_moved_and_closed(tools: Tools) -> None:
    apps = tools.apps
    assert apps.windows() == []
    apps.launch(["mousepad"])
    window = apps.wait_for_window("mousepad")
    assert window.window_class == "Mousepad"
    assert window.active
    assert window.pid == int(tools.shell.run(["pgrep", "mousepad"]).stdout)
    apps.geometry(window, (200, 150, 700, 500))
    eventually(lambda: apps.geometry(window) == (200, 150, 700, 500))
    apps.launch(["xterm", "-T", "a hostile\ntitle", "-e", "sleep", "1000"])
    apps.wait_for_window("hostile")
    assert apps.activate(window).id == window.id
    eventually(lambda: [known.id for known in apps.windows() if known.active] == [window.id])
    apps.close("hostile")
    eventually(lambda: [known.id for known in apps.windows()] == [window.id])
    for call in (apps.close, apps.activate, apps.geometry):
        with pytest.raises(WindowMissing):
            call("hostile")
    with pytest.raises(WindowMissing, match=r"in 0\.2 s"):
        apps.wait_for_window("hostile", 0.2)


def test_every_character_is_typed_and_the_clipboard_stays(tools: Tools) -> None:
    tools.apps.clipboard_set("kept\n漢\n")
    tools.files.write_text("note", "")
    tools.apps.launch(["mousepad", "/home/user/note"])
    tools.apps.wait_for_window("note")
    tools.gui.type(TEXT)
    tools.gui.key("ctrl+s")
    eventually(lambda: tools.files.read_text("note").strip() == TEXT)
    assert tools.apps.clipboard_get() == "kept\n漢\n"
    acted = tools.act([gestures.key("ctrl+a"), gestures.key("ctrl+c"), gestures.wait(0.3)])
    assert acted.observation is not None
    assert tools.apps.clipboard_get().strip() == TEXT


@pytest.mark.parametrize("way", ["xdotool", "clipboard"])
def test_an_older_server_types_every_character_as_well(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if way == "clipboard":
        monkeypatch.setattr("drums.hybrid._desk.TYPE", "(exit 127)")
    with (
        drums.local.serving(machine="runc", alive_gate_s=ALIVE_GATE_S, emulate="0.4.1") as daemon,
        drums.connect(daemon.url, daemon.token) as client,
        client.create() as env,
    ):
        tools = Tools(env.wait_valid())
        tools.apps.clipboard_set("kept")
        tools.files.write_text("note", "")
        tools.apps.launch(["mousepad", "/home/user/note"])
        tools.apps.wait_for_window("note")
        tools.gui.type(TEXT)
        tools.gui.key("ctrl+s")
        eventually(lambda: tools.files.read_text("note").strip() == TEXT)
        assert tools.apps.clipboard_get() == "kept"


def test_a_file_opens_in_the_program_that_is_made_for_it(tools: Tools) -> None:
    tools.files.write_text("~/Desktop/a 'note'.txt", "opened")
    tools.apps.open("~/Desktop/a 'note'.txt")
    assert tools.apps.wait_for_window("a 'note'.txt").window_class == "Mousepad"
    with pytest.raises(FileMissing):
        tools.apps.open("nothing.txt")


def test_the_accessibility_tree_tells_of_an_accessible_program_and_forks(tools: Tools) -> None:
    assert tools.apps.tree().programs == ()
    tools.files.write_text("note", "hello tree")
    tools.apps.launch(["mousepad", "/home/user/note"], accessible=True)
    tools.apps.wait_for_window("note")

    def texts(over: Tools) -> list[str]:
        tree = over.apps.tree(app="mousepad")
        return [element.text for program in tree.programs for element in elements(program)]

    eventually(lambda: "hello tree" in texts(tools))
    with tools.env.fork(1) as children:
        child = Tools(children[0].wait_valid())
        child.gui.key("ctrl+End")
        child.gui.type("!")
        eventually(lambda: "hello tree!" in texts(child))
    assert "hello tree" in texts(tools)
    few = tools.apps.tree(limit=5)
    assert few.truncated
    assert few.count == 5
