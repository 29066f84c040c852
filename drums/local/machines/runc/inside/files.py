"""Reading and writing the user's files, in a fork that runs as the user.

Invariant: nothing here has more rights than the user: what the user can't read, the host does not get.
"""

from __future__ import annotations

import os
import stat
import sys

NOT_THERE = 3
TOO_LARGE = 4
NOT_A_FILE = 5


def read(path: str, limit_bytes: int) -> int:
    """Write a file's content to the standard output."""
    try:
        with open(os.path.expanduser(path), "rb", opener=without_waiting) as file:  # noqa: PTH111
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return complain("it is not a file", NOT_A_FILE)
            content = file.read(limit_bytes + 1)
    except FileNotFoundError:
        return NOT_THERE
    except OSError as fault:
        return complain(fault.strerror, 1)
    if len(content) > limit_bytes:
        return complain(f"it is larger than {limit_bytes} bytes", TOO_LARGE)
    sys.stdout.buffer.write(content)
    sys.stdout.flush()
    return 0


def write(path: str, content: bytes, executable: bool) -> int:
    """Write a file, making its folders."""
    target = os.path.expanduser(path)  # noqa: PTH111
    try:
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)  # noqa: PTH103, PTH120
        with open(target, "wb") as file:  # noqa: PTH123
            file.write(content)
        os.chmod(target, 0o755 if executable else 0o644)  # noqa: PTH101
    except OSError as fault:
        return complain(fault.strerror, 1)
    return 0


def without_waiting(path: str, flags: int) -> int:
    """Open so that a named pipe does not wait for a writer."""
    return os.open(path, flags | os.O_NONBLOCK)


def complain(words: str | None, status: int) -> int:
    """Say what is wrong and give the exit status."""
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()
    return status
