"""The store's tables as SQL, and how a file of an earlier version becomes one of this.

Invariant: a file that went through the upgrades has the tables that a new one has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION = 2
APPLICATION_ID = 0x64726D73
"""`drms`: tells our file from any other SQLite database."""

SCHEMA = """
CREATE TABLE slots (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state TEXT NOT NULL, episode INTEGER NOT NULL,
    checkpoint TEXT NOT NULL,
    created_at REAL NOT NULL, last_used_at REAL NOT NULL, idle_timeout_s REAL NOT NULL, ttl_s REAL NOT NULL,
    parent TEXT, held INTEGER NOT NULL, task TEXT, setup INTEGER NOT NULL, gates TEXT NOT NULL, start_score REAL,
    last_signal TEXT, baseline INTEGER,
    last_error TEXT, reason TEXT, closed_reason TEXT, closed_at REAL);
CREATE INDEX live_slots ON slots (number) WHERE state != 'destroyed';
CREATE TABLE checkpoints (
    id TEXT PRIMARY KEY, parent TEXT NOT NULL, created_at REAL NOT NULL, last_used_at REAL NOT NULL,
    idle_timeout_s REAL NOT NULL, ttl_s REAL NOT NULL, task TEXT,
    delete_with_children INTEGER NOT NULL, held INTEGER NOT NULL, size_bytes INTEGER NOT NULL,
    start_score REAL, baseline INTEGER);
CREATE TABLE intents (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, slots TEXT NOT NULL, checkpoint TEXT, detail TEXT);
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, slot TEXT, kind TEXT NOT NULL, facts TEXT NOT NULL);
CREATE INDEX events_of_slot ON events (slot, id);
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE baselines (id INTEGER PRIMARY KEY AUTOINCREMENT, content BLOB NOT NULL);
"""

UPGRADES: Mapping[int, str] = {
    1: """
    ALTER TABLE slots ADD COLUMN last_signal TEXT;
    ALTER TABLE slots ADD COLUMN baseline INTEGER;
    ALTER TABLE checkpoints ADD COLUMN start_score REAL;
    ALTER TABLE checkpoints ADD COLUMN baseline INTEGER;
    CREATE TABLE baselines (id INTEGER PRIMARY KEY AUTOINCREMENT, content BLOB NOT NULL);
    """,
}
"""By the version of the schema that a file has, what makes it the next one."""
