"""What this host can do for real desktops, and the one command that would mend each gap.

It changes nothing. Invariant: when every row is `ok`, `drums up --machine runc` starts.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from drums.local.machines.runc import area, commands, images, recipe
from drums.local.machines.runc.cgroups import unified
from drums.local.machines.runc.layout import Layout
from drums.local.machines.runc.setup import criu_source, host

State = Literal["ok", "slow", "missing"]
SETUP = "sudo drums setup"
INOTIFY_PER_DESKTOP = 4
INOTIFY_WANTED = 512


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that real desktops need."""

    what: str
    state: State
    seen: str
    mend: str
    """A command; empty where nothing has to be done."""


def report(layout: Layout | None = None) -> list[Row]:
    """Everything that real desktops need, and whether it is here."""
    layout = layout or Layout.from_environment()
    return [
        system(),
        rights(),
        user_namespaces(),
        controllers(),
        file_system(layout),
        programs(),
        criu(),
        *installed(layout),
        watches(),
        encoder(),
    ]


def why_not(layout: Layout | None = None) -> str | None:
    """Why real desktops can't be had here now, and what to do; None when they can."""
    missing = [row for row in report(layout) if row.state == "missing"]
    return f"{missing[0].what}: {missing[0].seen} ({missing[0].mend}; all: drums doctor)" if missing else None


def row(what: str, good: bool, seen: str, mend: str, otherwise: State = "missing") -> Row:
    """A row from whether it is good."""
    return Row(what, "ok", seen, "") if good else Row(what, otherwise, seen, mend)


def system() -> Row:
    """The distribution: others than the known ones may work, but the set-up does not know them."""
    this = host.release()
    return row(
        "system", this.supported, f"{this.name}, Linux {os.uname().release}", "use Debian 12/13 or Ubuntu 22.04/24.04"
    )


def rights() -> Row:
    """Root with the right to mount."""
    good = os.geteuid() == 0 and host.has_capability(host.CAP_SYS_ADMIN)
    seen = "root" if good else f"user {os.geteuid()}" if os.geteuid() else "root without CAP_SYS_ADMIN"
    return row("rights", good, seen, "run as root (in a container: --privileged)")


def user_namespaces() -> Row:
    """User namespaces, which every desktop is in."""
    good = host.user_namespaces()
    return row("user namespaces", good, "on" if good else "off", "sudo sysctl user.max_user_namespaces=10000")


def controllers() -> Row:
    """cgroups, for limits."""
    missing = host.missing_controllers()
    seen = f"missing: {', '.join(missing)}" if missing else f"version {2 if unified() else 1}"
    return row("cgroups", not missing, seen, "boot with systemd, or mount the controllers")


def file_system(layout: Layout) -> Row:
    """btrfs, or what makes one in a file."""
    if not host.has_btrfs():
        return row("btrfs", False, "not in the kernel", "sudo modprobe btrfs")
    if area.is_on_btrfs(layout):
        return row("btrfs", True, f"{layout.state} is on btrfs", "")
    if area.is_there(layout):
        return row("btrfs", True, f"{layout.area_file.stat().st_size >> 30} GB in a loop file at {layout.state}", "")
    return row(
        "btrfs",
        False,
        "no area yet" if host.loop_devices() else "no loop devices",
        SETUP if host.loop_devices() else "sudo modprobe loop",
    )


def programs() -> Row:
    """Programs of the distribution."""
    wanted = ("runc", "btrfs", "unshare", "mount")
    missing = [name for name in wanted if shutil.which(name, path=commands.SYSTEM_PATH) is None]
    return row("programs", not missing, f"missing: {', '.join(missing)}" if missing else ", ".join(wanted), SETUP)


def criu() -> Row:
    """A CRIU that works on this kernel."""
    program = criu_source.found() if os.geteuid() == 0 else next(criu_source.candidates(), None)
    return row("CRIU", program is not None, program or "none that works on this kernel", SETUP)


def installed(layout: Layout) -> list[Row]:
    """The images."""
    there = {image.name: image for image in images.installed(layout)}
    rows: list[Row] = []
    for name in recipe.known():
        image = there.get(name)
        mend = f"sudo drums image build {name}"
        if image is None:
            rows.append(
                Row(f"image {name}", "missing" if not there else "ok", "not built (or the area is not mounted)", mend)
            )
        elif image.fingerprint != recipe.load(name).fingerprint:
            rows.append(Row(f"image {name}", "slow", "made from an older recipe", mend))
        else:
            rows.append(Row(f"image {name}", "ok", f"{image.size_bytes >> 20} MB", ""))
    return rows


def watches() -> Row:
    """How many desktops may watch files at once: the kernel counts all of them as root's."""
    limit = int(Path("/proc/sys/fs/inotify/max_user_instances").read_text())
    seen = f"{limit} file watchers: about {limit // INOTIFY_PER_DESKTOP} desktops"
    return row(
        "watchers", limit >= INOTIFY_WANTED, seen, f"sudo sysctl fs.inotify.max_user_instances={INOTIFY_WANTED}", "slow"
    )


def encoder() -> Row:
    """The fast way to write PNG."""
    try:
        from drums.local.machines.runc import fast_rows  # noqa: PLC0415 - it may not be installed
    except ImportError:
        return Row(
            "screenshots", "slow", "encoded by the standard library, about 60 ms", "pip install 'drums-sdk[desktops]'"
        )
    return Row("screenshots", "ok", f"encoded by {fast_rows.isal_zlib.__name__.partition('.')[0]}", "")
