"""Wires one daemon: machine, store, tasks, domain, HTTP application; starts it and stops it.

It decides nothing, and opens no socket and no thread (service.py and embedded.py do).
Invariant: after `stop` nothing of it runs and its store is closed, also where `start` failed half way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from drums.local.app import App
from drums.local.domain.clock import Clock, SystemClock
from drums.local.domain.host import Host
from drums.local.domain.limits import Limits
from drums.local.domain.metrics import Price
from drums.local.emulation import older
from drums.local.errors import MachineUnavailableError, TasksError
from drums.local.faults import Faults
from drums.local.handlers import HANDLERS
from drums.local.machines.machine import MachineError
from drums.local.machines.registry import AUTO, Making, chosen
from drums.local.osworld import TaskError, TaskSources
from drums.local.osworld.sandbox import SANDBOX, Lease
from drums.local.routes import routes
from drums.local.store import Store

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """What a daemon is to be like, wherever it runs."""

    machine: str = AUTO
    """`auto`, or the name of one in `machines.registry`."""
    limits: Limits = field(default_factory=Limits)
    price: Price = field(default_factory=Price)
    faults: Faults = field(default_factory=Faults)
    emulate: str | None = None
    """The older version to be: one of `emulation.VERSIONS`."""
    alive_gate_s: float | None = None
    """Seconds after a desktop came up at which its processes are looked at again; None: the machine's own default."""
    clock: Clock = field(default_factory=SystemClock)
    tasks: TaskSources = field(default_factory=TaskSources.from_environment)
    """Where its tasks come from."""


class Daemon:
    """One daemon, not yet started.

    Args:
        options: What it is to be like.
        token: What every request must carry.
        store: Its database file; None keeps the records in memory.

    Raises:
        MachineUnavailableError: The machine can't be used here.
        UnknownVersionError: There is no such version to emulate.
        TasksError: The tasks that were named can't be read.
        StoreError: The database can't be used.
    """

    def __init__(self, options: Options, token: str, store: Path | None = None) -> None:
        handlers = older(options.emulate, HANDLERS) if options.emulate else HANDLERS
        choice = chosen(options.machine)
        self.machine: str = choice.kind.name
        self.why_machine: str = choice.why
        self.token = token
        self.faults: Faults = options.faults
        machine = choice.kind.make(Making(options.faults, options.alive_gate_s))
        try:
            library = options.tasks.library()
        except TaskError as error:
            raise TasksError(f"the tasks can't be read: {error}") from error
        self._store = Store(store)
        self._checking: Lease | None = None
        self._host = Host(
            machine,
            self._store,
            library,
            limits=options.limits,
            clock=options.clock,
            price=options.price,
        )
        self.app: App = App(
            self._host,
            token,
            handlers,
            routes(),
            faults=options.faults,
            max_body_bytes=options.limits.max_body_bytes,
        )

    async def start(self) -> None:
        """Start the machine and reconcile the records with what still runs.

        Raises:
            MachineUnavailableError: The machine does not start.
        """
        self._checking = SANDBOX.lease()
        try:
            await self._host.start()
        except BaseException as fault:
            await self.stop()
            if isinstance(fault, MachineError):
                raise MachineUnavailableError(f"{self.machine} does not start: {fault}") from fault
            raise

    async def stop(self) -> str:
        """End every desktop, write that down, close the store; once.

        Returns:
            What was ended, in words.
        """
        ended = [slot.row.id for slot in self._host.slots.values() if not slot.row.held]
        try:
            await self._host.stop()
        finally:
            if self._checking is not None:
                self._checking.close()
            self._store.close()
        return f"{len(ended)} desktop{'' if len(ended) == 1 else 's'} closed" + (
            f": {' '.join(ended)}" if ended else ""
        )
