"""The one image of the simulator: the files of a fresh desktop.

Invariant: it depends on nothing but this file, so every desktop starts with the same state hash on every host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .files.disk import HOME, ROOT, USER, Disk
from .files.tree import Folder

if TYPE_CHECKING:
    from collections.abc import Iterable

IMAGE = "osworld-ubuntu"
USER_FOLDERS = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Templates", "Videos")
SYSTEM_FOLDERS = (
    "/bin /etc /home /opt /root /tmp /usr /usr/bin /usr/local /usr/local/bin /var /var/spool /var/spool/cron"
)
ETC = {
    "/etc/hostname": "drums\n",
    "/etc/hosts": "127.0.0.1\tlocalhost\n127.0.1.1\tdrums\n",
    "/etc/os-release": 'PRETTY_NAME="Drums simulated desktop"\nNAME="Drums"\nID=drums\nID_LIKE=ubuntu\n',
    "/etc/passwd": "root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000:User:/home/user:/bin/bash\n",
}
SCRATCH_MODE = 0o1777


def base_disk(programs: Iterable[str], at_s: float) -> Folder:
    """The files of a fresh desktop, dated `at_s`.

    Every program has a file in /usr/bin, so that `which`, `test -x` and full paths find it. The file calls the
    program by its name, which is how the shell finds what really runs.
    """
    disk = Disk(Folder(0o755, ROOT, at_s), lambda: at_s, ROOT)
    for path in SYSTEM_FOLDERS.split():
        disk.make_folder(path)
    disk.set_mode("/tmp", SCRATCH_MODE)  # noqa: S108  the desktop's, not the host's
    disk.set_mode("/root", 0o700)
    for path, text in ETC.items():
        disk.write(path, text.encode())
    for name in programs:
        disk.write(f"/usr/bin/{name}", f'#!/bin/sh\n{name} "$@"\n'.encode(), 0o755)
    _add_home(disk)
    return disk.root


def _add_home(disk: Disk) -> None:
    """The folders that are the user's: home, and where crontab keeps the tables."""
    disk.actor = ROOT
    for path in (("home", "user"), ("var", "spool", "cron", "crontabs")):
        disk.root = disk.root.with_entry(path, Folder(0o755, USER, disk.now()), disk.now())
    disk.actor = USER
    for name in USER_FOLDERS:
        disk.make_folder(f"{HOME}/{name}")
    disk.actor = ROOT
