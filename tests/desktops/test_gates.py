"""Each gate passes on a sound desktop and fails on one that was tampered with in just its matter."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from drums.local.machines.machine import CheckpointId, ProcessTree, SlotId, TreeChanged
from drums.local.machines.runc import btrfs, facts, gates

if TYPE_CHECKING:
    from drums.local.machines.runc.desktop import RuncDesktop
    from drums.local.machines.runc.machine import RuncMachine

SLOT = SlotId("gated")
STATE = CheckpointId("gated-state")
HEADER_BYTES = 160 + 256 * 12


@pytest.fixture
async def desktop(machine: RuncMachine) -> RuncDesktop:
    """A desktop of the machine itself."""
    made = await machine.create(SLOT, CheckpointId("desktop"))
    return machine.desktop(made)


async def failing(desktop: RuncDesktop) -> dict[str, str]:
    """The gates that do not pass, and what they say."""
    readings = {name: await desktop.take_gate(name) for name in gates.GATES}
    return {name: reading.detail or "" for name, reading in readings.items() if not reading.passed}


async def test_a_sound_desktop_passes_every_gate(desktop: RuncDesktop) -> None:
    assert await failing(desktop) == {}


async def test_isolation_fails_when_a_process_of_the_host_is_among_its_own(desktop: RuncDesktop) -> None:
    pretended = replace(desktop.facts, init=os.getpid())

    reading = gates.isolation(gates.Subject(pretended, desktop.paths, desktop.subject.cgroup))

    assert not reading.passed
    assert "shared with the host" in (reading.detail or "")


async def test_mounts_fails_when_something_more_is_mounted(desktop: RuncDesktop) -> None:
    enter(desktop, "--mount", "mount", "-t", "tmpfs", "more", "/srv")

    assert list(await failing(desktop)) == ["mounts"]


async def test_network_fails_when_there_is_another_device(desktop: RuncDesktop) -> None:
    enter(desktop, "--net", "ip", "tuntap", "add", "mode", "tun", "name", "more")

    assert list(await failing(desktop)) == ["network"]


async def test_network_fails_when_loopback_is_down(desktop: RuncDesktop) -> None:
    enter(desktop, "--net", "ip", "link", "set", "lo", "down")

    assert list(await failing(desktop)) == ["network"]


async def test_limits_fails_when_one_was_lifted(desktop: RuncDesktop) -> None:
    (desktop.subject.cgroup.folder("pids") / "pids.max").write_text("max")

    assert (await failing(desktop))["limits"] == "pids.max is max, not 1024"


async def test_limits_fails_when_a_process_left_its_cgroup(desktop: RuncDesktop) -> None:
    stray = desktop.subject.processes()[-1].host_pid
    (desktop.subject.cgroup.folder("pids").parents[1] / "cgroup.procs").write_text(str(stray))
    try:
        assert (await failing(desktop))["limits"] == "1 processes are outside the limits"
    finally:
        desktop.subject.cgroup.procs_files[1].write_text(str(stray))


async def test_limits_passes_while_processes_start_and_end(desktop: RuncDesktop) -> None:
    shorts = "for each in $(seq 400); do /bin/true & done; wait"
    busy = [asyncio.ensure_future(desktop.execute(shorts, shell=True)) for _ in range(2)]
    readings = [await desktop.take_gate("limits")]
    while not all(each.done() for each in busy):
        readings.append(await desktop.take_gate("limits"))

    assert [reading.detail for reading in readings if not reading.passed] == []
    assert [each.result().returncode for each in busy] == [0, 0]


async def test_state_hash_fails_when_the_saved_home_was_changed(machine: RuncMachine, desktop: RuncDesktop) -> None:
    await machine.capture(SLOT, STATE, await desktop.processes())
    saved = machine.layout.saved_state(STATE)
    btrfs.set_read_only(saved.disk, read_only=False)
    (saved.disk / "home/user/planted").write_text("not by the desktop")

    try:
        child = machine.desktop(await machine.create(SlotId("child"), STATE))

        assert await failing(child) == {"state_hash": "its home folder is not the one that was captured"}
    finally:
        await machine.delete(STATE)


async def test_state_hash_fails_when_other_processes_came_up(machine: RuncMachine, desktop: RuncDesktop) -> None:
    await machine.capture(SLOT, STATE, await desktop.processes())
    saved = machine.layout.saved_state(STATE)
    record = json.loads(saved.facts.read_text())
    record["processes"].append([4711, "missing"])
    saved.facts.write_text(json.dumps(record))

    try:
        child = machine.desktop(await machine.create(SlotId("child"), STATE))

        assert "missing (4711)" in (await failing(child))["state_hash"]
    finally:
        await machine.delete(STATE)


async def test_state_hash_fails_when_a_window_is_gone(machine: RuncMachine, desktop: RuncDesktop) -> None:
    await machine.capture(SLOT, STATE, await desktop.processes())
    saved = machine.layout.saved_state(STATE)
    record = facts.read_state(saved.facts)
    assert record is not None
    facts.write(saved.facts, replace(record, windows=[[*record.windows[0], (1, 0, 0, 10, 10)]]))

    try:
        child = machine.desktop(await machine.create(SlotId("child"), STATE))

        assert await failing(child) == {"state_hash": "its 1 windows are not the 2 that were captured"}
    finally:
        await machine.delete(STATE)


async def test_guest_fails_when_the_agent_does_not_answer(
    desktop: RuncDesktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drums.local.machines.runc.guest.ask.__kwdefaults__", {"wait_s": 0.5})
    [agent] = [one for one in desktop.subject.processes() if one.process.name == "python3"]
    os.kill(agent.host_pid, signal.SIGSTOP)

    assert set(await failing(desktop)) == {"guest", "state_hash"}


async def test_screen_fails_when_it_is_blank(desktop: RuncDesktop) -> None:
    file = desktop.paths.frame / "Xvfb_screen0"
    with file.open("r+b") as frame:
        frame.seek(HEADER_BYTES)
        frame.write(bytes(file.stat().st_size - HEADER_BYTES))

    assert await failing(desktop) == {"screen": "the screen is blank"}


@pytest.mark.parametrize("sort", ["link", "pipe", "gone"])
async def test_screen_fails_when_its_file_is_no_frame_buffer(desktop: RuncDesktop, sort: str) -> None:
    make = {"link": "ln -s /etc/hostname {}", "pipe": "mkfifo {}", "gone": "true"}[sort]
    await desktop.execute(f"rm /run/fb/Xvfb_screen0; {make.format('/run/fb/Xvfb_screen0')}", shell=True)

    assert list(await failing(desktop)) == ["screen"]


async def test_processes_alive_fails_when_one_has_ended(desktop: RuncDesktop) -> None:
    await desktop.execute("pkill -x pcmanfm", shell=True)
    await ended(desktop, "pcmanfm")

    assert "pcmanfm" in (await failing(desktop))["processes_alive"]
    assert await desktop.health() == "pcmanfm, a part of the session, has ended"


async def test_a_capture_of_another_tree_than_expected_leaves_nothing(
    machine: RuncMachine, desktop: RuncDesktop
) -> None:
    seen = await desktop.processes()
    fewer = ProcessTree(frozenset(list(seen.processes)[1:]), seen.last_pid)

    with pytest.raises(TreeChanged):
        await machine.capture(SLOT, STATE, fewer)

    assert not machine.layout.saved_state(STATE).disk.exists()
    assert not machine.layout.saved_state(STATE).folder.exists()
    assert await failing(desktop) == {}


def enter(desktop: RuncDesktop, *command: str) -> None:
    """Do something in a desktop that only root of the host can."""
    init = str(desktop.facts.init)
    inside = ["nsenter", "--target", init, "--user", "--setuid", "0", "--setgid", "0", *command]
    subprocess.run(inside, check=True, cwd=Path("/"))


async def ended(desktop: RuncDesktop, name: str) -> None:
    """Wait until no process of that name is left."""
    for _ in range(200):
        if all(one.process.name != name for one in desktop.subject.processes()):
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"{name} still runs")
