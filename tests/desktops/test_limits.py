"""A desktop that takes more than its limits hits itself, and neither its neighbours nor the host."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import drums
import drums.local

from .conftest import host_pids, shell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local.machines.runc.layout import Layout

BOMB = "bomb() { bomb | bomb & }; bomb"
EAT_MEMORY = ["python3", "-c", "b = []\nwhile True: b.append(bytearray(16 << 20))"]


@pytest.fixture
def small(host: Layout, monkeypatch: pytest.MonkeyPatch) -> Iterator[drums.Client]:
    """A client of a daemon whose desktops have small limits."""
    monkeypatch.setenv("DRUMS_DESKTOPS_LIMITS", "memory=500M,pids=60,cpus=1,disk=100M")
    with (
        drums.local.serving(machine="runc", alive_gate_s=0.2) as daemon,
        drums.connect(daemon.url, daemon.token) as client,
    ):
        yield client


def test_a_memory_hog_is_killed_and_its_episode_is_invalid(small: drums.Client) -> None:
    with small.create() as hog, small.create() as neighbour:
        hog.wait_valid()

        done = hog.step({"type": "execute", "command": EAT_MEMORY, "shell": False}, check=False)

        assert done.result["returncode"] == -9
        assert not hog.refresh().valid(timeout=5)
        assert "killed for memory" in str(hog.record["reason"])
        assert neighbour.wait_valid().valid()
        assert shell(neighbour, "echo fine") == "fine\n"


def test_a_fork_bomb_stays_in_its_desktop(small: drums.Client, host: Layout) -> None:
    with small.create() as bomber, small.create() as neighbour:
        bomber.wait_valid()
        bomber.step({"type": "launch", "command": ["bash", "-c", BOMB], "shell": False})

        assert len(host_pids(bomber.id, host)) <= 60
        assert shell(neighbour, "echo fine") == "fine\n"
        bomber.close()

        assert not list(Path("/sys/fs/cgroup/pids", host.key).glob(bomber.id))


def test_a_disk_hog_fills_only_its_own_disk(small: drums.Client, host: Layout) -> None:
    free = os.statvfs(host.area).f_bavail
    with small.create() as hog, small.create() as neighbour:
        done = hog.step(
            {"type": "execute", "command": "dd if=/dev/zero of=/tmp/big bs=1M; sync", "shell": True}, check=False
        )

        assert "Disk quota exceeded" in str(done.result["error"])
        assert int(shell(hog, "stat -c %s /tmp/big")) < 110 << 20
        assert shell(neighbour, "echo fine > /tmp/file && cat /tmp/file") == "fine\n"
    assert os.statvfs(host.area).f_bavail > free - (200 << 20) // 4096
