"""One real desktop as the daemon drives it: the `Desktop` protocol over the agent, the frame buffer and /proc.

Requests to the agent and captures exclude each other: a connection that is open during a capture makes it fail.
Invariant: a connection counts as open until the agent has closed it, also when whoever asked has gone away.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from drums.local.machines.machine import (
    EXECUTE_TIMEOUT_S,
    DesktopGone,
    GateReading,
    GuestError,
    MachineError,
    Outcome,
    ProcessTree,
)
from drums.local.machines.runc import belongings, frame, gates, guest, home, tree
from drums.local.machines.runc.inside import files

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
    from concurrent.futures import Executor

    from drums.local.faults import Faults
    from drums.local.machines.inventory import Inventory
    from drums.local.machines.machine import GateSpec
    from drums.local.machines.runc.cgroups import Cgroup
    from drums.local.machines.runc.facts import DesktopFacts
    from drums.local.machines.runc.layout import DesktopPaths

T = TypeVar("T")


class Line:
    """The line to the agent: many may talk, or one may capture."""

    def __init__(self) -> None:
        self._talking = 0
        self._capturing = False
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def talk(self) -> AsyncGenerator[None]:
        """Wait for a capture to end; none begins meanwhile."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._capturing)
            self._talking += 1
        try:
            yield
        finally:
            async with self._changed:
                self._talking -= 1
                self._changed.notify_all()

    @asynccontextmanager
    async def capture(self) -> AsyncGenerator[None]:
        """Wait for all talk to end; none begins meanwhile."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._capturing)
            self._capturing = True
            await self._changed.wait_for(lambda: not self._talking)
        try:
            yield
        finally:
            async with self._changed:
                self._capturing = False
                self._changed.notify_all()


class RuncDesktop:
    """A running desktop.

    Args:
        facts: What was written down when it came up.
        paths: Where its things are on the host.
        cgroup: Its limits and processes.
        workers: Runs what blocks.
        faults: What must go wrong.
        alive_gate_s: Seconds after which it is looked whether its processes still run.
    """

    def __init__(
        self,
        facts: DesktopFacts,
        paths: DesktopPaths,
        cgroup: Cgroup,
        workers: Executor,
        *,
        faults: Faults,
        alive_gate_s: float,
    ) -> None:
        self.facts = facts
        self.paths = paths
        self.line: Line = Line()
        self.subject: gates.Subject = gates.Subject(facts, paths, cgroup)
        self._workers = workers
        self._faults = faults
        self._gates = gates.specs(alive_gate_s)
        self._loose: set[asyncio.Task[dict[str, Any]]] = set()

    @property
    def gates(self) -> Sequence[GateSpec]:
        """The checks of an episode that began when this desktop came up, in order."""
        return self._gates

    @property
    def tries(self) -> int:
        """How often it was restored until it came up."""
        return self.facts.tries

    async def take_gate(self, name: str) -> GateReading:
        """Take one gate now; what keeps it from being taken is a reading that did not pass."""
        if self._faults.take_gate(name, self.facts.slot):
            return GateReading(False, "a fault was ordered for this gate")
        try:
            self.demand_running()
            async with self.line.talk():
                return await self._blocking(lambda: gates.GATES[name](self.subject))
        except (MachineError, OSError, ValueError) as fault:
            return GateReading(False, f"could not be taken: {fault}")

    async def health(self) -> str | None:
        """What has gone wrong since the desktop came up that makes its episode worthless; None when nothing has."""
        self.demand_running()
        return await self._blocking(lambda: gates.health(self.subject))

    # Actions.

    async def pyautogui(self, code: str, timeout_s: float = EXECUTE_TIMEOUT_S) -> Outcome:
        """Run Python with `pyautogui` and `time` imported, as the desktop's user."""
        return outcome_of(await self._act("pyautogui", timeout_s, code=code), timeout_s)

    async def execute(self, command: str | Sequence[str], shell: bool, timeout_s: float = EXECUTE_TIMEOUT_S) -> Outcome:
        """Run a command as the desktop's user and wait for it."""
        reply = await self._act("execute", timeout_s, command=words_of(command), shell=shell)
        return outcome_of(reply, timeout_s)

    async def launch(self, command: str | Sequence[str], shell: bool) -> Outcome:
        """Start a command as the desktop's user and do not wait for it."""
        reply = await self._ask("launch", command=words_of(command), shell=shell)
        if "error" in reply:
            raise GuestError(f"there is no such program: {reply['error']}")
        return Outcome(pid=int(reply["pid"]))

    # Looking.

    async def screenshot(self) -> bytes:
        """The screen as PNG, with the pointer."""
        self.demand_running()
        return await self._blocking(lambda: frame.png(frame.pixels(self.paths.frame)))

    async def read_file(self, path: str, limit_bytes: int) -> bytes | None:
        """A file's content; None where there is no such file."""
        reply = await self._ask("read_file", path=path, limit_bytes=limit_bytes, wait_s=guest.FILE_S)
        if reply["returncode"] == files.NOT_THERE:
            return None
        if reply["returncode"] != 0:
            raise GuestError(f"{path}: {str(reply['error']).strip()}")
        return base64.b64decode(str(reply["output"]))

    async def write_file(self, path: str, content: bytes, executable: bool = False) -> None:
        """Write a file as the desktop's user, making its folders."""
        encoded = base64.b64encode(content).decode()
        reply = await self._ask("write_file", path=path, content=encoded, executable=executable, wait_s=guest.FILE_S)
        if reply["returncode"] != 0:
            raise GuestError(f"{path}: {str(reply['error']).strip()}")

    async def processes(self) -> ProcessTree:
        """The processes now, scanned on the host; how many were ever started only the agent can tell."""
        last_pid = int((await self._ask("rest"))["last_pid"])
        found = await self._blocking(self.subject.processes)
        return ProcessTree(frozenset(one.process for one in found), last_pid)

    def quiet_for_s(self) -> float | None:
        """None: it has to be watched."""
        return None

    async def state_hash(self) -> str:
        """A digest of what makes this desktop what it is: processes, windows, files in the home folder."""
        self.demand_running()
        async with self.line.talk():
            return await self._blocking(self._digest)

    async def inventory(self) -> Inventory:
        """Files, settings and programs now, read on the host."""
        self.demand_running()
        try:
            return await self._blocking(self._belongings)
        except OSError as fault:
            raise GuestError(f"its home folder can't be read: {fault.strerror}") from fault

    def _belongings(self) -> Inventory:
        pids = [one.host_pid for one in self.subject.processes() if one.process.state == "running"]
        return belongings.inventory(self.paths.disk, belongings.programs_of(pids))

    def _digest(self) -> str:
        guest.ask(self.paths.disk, "rest")
        running = sorted((one.process.pid, one.process.started, one.process.name) for one in self.subject.processes())
        content = [running, gates.windows_of(self.paths), home.digest(self.paths.disk)]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    # The way there.

    async def _act(self, do: str, timeout_s: float, **arguments: object) -> dict[str, Any]:
        return await self._ask(do, wait_s=timeout_s + guest.GRACE_S, timeout_s=timeout_s, **arguments)

    async def _ask(self, do: str, *, wait_s: float = guest.QUICK_S, **arguments: object) -> dict[str, Any]:
        """Ask the agent. A caller that goes away leaves the exchange to end by itself."""
        await self._demand_answer()
        exchange = asyncio.ensure_future(
            self._exchange(guest.ask_async(self.paths.disk, do, wait_s=wait_s, **arguments))
        )
        self._loose.add(exchange)
        exchange.add_done_callback(self._done)
        return await asyncio.shield(exchange)

    async def _exchange(self, asking: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
        try:
            async with self.line.talk():
                return await asking
        except GuestError:
            self.demand_running()
            raise
        finally:
            asking.close()

    def _done(self, exchange: asyncio.Task[dict[str, Any]]) -> None:
        self._loose.discard(exchange)
        if not exchange.cancelled():
            exchange.exception()  # seen, though nobody may wait for it any more

    async def _demand_answer(self) -> None:
        self.demand_running()
        hang = self._faults.take_hang(self.facts.slot)
        if hang is not None:
            await asyncio.sleep(hang.wait_s)
            raise GuestError("the desktop's guest did not answer in time")

    def demand_running(self) -> None:
        """Check that it still runs.

        Raises:
            DesktopGone: It does not.
        """
        if self._faults.is_lost(self.facts.slot) or not tree.is_same(self.facts.init, self.facts.started):
            raise DesktopGone("the desktop no longer runs")

    async def _blocking(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)


def words_of(command: str | Sequence[str]) -> str | list[str]:
    """A command as JSON takes it."""
    return command if isinstance(command, str) else list(command)


def outcome_of(reply: dict[str, Any], timeout_s: float) -> Outcome:
    """What an action did, from the agent's reply.

    Raises:
        GuestError: It was killed because it took too long.
    """
    if reply["late"]:
        raise GuestError(
            f"the action did not come to an end within {timeout_s:g} s; it was ended, with all that it had started"
        )
    return Outcome(int(reply["returncode"]), str(reply["output"]), str(reply["error"]))
