"""Every task of OSWorld is read, and can be used or is refused by the name of what is missing; the account adds up."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.machines.runc import recipe
from drums.local.osworld import NoTasks, TaskLibrary, TaskSources, TaskUnsupported
from drums.local.osworld.cache import FileCache
from drums.local.osworld.checkers import CHECKERS
from drums.local.osworld.coverage import STATUSES, by_domain, coverage, reasons
from drums.local.osworld.getters import GETTERS
from drums.local.osworld.needs import PACKAGES, needs_of
from drums.local.osworld.sources import examples_in
from drums.local.osworld.steps import KNOWN_TO_FAIL, STEPS
from tests.local.osworld.checkout import NO_CHECKER, OFFLINE, ON_IMAGES, examples, needs_osworld
from tests.local.osworld.tasks import a_task, an_evaluator, with_change

if TYPE_CHECKING:
    from pathlib import Path

RENAME = "e0df059f-28a6-4169-924f-b9623e7184cc"
BUILT = {*STEPS, *GETTERS, *CHECKERS}


@pytest.fixture(scope="module")
def osworld(tmp_path_factory: pytest.TempPathFactory) -> TaskLibrary:
    """OSWorld's tasks alone, with an empty cache."""
    return TaskLibrary([examples()], cache=FileCache(tmp_path_factory.mktemp("cache")))


# OSWorld's own.


@needs_osworld
def test_every_task_is_usable_or_refused_by_the_name_of_what_is_missing(osworld: TaskLibrary) -> None:
    assert len(osworld) >= 369
    usable: list[str] = []
    for summary in osworld.summaries():
        refusal = None
        try:
            usable.append(osworld.find(summary.id, demand_files=False).id)
        except TaskUnsupported as error:
            refusal = error
        if refusal is not None:
            assert refusal.lacking in str(refusal) or refusal.lacking.startswith(("an account", "the parameter"))
            named = re.search(r"^the (?:checker|getter|setup step) '(\w+)'$", refusal.lacking)
            if named:
                assert f'"{named[1]}"' in json.dumps(osworld.raw(summary.id))
                assert named[1] not in BUILT
    assert RENAME in usable
    assert len(usable) >= 76


@needs_osworld
def test_a_task_whose_files_are_not_there_is_refused_with_their_names(osworld: TaskLibrary) -> None:
    refused = [one for one in coverage(osworld, {"all": set().union(*PACKAGES.values())}) if one.status == "files"]
    assert refused
    for one in refused:
        with pytest.raises(TaskUnsupported, match=re.escape(one.missing_files[0])):
            osworld.find(one.id)


@needs_osworld
def test_the_account_knows_on_which_image_the_offline_tasks_run(osworld: TaskLibrary) -> None:
    recipes = {name: recipe.load(name).packages for name in recipe.known()}
    plainest_first = dict(sorted(recipes.items(), key=lambda one: len(one[1])))
    account = {one.id[:8]: one for one in coverage(osworld, plainest_first)}
    assert len(OFFLINE) == 42
    for begin in OFFLINE:
        one = account[begin]
        image = next((name for name, tasks in ON_IMAGES.items() if begin in tasks), None)
        status = "refused" if begin in NO_CHECKER else "runnable" if image else "image"
        assert (one.status, one.image, one.files) == (status, image, 0), one


@needs_osworld
def test_a_step_that_is_known_to_fail_is_still_in_its_task(osworld: TaskLibrary) -> None:
    for task_id, name in KNOWN_TO_FAIL:
        task = osworld.find(task_id)
        assert name in [step.name for step in task.config]


@needs_osworld
def test_the_digest_is_of_the_tasks_and_not_of_how_their_files_are_written(
    osworld: TaskLibrary, tmp_path: Path
) -> None:
    for summary in osworld.summaries():
        path = tmp_path / summary.domain / f"{summary.id}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(osworld.raw(summary.id), indent=7, sort_keys=True), encoding="utf-8")
    again = TaskLibrary([tmp_path])
    assert again.task_set == osworld.task_set
    assert again.task_set.tasks == len(osworld)


# The account.


def write_pack(folder: Path, *tasks: dict[str, Any], domain: str = "os") -> Path:
    (folder / domain).mkdir(parents=True, exist_ok=True)
    for task in tasks:
        (folder / domain / f"{task['id']}.json").write_text(json.dumps(task), encoding="utf-8")
    return folder


def test_each_task_is_in_one_row_with_its_reason(tmp_path: Path) -> None:
    url = "https://example.org/a.txt"
    download = [{"type": "download", "parameters": {"files": [{"url": url, "path": "/home/user/a.txt"}]}}]
    write_pack(
        tmp_path,
        a_task(id="1-runs"),
        a_task(id="2-files", config=download),
        a_task(id="3-image", config=[*download, {"type": "launch", "parameters": {"command": ["gimp"]}}]),
        a_task(id="4-refused", evaluator=an_evaluator(func="compare_pictures")),
        a_task(id="5-malformed", evaluator=an_evaluator(func=[])),
        a_task(id="6-web", proxy=True),
    )
    library = TaskLibrary([tmp_path], cache=FileCache(tmp_path / "cache"))
    account = coverage(library, {"desktop": ["xterm"], "office": ["xterm", "libreoffice-calc"]})
    assert [(one.status, one.reason, one.image) for one in account] == [
        ("runnable", None, "desktop"),
        ("files", "files that the cache lacks", "desktop"),
        ("image", "no image has gimp", None),
        ("refused", "the checker 'compare_pictures'", None),
        ("refused", "it is malformed", None),
        ("refused", "the web (proxy), and desktops have no network", None),
    ]
    assert account[1].missing_files == (url,)
    one, all_of_them = by_domain(account)
    assert (one.domain, one.tasks, dict(one.by_status)) == (
        "os",
        6,
        {"runnable": 1, "files": 1, "image": 1, "refused": 3},
    )
    assert (all_of_them.domain, all_of_them.tasks, all_of_them.missing_files) == ("all", 6, 1)
    assert sum(count for status in STATUSES for _, count in reasons(account, status)) == 5


def test_an_app_that_no_one_image_has_together_with_another_is_told_with_it(tmp_path: Path) -> None:
    task = a_task(related_apps=["chrome", "libreoffice_calc"])
    library = TaskLibrary([write_pack(tmp_path, task)])
    images = {"office": ["libreoffice-calc"], "browser": ["chromium"]}
    assert coverage(library, images)[0].reason == "no image has chrome and libreoffice calc"
    assert coverage(library, {"both": ["libreoffice-calc", "chromium"], **images})[0].image == "both"


def launching(command: Any, **more: Any) -> dict[str, Any]:
    return {"type": "launch", "parameters": {"command": command, **more}}


@pytest.mark.parametrize(
    ("changes", "apps"),
    [
        ({}, ()),
        ({"related_apps": ["vs_code", "OS"]}, ("code",)),
        ({"config": [{"type": "open", "parameters": {"path": "/home/user/a.XLSX"}}]}, ("libreoffice calc",)),
        (
            {"config": [{"type": "launch", "parameters": {"command": ["libreoffice", "--impress"]}}]},
            ("libreoffice impress",),
        ),
        ({"config": [launching("A=1 vlc -f", shell=True)]}, ("vlc",)),
        ({"config": [{"type": "execute", "parameters": {"command": "cd x && git init", "shell": True}}]}, ("git",)),
        ({"config": [{"type": "execute", "parameters": {"command": ["echo", "vlc"]}}]}, ()),
        (
            {"evaluator": an_evaluator(result={"type": "vm_command_line", "command": "timedatectl status"})},
            ("timedatectl",),
        ),
        ({"evaluator": an_evaluator(result={"type": "vm_command_line", "command": ["which", "vlc"]})}, ("vlc",)),
        ({"related_apps": ["gimp"], "evaluator": {"func": "infeasible"}}, ()),
    ],
)
def test_what_a_task_needs_is_read_off_its_words_and_commands(changes: dict[str, Any], apps: tuple[str, ...]) -> None:
    task = a_task(**changes)
    assert needs_of(task, "os", infeasible=task["evaluator"]["func"] == "infeasible").apps == apps


junk = st.recursive(
    st.none() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@given(place=st.sampled_from(["config", "related_apps", "evaluator"]), value=junk)
def test_needs_are_read_off_anything(place: str, value: object) -> None:
    assert set(needs_of(with_change(a_task(), [place], value), "os", infeasible=False).apps) <= set(PACKAGES)


def test_every_app_that_an_image_is_to_bring_can_be_told_from_its_recipe() -> None:
    packages = {name: set(recipe.load(name).packages) for name in recipe.known()}
    brought = {app for app, wanted in PACKAGES.items() if any(wanted <= there for there in packages.values())}
    assert {"chrome", "socat", "libreoffice calc", "libreoffice impress", "libreoffice writer"} <= brought


# Where tasks come from.


@pytest.mark.parametrize("below", ["", "evaluation_examples", "evaluation_examples/examples"])
def test_a_checkout_is_named_by_its_root_or_by_a_folder_in_it(tmp_path: Path, below: str) -> None:
    folder = write_pack(tmp_path / "evaluation_examples" / "examples", a_task())
    assert examples_in(tmp_path / below).resolve() == folder
    library = TaskSources(osworld=tmp_path / below).library()
    assert library.raw(a_task()["id"]) == a_task()
    assert RENAME in {summary.id for summary in library.summaries()}, "our own pack is still there"


def test_a_folder_without_tasks_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "os").mkdir()
    for sources in (
        TaskSources(osworld=tmp_path),
        TaskSources(packs=(tmp_path,)),
        TaskSources(packs=(tmp_path / "x",)),
    ):
        with pytest.raises(NoTasks, match="holds no tasks"):
            sources.library()


def test_the_users_task_replaces_one_of_the_same_id(tmp_path: Path) -> None:
    own = a_task(id=RENAME, instruction="Mine.")
    write_pack(tmp_path / "checkout", a_task(id=RENAME, instruction="Theirs."))
    write_pack(tmp_path / "pack", own)
    assert TaskSources(osworld=tmp_path / "checkout").library().raw(RENAME)["instruction"] == "Theirs."
    both = TaskSources(osworld=tmp_path / "checkout", packs=(tmp_path / "pack",)).library()
    assert both.raw(RENAME) == own


@given(st.permutations(["a", "b", "c"]), st.sampled_from(["a", "b", "c"]), st.booleans())
def test_the_digest_changes_with_a_task_and_with_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], changed: str, change: bool
) -> None:
    tasks = {letter: a_task(id=letter) for letter in "abc"}
    first = TaskLibrary([write_pack(tmp_path_factory.mktemp("one"), *tasks.values())]).task_set
    if change:
        tasks[changed] = {**tasks[changed], "instruction": "Another."}
    second = TaskLibrary([write_pack(tmp_path_factory.mktemp("two"), *(tasks[letter] for letter in order))]).task_set
    assert (first == second) != change
    assert re.fullmatch("[0-9a-f]{64}", second.digest)


def test_the_environment_names_a_checkout() -> None:
    assert TaskSources.from_environment({}) == TaskSources()
    assert str(TaskSources.from_environment({"DRUMS_OSWORLD": "/x/y"}).osworld) == "/x/y"
    assert TaskSources(allow_downloads=True).library().cache.fetches
    assert not TaskSources().library().cache.fetches
