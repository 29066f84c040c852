"""The gates of a simulated desktop: each looks at something real of it, so that damage shows.

A gate reads and never repairs. Invariant: a gate that can't look has not passed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image

from drums.local.machines.machine import GateReading, GateSpec, Process

from .files.disk import DESKTOP_FOLDER, DISK_LIMIT_BYTES, HOME, NODE_LIMIT, Disk
from .files.tree import Folder
from .picture.screen import drawn

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from .desktop import SimDesktop

PROCESSES_ALIVE = "processes_alive"
NETWORK_PROGRAMS = frozenset({"curl", "wget", "ssh", "nc"})
"""Programs that would reach other computers."""


@dataclass(frozen=True, slots=True)
class Birth:
    """What a desktop was when it came up, for its gates to compare with."""

    source_digest: str
    """The state hash of the image or state that it was made from."""
    digest: str
    """Its own, before anything was done in it."""
    processes: frozenset[Process]


def specs(alive_gate_s: float) -> tuple[GateSpec, ...]:
    """The gates in order; the last one waits `alive_gate_s` seconds after the desktop came up."""
    return (*(GateSpec(name) for name in GATES if name != PROCESSES_ALIVE), GateSpec(PROCESSES_ALIVE, alive_gate_s))


async def _isolation(desktop: SimDesktop) -> GateReading:
    others = desktop.neighbours()
    sharing = [other.slot for other in others if other.guest is desktop.guest or other.guest.disk is desktop.guest.disk]
    if sharing:
        return GateReading(False, f"state is shared with {', '.join(sorted(sharing))}")
    return GateReading(True, f"no state is shared with {len(others)} other desktops")


async def _mounts(desktop: SimDesktop) -> GateReading:
    disk = Disk(desktop.guest.disk.root, desktop.guest.now)
    missing = [path for path in ("/", HOME, DESKTOP_FOLDER, "/tmp") if not isinstance(disk.find(path), Folder)]  # noqa: S108
    if missing:
        return GateReading(False, f"no folder at {', '.join(missing)}")
    return GateReading(True, "one disk in memory, nothing of the host in it")


async def _network(desktop: SimDesktop) -> GateReading:
    reaching = sorted(NETWORK_PROGRAMS & set(desktop.programs))
    if reaching:
        return GateReading(False, f"programs can reach other computers: {', '.join(reaching)}")
    return GateReading(True, "no program can reach another computer")


async def _limits(desktop: SimDesktop) -> GateReading:
    root = desktop.guest.disk.root
    if root.size_bytes > DISK_LIMIT_BYTES or root.count > NODE_LIMIT:
        return GateReading(False, f"{root.size_bytes} bytes in {root.count} files and folders are over the limit")
    return GateReading(True, f"{root.size_bytes} of {DISK_LIMIT_BYTES} bytes, {root.count} of {NODE_LIMIT} files")


async def _state_hash(desktop: SimDesktop) -> GateReading:
    birth = desktop.birth
    if birth.digest != birth.source_digest:
        return GateReading(False, f"came up as {birth.digest[:12]}, its source is {birth.source_digest[:12]}")
    return GateReading(True, f"came up as its source, {birth.digest[:12]}")


async def _guest(desktop: SimDesktop) -> GateReading:
    outcome = await desktop.probe("echo ready")
    if outcome.output != "ready\n" or outcome.returncode != 0:
        return GateReading(False, f"the shell answered {outcome.returncode}: {(outcome.error or '').strip()}")
    return GateReading(True, "the shell answers")


async def _screen(desktop: SimDesktop) -> GateReading:
    colours = drawn(desktop.guest).resize((192, 108), Image.Resampling.NEAREST).getcolors(192 * 108)
    count = len(colours or [])
    return GateReading(count > 1, f"{count} colours on the screen")


async def _processes_alive(desktop: SimDesktop) -> GateReading:
    now = (await desktop.processes()).processes
    ended = sorted(process.name for process in desktop.birth.processes - now)
    if ended:
        return GateReading(False, f"ended since the desktop came up: {', '.join(ended)}")
    return GateReading(True, f"{len(desktop.birth.processes)} processes run as before")


GATES: Mapping[str, Callable[[SimDesktop], Awaitable[GateReading]]] = {
    "isolation": _isolation,
    "mounts": _mounts,
    "network": _network,
    "limits": _limits,
    "state_hash": _state_hash,
    "guest": _guest,
    "screen": _screen,
    PROCESSES_ALIVE: _processes_alive,
}
"""Every gate, in the order in which they are taken."""
