"""Tasks are read strictly, found by id, set up completely and checked safely."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.machines.machine import DesktopGone
from drums.local.osworld import (
    AmbiguousTask,
    SetupFailed,
    TaskError,
    TaskLibrary,
    TaskMalformed,
    TaskUnsupported,
    UnknownTask,
    check,
    evaluate,
    set_up,
)
from drums.local.osworld.getters import tree_of
from drums.local.osworld.sandbox import Sandbox
from drums.local.osworld.task import read_task
from tests.local.osworld.tasks import a_task, an_evaluator, expecting, printing, with_change

if TYPE_CHECKING:
    from pathlib import Path

    from drums.local.faults import Faults
    from drums.local.machines.machine import Desktop
    from drums.local.osworld import Verdict

RENAME = "e0df059f-28a6-4169-924f-b9623e7184cc"


async def no_wait(_: float) -> None:
    pass


async def verdict_of(desktop: Desktop, **evaluator: Any) -> Verdict:
    return await check(read_task(a_task(evaluator=an_evaluator(**evaluator))), desktop, sleep=no_wait)


# The pack.


async def test_the_built_in_task_is_not_done_at_the_start_and_done_by_renaming(desktop: Desktop) -> None:
    task = TaskLibrary().find(RENAME)
    await set_up(task, desktop)
    assert (await check(task, desktop)).score == 0.0
    await desktop.execute("mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2", shell=True)
    assert (await check(task, desktop)).score == 1.0


async def test_the_built_in_task_can_be_done_by_mouse_and_keyboard(desktop: Desktop) -> None:
    task = TaskLibrary().find("e0df059f")
    await set_up(task, desktop)
    code = "pyautogui.click(140, 90); pyautogui.press('f2'); pyautogui.hotkey('ctrl', 'a')"
    await desktop.pyautogui(f"{code}; pyautogui.write('todo_list_Jan_2'); pyautogui.press('enter')")
    assert (await check(task, desktop)).score == 1.0


async def test_setting_up_twice_is_no_error(desktop: Desktop) -> None:
    for _ in range(2):
        await set_up(TaskLibrary().find(RENAME), desktop)


def test_every_task_of_the_own_pack_is_supported() -> None:
    library = TaskLibrary()
    assert len(library) >= 1
    for summary in library.summaries():
        assert library.find(summary.id).summary == summary


# Finding.


def a_pack(folder: Path, *ids: str, domain: str = "os") -> Path:
    for task_id in ids:
        path = folder / domain / f"{task_id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(a_task(id=task_id)), encoding="utf-8")
    return folder


def test_eight_characters_of_an_id_are_enough_if_they_are_unique(tmp_path: Path) -> None:
    library = TaskLibrary([a_pack(tmp_path, "aaaaaaaa-1", "aaaaaaaa-2", "bbbbbbbb-1", "short")])
    assert library.find("bbbbbbbb").id == "bbbbbbbb-1"
    assert library.find("short").id == "short"
    with pytest.raises(AmbiguousTask, match="aaaaaaaa-1, aaaaaaaa-2"):
        library.find("aaaaaaaa")
    for unknown in ("bbbbbbb", "cccccccc", "", "bbbbbbbb-12"):
        with pytest.raises(UnknownTask):
            library.find(unknown)


def test_a_whole_id_wins_over_longer_ones_that_begin_like_it(tmp_path: Path) -> None:
    library = TaskLibrary([a_pack(tmp_path, "aaaaaaaa", "aaaaaaaa-2")])
    assert library.find("aaaaaaaa").id == "aaaaaaaa"


def test_tasks_are_listed_by_domain_even_if_they_cannot_be_used(tmp_path: Path) -> None:
    a_pack(tmp_path, "11111111", domain="os")
    folder = tmp_path / "chrome"
    folder.mkdir()
    unsupported = a_task(id="22222222", evaluator={"func": "is_added_to_steam_cart"})
    (folder / "22222222.json").write_text(json.dumps(unsupported), encoding="utf-8")
    library = TaskLibrary([tmp_path])
    assert [summary.id for summary in library.summaries()] == ["22222222", "11111111"]
    assert [summary.id for summary in library.summaries("os")] == ["11111111"]
    assert library.raw("22222222") == unsupported
    with pytest.raises(TaskUnsupported, match="is_added_to_steam_cart"):
        library.find("22222222")


@pytest.mark.parametrize("content", ["not json", "[]", '{"id": "x"}'])
def test_a_file_in_a_pack_that_is_no_task_is_named(tmp_path: Path, content: str) -> None:
    path = a_pack(tmp_path, "aaaaaaaa") / "os" / "broken.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TaskMalformed, match=r"os/broken\.json: "):
        TaskLibrary([tmp_path])


# Reading.


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["id"], ..., "task.id: expected text, got nothing"),
        (["id"], 5, "task.id: expected text, got the number 5"),
        (["instruction"], "", "task.instruction: expected text, got an empty text"),
        (["related_apps"], "os", "task.related_apps: expected a list, got the text 'os'"),
        (["related_apps"], ["os", 1], "task.related_apps[1]: expected text, got the number 1"),
        (["config"], {}, "task.config: expected a list, got an object"),
        (["config", 0], "mkdir", "task.config[0]: expected an object, got the text 'mkdir'"),
        (["config", 0, "type"], ..., "task.config[0].type: expected text, got nothing"),
        (["config", 0, "parameters"], ..., "task.config[0].parameters: expected an object, got nothing"),
        (
            ["config", 0, "parameters", "command"],
            [],
            "task.config[0].parameters.command: expected a command (text or a list of texts), got an empty list",
        ),
        (
            ["config", 0, "parameters", "command"],
            ["a", None],
            "task.config[0].parameters.command[1]: expected text, got nothing",
        ),
        (
            ["config", 0, "parameters", "shell"],
            "yes",
            "task.config[0].parameters.shell: expected true or false, got the text 'yes'",
        ),
        (
            ["config", 0],
            {"type": "sleep", "parameters": {"seconds": -1}},
            "task.config[0].parameters.seconds: expected seconds, got the number -1",
        ),
        (["evaluator"], ..., "task.evaluator: is missing"),
        (["evaluator", "func"], [], "task.evaluator.func: expected at least one checker, got an empty list"),
        (["evaluator", "func"], 1, "task.evaluator.func: expected text, got the number 1"),
        (["evaluator", "func"], [1], "task.evaluator.func[0]: expected a checker's name, got the number 1"),
        (["evaluator", "conj"], "xor", 'task.evaluator.conj: expected "and" or "or", got the text \'xor\''),
        (["evaluator", "result"], ..., "task.evaluator.result: expected an object, got nothing"),
        (["evaluator", "expected"], ..., "task.evaluator.expected: is missing; exact_match compares with it"),
        (["evaluator", "expected", "rules"], ..., "task.evaluator.expected.rules: is missing"),
        (
            ["evaluator", "result"],
            {"type": "vm_file", "path": ["/a"], "multi": True, "gives": [1]},
            "task.evaluator.result.gives: expected positions in the list of 1 paths, got the number 1",
        ),
    ],
)
def test_a_malformed_task_is_refused_with_the_place(path: list[str | int], value: object, message: str) -> None:
    with pytest.raises(TaskMalformed) as caught:
        read_task(with_change(a_task(), path, value))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (["config", 0, "type"], "tidy_desktop", "task.config[0]: the setup step 'tidy_desktop'"),
        (["config", 0, "type"], "login", "task.config[0]: the setup step 'login' needs an account"),
        (["config", 0, "parameters", "timeout"], 5, "task.config[0].parameters.timeout"),
        (["evaluator", "postconfig"], [{"type": "replay", "parameters": {}}], "the setup step 'replay'"),
        (["evaluator", "func"], "compare_pictures", "the checker 'compare_pictures'"),
        (["evaluator", "result", "type"], "page_info", "task.evaluator.result: the getter 'page_info'"),
        (["evaluator", "expected", "type"], "pdf_from_url", "task.evaluator.expected: the getter 'pdf_from_url'"),
        (["evaluator", "result"], {"type": "cache_file", "path": "x"}, "a cache_file that no closing step keeps"),
        (["evaluator", "expected"], {"type": "pack_file", "path": "x"}, "can only be named by a task of a pack"),
        (["proxy"], True, "task.proxy: the task needs the web"),
        (["evaluator", "options"], {"strict": True}, "the option 'strict' of exact_match"),
    ],
)
def test_what_is_not_built_is_named(path: list[str | int], value: object, named: str) -> None:
    with pytest.raises(TaskUnsupported) as caught:
        read_task(with_change(a_task(), path, value))
    assert named in str(caught.value)


@pytest.mark.parametrize("value", [None, ...])
def test_a_task_without_a_config_has_nothing_to_set_up(value: object) -> None:
    assert read_task(with_change(a_task(), ["config"], value)).config == ()


def test_unknown_fields_of_a_task_are_kept() -> None:
    task = a_task(hint=["a"], proxy=False)
    assert TaskLibrary().load(task).raw == task


@pytest.mark.parametrize(
    ("task", "domain"),
    [
        (a_task(), "os"),
        (a_task(snapshot=None), "os"),
        (a_task(snapshot=None, related_apps=[]), "custom"),
        (a_task(snapshot="chrome", related_apps=["os"]), "chrome"),
    ],
)
def test_a_task_object_belongs_to_the_app_that_it_names(task: dict[str, Any], domain: str) -> None:
    assert read_task(task).domain == domain


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in a JSON value but the whole."""
    items: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    return [found for key, inner in items for found in [(*path, key), *places(inner, (*path, key))]]


@given(place=st.sampled_from(places(a_task())), value=junk | st.just(...))
def test_a_task_with_any_one_thing_wrong_is_read_or_refused(place: tuple[str | int, ...], value: object) -> None:
    refusal = ""
    try:
        read_task(with_change(a_task(), list(place), value))
    except TaskError as error:
        refusal = str(error)
    assert not refusal or refusal.startswith("task")


@given(junk)
def test_anything_that_is_no_task_is_refused(value: object) -> None:
    with pytest.raises(TaskMalformed):
        read_task(value)


# Setting up.


async def test_placeholders_and_sleeps_are_filled_in(desktop: Desktop) -> None:
    waited: list[float] = []

    async def note(seconds: float) -> None:
        waited.append(seconds)

    commands = [
        {"type": "execute", "parameters": {"command": "echo {CLIENT_PASSWORD} | sudo -S mkdir /opt/a", "shell": True}},
        {"type": "sleep", "parameters": {"seconds": 0.5}},
        {
            "type": "command",
            "parameters": {
                "command": [
                    "python",
                    "-c",
                    "import pyautogui; pyautogui.moveTo({SCREEN_WIDTH_HALF}, {SCREEN_HEIGHT} - 1)",
                ]
            },
        },
        {"type": "launch", "parameters": {"command": "nautilus /opt", "shell": "true"}},
    ]
    await set_up(read_task(a_task(config=commands)), desktop, sleep=note)
    assert waited == [0.5]
    assert (await desktop.pyautogui("print(*pyautogui.position())")).output == "960 1079\n"
    names = {process.name for process in (await desktop.processes()).processes}
    assert "files" in names


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            {"type": "execute", "parameters": {"command": "mkdir /opt/x", "shell": True}},
            "config[1] execute: the command returned 1: mkdir: cannot create directory '/opt/x': Permission denied",
        ),
        (
            {"type": "execute", "parameters": {"command": ["python", "-c", "1 / 0"]}},
            "config[1] execute: the command returned 1: ZeroDivisionError: division by zero",
        ),
        ({"type": "command", "parameters": {"command": "false"}}, "config[1] command: the command returned 1"),
        (
            {"type": "launch", "parameters": {"command": ["nosuch"]}},
            "config[1] launch: there is no such program: bash: nosuch: command not found",
        ),
        (
            {"type": "execute", "parameters": {"command": "sleep 200", "shell": True}},
            "config[1] execute: the action did not come to an end within 120 s",
        ),
    ],
)
async def test_a_step_that_does_not_happen_is_an_error(desktop: Desktop, step: dict[str, Any], message: str) -> None:
    task = read_task(a_task(config=[*a_task()["config"], step, *a_task()["config"]]))
    with pytest.raises(SetupFailed) as caught:
        await set_up(task, desktop, sleep=no_wait)
    assert str(caught.value) == message


async def test_a_guest_that_hangs_fails_the_setup(faults: Faults, desktop: Desktop) -> None:
    faults.hang_guest()
    with pytest.raises(SetupFailed, match=r"config\[0\] execute: the desktop's guest did not answer"):
        await set_up(read_task(a_task()), desktop)


# Checking.


async def test_the_getters_give_what_is_on_the_desktop(desktop: Desktop) -> None:
    await desktop.execute("mkdir -p d/sub; printf one > d/f; printf two > d/sub/'g h'; ln -s f d/l", shell=True)
    checks: list[dict[str, Any]] = [
        {"result": {"type": "vm_command_line", "command": ["cat", "d/f"]}, "expected": expecting("one")},
        {"result": {"type": "vm_command_line", "command": "exit 3", "shell": True}, "expected": expecting("")},
        {
            "result": {"type": "vm_command_error", "command": "echo x >&2", "shell": True},
            "expected": expecting("x\n"),
        },
        {
            "func": "compare_text_file",
            "result": {"type": "vm_file", "path": "/home/user/d/f", "dest": "f"},
            "expected": {"type": "vm_file", "path": "/home/user/d/f", "dest": "g"},
        },
        {
            "func": "file_contains",
            "result": {
                "type": "vm_file",
                "path": ["/home/user/d/f", "/home/user/d/sub/g h"],
                "multi": True,
                "gives": [1],
            },
            "expected": expecting(["two"]),
        },
        {
            "func": "check_moved_jpgs",
            "result": {"type": "list_directory", "path": "/home/user/d"},
            "expected": expecting(["f", "sub", "l"]),
        },
    ]
    for evaluator in checks:
        verdict = await verdict_of(desktop, **evaluator)
        assert verdict.score == 1.0, (evaluator, verdict)


async def test_a_missing_file_or_folder_of_the_agent_scores_0(desktop: Desktop) -> None:
    for evaluator in (
        {"func": "file_contains", "result": {"type": "vm_file", "path": "/home/user/x"}, "expected": expecting(["a"])},
        {
            "func": "check_moved_jpgs",
            "result": {"type": "list_directory", "path": "/home/user/x"},
            "expected": expecting(["a"]),
        },
    ):
        assert (await verdict_of(desktop, **evaluator)).score == 0.0


async def test_a_missing_reference_is_an_error_and_no_score(desktop: Desktop) -> None:
    await desktop.execute("touch f", shell=True)
    verdict = await verdict_of(
        desktop,
        func="compare_text_file",
        result={"type": "vm_file", "path": "/home/user/f"},
        expected={"type": "vm_file", "path": "/home/user/gold"},
    )
    assert verdict.score is None
    assert verdict.checker_error == "the expected file must be a file's content, not nothing"
    assert verdict.error_kind == "crashed"


@pytest.mark.parametrize(
    ("conj", "passes", "score"),
    [
        ("and", [True, True], 1.0),
        ("and", [True, False], 0.0),
        ("and", [False, True], 0.0),
        ("or", [False, True], 1.0),
        ("or", [True, False], 1.0),
        ("or", [False, False], 0.0),
        (None, [True, False], 0.0),
    ],
)
async def test_several_checkers_count_as_conj_says(
    desktop: Desktop, conj: str | None, passes: list[bool], score: float
) -> None:
    verdict = await verdict_of(
        desktop,
        func=["exact_match"] * len(passes),
        result=[printing("x")] * len(passes),
        expected=[expecting("x" if wanted else "y") for wanted in passes],
        options=[None] * len(passes),
        conj=conj,
    )
    assert verdict.score == score


scores = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=4)


@given(scores)
def test_partial_scores_are_averaged_by_and_and_the_best_is_taken_by_or(parts: list[float]) -> None:
    import asyncio
    from dataclasses import replace

    evaluator = read_task(a_task()).evaluator

    class Fixed(NamedTuple):
        part: float

        async def score(self, desktop: object) -> float:  # noqa: ARG002  it looks at none
            return self.part

    def scored(conj: Any) -> float:
        metrics: Any = tuple(Fixed(part) for part in parts)
        fixed: Any = replace(evaluator, metrics=metrics, conj=conj)
        return cast("float", asyncio.run(fixed.score(object())))

    assert scored("or") == max(parts)
    assert scored("and") == (0.0 if 0.0 in parts else sum(parts) / len(parts))


async def test_lists_of_different_lengths_are_malformed() -> None:
    with pytest.raises(TaskMalformed, match=r"task\.evaluator\.expected: expected 2 entries, one for each func, got 1"):
        read_task(
            a_task(evaluator={"func": ["exact_match"] * 2, "result": [printing("")] * 2, "expected": [expecting("")]})
        )


async def test_closing_steps_run_before_the_check_and_not_before_a_second_look(desktop: Desktop) -> None:
    step = {"type": "execute", "parameters": {"command": "echo x >> f", "shell": True}}
    evaluator = an_evaluator(
        postconfig=[step], result={"type": "vm_command_line", "command": ["cat", "f"]}, expected=expecting("x\n")
    )
    task = read_task(a_task(evaluator=evaluator))
    assert (await check(task, desktop)).score == 1.0
    assert (await check(task, desktop, postconfig=False)).score == 1.0
    assert (await check(task, desktop)).score == 0.0


async def test_a_closing_command_may_fail_as_in_osworld(desktop: Desktop) -> None:
    step = {"type": "execute", "parameters": {"command": ["pkill", "nothing"]}}
    verdict = await verdict_of(desktop, postconfig=[step], result=printing("x"), expected=expecting("x"))
    assert verdict.score == 1.0


async def test_a_guest_that_hangs_in_the_check_is_an_error_and_no_score(faults: Faults, desktop: Desktop) -> None:
    faults.hang_guest()
    verdict = await verdict_of(desktop)
    assert (verdict.score, verdict.error_kind) == (None, "crashed")
    assert "did not answer" in (verdict.checker_error or "")


async def test_a_check_out_of_time_is_an_error_and_no_score(faults: Faults, desktop: Desktop) -> None:
    faults.hang_guest(wait_s=60)
    verdict = await check(read_task(a_task()), desktop, timeout_s=0.01)
    assert (verdict.score, verdict.error_kind) == (None, "timeout")
    assert verdict.checker_error == "the check took longer than 0.01 s"


async def test_an_exception_in_a_checker_is_an_error_and_no_score(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Sandbox("tests.local.osworld.hostile")
    monkeypatch.setattr(evaluate, "SANDBOX", broken)
    verdict = await verdict_of(desktop)
    broken.end()
    assert (verdict.score, verdict.checker_error, verdict.error_kind) == (None, "KeyError: 'gone'", "crashed")


async def test_a_lost_desktop_is_no_verdict_at_all(faults: Faults, desktop: Desktop) -> None:
    faults.lose_desktop("s1")
    with pytest.raises(DesktopGone):
        await verdict_of(desktop)
    with pytest.raises(DesktopGone):
        await set_up(read_task(a_task()), desktop)


def test_a_listing_is_the_tree_of_its_paths() -> None:
    paths = ["/d", "/d/a", "/d/a/b", "/d/a-c", "/d/e"]
    assert tree_of("/d/", paths, frozenset({"/d", "/d/a"})) == {
        "type": "directory",
        "name": "d",
        "children": [
            {"type": "directory", "name": "a", "children": [{"type": "file", "name": "b"}]},
            {"type": "file", "name": "a-c"},
            {"type": "file", "name": "e"},
        ],
    }
