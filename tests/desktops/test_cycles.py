"""Many desktops one after the other: nothing grows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from . import traces

if TYPE_CHECKING:
    import drums
    from drums.local.machines.runc.layout import Layout

CYCLES = int(os.environ.get("DRUMS_DESKTOPS_CYCLES", "200"))
GROWTH_BYTES = 64 << 20


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_create_fork_close_again_and_again_leaves_no_trace(client: drums.Client, host: Layout) -> None:
    cycle(client)
    before, files, used = traces.found(host), open_files(), traces.used_bytes(host)

    for _ in range(CYCLES):
        cycle(client)

    assert traces.found(host) == before
    assert zombies() == 0
    assert open_files() <= files
    growth = [now - then for now, then in zip(traces.used_bytes(host), used, strict=True)]
    assert max(growth) < GROWTH_BYTES, growth


def cycle(client: drums.Client) -> None:
    """Make a desktop, fork it, close all of it."""
    with client.create() as env, env.fork(2, keep_state=False) as children:
        for child in children:
            child.step({"type": "execute", "command": "echo some > ~/file", "shell": True})


def open_files() -> int:
    """How many files this process, with the daemon in it, has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def zombies() -> int:
    """How many of this process's children nobody reaped."""
    states = [
        path.read_text().rpartition(")")[2].split()[:2] for path in Path("/proc").glob("[0-9]*/stat") if path.exists()
    ]
    return sum(1 for state, parent in states if state == "Z" and int(parent) == os.getpid())
