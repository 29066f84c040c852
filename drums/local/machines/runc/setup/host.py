"""What this host is: distribution, rights, kernel.

It only reads. Invariant: what it can't find out it reports as missing, in words that say what to do.
"""

from __future__ import annotations

import os
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

from drums.local.machines.runc import area, commands
from drums.local.machines.runc.cgroups import CONTROLLERS, MOUNT, unified

SUPPORTED = {("debian", "12"), ("debian", "13"), ("ubuntu", "22.04"), ("ubuntu", "24.04")}
CAP_SYS_ADMIN = 21
HIDDEN_FOLDERS = ("/tmp", "/run")  # noqa: S108
"""Folders of ours stand in their place while a desktop is restored."""


@dataclass(frozen=True, slots=True)
class Release:
    """A distribution's release, from os-release(5)."""

    id: str
    version: str
    codename: str

    @property
    def name(self) -> str:
        """As people say it: `debian 12 (bookworm)`."""
        return f"{self.id} {self.version} ({self.codename})"

    @property
    def supported(self) -> bool:
        """Whether the set-up knows it."""
        return (self.id, self.version) in SUPPORTED

    @property
    def components(self) -> tuple[str, ...]:
        """The parts of its archive that images are made of."""
        return ("main", "universe") if self.id == "ubuntu" else ("main",)

    @property
    def newest_suite(self) -> str:
        """Where its newest sources are."""
        return "devel" if self.id == "ubuntu" else "sid"

    @property
    def keyring(self) -> Path:
        """What its archive is signed with."""
        return Path(f"/usr/share/keyrings/{self.id}-archive-keyring.gpg")


def release() -> Release:
    """This host's release; empty words where it does not say."""
    words: dict[str, str] = {}
    for path in (Path("/etc/os-release"), Path("/usr/lib/os-release")):
        if path.exists():
            pairs = [line.partition("=") for line in path.read_text().splitlines() if "=" in line]
            words = {name: value.strip('"') for name, _, value in pairs}
            break
    return Release(words.get("ID", ""), words.get("VERSION_ID", ""), words.get("VERSION_CODENAME", ""))


def obstacles(state: Path) -> list[str]:
    """Why the set-up can't work here, each with what to do; empty when it can."""
    found: list[str] = []
    this = release()
    if os.geteuid() != 0:
        found.append("it needs root: run it with sudo")
    if platform.machine() not in {"x86_64", "aarch64"}:
        found.append(f"CRIU is not tried on {platform.machine()}: use an x86_64 or aarch64 host")
    if not this.supported:
        known = ", ".join(sorted(f"{name} {version}" for name, version in SUPPORTED))
        found.append(f"it knows {known}, this is {this.name}: install by hand what `drums doctor` misses")
    if os.geteuid() == 0 and not has_capability(CAP_SYS_ADMIN):
        found.append("root has no CAP_SYS_ADMIN here: in a container, start that with --privileged")
    if not user_namespaces():
        found.append("user namespaces are off: sysctl user.max_user_namespaces=10000")
    if missing := missing_controllers():
        found.append(f"cgroup controllers are missing: {', '.join(missing)}: mount them, or boot with systemd")
    hidden = [folder for folder in HIDDEN_FOLDERS if state.absolute().is_relative_to(folder)]
    if hidden:
        found.append(f"the state folder may not lie below {hidden[0]}: set DRUMS_DESKTOPS_DIR to another")
    if not area.is_on_btrfs_at(state) and not loop_devices():
        found.append("there are no loop devices: set DRUMS_DESKTOPS_DIR to a folder on a btrfs, or: modprobe loop")
    if not has_btrfs():
        found.append("the kernel has no btrfs: modprobe btrfs")
    return found


def has_capability(number: int) -> bool:
    """Whether this process has a capability."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False


def user_namespaces() -> bool:
    """Whether user namespaces can be made."""
    try:
        return int(Path("/proc/sys/user/max_user_namespaces").read_text()) > 0
    except OSError:
        return False


def missing_controllers() -> list[str]:
    """The cgroup controllers that desktops need and that are not there."""
    if unified():
        there = set((MOUNT / "cgroup.controllers").read_text().split())
        return sorted(set(CONTROLLERS) - there)
    return [name for name in CONTROLLERS if not (MOUNT / name / "cgroup.procs").exists()]


def loop_devices() -> bool:
    """Whether files can be mounted."""
    return Path("/dev/loop-control").exists()


def has_btrfs() -> bool:
    """Whether the kernel can mount btrfs, if need be after loading its module."""
    if "btrfs" in Path("/proc/filesystems").read_text().split():
        return True
    if shutil.which("modprobe", path=commands.SYSTEM_PATH) is None:
        return False
    return commands.run(["modprobe", "--dry-run", "btrfs"], check=False).returncode == 0
