"""The process table of a simulated desktop, as immutable data.

Windows have processes, and every command that runs takes a number. Invariant: a number is never given twice in one
desktop.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from drums.local.machines.machine import Process, ProcessTree

TICKS_PER_S = 100
SESSION = ("init", "Xvfb", "wm", "desktop")
"""What runs in every desktop, in the order of its start."""


@dataclass(frozen=True, slots=True)
class Processes:
    """The processes now, by number."""

    table: dict[int, Process]
    last_pid: int

    @classmethod
    def of_session(cls) -> Processes:
        """Those of a desktop in which nothing was started yet."""
        table = {pid: Process(pid, pid, 1, "running", name) for pid, name in enumerate(SESSION, start=1)}
        return cls(table, len(table))

    def started(self, name: str, at_s: float) -> tuple[Processes, int]:
        """With one more process, and its number."""
        pid = self.last_pid + 1
        process = Process(pid, int(at_s * TICKS_PER_S), 1, "running", name)
        return Processes({**self.table, pid: process}, pid), pid

    def ended(self, pid: int) -> Processes:
        """Without that process."""
        return replace(self, table={other: process for other, process in self.table.items() if other != pid})

    def came_and_went(self, count: int = 1) -> Processes:
        """After `count` processes that started and have ended."""
        return replace(self, last_pid=self.last_pid + count)

    def tree(self) -> ProcessTree:
        """The table as the daemon sees it."""
        return ProcessTree(frozenset(self.table.values()), self.last_pid)
