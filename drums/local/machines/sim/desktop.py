"""One simulated desktop as the daemon drives it: the `Desktop` protocol over a guest.

It wires the parts and injects faults; what actions do is decided in session.py and below. Invariant: actions come one
after the other, and nothing happens in a desktop but by an action.
"""

from __future__ import annotations

import asyncio
import math
import shlex
from typing import TYPE_CHECKING

from drums.local.machines.machine import (
    EXECUTE_TIMEOUT_S,
    DesktopGone,
    GateReading,
    GateSpec,
    GuestError,
    Outcome,
    Process,
    ProcessTree,
)

from . import gates
from .belongings import inventory_of
from .files.disk import HOME
from .files.tree import File
from .pace import OutOfTime, Pace
from .python.code import run_code
from .shell import interpreter
from .windows.session import Session

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence

    from drums.local.faults import Faults
    from drums.local.machines.inventory import Inventory

    from .guest import Guest
    from .picture.screen import Screens

COMMAND_NOT_FOUND = 127


class SimDesktop:
    """A desktop in memory.

    Args:
        slot: The slot that it is for.
        guest: Its state, for it alone.
        source_digest: The state hash of what it was made from.
        screens: Draws it.
        faults: What must go wrong.
        alive_gate_s: Seconds after which it is looked whether its processes still run.
        neighbours: The machine's other desktops.
    """

    def __init__(
        self,
        slot: str,
        guest: Guest,
        *,
        source_digest: str,
        screens: Screens,
        faults: Faults,
        alive_gate_s: float,
        neighbours: Callable[[], Collection[SimDesktop]],
    ) -> None:
        self.slot = slot
        self.guest = guest
        self.birth: gates.Birth = gates.Birth(source_digest, guest.digest(), guest.processes.tree().processes)
        self.programs: Collection[str] = interpreter.COMMANDS
        self.neighbours = neighbours
        self._session = Session(guest)
        self._screens = screens
        self._faults = faults
        self._gates = gates.specs(alive_gate_s)
        self._turn = asyncio.Lock()
        self._running = True
        self._scans = 0

    @property
    def gates(self) -> Sequence[GateSpec]:
        """The checks of an episode that began when this desktop came up, in order."""
        return self._gates

    @property
    def tries(self) -> int:
        """One: a copy in memory does not fail."""
        return 1

    def end(self) -> None:
        """Stop running; every later call raises DesktopGone."""
        self._running = False

    async def take_gate(self, name: str) -> GateReading:
        """Take one gate now; what keeps it from being taken is a reading that did not pass."""
        if self._faults.take_gate(name, self.slot):
            return GateReading(False, "a fault was ordered for this gate")
        if name not in gates.GATES:
            return GateReading(False, f"there is no gate {name}")
        try:
            self._demand_running()
            return await gates.GATES[name](self)
        except (DesktopGone, GuestError) as error:
            return GateReading(False, str(error))

    # Actions.

    async def pyautogui(self, code: str, timeout_s: float = EXECUTE_TIMEOUT_S) -> Outcome:
        """Run Python with `pyautogui` and `time` imported, as far as the simulator knows Python."""

        async def act(pace: Pace) -> Outcome:
            result = await run_code(code, self._session, pace, imported=("pyautogui", "time"))
            output, error = interpreter.printable(result.stdout), interpreter.printable(result.stderr)
            return Outcome(result.exit_code, output, error)

        return await self._act(act, timeout_s)

    async def execute(self, command: str | Sequence[str], shell: bool, timeout_s: float = EXECUTE_TIMEOUT_S) -> Outcome:
        """Run a command and wait for it."""
        script = script_of(command, shell=shell)
        return await self._act(lambda pace: self._run(script, pace), timeout_s)

    async def launch(self, command: str | Sequence[str], shell: bool) -> Outcome:
        """Start a command. What it opens goes on running; what it computes is done at once, in the desktop's time."""
        script = script_of(command, shell=shell)

        async def act(pace: Pace) -> Outcome:
            before = self.guest.processes
            ran = await self._run(script, pace)
            if ran.returncode == COMMAND_NOT_FOUND and not shell:
                raise GuestError(f"there is no such program: {(ran.error or str(command)).strip()}")
            opened = sorted(set(self.guest.processes.table) - set(before.table))
            return Outcome(pid=opened[0] if opened else before.last_pid + 1)

        return await self._act(act, EXECUTE_TIMEOUT_S)

    async def probe(self, script: str) -> Outcome:
        """Run a command that is not an action: it leaves no trace in the desktop."""
        await self._demand_answer()
        twin = self.guest.copy()
        ran = await interpreter.run(twin, Session(twin), Pace(twin, EXECUTE_TIMEOUT_S), script)
        return Outcome(ran.returncode, ran.output, ran.error)

    async def _run(self, script: str | Sequence[str], pace: Pace) -> Outcome:
        ran = await interpreter.run(self.guest, self._session, pace, script)
        return Outcome(ran.returncode, ran.output, ran.error)

    async def _act(self, act: Callable[[Pace], Awaitable[Outcome]], timeout_s: float) -> Outcome:
        async with self._turn:
            await self._demand_answer()
            try:
                return await act(Pace(self.guest, timeout_s))
            except OutOfTime:
                raise GuestError(f"the action did not come to an end within {timeout_s:g} s") from None

    # Looking.

    async def screenshot(self) -> bytes:
        """The screen as PNG, with the pointer."""
        await self._demand_answer()
        return self._screens.png(self.guest)

    async def read_file(self, path: str, limit_bytes: int) -> bytes | None:
        """A file's content; None where there is no such file."""
        await self._demand_answer()
        path = f"{HOME}{path[1:]}" if path.startswith("~/") else path
        node = self.guest.disk.find(path)
        if not isinstance(node, File):
            return None
        if len(node.content) > limit_bytes:
            raise GuestError(f"{path} has {len(node.content)} bytes, more than {limit_bytes}")
        return node.content

    async def write_file(self, path: str, content: bytes, executable: bool = False) -> None:
        """Write a file as the desktop's user, making its folders."""
        async with self._turn:
            await self._demand_answer()
            disk = self.guest.disk
            try:
                disk.make_folder(path.rpartition("/")[0] or "/", parents=True)
                disk.write(path, content)
                if executable:
                    disk.set_mode(path, 0o755)
            except OSError as error:
                raise GuestError(f"{path}: {error}") from error

    async def processes(self) -> ProcessTree:
        """The processes now."""
        self._demand_running()
        tree = self.guest.processes.tree()
        if not self._faults.is_busy(self.slot):
            return tree
        # A command that has just come and will be gone at the next scan.
        self._scans += 1
        pid = tree.last_pid + self._scans
        return ProcessTree(tree.processes | {Process(pid, pid, 1, "running", "busy")}, pid)

    def quiet_for_s(self) -> float | None:
        """Infinite: no process starts or ends here but by an action."""
        return 0.0 if self._faults.is_busy(self.slot) else math.inf

    async def health(self) -> str | None:
        """None: nothing breaks here by itself."""
        self._demand_running()
        return None

    async def state_hash(self) -> str:
        """A digest of files, windows and processes."""
        self._demand_running()
        return self.guest.digest()

    async def inventory(self) -> Inventory:
        """Files, settings and programs now."""
        self._demand_running()
        return inventory_of(self.guest)

    def _demand_running(self) -> None:
        if not self._running or self._faults.is_lost(self.slot):
            raise DesktopGone("the desktop no longer runs")

    async def _demand_answer(self) -> None:
        self._demand_running()
        hang = self._faults.take_hang(self.slot)
        if hang is not None:
            await asyncio.sleep(hang.wait_s)
            raise GuestError("the desktop's guest did not answer in time")


def script_of(command: str | Sequence[str], *, shell: bool) -> str | list[str]:
    """A command as the interpreter takes it: without a shell, nothing in it is interpreted but a leading `~/`.

    Raises:
        GuestError: It can't be split into words, or has none.
    """
    if shell:
        return command if isinstance(command, str) else shlex.join(command)
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise GuestError(f"the command can't be split into words: {error}") from error
    if not words:
        raise GuestError("the command is empty")
    return [f"{HOME}{word[1:]}" if word.startswith("~/") else word for word in words]
