"""The process in which checkers run: kept warm, it forks one confined child for each check and looks at no data itself.

A fresh interpreter with nothing of the daemon's: no environment, no open files but the channel that it serves. So a
check costs a fork, not a start, and what a hostile file does to one child is gone with that child. Invariant: a child
ends after its check, or by the system's clock; the worker and all its children end when its channel closes.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .checkers.base import CheckerFault, CheckerSpec
from .confine import confine
from .sandbox_wire import BEGUN, Preamble, Request, encoded_reply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .sandbox_wire import Reader

ONCE = "once"
"""The channel's name for a worker that judges one request from its standard input, where nothing can fork."""


class Files:
    """Reads exactly, and without buffering, from a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read(self, size: int, /) -> bytes:
        """So many bytes.

        Raises:
            EOFError: There are fewer.
        """
        content = bytearray()
        while len(content) < size:
            part = os.read(self._descriptor, min(size - len(content), 1 << 20))
            if not part:
                raise EOFError
            content += part
        return bytes(content)


def main(table: str, channel: str) -> None:
    """Serve until the channel closes.

    Args:
        table: The module whose `CHECKERS` are served.
        channel: The descriptor of a socket on which one descriptor comes for each check; or `once`.
    """
    checkers = cast("Mapping[str, CheckerSpec]", importlib.import_module(table).CHECKERS)
    if channel == ONCE:
        _judge(checkers, Preamble.read(Files(0)), 0, 1)
    else:
        _serve(checkers, socket.socket(fileno=int(channel)))


if sys.platform != "win32":

    def _serve(checkers: Mapping[str, CheckerSpec], channel: socket.socket) -> None:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system buries the children
        _be_the_first_to_go()
        gc.collect()
        gc.freeze()
        while True:
            message, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
            if not message:
                with contextlib.suppress(OSError):
                    Path.cwd().rmdir()
                os.killpg(0, signal.SIGKILL)
            for descriptor in descriptors:
                _begin(checkers, descriptor)

    def _begin(checkers: Mapping[str, CheckerSpec], descriptor: int) -> None:
        """Make the process for one check."""
        try:
            preamble = Preamble.read(Files(descriptor))
            _import_libraries(checkers, preamble.name)
            child = os.fork()
        except EOFError:  # nobody waits any more
            os.close(descriptor)
            return
        except OSError as error:
            with contextlib.suppress(BrokenPipeError):
                os.write(descriptor, BEGUN + encoded_reply(f"no process for the check: {error.strerror}"))
            os.close(descriptor)
            return
        if child:
            os.close(descriptor)
            return
        try:
            _keep_only(descriptor)
            _judge(checkers, preamble, 3, 3)
        finally:
            os._exit(0)

    def _keep_only(descriptor: int) -> None:
        """The descriptor becomes 3; 0 to 2 lead nowhere, and there is no other."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(descriptor, 3)
        for standard in range(3):
            os.dup2(nowhere, standard)
        os.closerange(4, 1024)

    def _be_the_first_to_go() -> None:
        """Where memory runs out, Linux is to end a check before anything else."""
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:  # noqa: PTH123
            score.write("1000")


def _import_libraries(checkers: Mapping[str, CheckerSpec], name: str) -> None:
    """Have a checker's libraries ready, once for all checks; what is missing is told by the check."""
    for library in checkers[name].libraries if name in checkers else ():
        with contextlib.suppress(ImportError):
            importlib.import_module(library)


def _judge(checkers: Mapping[str, CheckerSpec], preamble: Preamble, reading: int, writing: int) -> None:
    """Say that this process lives, run one checker, say what it found."""
    os.write(writing, BEGUN)
    try:
        confine(preamble.timeout_s)
        outcome = _outcome(checkers, preamble.name, Files(reading))
    except MemoryError:
        outcome = f"{preamble.name} needs more memory than a check may have"
    except BaseException as error:  # noqa: BLE001  whatever it is, it is no score
        outcome = f"{type(error).__name__}: {error}"
    os.write(writing, encoded_reply(outcome))


def _outcome(checkers: Mapping[str, CheckerSpec], name: str, reader: Reader) -> float | str:
    request = Request.read(reader)
    spec = checkers.get(name)
    if spec is None:
        return f"there is no checker {name!r}"
    for library in spec.libraries:
        try:
            importlib.import_module(library)
        except ImportError:
            return f"{name} needs {library}: pip install 'drums-sdk[checkers]'"
    try:
        return spec.run(request.result, request.expected, request.options)
    except CheckerFault as fault:
        return str(fault)
    except RecursionError:
        return f"{name} was given something that is nested too deeply"
