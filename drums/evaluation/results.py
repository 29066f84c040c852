"""The folder of a run: `results.jsonl`, one line a rollout after the header, and `screenshots/`.

Invariants: a line is written at once and is on the disk before its rollout counts as finished; what a kill leaves of a
line is cut off when the run is resumed; no secret that is known here is written; no name that comes from a task or a
desktop leaves the folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self, cast

from drums._core.arguments import refused
from drums._quote import scrubbed
from drums.errors import ProtocolError
from drums.evaluation.records import rollout_in
from drums.evaluation.settings import Header, differences, header_in
from drums.observation import png_size

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from drums.evaluation.records import RolloutRecord

NAME: Final = "results.jsonl"
PICTURES: Final = "screenshots"
SHORTEST_SECRET: Final = 8
"""Characters; a shorter one is a placeholder (`EMPTY`, `none`) that may stand anywhere."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a file of results holds."""

    header: Header
    rollouts: dict[str, RolloutRecord]
    """By id; of several lines about one rollout the last counts."""
    whole_bytes: int
    """Length of the file without a line that was cut short."""


def read(folder: Path) -> Read:
    """Read a run's results.

    Raises:
        BadRequest: There are none, or they are no results.
    """
    path = folder / NAME
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise refused(f"{path} can't be read: {fault.strerror}") from fault
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    read_so_far = [_line(line, number, path) for number, line in enumerate(lines, start=1)]
    head = header_in(read_so_far[0] if read_so_far else None)
    if head is None:
        raise refused(f"{path} does not begin with a run's header", hint="Give --out another folder")
    records = [_rollout(line, number, path) for number, line in enumerate(read_so_far[1:], start=2)]
    return Read(head, {record["id"]: record for record in records}, whole)


def _rollout(line: dict[str, Any], number: int, path: Path) -> RolloutRecord:
    record = rollout_in(line)
    if record is None:
        what = f"line {number} of {path} is no rollout as this version writes it"
        raise refused(what, hint="Read it with the version that the header names, or give another --out")
    return record


def _line(line: bytes, number: int, path: Path) -> dict[str, Any]:
    try:
        held: object = json.loads(line)
    except (ValueError, RecursionError):
        held = None
    if not isinstance(held, dict):
        raise refused(f"line {number} of {path} is not a JSON object", hint="Mend that line, or give another --out")
    return cast("dict[str, Any]", held)


class Results:
    """A run's folder, held open for writing by this process alone; a context manager.

    Args:
        folder: Where.
        header: What the run is.
        secrets: What must never be written.
        resume: Whether results that are there are gone on with.

    Raises:
        BadRequest: There are results and `resume` is false; or they are of another run; or another process writes them.
    """

    def __init__(self, folder: Path, header: Header, *, secrets: Iterable[str] = (), resume: bool = False) -> None:
        self._secrets = [secret for secret in secrets if len(secret) >= SHORTEST_SECRET]
        self.folder = folder
        self.header: Header = cast("Header", scrubbed(header, *self._secrets))
        self.rollouts: dict[str, RolloutRecord] = {}
        """Every finished rollout, by id."""
        folder.mkdir(parents=True, exist_ok=True)
        self._file = os.open(folder / NAME, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            _lock(self._file, folder)
            self._begin(resume=resume)
        except BaseException:
            os.close(self._file)
            raise

    def _begin(self, *, resume: bool) -> None:
        there = (self.folder / NAME).stat().st_size
        if there and not resume:
            hint = "Go on with --resume, or give --out another folder"
            raise refused(f"{self.folder} has results already", hint=hint)
        if b"\n" not in os.pread(self._file, there, 0):  # nothing, or what a kill left of the header
            os.ftruncate(self._file, 0)
            self._write(self.header)
            return
        found = read(self.folder)
        if other := differences(found.header, self.header):
            raise refused(
                f"the run in {self.folder} is another one: {'; '.join(other)}",
                hint="Resume it with the settings that it had, or give --out another folder",
            )
        os.ftruncate(self._file, found.whole_bytes)
        self.header, self.rollouts = found.header, found.rollouts

    def add(self, record: RolloutRecord) -> None:
        """Write a finished rollout; when this returns it is on the disk."""
        clean = cast("RolloutRecord", scrubbed(record, *self._secrets))
        self._write(clean)
        self.rollouts[record["id"]] = clean

    def keep_screenshot(self, rollout_id: str, number: int, png: bytes) -> str | None:
        """Keep a screenshot.

        Returns:
            Its path in the folder, with slashes; None for what is no picture.
        """
        try:
            png_size(png)
        except ProtocolError:
            return None
        name = f"{PICTURES}/{folder_name(rollout_id)}/{number:03}.png"
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png)
        return name

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write(self, line: object) -> None:
        left = memoryview(json.dumps(line, ensure_ascii=True, allow_nan=False).encode() + b"\n")
        while left:
            left = left[os.write(self._file, left) :]
        os.fsync(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def folder_name(rollout_id: str) -> str:
    """A name for a rollout's folder: what can be read of its id, and a hash that tells it from all others."""
    readable = re.sub(r"[^\w-]+", "-", rollout_id, flags=re.ASCII).strip("-")[:60]
    return f"{readable or 'task'}-{hashlib.sha256(rollout_id.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _lock(file: int, folder: Path) -> None:
    """Keep other processes from writing the same results, where the system can."""
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise refused(f"another process is writing the results in {folder}") from None
