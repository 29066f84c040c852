"""The daemon's memory: SQLite tables of slots, checkpoints and open intents, and the log of what happened.

It stores and finds rows; what they mean is the domain's. Rows are frozen dataclasses, times are seconds since 1970.
Invariant: `begin` commits an intent before its deed, `finish` removes it in the transaction that writes the outcome; so
an intent found at the start of a daemon is a deed that may be half done. Commits survive a killed process; only a loss
of power may take the last ones (WAL without a sync per commit), so that no action waits for a disk.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from drums.local.errors import DaemonError
from drums.local.schema import APPLICATION_ID, SCHEMA, UPGRADES, VERSION

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from pathlib import Path

    from drums.local.machines.machine import CheckpointId, SlotId

LOCK_TIMEOUT_S = 0.5
"""How long an earlier daemon is given to let go of the file."""

SlotState = Literal["creating", "ready", "quarantined", "down", "destroyed"]
GateStatus = Literal["pending", "passed", "failed"]
IntentKind = Literal["destroy", "capture", "delete_state", "probe"]
"""A slot that is being made or reset needs no intent: its row says `creating`. A probe is a desktop or a state of the
daemon's own: it has no row, so at the next start nobody knows it, and it is ended."""


class StoreError(DaemonError):
    """The store can't be used: not ours, damaged, of a later version, or in use. The message says what to do."""


@dataclass(frozen=True, slots=True)
class GateRow:
    """One gate of an episode, as far as it is known."""

    name: str
    status: GateStatus
    detail: str | None = None
    seconds: float | None = None
    """Seconds from the start of the episode to the reading; None while pending."""


@dataclass(frozen=True, slots=True)
class SlotRow:
    """All that is remembered of a slot; also after it was destroyed."""

    number: int
    """The id's number: grows with every slot ever made, and orders pages."""
    id: SlotId
    state: SlotState
    episode: int
    checkpoint: CheckpointId
    created_at: float
    last_used_at: float
    idle_timeout_s: float
    """0: no limit."""
    ttl_s: float
    """0: no limit."""
    parent: SlotId | None = None
    """The slot whose fork it is."""
    held: bool = False
    """Prepared by a prefork and not yet claimed: no request can name it."""
    task: Mapping[str, Any] | None = None
    """The OSWorld task object."""
    setup: bool = True
    """Whether the task's setup runs, at creation and after every reset."""
    gates: tuple[GateRow, ...] = ()
    start_score: float | None = None
    """What the checker said right after the setup; None where it was not asked."""
    last_signal: Literal["FAIL", "DONE", "WAIT"] | None = None
    """What the episode's last action said of the task; None: it was no signal, or there was none."""
    baseline: int | None = None
    """Names the inventory of the desktop right after the task's setup; None where none was taken."""
    last_error: str | None = None
    reason: str | None = None
    """Why it was quarantined."""
    closed_reason: str | None = None
    closed_at: float | None = None


@dataclass(frozen=True, slots=True)
class CheckpointRow:
    """A saved state. Images are the machine's and are not stored."""

    id: CheckpointId
    parent: SlotId
    """The slot that was captured."""
    created_at: float
    last_used_at: float
    """When it was made, or when its last slot was closed."""
    idle_timeout_s: float
    """0: no limit."""
    ttl_s: float
    """0: no limit."""
    task: Mapping[str, Any] | None = None
    """The task that its desktop had, and that slots made from it go on with."""
    delete_with_children: bool = False
    held: bool = False
    """Made by a prefork that is not yet claimed."""
    size_bytes: int = 0
    start_score: float | None = None
    """As in the slot that was captured: an episode that goes on from the state began where that one did."""
    baseline: int | None = None
    """As in the slot that was captured."""


@dataclass(frozen=True, slots=True)
class IntentRow:
    """A deed that was begun and whose outcome is not yet written."""

    id: int
    kind: IntentKind
    slots: tuple[SlotId, ...]
    """The slots that it makes or changes."""
    checkpoint: CheckpointId | None
    """The saved state that it makes or deletes."""
    detail: str
    """For a destroy, why."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line of the event log."""

    id: int
    time: float
    slot: SlotId | None
    kind: str
    facts: Mapping[str, Any]


_SLOT_COLUMNS = tuple(column.name for column in fields(SlotRow))
_CHECKPOINT_COLUMNS = tuple(column.name for column in fields(CheckpointRow))


class Store:
    """The open store of one daemon; used from one thread at a time.

    Args:
        path: The database file, made where it is missing; None keeps everything in memory.

    Raises:
        StoreError: The file can't be used.
    """

    def __init__(self, path: Path | None) -> None:
        self._where = "the store in memory" if path is None else str(path)
        try:
            # Built in one thread and used in another, never in two at a time.
            self._db = sqlite3.connect(
                path or ":memory:", timeout=LOCK_TIMEOUT_S, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise StoreError(f"{self._where} can't be opened: {error}") from error
        try:
            self._open()
        except sqlite3.Error as error:
            self._db.close()
            raise StoreError(_what_to_do(self._where, error)) from error
        except StoreError:
            self._db.close()
            raise
        self._depth = 0

    def close(self) -> None:
        """Close it; a second time is no error."""
        self._db.close()

    @contextmanager
    def transaction(self) -> Generator[None]:
        """All writes inside are committed together, or none; may be nested."""
        if self._depth == 0:
            self._db.execute("BEGIN IMMEDIATE")
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            if self._depth == 0:
                self._db.execute("ROLLBACK")
            raise
        self._depth -= 1
        if self._depth == 0:
            self._commit()

    def next_number(self, name: Literal["slot", "checkpoint", "window", "probe"]) -> int:
        """A number that was never given out before under this name, also not before a restart."""
        with self.transaction():
            count_up = "INSERT INTO counters VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1"
            self._write(count_up, (name,))
            found = self._db.execute("SELECT value FROM counters WHERE name = ?", (name,)).fetchone()
        return int(found[0])

    # Intents

    def begin(
        self, kind: IntentKind, slots: Sequence[SlotId] = (), checkpoint: CheckpointId | None = None, detail: str = ""
    ) -> int:
        """Write down what is about to be done; the id is for `finish`."""
        with self.transaction():
            cursor = self._write(
                "INSERT INTO intents (kind, slots, checkpoint, detail) VALUES (?, ?, ?, ?)",
                (kind, json.dumps(slots), checkpoint, detail),
            )
        return int(cursor.lastrowid or 0)

    def finish(self, intent: int) -> None:
        """Remove an intent, in the transaction that writes its outcome."""
        self._write("DELETE FROM intents WHERE id = ?", (intent,))

    def intents(self) -> list[IntentRow]:
        """Every open intent, oldest first."""
        rows = self._db.execute("SELECT id, kind, slots, checkpoint, detail FROM intents ORDER BY id")
        return [IntentRow(row[0], row[1], tuple(json.loads(row[2])), row[3], row[4]) for row in rows]

    # Slots

    def put_slot(self, row: SlotRow) -> None:
        """Insert or replace a slot's row."""
        self._write(_put("slots", _SLOT_COLUMNS), _slot_values(row))

    def forget_slot(self, id: SlotId) -> None:
        """Remove a row altogether: for slots that no caller ever knew of."""
        self._write("DELETE FROM slots WHERE id = ?", (id,))

    def slot(self, id: str) -> SlotRow | None:
        """One row, destroyed ones included."""
        found = self._slots("WHERE id = ?", (id,))
        return found[0] if found else None

    def live_slots(self) -> list[SlotRow]:
        """Every slot that is not destroyed, oldest first."""
        return self._slots("WHERE state != 'destroyed' ORDER BY number", ())

    def slots_after(self, number: int, limit: int, *, include_destroyed: bool) -> list[SlotRow]:
        """At most `limit` slots that a caller may know of, made after slot `number`, oldest first."""
        live = "" if include_destroyed else "AND state != 'destroyed'"
        return self._slots(f"WHERE number > ? AND NOT held {live} ORDER BY number LIMIT ?", (number, limit))

    def _slots(self, where: str, values: tuple[object, ...]) -> list[SlotRow]:
        query = f"SELECT {', '.join(_SLOT_COLUMNS)} FROM slots {where}"  # noqa: S608 - no caller's text in it
        rows = self._db.execute(query, values)
        return [_slot_row(row) for row in rows]

    # Checkpoints

    def put_checkpoint(self, row: CheckpointRow) -> None:
        """Insert or replace a saved state's row."""
        self._write(_put("checkpoints", _CHECKPOINT_COLUMNS), _checkpoint_values(row))

    def forget_checkpoint(self, id: CheckpointId) -> None:
        """Remove the row of a deleted state."""
        self._write("DELETE FROM checkpoints WHERE id = ?", (id,))

    def checkpoints(self) -> list[CheckpointRow]:
        """Every saved state, oldest first."""
        query = f"SELECT {', '.join(_CHECKPOINT_COLUMNS)} FROM checkpoints ORDER BY created_at, id"  # noqa: S608 - our names
        rows = self._db.execute(query)
        return [_checkpoint_row(row) for row in rows]

    # Baselines

    def keep_baseline(self, content: bytes) -> int:
        """Keep the inventory of a desktop; the id is for the rows that begin with it."""
        return int(self._write("INSERT INTO baselines (content) VALUES (?)", (content,)).lastrowid or 0)

    def baseline(self, id: int) -> bytes | None:
        """One inventory."""
        found = self._db.execute("SELECT content FROM baselines WHERE id = ?", (id,)).fetchone()
        return None if found is None else bytes(found[0])

    def forget_unused_baselines(self) -> None:
        """Remove the inventories that neither a slot that lives nor a state has."""
        self._write(
            "DELETE FROM baselines WHERE id NOT IN (SELECT baseline FROM checkpoints WHERE baseline NOT NULL UNION"
            " SELECT baseline FROM slots WHERE state != 'destroyed' AND baseline NOT NULL)",
            (),
        )

    # Events

    def log(self, time: float, kind: str, slot: SlotId | None = None, **facts: object) -> None:
        """Append one line to the event log; `facts` must be JSON."""
        self._write(
            "INSERT INTO events (time, slot, kind, facts) VALUES (?, ?, ?, ?)",
            (time, slot, kind, json.dumps(facts, allow_nan=False)),
        )

    def events(self, slot: SlotId | None = None, kind: str | None = None) -> list[EventRow]:
        """The event log, oldest first; of one slot, or of one kind."""
        rows = self._db.execute(
            "SELECT id, time, slot, kind, facts FROM events"
            " WHERE (:slot IS NULL OR slot = :slot) AND (:kind IS NULL OR kind = :kind) ORDER BY id",
            {"slot": slot, "kind": kind},
        )
        return [EventRow(row[0], row[1], row[2], row[3], json.loads(row[4])) for row in rows]

    # Opening

    def _commit(self) -> None:
        self._db.execute("COMMIT")

    def _write(self, statement: str, values: Sequence[object]) -> sqlite3.Cursor:
        """Run a statement that changes something; outside a transaction it is committed at once."""
        return self._db.execute(statement, values)

    def _open(self) -> None:
        # The lock is held until the connection closes: two daemons on one store would each undo what the other does.
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        ours = self._db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
        empty = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not ours and not empty:
            raise StoreError(f"{self._where} is not a drums store; choose another state directory")
        if version > VERSION:
            raise StoreError(
                f"{self._where} was written by a later version of drums (schema {version}, this one knows"
                f" {VERSION}); use that version, or another state directory"
            )
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        if empty:
            self._create()
        for older in range(version, VERSION) if not empty else ():
            self._db.executescript(f"BEGIN IMMEDIATE; {UPGRADES[older]} PRAGMA user_version = {older + 1}; COMMIT;")
        if self._db.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("its pages contradict each other")

    def _create(self) -> None:
        self._db.executescript(
            f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {APPLICATION_ID};"
            f" PRAGMA user_version = {VERSION}; COMMIT;"
        )


def _what_to_do(where: str, error: sqlite3.Error) -> str:
    if "locked" in str(error):
        return f"{where} is in use by another daemon; stop that one, or choose another state directory"
    return f"{where} is damaged ({error}); move it away, and the daemon starts with an empty one"


def _put(table: str, columns: Sequence[str]) -> str:
    places = ", ".join("?" * len(columns))
    return f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608 - our own names


def _json_or_null(value: object) -> str | None:
    return None if value is None else json.dumps(value)


def _slot_values(row: SlotRow) -> list[object]:
    values: dict[str, Any] = {name: getattr(row, name) for name in _SLOT_COLUMNS}
    values["task"] = _json_or_null(row.task)
    values["gates"] = json.dumps([astuple(gate) for gate in row.gates])
    return list(values.values())


def _slot_row(columns: Sequence[Any]) -> SlotRow:
    values = dict(zip(_SLOT_COLUMNS, columns, strict=True))
    values["held"] = bool(values["held"])
    values["setup"] = bool(values["setup"])
    values["task"] = values["task"] and json.loads(values["task"])
    values["gates"] = tuple(GateRow(*gate) for gate in json.loads(values["gates"]))
    return SlotRow(**values)


def _checkpoint_values(row: CheckpointRow) -> list[object]:
    values: dict[str, Any] = {name: getattr(row, name) for name in _CHECKPOINT_COLUMNS}
    values["task"] = _json_or_null(row.task)
    return list(values.values())


def _checkpoint_row(columns: Sequence[Any]) -> CheckpointRow:
    values = dict(zip(_CHECKPOINT_COLUMNS, columns, strict=True))
    values["task"] = values["task"] and json.loads(values["task"])
    values["held"] = bool(values["held"])
    values["delete_with_children"] = bool(values["delete_with_children"])
    return CheckpointRow(**values)
