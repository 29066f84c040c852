"""The inventory of a simulated desktop changes with what is touched, and with nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums.local.faults import Faults
from drums.local.machines.machine import CheckpointId, SlotId
from drums.local.machines.sim import SimMachine

if TYPE_CHECKING:
    from drums.local.machines.inventory import Inventory
    from drums.local.machines.sim.desktop import SimDesktop

HOME = "/home/user"


async def a_desktop() -> SimDesktop:
    return await SimMachine(Faults()).create(SlotId("s1"), CheckpointId("osworld-ubuntu"))


async def after(*lines: str) -> tuple[Inventory, Inventory]:
    """Before and after some lines of a shell."""
    desktop = await a_desktop()
    before = await desktop.inventory()
    for line in lines:
        assert (await desktop.execute(line, shell=True)).returncode == 0
    return before, await desktop.inventory()


def touched(before: Inventory, now: Inventory) -> set[str]:
    return {name for name in before.files.keys() | now.files.keys() if before.files.get(name) != now.files.get(name)}


async def test_looking_touches_nothing() -> None:
    before, now = await after("ls ~/Desktop", "cat /etc/passwd; true", "touch /tmp/elsewhere")
    assert before == now
    assert before.complete


async def test_what_is_written_renamed_and_changed_in_mode_is_touched() -> None:
    before, now = await after("echo one > ~/a", "mkdir ~/b", "mv ~/a ~/b/c", "chmod 700 ~/Desktop")
    assert touched(before, now) == {f"{HOME}/b", f"{HOME}/b/c", f"{HOME}/Desktop"}


async def test_the_same_content_written_again_is_not_touched() -> None:
    desktop = await a_desktop()
    await desktop.execute("echo one > ~/a", shell=True)
    before = await desktop.inventory()
    await desktop.execute("rm ~/a; sleep 1; echo one > ~/a", shell=True)
    assert await desktop.inventory() == before


async def test_a_window_is_a_program_and_a_setting_a_setting() -> None:
    desktop = await a_desktop()
    before = await desktop.inventory()
    await desktop.launch(["xterm"], shell=False)
    await desktop.execute("gsettings set org.gnome.desktop.session idle-delay 7", shell=True)
    now = await desktop.inventory()
    assert sum(now.programs.values()) > sum(before.programs.values())
    assert now.settings.keys() - before.settings.keys() == {"org.gnome.desktop.session.idle-delay"}


async def test_a_copy_has_the_same_inventory() -> None:
    machine = SimMachine(Faults())
    desktop = await machine.create(SlotId("s1"), CheckpointId("osworld-ubuntu"))
    await desktop.execute("echo one > ~/a", shell=True)
    await machine.capture(SlotId("s1"), CheckpointId("c1"), await desktop.processes())
    copy = await machine.create(SlotId("s2"), CheckpointId("c1"))
    assert await copy.inventory() == await desktop.inventory()
