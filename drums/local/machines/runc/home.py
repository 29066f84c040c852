"""A digest of a desktop's home folder: names, kinds, sizes, times; read on the host from the desktop's disk.

Links are never followed, so a desktop can't make the host read anything else. Invariant: two folders with the same
digest hold the same names, and files that were last written at the same nanosecond.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOME_IN_DESKTOP = "home/user"
ENTRY_LIMIT = 200_000
"""More entries than this are not looked at; a digest then stands for the first ones only."""


def digest(disk: Path) -> str:
    """The digest of the home folder on a desktop's disk."""
    found = hashlib.sha256()
    for count, line in enumerate(lines(disk / HOME_IN_DESKTOP, "")):
        if count >= ENTRY_LIMIT:
            break
        found.update(line.encode(errors="surrogateescape"))
    return found.hexdigest()


def lines(folder: Path | str, prefix: str) -> Iterator[str]:
    """One line per entry, in the order of names."""
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as unreadable:
        yield f"{prefix}\0{unreadable.errno}\n"
        return
    for entry in entries:
        name = prefix + entry.name
        try:
            facts = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        is_folder = entry.is_dir(follow_symlinks=False)
        size = 0 if is_folder else facts.st_size
        yield f"{name}\0{facts.st_mode:o} {size} {facts.st_mtime_ns} {facts.st_uid}\n"
        if is_folder:
            yield from lines(entry.path, name + "/")
