"""What real desktops leave on a host: counted, to see whether it grows, and compared with what the records say."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from drums.local.machines.runc import cgroups, mounts, recovery

if TYPE_CHECKING:
    from drums.local.machines.runc.layout import Layout


@dataclass(frozen=True)
class Traces:
    """Everything on the host that belongs to desktops and states."""

    cgroups: frozenset[str]
    processes: frozenset[int]
    disks: frozenset[str]
    live: frozenset[str]
    state_disks: frozenset[str]
    state_live: frozenset[str]
    mounts: tuple[str, ...]
    loops: frozenset[str]
    scratch: frozenset[str]

    @property
    def slots(self) -> set[str]:
        """The desktops of which there is anything."""
        return set(self.cgroups | self.disks | self.live)

    @property
    def states(self) -> set[str]:
        """The states of which there is anything."""
        return set(self.state_disks | self.state_live)


def found(layout: Layout) -> Traces:
    """What is there now."""
    names = cgroups.names_below(layout.key)
    return Traces(
        cgroups=frozenset(names),
        processes=frozenset(pid for name in names for pid in cgroups.Cgroup(layout.key, name).processes())
        | criu_processes(),
        disks=frozenset(recovery.names_in(layout.disks)),
        live=frozenset(recovery.names_in(layout.desktops)),
        state_disks=frozenset(recovery.names_in(layout.saved_disks)),
        state_live=frozenset(recovery.names_in(layout.saved)),
        mounts=tuple(sorted(str(mount.target) for mount in mounts.mounted())),
        loops=frozenset(
            path.name for path in Path("/sys/block").glob("loop*") if (path / "loop/backing_file").exists()
        ),
        scratch=frozenset(recovery.names_in(layout.private_tmp))
        | frozenset(path.name for path in Path("/tmp").glob(".criu.*")),
    )


def criu_processes() -> frozenset[int]:
    """The CRIUs that run, wherever they are."""
    found: set[int] = set()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            name = (path / "comm").read_text().strip()
            state = (path / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if name == "criu" and state != "Z":
            found.add(int(path.name))
    return frozenset(found)


def used_bytes(layout: Layout) -> tuple[int, int]:
    """What the area and the live folder hold."""
    os.sync()
    area, live = os.statvfs(layout.area), os.statvfs(layout.live)
    return (area.f_blocks - area.f_bfree) * area.f_frsize, (live.f_blocks - live.f_bfree) * live.f_frsize
