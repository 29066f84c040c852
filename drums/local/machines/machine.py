"""What the daemon asks of whatever runs its desktops; `sim` and `runc` implement it.

It is not a place for rules: leases, episodes, verdicts and limits are the domain's. A machine starts, drives, captures
and ends desktops, and reads facts off them (gates, processes, a state hash). Everything that waits is a coroutine; a
machine never blocks the event loop. It holds no record of its own that the daemon could not rebuild: what outlives the
daemon is found by `survivors`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NewType, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from drums.local.machines.inventory import Inventory

SlotId = NewType("SlotId", str)
CheckpointId = NewType("CheckpointId", str)

SCREEN_WIDTH_PX = 1920
SCREEN_HEIGHT_PX = 1080
EXECUTE_TIMEOUT_S = 120.0
"""The longest that `pyautogui` and `execute` may take in the desktop."""


class MachineError(Exception):
    """A desktop could not be started, driven or captured. The message is for the caller; it names no host path."""


class RestoreError(MachineError):
    """A desktop did not come up from its image or state; nothing of it is left."""

    tries: int = 1
    """How often it was started."""


class GuestError(MachineError):
    """The desktop runs, but what is inside does not answer, or not in time."""


class DesktopGone(MachineError):
    """The desktop no longer runs (crashed, killed, or the machine lost it)."""


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """An installed base state, or a saved one that outlived the daemon."""

    id: CheckpointId
    size_bytes: int
    aliases: tuple[CheckpointId, ...] = ()


@dataclass(frozen=True, slots=True)
class GateSpec:
    """One check of an episode's soundness, and when it is taken."""

    name: str
    after_s: float = 0.0
    """Seconds after the desktop came up; the gate is pending until then."""


@dataclass(frozen=True, slots=True)
class GateReading:
    """What one gate found."""

    passed: bool
    detail: str | None = None
    """What was seen, in a sentence; always there when it did not pass."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action did. `returncode` is None for a launch and a sleep."""

    returncode: int | None = None
    output: str | None = None
    error: str | None = None
    pid: int | None = None
    """The process that a launch started, in the desktop's numbering."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process of a desktop, as the machine's own scan sees it."""

    pid: int
    started: int
    """Start time in the machine's ticks: with the pid it tells a process from a later one with the same number."""
    threads: int
    state: Literal["running", "exiting", "zombie"]
    name: str


@dataclass(frozen=True, slots=True)
class ProcessTree:
    """All processes of a desktop at one moment, and how many had been started by then."""

    processes: frozenset[Process]
    last_pid: int

    @property
    def settled(self) -> bool:
        """No process is exiting or a zombie."""
        return all(process.state == "running" for process in self.processes)


class Desktop(Protocol):
    """One running desktop. Every method may raise `DesktopGone`; those that need the guest may raise `GuestError`."""

    @property
    def gates(self) -> Sequence[GateSpec]:
        """The checks of an episode that began when this desktop came up, in order."""
        ...

    @property
    def tries(self) -> int:
        """How often it was started until it came up: 2 where the first time failed before any process of it ran."""
        ...

    async def take_gate(self, name: str) -> GateReading:
        """Take one gate now. It never raises for a bad desktop: that is a reading that did not pass."""
        ...

    async def pyautogui(self, code: str, timeout_s: float = EXECUTE_TIMEOUT_S) -> Outcome:
        """Run Python after `import pyautogui, time`, as the desktop's user; the code's own failure is a returncode."""
        ...

    async def execute(self, command: str | Sequence[str], shell: bool, timeout_s: float = EXECUTE_TIMEOUT_S) -> Outcome:
        """Run a command as the desktop's user and wait for it. Without a shell a string is split as by a shell."""
        ...

    async def launch(self, command: str | Sequence[str], shell: bool) -> Outcome:
        """Start a command as the desktop's user and do not wait for it."""
        ...

    async def screenshot(self) -> bytes:
        """The screen as PNG, 1920x1080, with the pointer."""
        ...

    async def read_file(self, path: str, limit_bytes: int) -> bytes | None:
        """A file's content; None where there is no such file. More than `limit_bytes` is a `GuestError`."""
        ...

    async def write_file(self, path: str, content: bytes, executable: bool = False) -> None:
        """Write a file as the desktop's user, making its folders."""
        ...

    async def processes(self) -> ProcessTree:
        """The processes now, as seen from outside the desktop: it does not need the guest to answer."""
        ...

    def quiet_for_s(self) -> float | None:
        """Seconds for which certainly no process or thread started or exited; infinite where nothing runs by itself.

        None: the machine can't tell, and the process tree must be watched.
        """
        ...

    async def health(self) -> str | None:
        """What has gone wrong since the desktop came up that makes its episode worthless; None when nothing has.

        A process killed for memory, or a part of the session (X server, window manager, agent) that has ended.
        """
        ...

    async def state_hash(self) -> str:
        """A digest of what makes this desktop what it is: processes, windows, files in the home folder."""
        ...

    async def inventory(self) -> Inventory:
        """Files, settings and programs now, taken from outside the desktop."""
        ...


class Machine(Protocol):
    """Something that runs desktops."""

    name: str
    live_fork: bool
    """Whether a fork keeps running processes and unsaved work."""

    async def start(self) -> None:
        """Make ready; called once before anything else."""
        ...

    async def stop(self) -> None:
        """End every desktop and free everything that is not a saved state."""
        ...

    def images(self) -> Sequence[ImageInfo]:
        """The base states that `create` accepts."""
        ...

    async def survivors(self) -> tuple[Mapping[SlotId, Desktop], Sequence[ImageInfo]]:
        """Desktops and saved states that an earlier daemon left and that still work; what is half made is removed."""
        ...

    async def create(self, slot: SlotId, source: CheckpointId) -> Desktop:
        """Start a desktop from an image or a saved state.

        Raises:
            RestoreError: It did not come up; nothing of it is left.
        """
        ...

    async def capture(self, slot: SlotId, checkpoint: CheckpointId, expected: ProcessTree) -> ImageInfo:
        """Save a running desktop, disk and live processes; it goes on running.

        Raises:
            TreeChanged: What was captured is not `expected`; nothing is left of it.
        """
        ...

    async def destroy(self, slot: SlotId) -> None:
        """End a desktop and free all that was its own. One that is already gone is no error."""
        ...

    async def delete(self, checkpoint: CheckpointId) -> None:
        """Delete a saved state. One that is already gone is no error."""
        ...


class TreeChanged(MachineError):
    """A process started or ended between the quiet moment and the capture."""
