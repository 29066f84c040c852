"""The OCI bundle that runc starts an image's first desktop from: what a desktop may see, have and do.

CRIU carries all of it into every state and child, so this is the one place where a desktop's isolation is written down;
`gates` reads it off the running processes. Invariant: no mount shows a file of the host but the image's read-only
`/usr` and the frame folder.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from drums.local.machines.runc import seccomp

if TYPE_CHECKING:
    from pathlib import Path

FIRST_HOST_ID = 100_000
ID_COUNT = 65_536
HOSTNAME = "desktop"
DEVICES = ("null", "random", "full", "tty", "zero", "urandom")
"""Device files that runc binds from the host into a user namespace; CRIU has to be told of each."""
NAMESPACES = ("user", "pid", "mount", "ipc", "uts", "network")
AGENT_CAPABILITIES = ("CAP_CHOWN", "CAP_SETUID", "CAP_SETGID", "CAP_KILL")
"""What the agent needs to run things as the user, in its own user namespace only. The user's processes have none."""
AGENT_ARGV = ("/usr/bin/tini", "-g", "--", "/usr/bin/python3", "-m", "inside")
OPEN_FILES = 4096


def write(folder: Path, *, disk: Path, usr: Path, frame: Path, cgroup: str) -> None:
    """Write config.json of a bundle."""
    (folder / "config.json").write_text(json.dumps(config(disk, usr, frame, cgroup), indent=1))


def config(disk: Path, usr: Path, frame: Path, cgroup: str) -> dict[str, object]:
    """The bundle's content. No masked paths: each would be a tmpfs that a capture has to pack with tar."""
    return {
        "ociVersion": "1.0.2",
        "process": process(),
        "root": {"path": str(disk), "readonly": False},
        "hostname": HOSTNAME,
        "mounts": mounts(usr, frame),
        "linux": {
            "uidMappings": [id_mapping()],
            "gidMappings": [id_mapping()],
            "namespaces": [{"type": name} for name in NAMESPACES],
            "cgroupsPath": f"/{cgroup}",
            "resources": {"devices": [{"allow": False, "access": "rwm"}]},
            "seccomp": seccomp.profile(),
            "maskedPaths": [],
            "readonlyPaths": [],
        },
    }


def process() -> dict[str, object]:
    """The first process: tini, which reaps orphans, over the agent, which is root of nothing but this namespace."""
    capabilities = list(AGENT_CAPABILITIES)
    return {
        "terminal": False,
        "user": {"uid": 0, "gid": 0},
        "args": list(AGENT_ARGV),
        "env": [
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "PYTHONPATH=/usr/lib/drums",
            "PYTHONDONTWRITEBYTECODE=1",
            "LANG=C.UTF-8",
        ],
        "cwd": "/",
        "capabilities": dict.fromkeys(("bounding", "effective", "permitted"), capabilities),
        "rlimits": [{"type": "RLIMIT_NOFILE", "hard": OPEN_FILES, "soft": OPEN_FILES}],
        "noNewPrivileges": True,
    }


def mounts(usr: Path, frame: Path) -> list[dict[str, object]]:
    """What is mounted besides the desktop's own disk."""
    return [
        {"destination": "/proc", "type": "proc", "source": "proc", "options": ["nosuid", "noexec", "nodev"]},
        {
            "destination": "/dev",
            "type": "tmpfs",
            "source": "tmpfs",
            "options": ["nosuid", "noexec", "strictatime", "mode=755", "size=1m"],
        },
        {
            "destination": "/dev/pts",
            "type": "devpts",
            "source": "devpts",
            "options": ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"],
        },
        {
            "destination": "/dev/shm",  # noqa: S108 - a mount point
            "type": "tmpfs",
            "source": "shm",
            "options": ["nosuid", "noexec", "nodev", "mode=1777", "size=512m"],
        },
        {"destination": "/usr", "type": "bind", "source": str(usr), "options": ["rbind", "ro", "nosuid", "nodev"]},
        {
            "destination": "/run/fb",
            "type": "bind",
            "source": str(frame),
            "options": ["rbind", "rw", "nosuid", "nodev", "noexec"],
        },
    ]


def id_mapping() -> dict[str, int]:
    """The desktop's user and group numbers on the host."""
    return {"containerID": 0, "hostID": FIRST_HOST_ID, "size": ID_COUNT}
