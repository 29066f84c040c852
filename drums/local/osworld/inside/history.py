"""`FILE VISITS`: add visits to a browser's history; VISITS is a JSON list of [URL, title, seconds ago].

FILE is an SQLite database as Chrome keeps it; it is made where there is none, in an old form that Chrome takes
over. Invariant: all visits are in the file when the exit status is 0, none when it is not.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time

SINCE_1601_S = 11_644_473_600
"""From Chrome's first moment to 1970."""
LINK = 0
TABLES = """
CREATE TABLE IF NOT EXISTS meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
CREATE TABLE IF NOT EXISTS urls(id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR, title LONGVARCHAR,
    visit_count INTEGER DEFAULT 0 NOT NULL, typed_count INTEGER DEFAULT 0 NOT NULL, last_visit_time INTEGER NOT NULL,
    hidden INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE IF NOT EXISTS visits(id INTEGER PRIMARY KEY, url INTEGER NOT NULL, visit_time INTEGER NOT NULL,
    from_visit INTEGER, transition INTEGER DEFAULT 0 NOT NULL, segment_id INTEGER,
    visit_duration INTEGER DEFAULT 0 NOT NULL);
"""
VERSION = "32"


def add(database: sqlite3.Connection, visits: list[tuple[str, str, float]], now: float) -> None:
    """Add them."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'urls'").fetchone():
        database.executescript(TABLES)
        for key, value in (("version", VERSION), ("last_compatible_version", "16"), ("mmap_status", "-1")):
            database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
    for url, title, ago_s in visits:
        when = int((now - ago_s + SINCE_1601_S) * 1_000_000)
        row = database.execute(
            "INSERT INTO urls(url, title, visit_count, typed_count, last_visit_time, hidden) VALUES (?, ?, 1, 0, ?, 0)",
            (url, title, when),
        )
        database.execute(
            "INSERT INTO visits(url, visit_time, from_visit, transition, segment_id, visit_duration) "
            "VALUES (?, ?, 0, ?, 0, 0)",
            (row.lastrowid, when, LINK),
        )


def main() -> int:
    """Do what the arguments say."""
    path = os.path.expanduser(sys.argv[1])  # noqa: PTH111
    os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
    database = sqlite3.connect(path, timeout=5.0)
    try:
        with database:
            add(database, json.loads(sys.argv[2]), time.time())
    except sqlite3.Error as error:
        sys.stderr.write(f"the history can't be written: {error}\n")
        return 1
    finally:
        database.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
