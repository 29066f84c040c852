"""The fork that the agent makes ahead of an action: no action reaches it, and no count of processes finds it."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from drums.local.machines.machine import CheckpointId, SlotId
from drums.local.machines.runc.bundle import FIRST_HOST_ID

if TYPE_CHECKING:
    from drums.local.machines.runc.desktop import RuncDesktop
    from drums.local.machines.runc.machine import RuncMachine

SLOT = SlotId("worked")
STATE = CheckpointId("worked-state")
LEAVE = "left = 1; pyautogui.PAUSE = 5; import os; os.environ['LEFT'] = '1'; os.chdir('/')"
LOOK = "import os; print('left' in dir(), pyautogui.PAUSE, os.environ.get('LEFT'), os.getcwd(), os.getuid())"


@pytest.fixture
async def desktop(machine: RuncMachine) -> RuncDesktop:
    """A desktop of the machine itself."""
    return machine.desktop(await machine.create(SLOT, CheckpointId("desktop")))


async def test_an_action_by_the_worker_begins_afresh(desktop: RuncDesktop) -> None:
    for _ in range(3):
        await desktop.pyautogui(LEAVE)
        await a_worker(desktop)

        assert (await desktop.pyautogui(LOOK)).output == "False 0 None /home/user 1000\n"
        await a_worker(desktop)


async def test_the_user_can_not_touch_the_worker(desktop: RuncDesktop) -> None:
    await desktop.pyautogui("pass")
    worker = await a_worker(desktop)
    inside = next(one.process.pid for one in desktop.subject.processes() if one.host_pid == worker)

    assert os.stat(f"/proc/{worker}").st_uid == FIRST_HOST_ID  # noqa: PTH116 - /proc does not block
    assert (await desktop.execute(f"kill -9 {inside}", shell=True)).returncode != 0
    assert (await desktop.execute(f"cat /proc/{inside}/mem /proc/{inside}/fd/0", shell=True)).returncode != 0
    assert await a_worker(desktop) == worker


async def test_an_action_is_done_though_the_worker_was_killed(desktop: RuncDesktop) -> None:
    for _ in range(5):
        await desktop.pyautogui("pass")
        worker = await a_worker(desktop)
        os.kill(worker, signal.SIGKILL)
        await ended(desktop, worker)

        assert (await desktop.pyautogui("print('done')")).output == "done\n"


async def test_code_that_no_pipe_holds_at_once_gets_there(desktop: RuncDesktop) -> None:
    await desktop.pyautogui("pass")
    await a_worker(desktop)
    text = "é" * 300_000

    assert (await desktop.pyautogui(f"print(len({text!r}))")).output == "300000\n"


async def test_neither_a_count_of_processes_nor_a_capture_finds_the_worker(
    machine: RuncMachine, desktop: RuncDesktop
) -> None:
    fresh = {(one.pid, one.started) for one in (await desktop.processes()).processes}
    await desktop.pyautogui("pass")
    await a_worker(desktop)
    seen = await desktop.processes()
    assert {(one.pid, one.started) for one in seen.processes} == fresh
    assert (await desktop.processes()).last_pid == seen.last_pid

    await desktop.pyautogui("pass")
    await a_worker(desktop)
    digest = await desktop.state_hash()
    assert await desktop.state_hash() == digest

    await desktop.pyautogui("pass")
    await a_worker(desktop)
    await machine.capture(SLOT, STATE, seen)
    try:
        child = machine.desktop(await machine.create(SlotId("worked-child"), STATE))
        assert (await child.take_gate("state_hash")).passed
        await child.pyautogui("pass")
        await a_worker(child)
        assert (await child.pyautogui("print('here')")).output == "here\n"
        assert (await child.take_gate("processes_alive")).passed
    finally:
        await machine.delete(STATE)


async def a_worker(desktop: RuncDesktop) -> int:
    """Wait until the agent has made one; its number on the host."""
    for _ in range(500):
        python = [one for one in desktop.subject.processes() if one.process.name == "python3"]
        running = [one.host_pid for one in python if one.process.state == "running"]
        if len(running) == len(python) == 2:
            return running[1]
        await asyncio.sleep(0.01)
    pytest.fail("the agent made no worker")


async def ended(desktop: RuncDesktop, host_pid: int) -> None:
    """Wait until a process is gone."""
    for _ in range(5000):
        if all(one.host_pid != host_pid for one in desktop.subject.processes()):
            return
        await asyncio.sleep(0.001)
    pytest.fail("the process is still there")
