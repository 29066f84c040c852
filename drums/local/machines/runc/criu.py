"""CRIU's command lines: a capture (dump) and a restore.

CRIU is called directly, since runc's way is slower and leaks when killed.

Every option here is needed for one of: desktops without a network stack of ours, deleted files that are still open,
file locks, loopback connections. Invariant: dump and restore name the same external mounts.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.machines.runc import bundle, commands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

GHOST_LIMIT_BYTES = 256 << 20
QUIET = "-v1"
"""Errors only: at its usual level the log costs a tenth of a restore."""
NETWORK_TOOLS = ("ip", "iptables-save", "iptables-restore", "ip6tables-save", "ip6tables-restore", "nft")
"""Programs that CRIU calls for a network namespace. A desktop's holds only `lo`, which it brings up itself."""
EXTERNAL_MOUNTS = ("/usr", "/run/fb", *(f"/dev/{name}" for name in bundle.DEVICES))
COMMON = (
    QUIET,
    "--manage-cgroups=ignore",
    "--network-lock",
    "skip",
    "--ghost-limit",
    str(GHOST_LIMIT_BYTES),
    "--link-remap",
    "--file-locks",
    "--tcp-established",
)


@dataclass(frozen=True, slots=True)
class Criu:
    """An installed CRIU."""

    program: str
    tools: Path
    """A folder for the stand-ins of `NETWORK_TOOLS`."""

    @property
    def environment(self) -> dict[str, str]:
        """What CRIU has to see: the stand-ins first."""
        return {"PATH": f"{self.tools}:{commands.SYSTEM_PATH}"}

    def prepare(self) -> None:
        """Make the stand-ins."""
        self.tools.mkdir(parents=True, exist_ok=True)
        for name in NETWORK_TOOLS:
            link = self.tools / name
            if not link.is_symlink():
                link.symlink_to("/bin/true")

    def dump(self, *, images: Path, init: int, script: Path) -> list[str]:
        """The command that captures the process tree below `init` and lets it go on."""
        external = [word for mount in EXTERNAL_MOUNTS for word in ("--external", f"mnt[{mount}]:{mount}")]
        return [
            *(self.program, "dump", "-D", str(images), "-W", str(images), "-t", str(init), "-o", "dump.log"),
            *("--leave-running", "--action-script", str(script)),
            *COMMON,
            *external,
        ]

    def restore(self, *, images: Path, work: Path, root: Path, sources: dict[str, Path]) -> list[str]:
        """The command that brings a process tree back below `root`; it ends when the tree runs."""
        devices = {f"/dev/{name}": f"/dev/{name}" for name in bundle.DEVICES}
        places = {**{mount: str(path) for mount, path in sources.items()}, **devices}
        external = [word for mount in EXTERNAL_MOUNTS for word in ("--external", f"mnt[{mount}]:{places[mount]}")]
        return [
            *(self.program, "restore", "-D", str(images), "-W", str(work), "--root", str(root), "-o", "restore.log"),
            *("--restore-detached", "--pidfile", str(work / "pid")),
            *COMMON,
            *external,
        ]


def post_dump_script(*, source: Path, target: Path, frame: Path, frame_copy: Path, frame_limit_bytes: int) -> str:
    """A script that saves disk and frame while all of the desktop is stopped, so that they agree with the memory.

    It needs nobody's answer: if the daemon dies meanwhile, the desktop still goes on. The desktop's user may have put
    anything in the frame's place; only a plain file is copied, and only so much of it.
    """
    snapshot = shlex.join(["btrfs", "subvolume", "snapshot", "-r", str(source), str(target)])
    file, copy = shlex.quote(str(frame)), shlex.quote(str(frame_copy))
    return (
        '#!/bin/sh\n[ "$CRTOOLS_SCRIPT_ACTION" = post-dump ] || exit 0\n'
        f"[ -f {file} ] && ! [ -L {file} ] || exit 1\n"
        f"{snapshot} && head -c {frame_limit_bytes} < {file} > {copy}\n"
    )


def bind_table(binds: Mapping[Path, Path]) -> str:
    """A table in the form of fstab(5) that shows each value at its key.

    CRIU opens these as the desktop's root, who may not enter our folders: so they are shown where everybody may.
    """
    return "".join(f"{in_table(source)} {in_table(target)} none bind 0 0\n" for target, source in binds.items())


def in_table(path: Path) -> str:
    """A path as fstab(5) wants it."""
    return str(path).replace("\\", "\\134").replace(" ", "\\040").replace("\t", "\\011")


def in_cgroups(argv: Sequence[str], procs_files: Sequence[Path], before: Sequence[Sequence[str]] = ()) -> list[str]:
    """A command that first joins cgroups, so that whatever it starts can be found and killed, then does `before`."""
    joins = [f"echo $$ > {shlex.quote(str(path))}" for path in procs_files]
    steps = [shlex.join(step) for step in before]
    return ["/bin/sh", "-c", " && ".join([*joins, *steps, f"exec {shlex.join(argv)}"])]


def in_private_mounts(argv: Sequence[str]) -> list[str]:
    """A command in a mount namespace of its own: none of its mounts outlives it, whatever kills it."""
    return ["unshare", "--mount", "--propagation", "private", *argv]
