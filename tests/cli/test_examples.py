"""The help of every command, and every example in it, run against a daemon with simulated desktops."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import drums.local
from drums.cli._app import COMMANDS, application, loaded
from drums.local import detach
from drums.local.instance import default_state_dir
from tests.cli.conftest import TASK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.conftest import Drums, Run

SHIM = """#!/bin/sh
if [ "$1" = up ]; then shift; set -- up "$@" --machine sim --port 0; fi
exec {python} -c 'import sys; from drums.cli import main; sys.exit(main())' "$@"
"""
PACK = Path(drums.local.__file__).parent / "osworld" / "pack"
NEEDS_A_SHELL = re.compile(r"\$\(|[|>]|drums mcp")
"""What this process can't do by itself: substitution, pipes, and a server on standard input and output."""
TAKES_LONG = re.compile(r"drums mcp|drums eval .*--out")
MAY_FAIL = {"drums doctor": {0, 1}, "drums doctor --json": {0, 1}}
"""On a host that can't have real desktops, that is the answer."""


def every_command() -> Iterator[tuple[str, Any]]:
    """Each command by the words that call it, groups included."""
    for row in COMMANDS:
        waiting = [(row.name, loaded(row.name))]
        while waiting:
            words, command = waiting.pop()
            yield words, command
            waiting += [(f"{words} {name}", below) for name, below in getattr(command, "commands", {}).items()]


def examples_of(command: Any) -> list[str]:
    title, *lines = (command.epilog or "").replace("\b\n", "").splitlines()
    assert title == "Examples:"
    return [line.removeprefix("  ") for line in lines]


BY_WORDS = dict(every_command())
EXAMPLES = list(dict.fromkeys(line for command in BY_WORDS.values() for line in examples_of(command)))


def called_by(line: str) -> str:
    """The words of the command that an example is of."""
    found = line.partition("drums ")[2]
    return max((words for words in BY_WORDS if f"{found} ".startswith(f"{words} ")), key=len)


@pytest.fixture
def variables(env: drums.Env, client: drums.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the examples name; a name that an example gives is free."""
    for image in client.images():
        if image.kind == "state" and not image.slots:
            client.delete_state(image.id)
    monkeypatch.setenv("id", env.id)
    monkeypatch.setenv("state", env.save())
    monkeypatch.setenv("quarantined", client.create().quarantine().id)


@pytest.fixture
def shell(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A shell finds `drums`, which starts no real desktops and takes no port that others may want."""
    shim = home / "bin" / "drums"
    shim.parent.mkdir()
    shim.write_text(SHIM.format(python=shlex.quote(sys.executable)), encoding="utf-8")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}{os.pathsep}{os.environ['PATH']}")
    yield
    detach.stop(default_state_dir())


@pytest.fixture
def pack(home: Path) -> None:
    """A pack of the user's own, with one task and its proof."""
    folder = home / "my" / "pack" / "files"
    folder.mkdir(parents=True)
    for suffix in (".json", ".proof.json"):
        (own,) = (PACK / "os").glob(f"{TASK}{suffix}")
        shutil.copy(own, folder / f"t1{suffix}")


@pytest.fixture
def host(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """A host that is prepared in name only; what would have been done to it."""
    from drums.local.machines.runc import hold, images, setup

    class Held:
        def release(self) -> None:
            done.append(("release",))

    done: list[tuple[Any, ...]] = []
    monkeypatch.setenv("DRUMS_DESKTOPS_DIR", str(home / "desktops"))
    monkeypatch.setattr(setup, "main", lambda names, _say: done.append(("setup", *names)))
    monkeypatch.setattr(setup, "build_images", lambda _layout, recipes, _say: done.append(("build", len(recipes))))
    monkeypatch.setattr(images, "remove", lambda _layout, name: done.append(("remove", name)))
    monkeypatch.setattr(hold, "take", lambda _layout: Held())
    return done


def test_every_command_has_help_and_an_example_of_its_own() -> None:
    for words, command in BY_WORDS.items():
        assert command.help, words
        examples = examples_of(command)
        assert examples, words
        assert all(called_by(line) == words or called_by(line).startswith(f"{words} ") for line in examples), words


@pytest.mark.parametrize("words", BY_WORDS)
def test_the_help_of_every_command_is_printed_with_its_examples(home: Path, run: Drums, words: str) -> None:
    helped = run(*words.split(), "--help")
    assert (helped.status, helped.stderr) == (0, "")
    assert helped.out.startswith(f"Usage: drums {words} ")
    assert all(line in helped.out for line in examples_of(BY_WORDS[words]))
    for parameter in BY_WORDS[words].params:
        assert parameter.help, f"{words} {parameter.name}"
        assert all(flag == flag.lower() for flag in parameter.opts if flag.startswith("--")), words


def test_the_list_of_commands_names_each_once_in_its_panel(home: Path, run: Drums) -> None:
    helped = run("--help").out
    assert [row.name for row in COMMANDS if f"\n  {row.name} " not in helped] == []
    assert all(f"\n{panel}:\n" in helped for panel in {row.panel for row in COMMANDS})
    assert application().name == ""


@pytest.mark.usefixtures("variables", "shell", "host", "pack")
@pytest.mark.parametrize(
    "line",
    [pytest.param(line, id=line, marks=[pytest.mark.long] if TAKES_LONG.match(line) else []) for line in EXAMPLES],
)
def test_every_example_runs(run: Drums, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    if NEEDS_A_SHELL.search(line):
        command = ["bash", "-ec", line]
        shell = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
        )
        assert shell.returncode == 0, shell.stderr
        return
    if line == "drums watch":
        monkeypatch.setattr("drums.cli._watch.sleep", interrupted)
    done = typed(run, line)
    assert done.status in MAY_FAIL.get(line, {0}), done.stderr
    if "--json" in line:
        assert isinstance(done.document, dict | list)


@pytest.mark.usefixtures("variables", "shell", "host")
@pytest.mark.parametrize(
    "line",
    [
        next(line for line in examples_of(command) if not NEEDS_A_SHELL.search(line) and "--json" not in line)
        for words, command in BY_WORDS.items()
        if "as_json" in {parameter.name for parameter in command.params}
    ],
)
def test_with_json_a_command_prints_one_document_and_nothing_else(run: Drums, line: str) -> None:
    words = called_by(line)
    done = typed(run, line.replace(f"drums {words}", f"drums {words} --json", 1))
    assert done.status in MAY_FAIL.get(line, {0}), done.stderr
    assert isinstance(json.loads(done.out), dict | list)


def typed(run: Drums, line: str) -> Run:
    """What the line does when a shell reads it: variables and `~` are put in, quotes are taken away."""
    words = shlex.split(os.path.expandvars(line))
    drums = words.index("drums")
    up = ["--machine", "sim", "--port", "0"] if words[drums + 1] == "up" else []
    return run(*(str(Path(word).expanduser()) if word.startswith("~") else word for word in words[drums + 1 :]), *up)


def interrupted(_seconds: float) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("line", "deeds"),
    [
        ("setup", [("setup", "desktop")]),
        ("setup --image a --image b", [("setup", "a", "b")]),
        ("image build desktop office", [("build", 2)]),
        ("image rm a b", [("remove", "a"), ("remove", "b"), ("release",)]),
    ],
)
def test_the_host_is_prepared_as_it_was_asked_for(
    run: Drums, host: list[tuple[Any, ...]], line: str, deeds: list[tuple[Any, ...]]
) -> None:
    assert run(*line.split()).status == 0
    assert host == deeds
    host.clear()
    assert {"name", "aliases"} <= set(run(*line.split(), "--json").document[0])
    assert host == deeds
