"""Nothing in a desktop reaches anything of the host, or another user of the desktop."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import drums
import drums.local

from .conftest import shell, status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local.machines.runc.layout import Layout


@pytest.mark.parametrize(
    "attempt",
    [
        "timeout 2 bash -c 'echo > /dev/tcp/127.0.0.1/22'",
        "timeout 2 bash -c 'echo > /dev/tcp/192.0.2.1/80'",
        "python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)'",
        "python3 -c 'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)'",
        "cat /etc/shadow",
        "cat /proc/1/environ",
        "cat /proc/kcore",
        "cat /proc/kmsg",
        "echo b > /proc/sysrq-trigger",
        "echo 1 > /proc/sys/kernel/printk",
        "echo core > /proc/sys/kernel/core_pattern",
        "mount -t tmpfs none /mnt",
        "mount --bind / /mnt",
        "umount /usr",
        "touch /usr/bin/mine",
        "unshare --user true",
        "unshare --mount true",
        "nsenter --target 1 --mount true",
        "mknod /tmp/disk b 7 0",
        "cat /dev/loop0",
        "cat /dev/mem",
        "ls /dev/vda",
        "chroot / true",
        "kill -9 1",
        "kill -9 $(pgrep -f 'm inside' | head -1)",
        "python3 -c 'import ctypes; exit(ctypes.CDLL(None).ptrace(16, 1, 0, 0) != 0)'",
        "python3 -c 'import os; os.setuid(0)'",
        "sh -c 'exec 3<>/run/agent/socket'",
        "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"/run/agent/socket\")'",
        "rm -rf /run/agent/socket",
        "dmesg",
        "swapoff -a && false",
        "date --set 2001-01-01",
        "hostname other",
        "ls /sys/kernel",
        "test $(ls -d /proc/[0-9]* | wc -l) -gt 30",
    ],
)
def test_an_escape_fails(shared: drums.Env, attempt: str) -> None:
    assert status(shared, attempt) != 0


def test_nothing_of_the_host_is_in_sight(shared: drums.Env) -> None:
    devices = set(shell(shared, "ls /dev").split())
    mounts = shell(shared, "cut -d' ' -f2 /proc/self/mounts").split()
    host_name = os.uname().nodename

    assert devices <= {
        "console",
        "core",
        "fd",
        "full",
        "null",
        "ptmx",
        "pts",
        "random",
        "shm",
        "stderr",
        "stdin",
        "stdout",
        "tty",
        "urandom",
        "zero",
    }
    assert set(mounts) - {f"/dev/{name}" for name in devices} == {
        "/",
        "/proc",
        "/dev",
        "/dev/pts",
        "/dev/shm",
        "/usr",
        "/run/fb",
    } - {f"/dev/{name}" for name in devices}
    assert shell(shared, "hostname || cat /proc/sys/kernel/hostname").strip() == "desktop" != host_name
    assert shell(shared, "ls /proc/self/fd").split() == ["0", "1", "2", "3"]
    assert shell(shared, "id -un").strip() == "user"


@pytest.fixture(scope="module")
def shared(host: Layout) -> Iterator[drums.Env]:
    """One desktop for all attempts: none of them may do it harm."""
    with (
        drums.local.serving(machine="runc", alive_gate_s=0.2) as daemon,
        drums.connect(daemon.url, daemon.token) as client,
    ):
        desktop = client.create().wait_valid()
        yield desktop
        assert desktop.refresh().valid(timeout=5)
