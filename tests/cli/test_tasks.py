"""`drums tasks` lists and shows what a daemon knows, and accounts for what can be used here without one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import drums
import drums.local
from drums.local import TaskSources
from tests.cli.conftest import TASK
from tests.local.osworld.tasks import a_task, an_evaluator

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Drums

DOWNLOAD = {
    "type": "download",
    "parameters": {"files": [{"url": "https://example.org/a.txt", "path": "/home/user/a.txt"}]},
}


@pytest.fixture(autouse=True)
def no_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment names no checkout of OSWorld, and an empty cache."""
    monkeypatch.delenv("DRUMS_OSWORLD", raising=False)
    monkeypatch.setenv("DRUMS_OSWORLD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A folder with a task of each kind, laid out like a checkout of OSWorld."""
    folder = tmp_path / "evaluation_examples" / "examples" / "mine"
    folder.mkdir(parents=True)
    tasks: list[dict[str, Any]] = [
        a_task(id="runs-here-1", instruction="Do\x1b[31m it."),
        a_task(id="needs-files-1", config=[DOWNLOAD]),
        a_task(id="needs-gimp-1", related_apps=["gimp"]),
        a_task(id="refused-1", evaluator=an_evaluator(func="compare_pictures")),
    ]
    for task in tasks:
        (folder / f"{task['id']}.json").write_text(json.dumps(task), encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("there")
def test_the_tasks_of_a_daemon_are_listed_and_shown(run: Drums) -> None:
    listed = run("tasks")
    assert listed.status == 0
    assert TASK in listed.out
    assert listed.out.splitlines()[0].split() == ["id", "domain", "instruction"]
    assert {one["domain"] for one in run("tasks", "--domain", "os", "--json").document} == {"os"}
    shown = run("tasks", TASK[:8])
    assert "setup:" in shown.out
    assert "exact_match" in shown.out
    assert run("tasks", TASK[:8], "--json").document["id"] == TASK
    assert run("tasks", "nosuchtask").status == 4


def test_the_account_says_what_can_be_used_and_why_not_the_rest(run: Drums, pack: Path) -> None:
    told = run("tasks", "--coverage", "--osworld", str(pack))
    assert told.status == 0
    row = next(line.split() for line in told.out.splitlines() if line.startswith("mine "))
    assert row == ["mine", "4", "1", "1", "1", "1", "1"]
    for words in ("no image has gimp", "files that the cache lacks", "the checker 'compare_pictures'", "task set:"):
        assert words in told.out


def test_the_account_of_one_task_names_the_files(run: Drums, pack: Path) -> None:
    told = run("tasks", "needs-files-1", "--coverage", "--osworld", str(pack))
    assert "https://example.org/a.txt" in told.out
    assert "with files" in told.out


def test_the_account_as_a_document_has_every_task_once(run: Drums, pack: Path) -> None:
    found = run("tasks", "--coverage", "--tasks", str(pack / "evaluation_examples" / "examples"), "--json").document
    mine = {one["id"]: one["status"] for one in found["tasks"] if one["domain"] == "mine"}
    assert mine == {
        "runs-here-1": "runnable",
        "needs-files-1": "files",
        "needs-gimp-1": "image",
        "refused-1": "refused",
    }
    assert found["task_set"]["tasks"] == len(found["tasks"])
    assert len(found["task_set"]["sha256"]) == 64


@pytest.mark.parametrize(
    "words",
    [("--osworld", "x"), ("--tasks", "x"), ("--coverage", "--osworld", "x"), ("nosuchtask", "--coverage")],
)
def test_what_makes_no_sense_is_refused_with_what_to_write(run: Drums, words: tuple[str, ...]) -> None:
    refused = run("tasks", *words)
    assert refused.status == 2
    assert refused.stderr.startswith("drums: ")


def test_a_daemon_says_which_tasks_it_knows_and_takes_those_of_a_checkout(pack: Path) -> None:
    sources = TaskSources(osworld=pack, cache=pack / "cache")
    with drums.local.serving(tasks=sources) as daemon, drums.connect(daemon.url, daemon.token) as client:
        task_set = client.health()["task_set"]
        library = sources.library()
        assert task_set == {"tasks": len(library), "sha256": library.task_set.digest}
        with client.create(task="runs-here-1") as env:
            assert env.wait_valid().verify().score == 0.0
        with pytest.raises(drums.TaskUnsupported, match=r"https://example\.org/a\.txt is not in the cache; put it at"):
            client.create(task="needs-files-1")
        with pytest.raises(drums.TaskUnsupported, match="the checker 'compare_pictures'"):
            client.create(task="refused-1")
