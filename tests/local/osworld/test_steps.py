"""A setup step either happens or ends the setup; a closing step never sends keys to a window that they are not for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.machines.machine import Outcome
from drums.local.osworld import SetupFailed, TaskMalformed, TaskUnsupported, check, set_up
from drums.local.osworld.inside import script
from drums.local.osworld.steps import STEPS
from drums.local.osworld.steps.base import PLACEHOLDERS, filled
from drums.local.osworld.steps.browser import on_the_web
from drums.local.osworld.steps.commands import program_of
from drums.local.osworld.task import read_task
from tests.local.osworld.scripted import ScriptedDesktop, Windows
from tests.local.osworld.tasks import a_task, an_evaluator, expecting, printing

if TYPE_CHECKING:
    from drums.local.machines.machine import Desktop

PRESS_SAVE = {"command": ["python", "-c", "import pyautogui; pyautogui.hotkey('ctrl', 's')"]}


async def no_wait(_: float) -> None:
    pass


def a_step(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"type": kind, "parameters": parameters}


async def prepare(desktop: Any, *steps: dict[str, Any]) -> None:
    await set_up(read_task(a_task(config=list(steps))), desktop, sleep=no_wait)


async def failure(desktop: Any, *steps: dict[str, Any]) -> str:
    with pytest.raises(SetupFailed) as caught:
        await prepare(desktop, *steps)
    return str(caught.value)


# Placeholders.


@given(st.lists(st.sampled_from([*PLACEHOLDERS, "{OTHER}", "{", "}", "HALF}", "x"]), max_size=8))
def test_every_placeholder_is_replaced_once_and_nothing_else_is_touched(parts: list[str]) -> None:
    joined = "|".join(parts)
    assert filled(joined) == "|".join(PLACEHOLDERS.get(part, part) for part in parts)
    assert filled((joined, "x")) == (filled(joined), "x")


# Commands.


@pytest.mark.parametrize(
    ("until", "counts"),
    [
        ({"returncode": 0}, 3),
        ({"stdout": "nd 3"}, 3),
        ({"stderr": "no 2"}, 2),
        ({"returncode": 9, "stdout": "nd 3"}, 3),
    ],
)
async def test_a_command_is_repeated_until_what_is_waited_for(
    desktop: Desktop, until: dict[str, Any], counts: int
) -> None:
    count = "n=$(cat n 2>/dev/null || echo 0); n=$((n+1)); echo $n > n"
    line = f"{count}; [ $n -ge 3 ] && echo round $n || {{ echo no $n >&2; false; }}"
    await prepare(desktop, a_step("execute", command=line, shell=True, until=until))
    assert await desktop.read_file("/home/user/n", 10) == f"{counts}\n".encode()


async def test_what_never_comes_ends_the_setup(desktop: Desktop) -> None:
    waited: list[float] = []

    async def note(seconds: float) -> None:
        waited.append(seconds)

    task = read_task(a_task(config=[a_step("execute", command="false", until={"returncode": 0})]))
    with pytest.raises(SetupFailed, match="what it waits for did not come within 60 s"):
        await set_up(task, desktop, sleep=note)
    assert sum(waited) == pytest.approx(60.0)


async def test_a_shell_that_starts_no_program_is_no_start(desktop: Desktop) -> None:
    launch = a_step("launch", command="A=1 nosuchplayer --fullscreen", shell=True)
    assert await failure(desktop, launch) == "config[0] launch: there is no such program: nosuchplayer"
    await prepare(desktop, a_step("launch", command="A=1 nautilus /home/user", shell=True))


@given(st.text(max_size=30))
def test_the_program_of_a_command_line_is_a_plain_word_or_not_told(line: str) -> None:
    program = program_of(line)
    assert program is None or (program in line and not set(program) & set("$`'\"\\;&|()<> "))


@pytest.mark.parametrize(
    ("line", "program"),
    [
        ("A=1 B=2 vlc -f", "vlc"),
        ("/usr/bin/vlc", "/usr/bin/vlc"),
        ("$X", None),
        ("(vlc)", None),
        ("", None),
        ("'a", None),
    ],
)
def test_assignments_before_a_program_are_passed_over(line: str, program: str | None) -> None:
    assert program_of(line) == program


async def test_a_launch_without_a_shell_is_split_at_its_blanks(desktop: Desktop) -> None:
    scripted = ScriptedDesktop(desktop, lambda _: Outcome())
    await prepare(scripted, a_step("launch", command="vlc  --title 'a b'"))
    assert scripted.launched == [("vlc", "--title", "'a", "b'")]


@pytest.mark.parametrize(
    "command",
    [
        "echo {CLIENT_PASSWORD} | sudo -S apt-get update",
        "sudo apt -y install jq",
        ["pip", "install", "pygame"],
        "wget -q https://example.org/x",
        "git clone https://example.org/x.git",
        ["code", "--install-extension", "ms-python.python"],
    ],
)
@pytest.mark.parametrize("place", ["config", "postconfig"])
def test_a_command_that_needs_the_web_is_refused_when_the_task_is_read(command: Any, place: str) -> None:
    step = a_step("execute", command=command, shell=isinstance(command, str))
    task = a_task(config=[step]) if place == "config" else a_task(evaluator=an_evaluator(postconfig=[step]))
    with pytest.raises(TaskUnsupported, match="needs the web, and desktops have no network"):
        read_task(task)


@pytest.mark.parametrize(
    "command", ["grep install apt.txt", "apt list --installed", "code --install-extension a/b-0.1.vsix", "git init"]
)
def test_a_command_that_only_looks_like_it_is_not(command: str) -> None:
    read_task(a_task(config=[a_step("execute", command=command, shell=True)]))


async def test_a_verified_command_waits_for_its_window_and_its_proof(desktop: Desktop) -> None:
    windows = Windows()
    windows.appearing[3] = ("app.App", "Ready")
    step = a_step(
        "execute_with_verification",
        command="touch started",
        shell=True,
        verification={"window_exists": "ready", "command_success": "test -e started"},
    )
    await prepare(ScriptedDesktop(desktop, windows), step)
    assert windows.looks == 3
    with_other_proof = {**step["parameters"], "verification": {"command_success": "false"}, "max_wait_time": 3}
    said = await failure(desktop, a_step("execute_with_verification", **with_other_proof))
    assert said == "config[0] execute_with_verification: its verification did not pass within 3 s"


# What commands print.


async def test_what_a_closing_command_prints_is_kept_and_asked_for_again_at_a_second_look(desktop: Desktop) -> None:
    evaluator = an_evaluator(
        postconfig=[
            a_step("execute", command="echo x >> touched", shell=True),
            a_step("command", command="cat touched; echo bad >&2; exit 3", shell=True, stdout="out", stderr="err"),
        ],
        func=["file_contains", "compare_config"],
        result=[{"type": "cache_file", "path": "out"}, {"type": "cache_file", "path": "err"}],
        expected=[expecting(["x"]), expecting("bad\n")],
    )
    task = read_task(a_task(evaluator=evaluator))
    assert (await check(task, desktop)).score == 1.0
    await desktop.execute("echo y > touched", shell=True)
    again = await check(task, desktop, postconfig=False)
    assert (again.score, await desktop.read_file("/home/user/touched", 10)) == (0.0, b"y\n")


def test_the_output_of_a_setup_command_is_not_kept_for_the_checker() -> None:
    task = a_task(
        config=[a_step("execute", command="ls", stdout="out")],
        evaluator=an_evaluator(result={"type": "cache_file", "path": "out"}),
    )
    with pytest.raises(TaskUnsupported, match="'out' is a cache_file that no closing step keeps"):
        read_task(task)


# Windows.


@pytest.mark.parametrize(
    ("parameters", "found"),
    [
        ({"window_name": "report"}, "Report.xlsx - LibreOffice Calc"),
        ({"window_name": "Report.xlsx \u2014 LibreOffice Calc", "strict": True}, "Report.xlsx - LibreOffice Calc"),
        ({"window_name": "report", "strict": True}, None),
        ({"window_name": "Navigator.Firefox", "by_class": True, "strict": True}, "Home"),
        ({"window_name": "firefox", "by_class": True}, "Home"),
        ({"window_name": "Terminal"}, "user@desktop: ~"),
        ({"window_name": "Terminal", "strict": True}, None),
        ({"window_name": "browser (/home"}, "Settings"),
        ({"window_name": "nothing"}, None),
    ],
)
@pytest.mark.parametrize("kind", ["activate_window", "close_window"])
async def test_a_window_is_found_by_its_title_or_class(
    desktop: Desktop, kind: str, parameters: dict[str, Any], found: str | None
) -> None:
    windows = Windows(
        ("soffice.Soffice", "Report.xlsx - LibreOffice Calc"),
        ("Navigator.Firefox", "Home"),
        ("lxterminal.Lxterminal", "user@desktop: ~"),
        ("browser (/home/user/.config).Browser", "Settings"),
        ("untitled.Untitled", ""),
    )
    scripted = ScriptedDesktop(desktop, windows)
    if found is None:
        assert await failure(scripted, a_step(kind, **parameters)) == (
            f"config[0] {kind}: there is no window {parameters['window_name']!r}"
        )
    else:
        await prepare(scripted, a_step(kind, **parameters))
    assert windows.activated + windows.closed == ([] if found is None else [found])


async def test_a_setup_waits_for_a_window_that_is_coming_up(desktop: Desktop) -> None:
    windows = Windows()
    windows.appearing[5] = ("a.A", "Terminal")
    await prepare(ScriptedDesktop(desktop, windows), a_step("activate_window", window_name="Terminal"))
    assert windows.activated == ["Terminal"]


async def test_a_desktop_that_can_not_list_its_windows_fails_the_setup(desktop: Desktop) -> None:
    scripted = ScriptedDesktop(desktop, lambda words: Outcome(1, "", "no display\n") if words[0] == "wmctrl" else None)
    said = await failure(scripted, a_step("activate_window", window_name="x"))
    assert said == "config[0] activate_window: the desktop can't list its windows: no display"


async def test_a_file_is_opened_once_its_window_is_there(desktop: Desktop) -> None:
    await desktop.write_file("/home/user/Report.final.txt", b"")
    for title in ("Report.final.txt - Editor", "*Report.final - Editor"):
        windows = Windows(("other.Other", "Other"))
        windows.appearing[4] = ("editor.Editor", title)
        scripted = ScriptedDesktop(desktop, windows)
        await prepare(scripted, a_step("open", path="/home/user/Report.final.txt"))
        assert scripted.launched == [("xdg-open", "/home/user/Report.final.txt")]
        assert windows.activated == [title]


async def test_a_file_that_is_not_there_or_whose_window_does_not_come_is_not_opened(desktop: Desktop) -> None:
    scripted = ScriptedDesktop(desktop, Windows(("other.Other", "Other")))
    step = a_step("open", path="/home/user/x.txt")
    assert await failure(scripted, step) == "config[0] open: there is no '/home/user/x.txt' in the desktop"
    await desktop.write_file("/home/user/x.txt", b"")
    said = await failure(scripted, step)
    assert said == "config[0] open: no window with 'x.txt' in its title came up within 120 s"


def saving(**parameters: Any) -> dict[str, Any]:
    """An evaluator that first saves in a window."""
    closing = [
        a_step("activate_window", **parameters),
        a_step("sleep", seconds=0.5),
        a_step("execute", **PRESS_SAVE),
        a_step("execute", command="touch reached", shell=True),
    ]
    return an_evaluator(postconfig=closing, result=printing("x"), expected=expecting("x"))


async def test_keys_for_a_window_that_is_not_there_reach_no_other_and_the_verdict_says_so(desktop: Desktop) -> None:
    scripted = ScriptedDesktop(desktop, Windows(("other.Other", "Other")))
    task = read_task(a_task(evaluator=saving(window_name="Report.xlsx - LibreOffice Calc", strict=True)))
    verdict = await check(task, cast("Desktop", scripted), sleep=no_wait)
    assert verdict.score == 1.0
    assert verdict.notes == (
        "postconfig[0] activate_window: there is no window 'Report.xlsx - LibreOffice Calc'",
        "postconfig[2] execute: not done, since the window that its keys are meant for is not there",
    )
    assert not any("pyautogui" in " ".join(words) for words in scripted.asked)
    assert await desktop.read_file("/home/user/reached", 10) == b""


async def test_keys_for_a_window_that_is_there_are_sent_and_nothing_is_noted(desktop: Desktop) -> None:
    scripted = ScriptedDesktop(desktop, Windows(("soffice.Soffice", "Report.xlsx - LibreOffice Calc")))
    task = read_task(a_task(evaluator=saving(window_name="Report.xlsx - LibreOffice Calc", strict=True)))
    verdict = await check(task, cast("Desktop", scripted), sleep=no_wait)
    assert (verdict.score, verdict.notes) == (1.0, ())
    assert tuple(PRESS_SAVE["command"]) in scripted.asked


async def test_a_program_that_a_closing_step_starts_gets_the_keys_again(desktop: Desktop) -> None:
    closing = [
        a_step("activate_window", window_name="Gone"),
        a_step("launch", command=["nautilus"]),
        a_step("execute", **PRESS_SAVE),
    ]
    evaluator = an_evaluator(postconfig=closing, result=printing("x"), expected=expecting("x"))
    scripted = ScriptedDesktop(desktop, Windows())
    verdict = await check(read_task(a_task(evaluator=evaluator)), cast("Desktop", scripted), sleep=no_wait)
    assert verdict.notes == ("postconfig[0] activate_window: there is no window 'Gone'",)
    assert tuple(PRESS_SAVE["command"]) in scripted.asked


async def test_a_window_that_a_closing_step_would_close_may_be_closed_already(desktop: Desktop) -> None:
    evaluator = an_evaluator(
        postconfig=[a_step("close_window", window_name="Gone")], result=printing("x"), expected=expecting("x")
    )
    scripted = ScriptedDesktop(desktop, Windows())
    verdict = await check(read_task(a_task(evaluator=evaluator)), cast("Desktop", scripted), sleep=no_wait)
    assert (verdict.score, verdict.notes) == (1.0, ("postconfig[0] close_window: there is no window 'Gone'",))


async def test_a_closing_step_that_can_not_be_done_is_an_error_and_no_score(desktop: Desktop) -> None:
    evaluator = an_evaluator(
        postconfig=[a_step("open", path="/home/user/x")], result=printing("x"), expected=expecting("x")
    )
    verdict = await check(read_task(a_task(evaluator=evaluator)), desktop, sleep=no_wait)
    assert (verdict.score, verdict.error_kind) == (None, "crashed")
    assert verdict.checker_error == "postconfig[0] open: there is no '/home/user/x' in the desktop"


# Settings and the browser.


async def test_a_wallpaper_is_a_file_that_is_there(desktop: Desktop) -> None:
    step = a_step("change_wallpaper", path="/home/user/a picture.png")
    assert "there is no file '/home/user/a picture.png' in the desktop" in await failure(desktop, step)
    await desktop.write_file("/home/user/a picture.png", b"PNG")
    scripted = ScriptedDesktop(desktop, lambda words: Outcome(0) if words[0] == "gsettings" else None)
    await prepare(scripted, step)
    assert scripted.asked[-1][-2:] == ("picture-uri", "'file:///home/user/a%20picture.png'")


@pytest.mark.parametrize("kind", ["open", "close"])
async def test_tabs_are_the_business_of_a_program_in_the_desktop(desktop: Desktop, kind: str) -> None:
    urls = ["chrome://settings", "file:///home/user/a.html", "http://localhost:8000/x"]
    step = a_step(f"chrome_{kind}_tabs", **{f"urls_to_{kind}": urls})
    scripted = ScriptedDesktop(desktop, lambda words: Outcome(0) if words[0] == "python3" else None)
    await prepare(scripted, step)
    assert scripted.asked == [("python3", "-c", script("tabs"), kind, *urls)]
    silent = ScriptedDesktop(desktop, lambda _: Outcome(3, "", "no browser listens\n"))
    assert await failure(silent, step) == f"config[0] chrome_{kind}_tabs: the command returned 3: no browser listens"


@pytest.mark.parametrize(
    ("url", "web"),
    [
        ("https://www.example.org/", True),
        ("example.org", True),
        ("http://10.0.0.1/", True),
        ("http://[::1", True),
        ("http://127.0.0.1:8080/", False),
        ("http://[::1]/", False),
        ("http://localhost/", False),
        ("chrome://settings", False),
        ("about:blank", False),
        ("file:///etc/hosts", False),
    ],
)
def test_a_page_of_the_web_is_refused_when_the_task_is_read(url: str, web: bool) -> None:
    assert on_the_web(url) == web
    task = a_task(config=[a_step("chrome_open_tabs", urls_to_open=[url])])
    if web:
        with pytest.raises(TaskUnsupported, match="is one of the pages of the web, and desktops have no network"):
            read_task(task)
    else:
        read_task(task)


async def test_visits_are_added_by_a_program_in_the_desktop(desktop: Desktop) -> None:
    visit = {"url": "https://example.org/", "title": "Example", "visit_time_from_now_in_seconds": 60}
    scripted = ScriptedDesktop(desktop, lambda words: Outcome(0) if words[0] == "python3" else None)
    await prepare(scripted, a_step("update_browse_history", history=[visit]))
    *_, path, visits = scripted.asked[-1]
    assert (path, json.loads(visits)) == (
        "~/.config/google-chrome/Default/History",
        [["https://example.org/", "Example", 60.0]],
    )


# Reading.


@pytest.mark.parametrize("kind", sorted(STEPS))
def test_every_step_refuses_a_parameter_that_it_does_not_know(kind: str) -> None:
    with pytest.raises((TaskUnsupported, TaskMalformed)) as caught:
        read_task(a_task(config=[a_step(kind, surprise=1)]))
    assert str(caught.value).startswith("task.config[0]")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            a_step("download", files=[]),
            "task.config[0].parameters.files: expected a list of objects, got an empty list",
        ),
        (a_step("execute", command="x", until={"returncode": "0"}), "until.returncode: expected a whole number"),
        (a_step("launch", command="  "), "task.config[0].parameters.command: expected a command, got blanks"),
        (a_step("chrome_open_tabs", urls_to_open=[]), "expected a list of URLs, got an empty list"),
        (a_step("update_browse_history", history=[{"url": "x"}]), "visit_time_from_now_in_seconds: expected seconds"),
        (a_step("activate_window"), "window_name: expected text, got nothing"),
    ],
)
def test_a_malformed_step_is_refused_with_the_place(step: dict[str, Any], message: str) -> None:
    with pytest.raises(TaskMalformed) as caught:
        read_task(a_task(config=[step]))
    assert message in str(caught.value)
