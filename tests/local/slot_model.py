"""What a daemon is expected to know of its slots: their states by the transition table, and a few files.

The expectation of test_lockstep.py. It asks no daemon, but has the words to ask one with. Invariant: it takes every
change of state from the table that it is to be compared with, and everything else from the contract.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import drums.local
from drums.local.domain.slots import follow

if TYPE_CHECKING:
    from drums.local import InProcess
    from drums.local.store import SlotState

IMAGE = "osworld-ubuntu"
LIMITS = drums.local.Limits(fork=3, max_slots=7, max_states=3)
FILES = ("done", "prepared", "other")
TASK: dict[str, Any] = {
    "id": "11111111-2222-3333-4444-555555555555",
    "instruction": "Make the file done.",
    "config": [{"type": "execute", "parameters": {"command": "touch /home/user/prepared", "shell": True}}],
    "evaluator": {
        "func": "exact_match",
        "result": {"type": "vm_command_line", "command": "ls /home/user/done", "shell": True},
        "expected": {"type": "rule", "rules": {"expected": "/home/user/done\n"}},
    },
}
BROKEN_TASK = {**TASK, "config": [{"type": "execute", "parameters": {"command": "exit 3", "shell": True}}]}
FROM_THE_START = {
    **TASK,
    "config": [{"type": "execute", "parameters": {"command": "touch /home/user/done", "shell": True}}],
}


@dataclass(frozen=True)
class State:
    """A saved state, or the image, in the model."""

    files: frozenset[str] = frozenset()
    task: str | None = None
    with_children: bool = False
    start_done: bool = False
    """As of the slot that it was saved from."""


@dataclass
class Slot:
    """A slot in the model."""

    id: str
    checkpoint: str
    state: SlotState
    files: frozenset[str]
    task: str | None = None
    """Which task it has: `good`, `broken`, `solved`."""
    setup: bool = True
    episode: int = 1
    verdict: str = "valid"
    start_done: bool = False
    """Whether the checker was content right after the setup."""

    def set_up(self) -> None:
        """What a task's setup does."""
        if self.task == "broken":
            self.state, self.verdict = follow(self.state, "setup_failed"), "invalid"
        elif self.task is not None:
            self.files |= {"done"} if self.task == "solved" else {"prepared"}
            self.start_done = "done" in self.files

    def fail(self, fact: Any) -> None:
        """Something happens to it by itself."""
        self.state, self.verdict = follow(self.state, fact), "invalid"


TASKS = {"good": TASK, "broken": BROKEN_TASK, "solved": FROM_THE_START}


@dataclass
class Model:
    """Everything that the daemon is expected to know."""

    slots: list[Slot] = field(default_factory=list[Slot])
    states: dict[str, State] = field(default_factory=lambda: {IMAGE: State()})
    verified: int = 0
    episodes: Counter[str] = field(default_factory=Counter[str])

    @property
    def live(self) -> list[Slot]:
        return [slot for slot in self.slots if slot.state != "destroyed"]

    @property
    def saved(self) -> int:
        return len(self.states) - 1

    def forget_childless(self, checkpoint: str) -> None:
        if self.states[checkpoint].with_children and not any(slot.checkpoint == checkpoint for slot in self.live):
            del self.states[checkpoint]


def ask(daemon: InProcess, method: str, target: str, body: object = None) -> tuple[int, Any]:
    """One request of a daemon in this process: its status, and what it says (JSON, or a picture's bytes)."""
    headers = {"authorization": f"Bearer {daemon.token}", "content-type": "application/json"}
    raw = None if body is None else json.dumps(body).encode()
    status, told, content = daemon.submit(method, f"/v1{target}", headers, raw).result(60)
    return status, json.loads(content) if told["content-type"] == "application/json" else content
