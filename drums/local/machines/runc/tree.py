"""The processes of a desktop, read on the host from /proc without asking anything inside.

Numbers are given both ways: the host's and the desktop's own. Invariant: only descendants of the desktop's first
process are listed, and a process that ends during the scan is left out or shown as it was, never half.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from drums.local.machines.machine import Process

if TYPE_CHECKING:
    from collections.abc import Iterator

PROC = Path("/proc")
STARTED_FIELD = 19
"""Place of `starttime` among the fields after the name in /proc/PID/stat (field 22 of proc(5))."""
THREADS_FIELD = 17
PF_EXITING = 0x4
FLAGS_FIELD = 6


@dataclass(frozen=True, slots=True)
class HostProcess:
    """One process, with the host's number besides."""

    host_pid: int
    process: Process


def processes_of(init: int) -> list[HostProcess]:
    """All processes below (and with) a desktop's first process; empty when it is gone."""
    return [found for pid in pids_of(init) if (found := read(pid)) is not None]


def pids_of(pid: int) -> Iterator[int]:
    """A process and its descendants, by the host's numbers."""
    yield pid
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - names are all that is wanted
    except OSError:
        return
    for thread in threads:
        try:
            children = Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
        except OSError:
            continue
        for child in children:
            yield from pids_of(int(child))


def read(pid: int) -> HostProcess | None:
    """One process; None when it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
        inside = inside_pid(pid)
    except (OSError, ValueError):
        return None
    name = stat[stat.index("(") + 1 : stat.rindex(")")]
    fields = stat[stat.rindex(")") + 2 :].split()
    return HostProcess(
        pid, Process(inside, int(fields[STARTED_FIELD]), int(fields[THREADS_FIELD]), state_of(fields), name)
    )


def state_of(fields: list[str]) -> Literal["running", "exiting", "zombie"]:
    """Whether a process runs, is on its way out, or waits to be reaped."""
    if fields[0] in "ZX":
        return "zombie"
    return "exiting" if int(fields[FLAGS_FIELD]) & PF_EXITING else "running"


def inside_pid(pid: int) -> int:
    """A process's number in its own process namespace.

    Raises:
        ValueError: The kernel does not tell.
    """
    for line in Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines():
        if line.startswith("NSpid:"):
            return int(line.split()[-1])
    raise ValueError("no NSpid")


def start_time(pid: int) -> int | None:
    """When a process started, in ticks since the host's boot; with its number that names it for good. None: gone."""
    found = read(pid)
    return None if found is None or found.process.state == "zombie" else found.process.started


def is_same(pid: int, started: int) -> bool:
    """Whether that very process still runs."""
    return start_time(pid) == started


def boot_id() -> str:
    """Names this boot of the host."""
    return (PROC / "sys/kernel/random/boot_id").read_text().strip()
