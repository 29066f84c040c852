"""Simulated desktops as the daemon drives them: forks, gates, faults, processes, screens."""

from __future__ import annotations

import asyncio
import io
import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from drums.local.machines.machine import (
    CheckpointId,
    Desktop,
    DesktopGone,
    GuestError,
    Machine,
    RestoreError,
    SlotId,
    TreeChanged,
)
from drums.local.machines.sim import SimMachine
from drums.local.machines.sim.files.disk import Disk
from drums.local.machines.sim.files.tree import File
from drums.local.machines.sim.picture.png import PngWriter
from drums.local.machines.sim.picture.screen import drawn

if TYPE_CHECKING:
    from collections.abc import Callable

    from drums.local.faults import Faults
    from drums.local.machines.sim.desktop import SimDesktop

IMAGE = CheckpointId("osworld-ubuntu")
STATE = CheckpointId("c1")

ACTIONS = [
    "pyautogui.click(140, 90)",
    "pyautogui.doubleClick(140, 90)",
    "pyautogui.press('f2'); pyautogui.write('renamed\\n')",
    "pyautogui.hotkey('ctrl', 'alt', 't'); pyautogui.write('mkdir Desktop/made; ls\\n')",
    "pyautogui.write('some text <é>\\n')",
    "pyautogui.hotkey('ctrl', 's')",
    "pyautogui.hotkey('alt', 'f4')",
    "pyautogui.rightClick(900, 900); pyautogui.move(20, 20); pyautogui.click()",
    "pyautogui.moveTo(500, 170); pyautogui.dragTo(800, 400)",
    "pyautogui.scroll(-3, 800, 400)",
    "pyautogui.hotkey('ctrl', 'a'); pyautogui.press('delete')",
    "pyautogui.click(38, 160)",
]
actions = st.lists(st.sampled_from(ACTIONS), max_size=5)


async def a_desktop(machine: SimMachine, slot: str = "s1", source: CheckpointId = IMAGE) -> SimDesktop:
    return await machine.create(SlotId(slot), source)


async def done(desktop: SimDesktop, codes: list[str]) -> SimDesktop:
    for code in codes:
        assert (await desktop.pyautogui(code)).returncode == 0
    return desktop


async def saved(machine: SimMachine, desktop: SimDesktop, state: CheckpointId = STATE) -> CheckpointId:
    return (await machine.capture(SlotId(desktop.slot), state, await desktop.processes())).id


def pixels(png: bytes) -> bytes:
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.size == (1920, 1080)
        return picture.convert("RGB").tobytes()


def test_the_simulator_is_a_machine_of_desktops(machine: SimMachine) -> None:
    async def both() -> tuple[Machine, Desktop]:
        return machine, await a_desktop(machine)

    assert asyncio.run(both())[0].live_fork


# Forks.


@settings(max_examples=25)
@given(before=actions, child_does=actions, parent_does=actions)
def test_a_fork_is_its_parent_until_one_of_them_acts(
    before: list[str], child_does: list[str], parent_does: list[str]
) -> None:
    async def scenario() -> None:
        machine = SimMachine()
        parent = await done(await a_desktop(machine), before)
        state = await saved(machine, parent)
        child = await a_desktop(machine, "s2", state)
        assert await child.state_hash() == await parent.state_hash()
        assert await child.screenshot() == await parent.screenshot()
        assert await child.processes() == await parent.processes()
        unchanged = await parent.state_hash(), await parent.screenshot()
        await done(child, child_does)
        assert (await parent.state_hash(), await parent.screenshot()) == unchanged
        after = await child.state_hash(), await child.screenshot()
        await done(parent, parent_does)
        assert (await child.state_hash(), await child.screenshot()) == after
        again = await a_desktop(machine, "s3", state)
        assert (await again.state_hash(), await again.screenshot()) == unchanged

    asyncio.run(scenario())


@settings(max_examples=15)
@given(actions)
def test_the_same_actions_give_the_same_desktop_everywhere(codes: list[str]) -> None:
    async def once() -> tuple[str, bytes]:
        desktop = await done(await a_desktop(SimMachine()), codes)
        return await desktop.state_hash(), await desktop.screenshot()

    assert asyncio.run(once()) == asyncio.run(once())


async def test_unsaved_text_lives_on_in_every_child(machine: SimMachine, desktop: SimDesktop) -> None:
    await desktop.execute("gedit note.txt", shell=True)
    await done(desktop, ["pyautogui.write('half a senten')"])
    state = await saved(machine, desktop)
    texts = {"s2": "ce", "s3": "X"}
    for slot, text in texts.items():
        child = await a_desktop(machine, slot, state)
        await done(child, [f"pyautogui.write({text!r}); pyautogui.hotkey('ctrl', 's')"])
        assert await child.read_file("/home/user/note.txt", 100) == f"half a senten{text}".encode()
    assert await desktop.read_file("/home/user/note.txt", 100) is None


async def test_a_fork_of_a_fork_of_a_fork_is_still_the_same(machine: SimMachine, desktop: SimDesktop) -> None:
    await done(desktop, [ACTIONS[3]])
    last = desktop
    for generation in range(3):
        state = await saved(machine, last, CheckpointId(f"c{generation}"))
        last = await a_desktop(machine, f"child{generation}", state)
    assert await last.state_hash() == await desktop.state_hash()
    assert await last.screenshot() == await desktop.screenshot()


async def test_a_saved_state_outlives_its_desktop_and_the_machines_stop(machine: SimMachine) -> None:
    state = await saved(machine, await a_desktop(machine))
    await machine.stop()
    desktops, states = await machine.survivors()
    assert desktops == {}
    assert [info.id for info in states] == [state]
    assert (await (await a_desktop(machine, "s2", state)).execute("echo hi", shell=True)).output == "hi\n"


async def test_what_is_deleted_cannot_be_started_any_more(machine: SimMachine, desktop: SimDesktop) -> None:
    state = await saved(machine, desktop)
    for _ in range(2):
        await machine.delete(state)
    with pytest.raises(RestoreError, match="no image or state c1"):
        await a_desktop(machine, "s2", state)


async def test_nothing_is_saved_when_the_processes_are_not_the_expected_ones(
    machine: SimMachine, desktop: SimDesktop
) -> None:
    seen = await desktop.processes()
    await desktop.execute("true", shell=True)
    with pytest.raises(TreeChanged):
        await machine.capture(SlotId("s1"), STATE, seen)
    assert (await machine.survivors())[1] == []


async def test_a_destroyed_desktop_is_gone_for_whoever_still_holds_it(machine: SimMachine, desktop: SimDesktop) -> None:
    for _ in range(2):
        await machine.destroy(SlotId("s1"))
    for call in (desktop.screenshot(), desktop.execute("true", shell=True), desktop.state_hash(), desktop.processes()):
        with pytest.raises(DesktopGone):
            await call
    with pytest.raises(DesktopGone):
        await machine.capture(SlotId("s1"), STATE, await (await a_desktop(SimMachine())).processes())


# Gates.


async def test_every_gate_of_a_sound_desktop_passes_and_says_what_it_saw(desktop: SimDesktop) -> None:
    for spec in desktop.gates:
        reading = await desktop.take_gate(spec.name)
        assert reading.passed, f"{spec.name}: {reading.detail}"
        assert reading.detail
    assert [spec.name for spec in desktop.gates if spec.after_s > 0] == ["processes_alive"]


def share_files(desktop: SimDesktop, other: SimDesktop) -> None:
    desktop.guest.disk = other.guest.disk


def lose_home(desktop: SimDesktop, _: SimDesktop) -> None:
    root = desktop.guest.disk.root
    desktop.guest.disk = Disk(root.with_entry(("home",), None, 0.0), desktop.guest.now)


def fill_the_disk(desktop: SimDesktop, _: SimDesktop) -> None:
    block = File(0o644, "user", 0.0, b"\0" * (64 * 1024 * 1024))
    root = desktop.guest.disk.root
    for number in range(5):
        root = root.with_entry((f"{number}",), block, 0.0)
    desktop.guest.disk = Disk(root, desktop.guest.now)


def add_a_browser(desktop: SimDesktop, _: SimDesktop) -> None:
    desktop.programs = [*desktop.programs, "curl"]


def change_before_the_start(desktop: SimDesktop, _: SimDesktop) -> None:
    desktop.birth = type(desktop.birth)("another hash", desktop.birth.digest, desktop.birth.processes)


def break_the_shell(desktop: SimDesktop, _: SimDesktop) -> None:
    desktop.end()


def end_a_process(desktop: SimDesktop, _: SimDesktop) -> None:
    desktop.guest.processes = desktop.guest.processes.ended(2)


@pytest.mark.parametrize(
    ("gate", "damage"),
    [
        ("isolation", share_files),
        ("mounts", lose_home),
        ("limits", fill_the_disk),
        ("network", add_a_browser),
        ("state_hash", change_before_the_start),
        ("guest", break_the_shell),
        ("processes_alive", end_a_process),
    ],
)
async def test_a_damaged_desktop_fails_the_gate_that_looks_there(
    machine: SimMachine, desktop: SimDesktop, gate: str, damage: Callable[[SimDesktop, SimDesktop], None]
) -> None:
    damage(desktop, await a_desktop(machine, "s2"))
    reading = await desktop.take_gate(gate)
    assert not reading.passed
    assert reading.detail


async def test_a_window_closed_too_early_fails_the_gate_in_the_child_only(
    machine: SimMachine, desktop: SimDesktop
) -> None:
    await desktop.execute("gedit", shell=True)
    child = await a_desktop(machine, "s2", await saved(machine, desktop))
    await done(child, ["pyautogui.hotkey('alt', 'f4')"])
    assert (await child.take_gate("processes_alive")).detail == "ended since the desktop came up: editor"
    assert (await desktop.take_gate("processes_alive")).passed


async def test_gates_leave_no_trace(desktop: SimDesktop) -> None:
    before = await desktop.state_hash(), await desktop.processes(), desktop.guest.clock_s
    for spec in desktop.gates:
        await desktop.take_gate(spec.name)
    assert (await desktop.state_hash(), await desktop.processes(), desktop.guest.clock_s) == before


# Faults.


async def test_an_ordered_gate_fails_once(faults: Faults, desktop: SimDesktop) -> None:
    faults.fail_gate("network")
    assert not (await desktop.take_gate("network")).passed
    assert (await desktop.take_gate("network")).passed


async def test_an_ordered_restore_fails_and_leaves_nothing(faults: Faults, machine: SimMachine) -> None:
    faults.fail_restore(skip=1)
    await a_desktop(machine, "s1")
    with pytest.raises(RestoreError, match="fault"):
        await a_desktop(machine, "s2")
    assert list((await machine.survivors())[0]) == ["s1"]
    await a_desktop(machine, "s2")


async def test_a_hanging_guest_is_an_error_and_changes_nothing(faults: Faults, desktop: SimDesktop) -> None:
    before = await desktop.state_hash()
    faults.hang_guest(times=2)
    with pytest.raises(GuestError, match="did not answer"):
        await desktop.execute("touch x", shell=True)
    assert not (await desktop.take_gate("guest")).passed
    assert await desktop.state_hash() == before
    assert (await desktop.take_gate("guest")).passed


async def test_a_lost_desktop_is_gone_until_its_slot_is_started_again(
    faults: Faults, machine: SimMachine, desktop: SimDesktop
) -> None:
    faults.lose_desktop("s1")
    with pytest.raises(DesktopGone):
        await desktop.screenshot()
    assert (await (await a_desktop(machine)).execute("echo back", shell=True)).output == "back\n"


async def test_a_busy_desktop_is_never_still(faults: Faults, desktop: SimDesktop) -> None:
    assert desktop.quiet_for_s() == math.inf
    assert await desktop.processes() == await desktop.processes()
    faults.keep_busy("s1")
    assert desktop.quiet_for_s() == 0.0
    assert await desktop.processes() != await desktop.processes()
    faults.let_rest("s1")
    assert desktop.quiet_for_s() == math.inf


# Launching, files, processes.


async def test_a_launched_app_goes_on_running(desktop: SimDesktop) -> None:
    outcome = await desktop.launch(["nautilus", "/home/user"], shell=False)
    assert outcome.returncode is None
    assert outcome.pid in {process.pid for process in (await desktop.processes()).processes}


async def test_every_command_takes_process_numbers(desktop: SimDesktop) -> None:
    before = (await desktop.processes()).last_pid
    await desktop.execute("true", shell=False)
    after = await desktop.processes()
    assert after.last_pid > before
    assert after.settled


async def test_an_unknown_program_cannot_be_launched(desktop: SimDesktop) -> None:
    with pytest.raises(GuestError, match="no such program"):
        await desktop.launch(["nosuch"], shell=False)
    assert (await desktop.launch("nosuch", shell=True)).pid is not None


async def test_files_are_written_for_the_user_and_read_back(desktop: SimDesktop) -> None:
    await desktop.write_file("/home/user/new/folder/run.sh", b"echo ran", executable=True)
    assert (await desktop.execute("~/new/folder/run.sh", shell=True)).output == "ran\n"
    assert await desktop.read_file("/home/user/new/folder/run.sh", 8) == b"echo ran"
    assert await desktop.read_file("/home/user/new", 8) is None
    assert await desktop.read_file("/home/user/nothing", 8) is None
    with pytest.raises(GuestError, match="more than 7"):
        await desktop.read_file("/home/user/new/folder/run.sh", 7)
    with pytest.raises(GuestError, match="Permission denied"):
        await desktop.write_file("/etc/x", b"")


async def test_actions_of_one_desktop_come_one_after_the_other(desktop: SimDesktop) -> None:
    scripts = [f"for i in 1 2 3 4 5; do echo {letter} >> f; sleep 1; done" for letter in "abc"]
    await asyncio.gather(*(desktop.execute(script, shell=True) for script in scripts))
    assert await desktop.read_file("/home/user/f", 100) == b"a\n" * 5 + b"b\n" * 5 + b"c\n" * 5


# Screens.


async def test_a_screenshot_shows_what_changed_and_nothing_else(desktop: SimDesktop) -> None:
    before = pixels(await desktop.screenshot())
    assert pixels(await desktop.screenshot()) == before
    await desktop.execute("touch /tmp/unseen", shell=True)
    assert pixels(await desktop.screenshot()) == before
    await desktop.execute("mkdir ~/Desktop/seen", shell=True)
    assert pixels(await desktop.screenshot()) != before


@settings(max_examples=15)
@given(actions)
def test_a_screenshot_is_what_is_drawn(codes: list[str]) -> None:
    async def scenario() -> None:
        desktop = await done(await a_desktop(SimMachine()), codes)
        assert pixels(await desktop.screenshot()) == drawn(desktop.guest).tobytes()

    asyncio.run(scenario())


KEYS = "ctrl alt shift f2 f4 tab enter esc up down left right home end backspace delete pagedown a c d l n s t u v w x"
points = st.tuples(
    st.sampled_from([0, 38, 90, 140, 300, 400, 500, 700, 900, 1150, 1245, 1300, 1900]),
    st.sampled_from([0, 17, 60, 90, 140, 165, 180, 210, 300, 520, 570, 700, 1079]),
)
gestures = st.one_of(
    st.builds(
        "pyautogui.{}({}, {})".format,
        st.sampled_from(
            ["click", "doubleClick", "tripleClick", "rightClick", "middleClick", "mouseDown", "moveTo", "dragTo"]
        ),
        st.sampled_from([90, 140, 300, 400, 700, 900, 1150, 1245]),
        st.sampled_from([17, 60, 90, 140, 165, 180, 210, 300, 520, 570, 700]),
    ),
    points.map(lambda at: f"pyautogui.moveTo{at}; pyautogui.click()"),
    points.map(lambda at: f"pyautogui.scroll(3, {at[0]}, {at[1]}); pyautogui.scroll(-9)"),
    st.sampled_from(["mouseUp()", "write('ab\\n')", "write('ls /\\n')"]).map("pyautogui.{}".format),
    st.lists(
        st.sampled_from(KEYS.split()),
        min_size=1,
        max_size=3,
        unique=True,
    ).map(lambda keys: f"pyautogui.hotkey(*{keys!r})"),
)


@settings(max_examples=60)
@given(st.lists(gestures, min_size=1, max_size=25))
def test_whatever_is_clicked_and_typed_the_desktop_stands_and_can_be_drawn(codes: list[str]) -> None:
    async def scenario() -> None:
        desktop = await a_desktop(SimMachine())
        await desktop.execute("mkdir Desktop/d Desktop/e; echo text > Desktop/f.txt; nautilus; gedit x", shell=True)
        await done(desktop, codes)
        assert len(drawn(desktop.guest).tobytes()) == 1920 * 1080 * 3
        pids = {process.pid for process in (await desktop.processes()).processes}
        assert {window.pid for window in desktop.guest.scene.windows} <= pids
        twin = desktop.guest.copy()
        assert twin.digest() == await desktop.state_hash()

    asyncio.run(scenario())


async def test_the_pointer_is_on_the_screen(desktop: SimDesktop) -> None:
    await done(desktop, ["pyautogui.moveTo(1000, 500)"])
    here = pixels(await desktop.screenshot())
    await done(desktop, ["pyautogui.moveTo(1002, 500)"])
    assert pixels(await desktop.screenshot()) != here


@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(1, 100), st.binary(min_size=3, max_size=12)), min_size=1, max_size=8
    )
)
def test_a_png_holds_exactly_its_picture_whatever_was_written_before(
    pictures: list[tuple[int, int, bytes]],
) -> None:
    writers: dict[tuple[int, int], PngWriter] = {}
    for width, height, pattern in pictures:
        size = width, height
        length = width * height * 3
        picture = Image.frombytes("RGB", size, (pattern * length)[:length])
        png = writers.setdefault(size, PngWriter()).write(picture)
        with Image.open(io.BytesIO(png)) as read:
            read.verify()
        with Image.open(io.BytesIO(png)) as read:
            assert read.tobytes() == picture.tobytes()
