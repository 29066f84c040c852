"""OSWorld's tasks that need no web and no files, on real desktops: set up, not done by doing nothing, and as strict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import drums
import drums.local
from drums.local import TaskSources
from drums.local.machines.runc import images
from tests.desktops.conftest import ALIVE_GATE_S, eventually, launch, shell
from tests.local.osworld.checkout import EXAMPLES, ON_IMAGES, needs_osworld
from tests.local.osworld.tasks import a_task, an_evaluator, expecting, printing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local.machines.runc.layout import Layout

CASES = [pytest.param(image, task, id=f"{image}-{task}") for image, tasks in ON_IMAGES.items() for task in tasks]


@pytest.fixture(scope="module")
def client(host: Layout) -> Iterator[drums.Client]:
    """A client of a daemon that knows OSWorld's tasks."""
    tasks = TaskSources(osworld=EXAMPLES)
    with (
        drums.local.serving(machine="runc", alive_gate_s=ALIVE_GATE_S, tasks=tasks) as daemon,
        drums.connect(daemon.url, daemon.token) as connected,
    ):
        yield connected


def demand_image(host: Layout, name: str) -> None:
    """Skip where an image was not built."""
    if name not in {image.name for image in images.installed(host)}:
        pytest.skip(f"the image {name} is not built here: drums image build {name}")


def a_step(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"type": kind, "parameters": parameters}


def checked(client: drums.Client, image: str, *config: dict[str, Any], **evaluator: Any) -> drums.Reward:
    """What the checker says right after a setup."""
    with client.create(image, a_task(config=list(config), evaluator=an_evaluator(**evaluator))) as env:
        return env.wait_valid().verify(strict=False)


# OSWorld's own tasks.


@needs_osworld
@pytest.mark.timeout(240)
@pytest.mark.parametrize(("image", "task"), CASES)
def test_a_task_is_set_up_and_nothing_done_is_nothing_earned(
    client: drums.Client, host: Layout, image: str, task: str
) -> None:
    demand_image(host, image)
    infeasible = client.task(task)["evaluator"]["func"] == "infeasible"
    with client.create(image, task) as env:
        env.wait_valid()
        env.step("DONE")
        reward = env.verify()
        assert (reward.valid, reward.score) == (True, 0.0), reward.raw
        env.reset().wait_valid()
        env.step("FAIL")
        assert env.verify().score == (1.0 if infeasible else 0.0)


# Steps and getters that only a real desktop can show.


def test_a_file_is_opened_and_its_window_found(client: drums.Client) -> None:
    make = a_step("execute", command="echo text > /home/user/notes.txt", shell=True)
    opened = a_step("open", path="/home/user/notes.txt")
    window = a_step("activate_window", window_name="notes.txt")
    with client.create("desktop", a_task(config=[make, opened, window])) as env:
        assert "notes.txt" in shell(env.wait_valid(), "xdotool getactivewindow getwindowname")


def test_a_window_is_closed_by_its_class(client: drums.Client) -> None:
    steps = [
        a_step("launch", command=["xterm"]),
        a_step("close_window", window_name="xterm.XTerm", by_class=True, strict=True),
    ]
    with client.create("desktop", a_task(config=steps)) as env:
        eventually(lambda: "XTerm" not in shell(env.wait_valid(), "wmctrl -lx"))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (a_step("launch", command="nosuchprogram --x", shell=True), "there is no such program: nosuchprogram"),
        (a_step("launch", command=["nosuchprogram"]), "there is no such program"),
        (a_step("execute", command="nosuchprogram", shell=True), "the command returned 127"),
        (a_step("open", path="/home/user/none.txt"), "there is no '/home/user/none.txt' in the desktop"),
        (a_step("change_wallpaper", path="/home/user/none.png"), "there is no file '/home/user/none.png'"),
        (a_step("chrome_open_tabs", urls_to_open=["about:blank"]), "no browser listens on port 9222 or 1337"),
    ],
)
def test_a_step_that_did_not_happen_leaves_no_desktop_to_score(
    client: drums.Client, step: dict[str, Any], message: str
) -> None:
    with pytest.raises(drums.TaskSetupFailed) as caught:
        client.create("desktop", a_task(config=[step]))
    assert message in str(caught.value)


def test_keys_for_a_window_that_is_gone_reach_no_other(client: drums.Client) -> None:
    closing = [
        a_step("activate_window", window_name="Report.xlsx - LibreOffice Calc", strict=True),
        a_step("execute", command=["python", "-c", "import pyautogui; pyautogui.write('echo typed > typed\\n')"]),
    ]
    evaluator = an_evaluator(postconfig=closing, result=printing("x"), expected=expecting("x"))
    with client.create("desktop", a_task(evaluator=evaluator)) as env:
        launch(env.wait_valid(), "xterm")
        eventually(lambda: "XTerm" in shell(env, "wmctrl -lx"))
        reward = env.verify(strict=False)
        assert reward.score == 1.0
        assert "there is no window 'Report.xlsx - LibreOffice Calc'" in reward.raw["audit"]["notes"][0]
        assert shell(env, "ls typed 2>&1 || true").strip() != "typed"


def test_a_wallpaper_that_was_set_is_the_one_that_is_read(client: drums.Client) -> None:
    reward = checked(
        client,
        "desktop",
        a_step("execute", command="printf wall > '/home/user/a wall.png'", shell=True),
        a_step("change_wallpaper", path="/home/user/a wall.png"),
        func="compare_config",
        result={"type": "vm_wallpaper", "dest": "x.png"},
        expected=expecting("wall"),
    )
    assert reward.score == 1.0


def test_what_lies_in_a_desktop_can_not_make_a_checker_hang(client: drums.Client) -> None:
    """A pipe, a device and a link out of the home folder, where a file is expected."""
    for make, error in (
        ("mkfifo /home/user/x", "it is not a file"),
        ("ln -s /dev/zero /home/user/x", "it is not a file"),
        ("mkdir /home/user/x", "Is a directory"),
        ("ln -s /nowhere /home/user/x", None),
        ("truncate -s 70M /home/user/x", "larger than"),
    ):
        reward = checked(
            client,
            "desktop",
            a_step("execute", command=make, shell=True),
            func="file_contains",
            result={"type": "vm_file", "path": "/home/user/x"},
            expected=expecting(["x"]),
        )
        if error is None:
            assert (reward.score, reward.checker_error) == (0.0, None)
        else:
            assert reward.score is None
            assert error in (reward.checker_error or "")


def test_a_terminal_that_does_not_tell_its_text_is_an_error_and_no_terminal_is_a_score(client: drums.Client) -> None:
    terminal: dict[str, Any] = {
        "func": "check_include_exclude",
        "result": {"type": "vm_terminal_output"},
        "expected": {"type": "rule", "rules": {"include": ["x"]}},
    }
    assert checked(client, "desktop", **terminal).score == 0.0
    with client.create("desktop", a_task(evaluator=an_evaluator(**terminal))) as env:
        launch(env.wait_valid(), "lxterminal")
        eventually(lambda: "lxterminal" in shell(env, "wmctrl -lx"))
        error = env.verify(strict=False).checker_error
        assert "started without accessibility" in (error or "")


def test_a_terminal_that_the_task_starts_tells_its_text(client: drums.Client) -> None:
    reward = checked(
        client,
        "desktop",
        a_step("launch", command=["lxterminal"]),
        a_step("activate_window", window_name="Terminal"),
        a_step("execute", command=["python", "-c", "import pyautogui; pyautogui.write('echo $((50+4))-HELLO\\n')"]),
        a_step("sleep", seconds=1),
        func="check_include_exclude",
        result={"type": "vm_terminal_output"},
        expected={"type": "rule", "rules": {"include": ["54-HELLO"]}},
    )
    assert reward.score == 1.0, reward.raw


def test_tabs_are_opened_closed_and_read_in_a_browser_that_listens(client: drums.Client, host: Layout) -> None:
    demand_image(host, "chromium")
    with client.create(
        "chromium",
        a_task(
            config=[
                a_step("update_browse_history", history=[
                    {"url": "https://example.org/", "title": "Example", "visit_time_from_now_in_seconds": 60}
                ]),
                a_step("launch", command=["google-chrome", "--remote-debugging-port=1337"]),
                a_step("launch", command=["socat", "tcp-listen:9222,fork", "tcp:localhost:1337"]),
                a_step("chrome_open_tabs", urls_to_open=["chrome://version/", "chrome://settings/"]),
                a_step("chrome_close_tabs", urls_to_close=["chrome://version/"]),
            ],
            evaluator=an_evaluator(
                result={"type": "active_url_from_accessTree", "goto_prefix": ""}, expected=expecting("chrome://settings/")
            ),
        ),
    ) as env:  # fmt: skip
        assert env.wait_valid().verify().score == 1.0
        history = "file:/home/user/.config/google-chrome/Default/History?immutable=1"
        ask = f"sqlite3.connect('{history}', uri=True).execute('select url from urls').fetchall()"
        assert "https://example.org/" in shell(env, f'python3 -c "import sqlite3; print({ask})"')
