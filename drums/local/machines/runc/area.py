"""The area: the btrfs that disks and images lie on, and the tmpfs for what lives only as long as the host is up.

Where the state folder is on btrfs already, the area is a folder of it; else it is a loop file that grows on demand.
Invariant: growing never takes the host's last space: `RESERVE_BYTES` of it stay free even if the area fills up.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from drums.local.machines.machine import MachineError
from drums.local.machines.runc import btrfs, mounts
from drums.local.machines.runc.commands import run

if TYPE_CHECKING:
    from pathlib import Path

    from drums.local.machines.runc.layout import Layout

FIRST_BYTES = 8 << 30
STEP_BYTES = 4 << 30
RESERVE_BYTES = 4 << 30
ROOM_BYTES = 3 << 30
"""So much of the area has to be free before a desktop or a state is made."""
LIVE_SHARE = "60%"
"""Of the host's memory; tmpfs takes only what it holds."""


def is_on_btrfs(layout: Layout) -> bool:
    """Whether the state folder needs no loop file."""
    return is_on_btrfs_at(layout.state)


def is_on_btrfs_at(path: Path) -> bool:
    """Whether a path lies on a btrfs."""
    return mounts.holding(path).kind == "btrfs"


def is_there(layout: Layout) -> bool:
    """Whether the area was made."""
    return is_on_btrfs(layout) or layout.area_file.exists()


def make(layout: Layout) -> None:
    """Make the area.

    Raises:
        MachineError: The host has too little space for it.
    """
    layout.state.mkdir(parents=True, exist_ok=True, mode=0o755)
    if is_on_btrfs(layout) or layout.area_file.exists():
        return
    demand_space(layout, FIRST_BYTES)
    draft = layout.area_file.with_suffix(".draft")
    with draft.open("wb") as file:
        file.truncate(FIRST_BYTES)
    run(["mkfs.btrfs", "--quiet", "--force", str(draft)])
    draft.rename(layout.area_file)


def mount(layout: Layout) -> None:
    """Mount the area and the live folder where they are not, and make the folders in them.

    Raises:
        MachineError: The area was not made.
    """
    if not is_there(layout):
        raise MachineError(f"there is no area at {layout.state}; run: drums setup")
    layout.area.mkdir(parents=True, exist_ok=True)
    if not is_on_btrfs(layout) and mounts.at(layout.area) is None:
        run(["mount", "-t", "btrfs", "-o", "loop,noatime,discard=async", str(layout.area_file), str(layout.area)])
    btrfs.enable_quota(layout.area)
    layout.live.mkdir(exist_ok=True)
    if mounts.at(layout.live) is None:
        run(["mount", "-t", "tmpfs", "-o", f"mode=0700,nosuid,nodev,size={LIVE_SHARE}", "drums", str(layout.live)])
    for folder in (layout.images, layout.disks, layout.saved_disks, layout.desktops, layout.saved):
        folder.mkdir(parents=True, exist_ok=True)
    for folder in (layout.private_run, layout.private_run / "usr", layout.private_run / "fb"):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
    layout.private_tmp.mkdir(exist_ok=True)
    layout.private_tmp.chmod(0o1777)


def unmount(layout: Layout) -> None:
    """Unmount both; what is saved on the live folder is lost."""
    for found in reversed(mounts.below(layout.state)):
        run(["umount", str(found.target)])


def make_room(layout: Layout, wanted_bytes: int = ROOM_BYTES) -> None:
    """Let the area have so much free space, growing its loop file if need be.

    Raises:
        MachineError: The host has too little space.
    """
    free_bytes = shutil.disk_usage(layout.area).free
    if free_bytes >= wanted_bytes:
        return
    if is_on_btrfs(layout):
        raise MachineError(f"only {free_bytes >> 20} MB are free at {layout.state}; {wanted_bytes >> 20} are needed")
    more = max(STEP_BYTES, wanted_bytes - free_bytes)
    demand_space(layout, more)
    size = layout.area_file.stat().st_size + more
    os.truncate(layout.area_file, size)
    found = mounts.at(layout.area)
    if found is None:
        raise MachineError("the area is not mounted")
    run(["losetup", "--set-capacity", found.source])
    run(["btrfs", "filesystem", "resize", "max", str(layout.area)])


def demand_space(layout: Layout, more_bytes: int) -> None:
    """Check that the host could hold the whole area after it grew by so much.

    Raises:
        MachineError: It could not.
    """
    promised = 0
    if layout.area_file.exists():
        facts = layout.area_file.stat()
        promised = facts.st_size - facts.st_blocks * 512
    free_bytes = shutil.disk_usage(layout.state).free - promised - RESERVE_BYTES
    if free_bytes < more_bytes:
        missing = (more_bytes - free_bytes) >> 20
        raise MachineError(
            f"the disk of {layout.state} has {missing} MB too little; free some, or set DRUMS_DESKTOPS_DIR"
        )
