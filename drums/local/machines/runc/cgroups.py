"""The cgroup of each desktop, version 1 and 2: its limits, its processes, its end.

A desktop's limits are those of a `Limits`; they are written before its first process joins. Invariant: every process
that belongs to a desktop, also CRIU's own while it restores, is in the desktop's cgroup, so that killing the cgroup
leaves nothing.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MOUNT = Path("/sys/fs/cgroup")
CONTROLLERS = ("memory", "pids", "cpu")
CPU_PERIOD_US = 100_000
EMPTY_WAIT_S = 10.0
POLL_S = 0.002


@dataclass(frozen=True, slots=True)
class Limits:
    """What one desktop may use."""

    memory_bytes: int = 4 << 30
    pids: int = 1024
    cpus: float = 2.0
    disk_bytes: int = 2 << 30


@cache
def unified() -> bool:
    """Whether the host has cgroup version 2 alone."""
    return (MOUNT / "cgroup.controllers").exists()


class Cgroup:
    """One desktop's cgroup (on version 1: one folder in each hierarchy)."""

    def __init__(self, parent: str, name: str) -> None:
        self.parent = parent
        self.name = name

    @property
    def folders(self) -> list[Path]:
        """Where it is; on version 2 one folder."""
        if unified():
            return [MOUNT / self.parent / self.name]
        return [MOUNT / controller / self.parent / self.name for controller in CONTROLLERS]

    def folder(self, controller: str) -> Path:
        """Where a controller's files are."""
        return self.folders[0] if unified() else MOUNT / controller / self.parent / self.name

    @property
    def procs_files(self) -> list[Path]:
        """The files that a process writes its number to, to join."""
        return [folder / "cgroup.procs" for folder in self.folders]

    def make(self, limits: Limits) -> None:
        """Make it and set its limits."""
        if unified():
            enable_controllers(MOUNT / self.parent)
        for folder in self.folders:
            folder.mkdir(parents=True, exist_ok=True)
        for controller, values in files_of(limits).items():
            for name, value in values.items():
                write_if_there(self.folder(controller) / name, value)
        weigh(self.parent)

    def unmet(self, limits: Limits) -> list[str]:
        """The limits that are not in force, in words; empty when all are."""
        found: list[str] = []
        for controller, values in files_of(limits).items():
            for name, value in values.items():
                path = self.folder(controller) / name
                seen = path.read_text().strip() if path.exists() else None
                if seen != value and not (seen is None and name in OPTIONAL_FILES):
                    found.append(f"{name} is {seen}, not {value}")
        return found

    def processes(self) -> set[int]:
        """The numbers, on the host, of the processes in it."""
        try:
            return {int(line) for line in (self.folder("pids") / "cgroup.procs").read_text().split()}
        except FileNotFoundError:
            return set()

    def strays(self, pids: set[int]) -> set[int]:
        """Those of the given processes that are missing from one of its hierarchies."""
        return {pid for path in self.procs_files for pid in pids - set(map(int, path.read_text().split()))}

    def oom_kills(self) -> int:
        """How many of its processes the kernel killed for memory."""
        name = "memory.events" if unified() else "memory.oom_control"
        return counter(self.folder("memory") / name, "oom_kill")

    def memory_bytes(self) -> int:
        """What it uses now, page cache included."""
        name = "memory.current" if unified() else "memory.usage_in_bytes"
        return int((self.folder("memory") / name).read_text())

    def exists(self) -> bool:
        """Whether any of its folders is there."""
        return any(folder.exists() for folder in self.folders)

    def kill(self, wait_s: float = EMPTY_WAIT_S) -> None:
        """Kill all its processes, also those that are being started, until none is left.

        Raises:
            TimeoutError: Some do not die.
        """
        deadline = time.monotonic() + wait_s
        while pids := self.processes():
            kill_file = self.folder("pids") / "cgroup.kill"
            if not (unified() and write_if_there(kill_file, "1")):
                for pid in pids:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            if time.monotonic() > deadline:
                raise TimeoutError(f"processes {sorted(pids)} of {self.parent}/{self.name} do not end")
            time.sleep(POLL_S)

    def wait_empty(self, wait_s: float) -> bool:
        """Wait until none of its processes is left; False when some still are."""
        deadline = time.monotonic() + wait_s
        while self.processes():
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_S)
        return True

    def remove(self, wait_s: float = EMPTY_WAIT_S) -> None:
        """Kill what is in it and remove it."""
        self.kill(wait_s)
        deadline = time.monotonic() + wait_s
        for folder in self.folders:
            while folder.exists():
                try:
                    folder.rmdir()
                except OSError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(POLL_S)
        weigh(self.parent)


OPTIONAL_FILES = frozenset({"memory.swap.max", "memory.memsw.limit_in_bytes"})
"""Files that kernels without swap accounting lack."""


def files_of(limits: Limits) -> dict[str, dict[str, str]]:
    """For each controller its files, in the order in which they have to be written, and what they hold."""
    memory, quota = str(limits.memory_bytes), str(int(limits.cpus * CPU_PERIOD_US))
    if unified():
        return {
            "memory": {"memory.max": memory, "memory.swap.max": "0"},
            "pids": {"pids.max": str(limits.pids)},
            "cpu": {"cpu.max": f"{quota} {CPU_PERIOD_US}"},
        }
    return {
        "memory": {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory},
        "pids": {"pids.max": str(limits.pids)},
        "cpu": {"cpu.cfs_period_us": str(CPU_PERIOD_US), "cpu.cfs_quota_us": quota},
    }


def weigh(parent: str) -> None:
    """Give the parent as much weight as its children have together.

    Else all desktops would share the processor time of a single process, however many they are.
    """
    folder = MOUNT / parent if unified() else MOUNT / "cpu" / parent
    with contextlib.suppress(FileNotFoundError):
        count = max(1, sum(entry.is_dir() for entry in folder.iterdir()))
        name, each, most = ("cpu.weight", 100, 10_000) if unified() else ("cpu.shares", 1024, 262_144)
        write_if_there(folder / name, str(min(most, each * count)))


def names_below(parent: str) -> set[str]:
    """The cgroups that exist below a parent, in any hierarchy."""
    roots = [MOUNT / parent] if unified() else [MOUNT / controller / parent for controller in CONTROLLERS]
    return {entry.name for root in roots if root.is_dir() for entry in root.iterdir() if entry.is_dir()}


def remove_parent(parent: str) -> None:
    """Remove the parent once nothing is below it; runc makes it in every hierarchy that there is."""
    for root in [MOUNT / parent, *(mount / parent for mount in MOUNT.iterdir() if mount.is_dir())]:
        with contextlib.suppress(OSError):
            root.rmdir()


def enable_controllers(parent: Path) -> None:
    """On version 2: let the parent's children have limits."""
    parent.mkdir(exist_ok=True)
    for folder in (MOUNT, parent):
        control = folder / "cgroup.subtree_control"
        missing = set(CONTROLLERS) - set(control.read_text().split())
        if missing:
            control.write_text(" ".join(f"+{name}" for name in sorted(missing)))


def write_if_there(path: Path, value: str) -> bool:
    """Write a control file; False where this kernel has none."""
    try:
        fd = os.open(path, os.O_WRONLY)
    except FileNotFoundError:
        return False
    try:
        os.write(fd, value.encode())
    finally:
        os.close(fd)
    return True


def counter(path: Path, name: str) -> int:
    """One number of a file of `name number` lines; 0 where it is not told."""
    try:
        lines = path.read_text().splitlines()
    except FileNotFoundError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.split()[:1] == [name]), 0)
