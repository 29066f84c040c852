"""`DRUMS_RECORD=path.jsonl`: one line for each scored trace, from any number of processes.

It decides nothing and reads nothing back. Invariant: a line is written whole, under a lock, at the end of the file.
"""

from __future__ import annotations

import fcntl
import json
import os
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "DRUMS_RECORD"


class Line(TypedDict):
    """What a line says."""

    trace: str
    task: str
    desktop: str | None
    parent: str | None
    """The env that it was forked from."""
    child: int | None
    verdict: str
    failed_gates: list[str]
    score: float | None
    """What the checker said, also where it was not handed out."""
    reward: float | None
    """What the trainer got."""
    dropped: str | None
    trusted: bool | None
    """What the server's audit says of the score."""
    t: float
    """Unix time in seconds."""


def record(line: Line, environ: Mapping[str, str] | None = None) -> None:
    """Append a line to the file that `$DRUMS_RECORD` names; without it, do nothing.

    Raises:
        OSError: The file can't be written.
    """
    path = (os.environ if environ is None else environ).get(VARIABLE)
    if path:
        append(path, json.dumps(line, allow_nan=False) + "\n")


def append(path: str, line: str) -> None:
    """Append a line in one piece, also beside other processes that do the same."""
    with open(path, "ab", buffering=0) as file:  # noqa: PTH123 - unbuffered
        fcntl.flock(file, fcntl.LOCK_EX)
        rest = memoryview(line.encode())
        while rest:
            rest = rest[file.write(rest) :]
