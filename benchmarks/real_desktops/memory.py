"""What one more child takes of the host's memory, shared pages counted once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from drums.local.machines.runc import facts, tree

if TYPE_CHECKING:
    import drums
    from drums.local.machines.runc.layout import Layout


def child_mb(env: drums.Env, layout: Layout, n: int, in_s: float) -> tuple[float, float]:
    """The proportional set size of one of `n` children `in_s` after the fork, and what the host lost for each."""
    before = available_mb()
    with env.fork(n, keep_state=False) as children:
        time.sleep(in_s)
        shares = [pss_mb(child.id, layout) for child in children]
        taken = (before - available_mb()) / n
    return sum(shares) / n, taken


def pss_mb(slot: str, layout: Layout) -> float:
    """What a desktop's processes hold, each page divided by how many have it."""
    record = facts.read_desktop(layout.desktop(slot).facts)
    if record is None:
        raise RuntimeError(f"{slot} is gone")
    return sum(pss_kb(one.host_pid) for one in tree.processes_of(record.init)) / 1024


def pss_kb(pid: int) -> int:
    """One process's share."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def available_mb() -> float:
    """What the host could still give."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")) / 1024
