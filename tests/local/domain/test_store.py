"""The store: rows come back as they went in, transactions are whole, a file that is not ours is refused."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.machines.machine import CheckpointId, SlotId
from drums.local.schema import VERSION
from drums.local.store import CheckpointRow, GateRow, SlotRow, Store, StoreError

if TYPE_CHECKING:
    from pathlib import Path

texts = st.text(st.characters(codec="utf-8"), max_size=20)
times = st.floats(0, 2e9)
tasks = st.none() | st.fixed_dictionaries({"id": texts, "config": st.lists(texts, max_size=2)})
gates = st.builds(
    GateRow, texts, st.sampled_from(["pending", "passed", "failed"]), st.none() | texts, st.none() | times
)
slots = st.builds(
    SlotRow,
    number=st.integers(1, 5),
    id=st.integers(1, 5).map(lambda number: SlotId(f"s{number}")),
    state=st.sampled_from(["creating", "ready", "quarantined", "down", "destroyed"]),
    episode=st.integers(1, 99),
    checkpoint=texts.map(CheckpointId),
    created_at=times,
    last_used_at=times,
    idle_timeout_s=times,
    ttl_s=times,
    parent=st.none() | texts.map(SlotId),
    held=st.booleans(),
    task=tasks,
    setup=st.booleans(),
    gates=st.lists(gates, max_size=3).map(tuple),
    start_score=st.none() | st.floats(0, 1),
    last_signal=st.sampled_from([None, "FAIL", "DONE", "WAIT"]),
    baseline=st.none() | st.integers(1, 99),
    last_error=st.none() | texts,
    reason=st.none() | texts,
    closed_reason=st.none() | texts,
    closed_at=st.none() | times,
)
checkpoints = st.builds(
    CheckpointRow,
    id=texts.map(CheckpointId),
    parent=texts.map(SlotId),
    created_at=times,
    last_used_at=times,
    idle_timeout_s=times,
    ttl_s=times,
    task=tasks,
    delete_with_children=st.booleans(),
    held=st.booleans(),
    size_bytes=st.integers(0, 2**40),
    start_score=st.none() | st.floats(0, 1),
    baseline=st.none() | st.integers(1, 99),
)


@given(slots, checkpoints)
def test_rows_come_back_as_they_went_in(slot: SlotRow, checkpoint: CheckpointRow) -> None:
    store = Store(None)
    store.put_slot(slot)
    store.put_checkpoint(checkpoint)

    assert store.slot(slot.id) == slot
    assert store.checkpoints() == [checkpoint]
    assert store.live_slots() == ([] if slot.state == "destroyed" else [slot])
    store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


def test_what_was_committed_is_there_after_a_kill(path: Path) -> None:
    first = Store(path)
    first.next_number("slot")
    intent = first.begin("destroy", [SlotId("s1")], CheckpointId("c1"), "idle")
    first.log(1.0, "created", SlotId("s1"), checkpoint="base")
    first.close()

    second = Store(path)
    assert second.next_number("slot") == 2
    assert [(i.id, i.kind, i.slots, i.checkpoint, i.detail) for i in second.intents()] == [
        (intent, "destroy", ("s1",), "c1", "idle")
    ]
    assert [(e.time, e.kind, e.facts) for e in second.events(SlotId("s1"))] == [
        (1.0, "created", {"checkpoint": "base"})
    ]
    assert second.events(kind="forked") == []
    second.close()


def test_a_transaction_is_whole(path: Path) -> None:
    store = Store(path)
    intent = store.begin("destroy", [SlotId("s1")])

    def half_done() -> None:
        with store.transaction():
            store.finish(intent)
            with store.transaction():
                store.log(1.0, "destroyed")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half_done()

    assert len(store.intents()) == 1
    assert store.events() == []
    store.close()


def test_a_store_in_use_is_refused(path: Path) -> None:
    first = Store(path)
    first.next_number("slot")

    with pytest.raises(StoreError, match="in use by another daemon"):
        Store(path)

    first.close()
    Store(path).close()


def test_a_store_of_a_later_version_is_refused_and_left_alone(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()

    with pytest.raises(StoreError, match="later version"):
        Store(path)


def test_a_store_of_an_earlier_version_becomes_one_of_this(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as db:
        for table, column in (
            ("slots", "last_signal"),
            ("slots", "baseline"),
            ("checkpoints", "start_score"),
            ("checkpoints", "baseline"),
        ):
            db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        db.execute("DROP TABLE baselines")
        db.execute("PRAGMA user_version = 1")
    db.close()

    store = Store(path)
    assert store.live_slots() == []
    assert store.checkpoints() == []
    assert store.baseline(store.keep_baseline(b"packed")) == b"packed"
    store.close()
    Store(path).close()


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE theirs (x)")
    db.close()
    before = path.read_bytes()

    with pytest.raises(StoreError, match="not a drums store"):
        Store(path)

    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["no database", "a page is garbage", "it is cut"])
def test_a_damaged_store_says_what_to_do(path: Path, damage: str) -> None:
    store = Store(path)
    for number in range(200):
        store.log(float(number), "created", SlotId("s1"), words="x" * 200)
    store.close()
    content = path.read_bytes()
    garbage = bytes(range(256)) * 16
    damaged = {
        "no database": b"this is text\n" * 400,
        "a page is garbage": content[:4096] + garbage + content[8192:],
        "it is cut": content[: len(content) // 2],
    }[damage]
    path.write_bytes(damaged)

    with pytest.raises(StoreError, match="move it away"):
        Store(path)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be opened"):
        Store(tmp_path / "nowhere" / "store")


def test_closing_twice_is_no_error() -> None:
    store = Store(None)
    store.close()
    store.close()
