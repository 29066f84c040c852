"""A daemon that goes on after the command that started it has returned, and its end by another command.

The daemon is the same `up` in a process and session of its own; what passes between the two is its standard output, on
which it says where it listens, and its log file.
Invariant: `start` returns only when a daemon listens, and leaves no process of its own where none does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.errors import DetachError
from drums.local.instance import LOG_NAME, POLL_S, Record, is_held, lines_for_a_shell, record_in, wait_until_free

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAX_LOG_BYTES = 5_000_000
"""A longer log is put aside when a daemon starts, in place of the one put aside before."""
START_S = 60.0
"""How long a daemon that another command has begun to start may take to listen."""
STOP_S = 30.0
"""How long an end may take: requests in flight get a few seconds, then desktops are ended."""


def start(state_dir: Path, arguments: Sequence[str]) -> str:
    """Start a daemon in the background and wait until it listens.

    Args:
        state_dir: Its state directory, which exists.
        arguments: What follows `up`, without `--detach`.

    Returns:
        What it printed: where it listens, for a shell.

    Raises:
        DetachError: It did not start; with what it logged.
    """
    log = state_dir / LOG_NAME
    if log.exists() and log.stat().st_size > MAX_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    logged = os.fstat(handle).st_size
    with os.fdopen(handle, "ab") as output:
        process = subprocess.Popen(  # noqa: S603 - our own command, and no shell
            [sys.executable, "-m", "drums.local", "up", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=output,
            start_new_session=True,
            text=True,
        )
    said = _first_lines(process)
    if said:
        return said
    with log.open("rb") as file:
        file.seek(logged)
        told = file.read().decode(errors="replace").strip().removeprefix("drums: ")
    message = told or f"the daemon ended while it started (status {process.returncode}) and said nothing"
    raise DetachError(message)


def running(state_dir: Path, timeout_s: float = START_S) -> tuple[int, str] | None:
    """The directory's daemon once it listens: its process, and what it printed; None where none runs.

    Raises:
        DetachError: It does not come to listen.
    """
    deadline = time.monotonic() + timeout_s
    while is_held(state_dir):
        record = record_in(state_dir)
        if record is not None and record.url and record.token_file and record.ended is None:
            return record.pid, lines_for_a_shell(record.url, record.token_file)
        if time.monotonic() >= deadline:
            message = f"the daemon of {state_dir} has been starting or ending for {timeout_s:g} s; see {LOG_NAME} there"
            raise DetachError(message)
        time.sleep(POLL_S)
    return None


@dataclass(frozen=True, slots=True)
class Stopped:
    """What `stop` came to."""

    pid: int | None
    """The process that was ended; None: there was none."""
    words: str


def stop(state_dir: Path, timeout_s: float = STOP_S) -> Stopped:
    """End the directory's daemon and wait until it is gone; where none runs that is fine.

    Returns:
        What was ended.

    Raises:
        DetachError: It still runs.
    """
    holder = _holder(state_dir)
    if holder is None:
        return Stopped(None, f"no daemon runs on {state_dir}")
    _terminate(holder.pid)
    if not wait_until_free(state_dir, timeout_s):
        message = (
            f"the daemon (process {holder.pid}) still runs after {timeout_s:g} s; kill -9 {holder.pid} ends it, and "
            "the next one puts its records right"
        )
        raise DetachError(message)
    last = record_in(state_dir)
    ended = last.ended if last is not None and last.pid == holder.pid else None
    what = ended or "it did not say what it closed"
    return Stopped(holder.pid, f"the daemon (process {holder.pid}) has ended; {what}")


def _first_lines(process: subprocess.Popen[str]) -> str:
    """The two lines with which it says that it listens; nothing where it ends before."""
    output = process.stdout
    if output is None:
        return ""
    with output:
        try:
            lines = output.readline() + output.readline()
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if not lines:
        process.wait()
    # The daemon is nobody's child to wait for from here on.
    process.returncode = process.returncode if process.returncode is not None else 0
    return lines


def _holder(state_dir: Path) -> Record | None:
    """The daemon that holds the directory. It is read twice: one that has just begun has not yet said who it is."""
    before: Record | None = None
    while is_held(state_dir):
        record = record_in(state_dir)
        if record is not None and before is not None and record.pid == before.pid:
            return record
        before = record
        time.sleep(POLL_S)
    return None


def _terminate(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return
    except PermissionError as cause:
        message = f"the daemon (process {pid}) belongs to another user"
        raise DetachError(message) from cause
