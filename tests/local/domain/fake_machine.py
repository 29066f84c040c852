"""A machine without desktops: dictionaries that start, act, are captured and end, and fail when a test says so.

It differs from `sim` in what the domain's tests need and a simulation has no use for: its desktops can outlive
the daemon that started them, every call can be stopped at, and processes move only when a test moves them.
"""

# ruff: noqa: ARG002 - the protocol names the arguments

from __future__ import annotations

import asyncio
import hashlib
import math
import shlex
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from drums.local.machines.inventory import Inventory, counted
from drums.local.machines.machine import (
    CheckpointId,
    DesktopGone,
    GateReading,
    GateSpec,
    ImageInfo,
    MachineError,
    Outcome,
    Process,
    ProcessTree,
    SlotId,
    TreeChanged,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

IMAGE = CheckpointId("base")
GATES = (GateSpec("network"), GateSpec("processes_alive", 5.0))
PNG = b"\x89PNG of the fake screen"


@dataclass(frozen=True)
class Content:
    """What a desktop is: what a capture keeps and a restore brings back."""

    files: frozenset[str] = frozenset()
    tree: ProcessTree = field(
        default_factory=lambda: ProcessTree(frozenset({Process(1, 1, 1, "running", "session")}), last_pid=1)
    )


@dataclass(eq=False)
class FakeDesktop:
    """One desktop; its commands are `touch F`, `rm F`, `test -e F`, `fail`, and anything else does nothing."""

    machine: FakeMachine
    id: SlotId
    content: Content
    gates: Sequence[GateSpec] = GATES
    alive: bool = True
    sick: str | None = None
    tries: int = 1
    quiet_s: float | None = math.inf

    async def take_gate(self, name: str) -> GateReading:
        await self._called("gate")
        bad = self.machine.bad_gates.get((self.id, name)) or self.machine.bad_gates.get((None, name))
        return GateReading(bad is None, bad)

    async def pyautogui(self, code: str, timeout_s: float = 120.0) -> Outcome:
        await self._called("pyautogui")
        return Outcome(0, code, "")

    async def execute(self, command: str | Sequence[str], shell: bool, timeout_s: float = 120.0) -> Outcome:
        await self._called("execute")
        words = shlex.split(command) if isinstance(command, str) else list(command)
        files = self.content.files
        match words:
            case ["touch", file]:
                self.content = replace(self.content, files=files | {file})
            case ["rm", file]:
                self.content = replace(self.content, files=files - {file})
            case ["test", "-e", file]:
                return Outcome(0 if file in files else 1, "yes\n" if file in files else "no\n", "")
            case ["fail"]:
                return Outcome(1, "", "it failed")
            case _:
                pass
        return Outcome(0, "", "")

    async def launch(self, command: str | Sequence[str], shell: bool) -> Outcome:
        await self._called("launch")
        return Outcome(pid=self.start_process().pid)

    async def screenshot(self) -> bytes:
        await self._called("screenshot")
        return PNG

    async def read_file(self, path: str, limit_bytes: int) -> bytes | None:
        await self._called("read_file")
        return b"" if path in self.content.files else None

    async def write_file(self, path: str, content: bytes, executable: bool = False) -> None:
        await self._called("write_file")
        self.content = replace(self.content, files=self.content.files | {path})

    async def processes(self) -> ProcessTree:
        await self._called("processes")
        return self.content.tree

    def quiet_for_s(self) -> float | None:
        return self.quiet_s

    async def health(self) -> str | None:
        if not self.alive:
            raise DesktopGone("its processes are gone")
        return self.sick

    async def state_hash(self) -> str:
        await self._called("state_hash")
        return hashlib.sha256(repr(sorted(self.content.files)).encode()).hexdigest()

    async def inventory(self) -> Inventory:
        await self._called("inventory")
        names = [process.name for process in self.content.tree.processes]
        return Inventory(dict.fromkeys(self.content.files, "file"), programs=counted(names))

    def start_process(self, state: str = "running") -> Process:
        """A process starts by itself."""
        pid = self.content.tree.last_pid + 1
        process = Process(pid, pid, 1, "zombie" if state == "zombie" else "running", f"p{pid}")
        self.content = replace(self.content, tree=ProcessTree(self.content.tree.processes | {process}, pid))
        return process

    def end_process(self, process: Process) -> None:
        """A process ends by itself."""
        tree = self.content.tree
        self.content = replace(self.content, tree=ProcessTree(tree.processes - {process}, tree.last_pid))

    async def _called(self, call: str) -> None:
        await self.machine.called(call, self.id)
        if not self.alive:
            raise DesktopGone("its processes are gone")


class FakeMachine:
    """Dictionaries as desktops."""

    name = "fake"
    live_fork = True

    def __init__(self) -> None:
        self.desktops: dict[SlotId, FakeDesktop] = {}
        self.states: dict[CheckpointId, Content] = {}
        self.outlives_the_daemon = False
        """Whether `stop` leaves everything running, as after a kill."""
        self.fails: defaultdict[str, list[MachineError]] = defaultdict(list)
        """By call: what the next calls raise."""
        self.holds: dict[str, asyncio.Event] = {}
        """By call: what it waits for."""
        self.bad_gates: dict[tuple[SlotId | None, str], str] = {}
        """By desktop (None: all) and gate: what is wrong."""
        self.on_call: Callable[[str], None] = lambda _call: None
        self.quiet_s: float | None = math.inf
        self.calls: list[tuple[str, str]] = []

    async def called(self, call: str, what: str) -> None:
        """Everything that a test can make of a call."""
        self.calls.append((call, what))
        self.on_call(call)
        if call in self.holds:
            await self.holds[call].wait()
        else:
            await asyncio.sleep(0)
        if self.fails[call]:
            raise self.fails[call].pop(0)

    async def start(self) -> None:
        await self.called("start", self.name)

    async def stop(self) -> None:
        await self.called("stop", self.name)
        if not self.outlives_the_daemon:
            self.desktops.clear()

    def images(self) -> Sequence[ImageInfo]:
        return [ImageInfo(IMAGE, 4_000, (CheckpointId("default"),))]

    async def survivors(self) -> tuple[Mapping[SlotId, FakeDesktop], Sequence[ImageInfo]]:
        await self.called("survivors", self.name)
        return dict(self.desktops), [ImageInfo(state, 100) for state in self.states]

    async def create(self, slot: SlotId, source: CheckpointId) -> FakeDesktop:
        await self.called("create", slot)
        content = Content() if source == IMAGE else self.states[source]
        self.desktops[slot] = FakeDesktop(self, slot, content, quiet_s=self.quiet_s)
        await self.called("created", slot)
        return self.desktops[slot]

    async def capture(self, slot: SlotId, checkpoint: CheckpointId, expected: ProcessTree) -> ImageInfo:
        await self.called("capture", slot)
        content = self.desktops[slot].content
        if content.tree != expected:
            raise TreeChanged("a process started or ended")
        self.states[checkpoint] = content
        await self.called("captured", checkpoint)
        return ImageInfo(checkpoint, 100)

    async def destroy(self, slot: SlotId) -> None:
        await self.called("destroy", slot)
        if slot in self.desktops:
            self.desktops.pop(slot).alive = False
        await self.called("destroyed", slot)

    async def delete(self, checkpoint: CheckpointId) -> None:
        await self.called("delete", checkpoint)
        self.states.pop(checkpoint, None)
        await self.called("deleted", checkpoint)
