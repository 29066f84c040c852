"""`FILE VISITS`: add visits to a browser's history; VISITS is a JSON list of [URL, title, seconds ago].

FILE is an SQLite database as Chrome keeps it. Where there is none the browser is run once without a window, since only
it knows what its version wants in there. Invariant: all visits are in the file when the exit status is 0, none when it
is not.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time

SINCE_1601_S = 11_644_473_600
"""From Chrome's first moment to 1970."""
LINK = 0
BROWSER = ("google-chrome", "--headless=new", "about:blank")
WITHIN_S = 60.0


def has_tables(path: str) -> bool:
    """Whether the browser has made the file what it wants it to be."""
    if not os.path.exists(path):  # noqa: PTH110
        return False
    database = sqlite3.connect(path, timeout=1.0)
    try:
        found = database.execute("SELECT count(*) FROM sqlite_master WHERE name IN ('urls', 'visits')").fetchone()
    except sqlite3.Error:
        return False
    finally:
        database.close()
    return bool(found[0] > 1)


def is_begun(path: str) -> bool:
    """Whether the browser has begun to write the file."""
    return os.path.exists(path) and os.path.getsize(path) > 0  # noqa: PTH110, PTH202


def make(path: str) -> bool:
    """Have the browser make the file; False when it does not."""
    nowhere = subprocess.DEVNULL
    browser = subprocess.Popen(BROWSER, stdin=nowhere, stdout=nowhere, stderr=nowhere)  # noqa: S603 -- ours
    deadline = time.monotonic() + WITHIN_S
    while not is_begun(path) and browser.poll() is None and time.monotonic() < deadline:
        time.sleep(0.2)
    browser.terminate()  # it holds the file locked; asked to end, it finishes it first
    browser.wait()
    return has_tables(path)


def add(database: sqlite3.Connection, visits: list[tuple[str, str, float]], now: float) -> None:
    """Add them."""
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
    try:
        if not has_tables(path) and not make(path):
            sys.stderr.write(f"the browser made no history within {WITHIN_S:g} s\n")
            return 1
        database = sqlite3.connect(path, timeout=5.0)
    except (OSError, sqlite3.Error) as error:
        sys.stderr.write(f"there is no history: {error}\n")
        return 1
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
