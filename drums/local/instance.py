"""One daemon per state directory: who holds it, where that one listens, and what it left when it ended.

The lock is the truth: it is the kernel's, so it is free the moment its holder is gone, however it ended. The record
beside it says what the holder said of itself, and means nothing while the lock is free.
Invariant: only the holder of the lock writes the record.
"""

from __future__ import annotations

import json
import os
import shlex
import stat
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drums.local.errors import AlreadyRunningError, StateDirError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 7070

LOCK_NAME = "daemon.lock"
RECORD_NAME = "daemon.json"
LOG_NAME = "daemon.log"
STORE_NAME = "drums.sqlite3"
TOKEN_NAME = "token"  # noqa: S105 -- a file's name

LOOKS = 4
"""How often a taken lock is tried before its holder counts as a daemon."""
POLL_S = 0.05
"""How often a wait for another process looks again; no kernel tells when a lock is freed and gives up in time."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a daemon says of itself."""

    pid: int
    url: str | None = None
    """None while it does not listen yet."""
    token_file: str | None = None
    machine: str | None = None
    version: str | None = None
    ended: str | None = None
    """What was closed when it ended, in words; None while it runs, or where it was killed."""


def default_state_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """`$XDG_STATE_HOME/drums`, else `~/.local/state/drums`."""
    root = environ.get("XDG_STATE_HOME", "")
    # The XDG specification: a path that is not absolute is to be ignored.
    return (Path(root) if Path(root).is_absolute() else Path.home() / ".local" / "state") / "drums"


def prepare_state_dir(path: Path) -> Path:
    """The directory, made for this user alone where it is missing, as an absolute path.

    Raises:
        StateDirError: It can't be made, or someone else can write in it.
    """
    path = path.expanduser().absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.stat()
    except OSError as cause:
        message = f"the state directory {path} can't be made: {cause.strerror}; name another with --state-dir"
        raise StateDirError(message) from cause
    if sys.platform != "win32" and (found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022):
        message = f"others can write in the state directory {path}; name one of your own with --state-dir"
        raise StateDirError(message)
    return path


def record_in(state_dir: Path) -> Record | None:
    """What the last daemon there said of itself; None where there was none or it can't be read."""
    try:
        found: Any = json.loads((state_dir / RECORD_NAME).read_bytes())
        return Record(**found)
    except (OSError, ValueError, TypeError):
        return None


def lines_for_a_shell(url: str, token_file: str | Path) -> str:
    """What a shell can `eval` to reach the daemon."""
    return f"export DRUMS_URL={shlex.quote(url)}\nexport DRUMS_TOKEN_FILE={shlex.quote(str(token_file))}\n"


class Instance:
    """This process's hold on a state directory, from construction to `close`.

    Raises:
        AlreadyRunningError: Another daemon has it.
    """

    def __init__(self, state_dir: Path) -> None:
        self.state_dir = state_dir
        self._lock = os.open(state_dir / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
        if not _locked_soon(self._lock):
            os.close(self._lock)
            raise AlreadyRunningError(_whose(state_dir))
        self.record: Record = Record(pid=os.getpid())
        self._write()

    def tell(self, record: Record) -> None:
        """Change what others may read of this daemon."""
        self.record = record
        self._write()

    def close(self) -> None:
        """Let go of the directory."""
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def _write(self) -> None:
        draft = self.state_dir / f".{RECORD_NAME}.{os.getpid()}"
        draft.write_text(json.dumps(asdict(self.record)) + "\n", encoding="utf-8")
        draft.replace(self.state_dir / RECORD_NAME)


def _whose(state_dir: Path) -> str:
    record = record_in(state_dir)
    where = "" if record is None else f" (process {record.pid}, {record.url or 'still starting'})"
    return f"a daemon already runs on {state_dir}{where}; `drums down` ends it, --state-dir names another place"


def _locked_soon(handle: int) -> bool:
    """Whether the lock could be taken; whoever only looks (`is_held`) has it for a moment."""
    for _ in range(LOOKS):
        if _locked(handle):
            return True
        time.sleep(POLL_S)
    return False


def is_held(state_dir: Path) -> bool:
    """Whether a daemon runs on that directory."""
    try:
        lock = os.open(state_dir / LOCK_NAME, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not _locked(lock)
    finally:
        os.close(lock)


def wait_until_free(state_dir: Path, timeout_s: float) -> bool:
    """Whether the directory's daemon is gone within the time."""
    deadline = time.monotonic() + timeout_s
    while is_held(state_dir):
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_S)
    return True


if sys.platform == "win32":
    import msvcrt

    def _locked(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _locked(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
