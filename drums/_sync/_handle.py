# Generated from drums/aio/_handle.py by tools/generate_sync.py. Edit that file.
"""What an env is, as its handle knows it from the server's replies; what it can be told is in `_env`.

Nothing here sends. The invariant: `record` is what the server said of this env, never a guess.
"""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING

from drums._core.state import State
from drums.errors import failure_of
from drums.records import Slot

if TYPE_CHECKING:
    from drums._sync._client import Client
    from drums._sync._session import CallFacts, Session
    from drums.errors import EnvFailed
    from drums.observation import ObservationMeta
    from drums.records import BranchReply, GateReport, TaskRef, Validity


class Handle:
    """The facts about one env.

    Args:
        client: The client that it belongs to.
        session: What sends for that client.
        record: The server's record of it.
        from_state: The saved state that it was made from, as far as that is known.
    """

    def __init__(self, client: Client, session: Session, record: Slot, *, from_state: State | None = None) -> None:
        self._client = client
        self._session = session
        self._record = record
        self._from_state = from_state
        self._last_fork: BranchReply | None = None
        self.steps: int = 0
        """Actions that this handle has sent in the current episode, a count."""
        self.last_state: State | None = None
        """The state that `save()` or `fork()` of this handle made last."""

    @property
    def id(self) -> str:
        """The env's id, the same for as long as it lives."""
        return self._record.id

    @property
    def client(self) -> Client:
        """The client that it belongs to."""
        return self._client

    @property
    def record(self) -> Slot:
        """What the server last said of the env; `refresh()` asks again."""
        return self._record

    @property
    def episode(self) -> int | None:
        """Number of the episode, from 1; `reset()` begins the next."""
        return self._record.episode

    @property
    def state(self) -> str:
        """`ready`, `quarantined`, `down`, `destroyed`, `creating`, or a newer server's word."""
        return self._record.state

    @property
    def validity(self) -> Validity | None:
        """What the episode's gates said when last asked: `.verdict`, and `.gates`, the names pending or failed."""
        return self._record.validity

    @property
    def task(self) -> TaskRef | None:
        """The env's task in short; None without one."""
        return self._record.task

    @property
    def from_state(self) -> State | None:
        """The saved state that it was made from; None for one made from an image."""
        if self._from_state is None and self._record.parent is not None and self._record.checkpoint is not None:
            return State(self._record.checkpoint)
        return self._from_state

    @property
    def last_fork(self) -> BranchReply | None:
        """Deprecated: the raw reply of the last fork. `fork()` returns all of it."""
        warnings.warn("Env.last_fork is deprecated; use what fork() returns", DeprecationWarning, stacklevel=2)
        return self._last_fork

    def __repr__(self) -> str:
        verdict = self.validity.verdict if self.validity is not None else None
        return f"<{type(self).__name__} {self.id}, {self.state}, episode {self.episode}, {verdict or 'no verdict'}>"

    def _renew(self, record: Slot) -> None:
        """Take a whole record."""
        if record.episode != self._record.episode:
            self.steps = 0
        self._record = record

    def _learn(self, episode: int | None, validity: Validity | None) -> None:
        """Take what a reply that is no whole record says of the episode."""
        told = {"episode": episode, "validity": validity}
        self._record = Slot({**self._record, **{name: value for name, value in told.items() if value is not None}})

    def _acted(self) -> None:
        """Count an action."""
        self.steps += 1

    def _saved(self, state: State) -> State:
        """Keep the id of a state that was made."""
        self.last_state = state
        return state

    def _forked(self, raw: BranchReply) -> None:
        """Keep what a fork said."""
        self._last_fork = raw
        self._saved(State(raw.state))

    def _failure(self, facts: CallFacts, gates: GateReport | None = None) -> EnvFailed | None:
        """The failure that the record tells."""
        failure = failure_of(self._record)
        return None if failure is None else type(failure)(self._record, gates=gates, **facts)

    def _task_id(self) -> str | None:
        return self.task.get("id") if self.task is not None else None

    def _meta(self) -> ObservationMeta:
        return {
            "env": self.id,
            "episode": self.episode,
            "state": self.state,
            "verdict": self.validity.verdict if self.validity is not None else None,
            "task_id": self._task_id(),
            "instruction": self.task.instruction if self.task is not None else None,
            "steps": self.steps,
            "t": time.time(),
        }
