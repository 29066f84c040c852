"""Runs checkers where they can do no harm: in a confined process of their own, with limits on time and memory.

What comes from a desktop is parsed there and nowhere else. It judges nothing itself. One warm worker serves the whole
process (a check costs a fork: a millisecond or two), is started by the first check, and ends with the last lease, the
process, or a misbehaving check; then the next check starts another. Invariant: a check ends with a score from 0 to 1,
CheckerFault or CheckerTimeout, within its time and a grace period.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from .checkers.base import CheckerFault, CheckerTimeout
from .sandbox_wire import BEGUN, REPLY_LIMIT_BYTES, Preamble, Request, read_reply
from .sandbox_worker import ONCE

if TYPE_CHECKING:
    from collections.abc import Mapping

TIMEOUT_S = 60.0
"""The longest that one checker may run, unless it is said otherwise."""
_GRACE_S = 5.0
_TABLE = "drums.local.osworld.checkers"
_BOOT = """
import json, sys
paths, table, channel = json.loads(sys.argv[1])
sys.path += [path for path in paths if path not in sys.path]
from drums.local.osworld.sandbox_worker import main
main(table, channel)
"""


def _command(table: str, channel: str) -> list[str]:
    paths = [str(Path(path).absolute()) for path in sys.path]
    return [sys.executable, "-I", "-c", _BOOT, json.dumps([paths, table, channel])]


class _Gone(Exception):
    """The worker has ended, or did not begin the check."""


class Worker:
    """One warm worker process, from its start to its end."""

    def __init__(self, table: str) -> None:
        with contextlib.ExitStack() as undo:
            self._folder = tempfile.mkdtemp(prefix="drums-checkers-")
            undo.callback(shutil.rmtree, self._folder, ignore_errors=True)
            self._channel, theirs = socket.socketpair()
            undo.callback(self._channel.close)
            self._channel.settimeout(_GRACE_S)
            with theirs:
                self._process = subprocess.Popen(  # noqa: S603  this interpreter and our own code
                    _command(table, str(theirs.fileno())),
                    env=_environment(),
                    cwd=self._folder,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                )
            undo.pop_all()

    def begin(self, channel: socket.socket) -> None:
        """Have it make a process that serves the other end of a channel.

        Raises:
            _Gone: It has ended.
        """
        try:
            socket.send_fds(self._channel, [b"+"], [channel.fileno()])
        except OSError as error:
            raise _Gone from error

    def end(self) -> None:
        """End it with every check that it runs."""
        self._channel.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def disown(self) -> None:
        """In a forked copy of the process: it is the original's to end."""
        self._channel.close()
        self._process.returncode = 0  # or the copy would complain that it left it running


class Sandbox:
    """A place to run checkers in.

    Args:
        table: The module whose `CHECKERS` can be run.
        forks: Whether checks may share a warm worker; where the system can't, each starts a process of its own.
    """

    def __init__(self, table: str = _TABLE, *, forks: bool = sys.platform != "win32") -> None:
        self._table = table
        self._forks = forks
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._leases = 0

    async def run(
        self,
        name: str,
        result: object,
        expected: object,
        options: Mapping[str, object],
        timeout_s: float = TIMEOUT_S,
    ) -> float:
        """Run one checker.

        Args:
            name: Its name in the table.
            result: What was fetched from the desktop: JSON values and bytes.
            expected: What to compare it with.
            options: The task's options for it.
            timeout_s: The longest that it may run.

        Returns:
            Its score, from 0 to 1.

        Raises:
            CheckerFault: It can't judge this, needs more than the limits allow, died, or could not be started.
            CheckerTimeout: It took longer than it may.
        """
        preamble, parts = Preamble(name, timeout_s).encoded(), Request(result, expected, options).encoded()
        began = time.monotonic()
        said = await (self._ask if self._forks else self._ask_once)(preamble, parts, timeout_s)
        if len(said) > len(BEGUN):
            return read_reply(name, said[len(BEGUN) :])
        if time.monotonic() - began >= timeout_s:
            raise CheckerTimeout(f"{name} took longer than {timeout_s:g} s")
        raise CheckerFault(f"{name} ended without an answer: its process was killed, or a library in it crashed")

    def lease(self) -> Lease:
        """Let the worker live, once it is started, until this lease and every other is closed."""
        with self._lock:
            self._leases += 1
        return Lease(self)

    def end(self) -> None:
        """End the worker, if there is one; the next check starts another."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def forget(self) -> None:
        """In a forked copy of the process: the worker is not the copy's, nor is a lock that was held."""
        if self._worker is not None:
            self._worker.disown()
        self._lock, self._worker, self._leases = threading.Lock(), None, 0

    def release(self) -> None:
        """A lease was closed."""
        with self._lock:
            self._leases -= 1
            unused = self._leases == 0
        if unused:
            self.end()

    async def _ask(self, preamble: bytes, parts: list[bytes], timeout_s: float) -> bytes:
        """What a child of the worker says."""
        for _ in range(2):
            with contextlib.suppress(_Gone):
                return await self._ask_worker(preamble, parts, timeout_s)
        raise CheckerFault("the process that runs checkers does not start")

    async def _ask_worker(self, preamble: bytes, parts: list[bytes], timeout_s: float) -> bytes:
        ours, theirs = socket.socketpair()
        with ours:
            ours.setblocking(False)
            with theirs:
                ours.send(preamble)
                worker = self._begin(theirs)
            try:
                async with asyncio.timeout(timeout_s + _GRACE_S):
                    said = await _exchange(ours, parts)
            except TimeoutError:
                self._replace(worker)
                return BEGUN
        if not said:
            self._replace(worker)
            raise _Gone
        return said

    def _begin(self, channel: socket.socket) -> Worker:
        with self._lock:
            if self._worker is None:
                try:
                    self._worker = Worker(self._table)
                except OSError as error:
                    raise CheckerFault(f"the process that runs checkers can't be started: {error}") from error
            worker = self._worker
        try:
            worker.begin(channel)
        except _Gone:
            self._replace(worker)
            raise
        return worker

    def _replace(self, worker: Worker) -> None:
        """End a worker that does not do its work, unless another check has seen to that."""
        with self._lock:
            if self._worker is not worker:
                return
            self._worker = None
        worker.end()

    async def _ask_once(self, preamble: bytes, parts: list[bytes], timeout_s: float) -> bytes:
        """What a process of its own says."""

        def ask() -> bytes:
            with tempfile.TemporaryDirectory(prefix="drums-checkers-") as folder:
                done = subprocess.run(  # noqa: S603  this interpreter and our own code
                    _command(self._table, ONCE),
                    input=b"".join([preamble, *parts]),
                    stdout=subprocess.PIPE,
                    env=_environment(),
                    cwd=folder,
                    timeout=timeout_s + _GRACE_S,
                    check=False,
                )
            return done.stdout[:REPLY_LIMIT_BYTES]

        try:
            said = await asyncio.to_thread(ask)
        except subprocess.TimeoutExpired:
            return BEGUN
        if not said:
            raise CheckerFault("the process that runs checkers does not start")
        return said


class Lease:
    """The right to a warm worker, from `Sandbox.lease` to `close`."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox: Sandbox | None = sandbox

    def close(self) -> None:
        """Give it up; the last one ends the worker. Once is enough, more does no harm."""
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.release()


async def _exchange(channel: socket.socket, parts: list[bytes]) -> bytes:
    """Send the parts and read to the end; a process may die at any point."""
    loop = asyncio.get_running_loop()
    said = bytearray()
    with contextlib.suppress(ConnectionError):
        for part in parts:
            await loop.sock_sendall(channel, part)
    with contextlib.suppress(ConnectionError):
        while len(said) < REPLY_LIMIT_BYTES:
            part = await loop.sock_recv(channel, 4096)
            if not part:
                break
            said += part
    return bytes(said)


def _environment() -> dict[str, str]:
    """Nothing of the daemon's; numeric libraries must start no threads, which a child could not have."""
    kept = {"SYSTEMROOT"} if sys.platform == "win32" else set[str]()
    return {name: os.environ[name] for name in kept & set(os.environ)} | {"OPENBLAS_NUM_THREADS": "1"}


SANDBOX = Sandbox()
"""The one that this process's daemons share."""
atexit.register(SANDBOX.end)
if sys.platform != "win32":
    os.register_at_fork(after_in_child=SANDBOX.forget)


def run_checker(
    name: str, result: object, expected: object, options: Mapping[str, object], timeout_s: float = TIMEOUT_S
) -> float:
    """`Sandbox.run` for code that runs no event loop."""
    return asyncio.run(SANDBOX.run(name, result, expected, options, timeout_s))
