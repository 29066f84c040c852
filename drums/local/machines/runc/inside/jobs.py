"""A job: a process of the user's whose output is gathered and whose end answers a request.

Invariant: a job's pipes are read until every holder has closed them, also after the answer was sent, so that a program
that was left running never dies of a broken pipe and never blocks.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any

from . import person

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

OUTPUT_LIMIT_BYTES = 16 << 20
"""So much of each stream is kept; a program may print more."""
FIRST_PIPE_FD = 3


class Pipes:
    """A process's standard output and standard error: the ends that are read, and those that it gets."""

    def __init__(self) -> None:
        self.readers: list[int] = []
        self.writers: list[int] = []
        for _ in range(2):
            reader, writer = os.pipe2(os.O_CLOEXEC)
            os.set_blocking(reader, False)
            self.readers.append(reader)
            self.writers.append(writer)

    def enter_fork(self, kept_fds: AbstractSet[int] = frozenset()) -> None:
        """In a fork: have these pipes as output, and only those file descriptors of the agent's."""
        os.setsid()
        for number in (signal.SIGCHLD, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for target, source in enumerate((nothing, *self.writers)):
            os.dup2(source, target)
        for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
            if int(name) >= FIRST_PIPE_FD and int(name) not in kept_fds:
                with contextlib.suppress(OSError):  # the folder's own descriptor is closed already
                    os.close(int(name))

    def close_writers(self) -> None:
        """Leave them to the process."""
        for writer in self.writers:
            os.close(writer)
        self.writers.clear()

    def close_readers(self) -> None:
        """Read nothing any more."""
        for reader in self.readers:
            os.close(reader)
        self.readers.clear()


class Job:
    """One process and the connection that waits for it."""

    def __init__(
        self,
        selector: selectors.BaseSelector,
        connection: socket.socket,
        timeout_s: float,
        *,
        binary_bytes: int = 0,
        pipes: Pipes | None = None,
    ) -> None:
        self.selector = selector
        self.connection = connection
        self.deadline: float = time.monotonic() + timeout_s
        self.binary: bool = bool(binary_bytes)
        self.room_bytes: int = binary_bytes or OUTPUT_LIMIT_BYTES
        self.late = False
        self.answered: bool = False
        self.kept: tuple[bytearray, bytearray] = (bytearray(), bytearray())
        self.pipes: Pipes = pipes or Pipes()

    def start_program(self, argv: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a program as the user with these pipes."""
        child = subprocess.Popen(  # noqa: S603 - the desktop's own user asked for it
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=self.pipes.writers[0],
            stderr=self.pipes.writers[1],
            env=person.ENVIRONMENT,
            cwd=person.HOME,
            user=person.UID,
            group=person.GID,
            extra_groups=[person.GID],
            start_new_session=True,
        )
        self.started()
        return child

    def started(self) -> None:
        """The process runs: close its ends of the pipes and watch ours."""
        self.pipes.close_writers()
        for index, reader in enumerate(self.pipes.readers):
            self.selector.register(reader, selectors.EVENT_READ, self.reading(index, reader))

    def reading(self, index: int, reader: int) -> Any:
        """What to do when a pipe has something."""

        def read() -> None:
            if not self.take(index, reader):
                self.selector.unregister(reader)
                os.close(reader)
                self.pipes.readers.remove(reader)

        return read

    def take(self, index: int, reader: int) -> bool:
        """Read what is there, keep it if it fits; False at the end."""
        try:
            piece = os.read(reader, 1 << 20)
        except BlockingIOError:
            return True
        room = 0 if self.answered else self.room_bytes - len(self.kept[index])
        self.kept[index].extend(piece[:room])
        return bool(piece)

    def end(self, returncode: int) -> None:
        """The process ended: take what is still in its pipes and answer."""
        for key in list(self.selector.get_map().values()):
            if key.fd in self.pipes.readers:
                self.drain(key)
        self.answered = True
        output, error = (bytes(kept) for kept in self.kept)
        self.kept[0].clear()
        self.kept[1].clear()
        shown = base64.b64encode(output) if self.binary else output
        reply = {"returncode": returncode, "output": text(shown), "error": text(error), "late": self.late}
        with contextlib.suppress(OSError):
            self.connection.sendall(json.dumps(reply).encode())
        self.connection.close()

    def drain(self, key: selectors.SelectorKey) -> None:
        """Read a pipe until it is empty or ended."""
        before = -1
        while key.fd in self.pipes.readers and before != sum(map(len, self.kept)):
            before = sum(map(len, self.kept))
            key.data()

    def fail(self, returncode: int, error: str) -> None:
        """The process could not be started."""
        self.pipes.close_writers()
        self.pipes.close_readers()
        self.kept[1].extend(error.encode())
        self.end(returncode)


def text(content: bytes) -> str:
    """Output as text; what is not UTF-8 is shown by replacement characters."""
    return content.decode(errors="replace")


def kill_with_descendants(pid: int) -> None:
    """Kill a process and all that it started, also those that left its session."""
    for victim in [pid, *descendants(pid)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)


def descendants(pid: int) -> list[int]:
    """The children of a process, their children, and so on."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:  # noqa: PTH123
            children = [int(word) for word in file.read().split()]
    except OSError:
        return []
    return [found for child in children for found in (child, *descendants(child))]
