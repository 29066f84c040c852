"""What actions do in a real desktop, and what is left of them: nothing."""

from __future__ import annotations

import io
import string
from typing import TYPE_CHECKING

import pytest
from PIL import Image

import drums
from drums.local.machines.machine import CheckpointId, GuestError, SlotId

from .conftest import an_editor, eventually, shell, status, text_in_editor

if TYPE_CHECKING:
    from drums.local.machines.runc.machine import RuncMachine

PRINTABLE = string.ascii_letters + string.digits + string.punctuation + " "
NOISE = "import time; [(print(n), time.sleep(0.05)) for n in range(10000)]"
OTHER_SCRIPTS = "Grüße, señor ¿cómo? Ω Жук שלום مرحبا 漢字かな 한글 €"


@pytest.mark.parametrize("text", [PRINTABLE, OTHER_SCRIPTS], ids=["ascii", "other scripts"])
def test_typing_gives_every_character(env: drums.Env, text: str) -> None:
    an_editor(env, text)

    assert text_in_editor(env) == text


def test_an_action_begins_with_a_fresh_namespace_and_leaves_nothing(env: drums.Env) -> None:
    env.step("left = 1; pyautogui.PAUSE = 5; import os; os.environ['LEFT'] = '1'; os.chdir('/')")

    result = env.step("import os; print('left' in dir(), pyautogui.PAUSE, os.environ.get('LEFT'), os.getcwd())").result

    assert result["output"] == "False 0 None /home/user\n"


@pytest.mark.parametrize(
    ("code", "returncode"),
    [("raise SystemExit(3)", 3), ("import os; os._exit(4)", 4), ("1 / 0", 1), ("for n in range(2):\n    pass", 0)],
)
def test_an_action_ends_with_its_own_status(env: drums.Env, code: str, returncode: int) -> None:
    done = env.step(code, check=False)

    assert done.result["returncode"] == returncode
    assert ("ZeroDivisionError" in str(done.result["error"])) == (code == "1 / 0")


async def test_an_action_that_takes_too_long_ends_with_all_that_it_started(machine: RuncMachine) -> None:
    desktop = await machine.create(SlotId("late"), CheckpointId("desktop"))
    before = {process.name for process in (await desktop.processes()).processes}
    endless = "import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True); time.sleep(1000)"

    with pytest.raises(GuestError, match=r"within 0\.5 s"):
        await desktop.pyautogui(endless, timeout_s=0.5)
    with pytest.raises(GuestError, match=r"within 0\.5 s"):
        await desktop.execute("setsid sleep 1000 & sleep 1000", shell=True, timeout_s=0.5)

    assert {process.name for process in (await desktop.processes()).processes} == before
    assert (await desktop.execute("echo fine", shell=True)).output == "fine\n"


def test_a_command_in_the_background_neither_holds_the_answer_nor_dies(env: drums.Env) -> None:
    pid = shell(env, f"python3 -uc {NOISE!r} & echo $!").strip()

    with env.fork(1) as [child]:
        assert status(child, f"sleep 0.3; kill -0 {pid}") == 0
        assert status(env, f"kill -0 {pid}") == 0


def test_a_program_that_is_not_there_is_said_to_be_not_there(env: drums.Env) -> None:
    done = env.step({"type": "execute", "command": ["no-such-program"], "shell": False}, check=False)

    assert done.result["returncode"] == 127
    with pytest.raises(drums.GuestError, match="no-such-program"):
        env.step({"type": "launch", "command": ["no-such-program"], "shell": False})


def test_the_screen_shows_the_pointer_where_it_was_put(env: drums.Env) -> None:
    env.step("pyautogui.moveTo(700, 500)")
    before = picture(env)
    env.step("pyautogui.moveTo(1200, 800)")
    after = picture(env)

    assert before.size == (1920, 1080)
    assert before.crop((690, 490, 730, 530)).tobytes() != after.crop((690, 490, 730, 530)).tobytes()
    assert before.crop((1190, 790, 1230, 830)).tobytes() != after.crop((1190, 790, 1230, 830)).tobytes()


def test_a_folder_on_the_desktop_is_shown_and_renamed(env: drums.Env) -> None:
    empty = picture(env).crop((0, 0, 120, 120)).tobytes()
    shell(env, "mkdir ~/Desktop/first")
    eventually(lambda: picture(env).crop((0, 0, 120, 120)).tobytes() != empty)
    named = picture(env).crop((0, 0, 120, 120)).tobytes()

    shell(env, "mv ~/Desktop/first ~/Desktop/second")

    eventually(lambda: picture(env).crop((0, 0, 120, 120)).tobytes() not in {empty, named})


async def test_a_files_way_in_and_out_keeps_every_byte(machine: RuncMachine) -> None:
    desktop = await machine.create(SlotId("files"), CheckpointId("desktop"))
    content = bytes(range(256)) * 100_000

    await desktop.write_file("~/deep/er/file", content, executable=True)

    assert await desktop.read_file("/home/user/deep/er/file", len(content)) == content
    assert await desktop.read_file("~/not-there", 10) is None
    assert (await desktop.execute("test -x ~/deep/er/file", shell=True)).returncode == 0
    for path, limit in (("~/deep/er/file", 10), ("/etc/shadow", 10), ("/dev/zero", 10), ("~/deep", 10)):
        with pytest.raises(GuestError):
            await desktop.read_file(path, limit)


def picture(env: drums.Env) -> Image.Image:
    """The screen."""
    return Image.open(io.BytesIO(env.screenshot())).convert("RGB")
