"""Checkers that do what a checker must not, for the sandbox's tests: they only ever run in its child processes."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from drums.local.osworld.checkers import CheckerFault, CheckerSpec

if sys.platform != "win32":
    import fcntl
    import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REPLIES = 3
"""The descriptor on which a child answers."""
state = {"calls": 0}


def answer(_: object, expected: object, __: object) -> Any:
    return expected


def says(result: object, *_: object) -> float:
    os.write(REPLIES, cast("bytes", result))
    os._exit(0)


def counts(*_: object) -> float:
    state["calls"] += 1
    return state["calls"] / 10


def refuses(*_: object) -> float:
    raise CheckerFault("there is nothing to compare with\ud800" + "!" * 2000)


def breaks(*_: object) -> float:
    raise KeyError("gone")


def leaves(*_: object) -> float:
    sys.exit(3)


def crashes(*_: object) -> float:
    ctypes.string_at(0)
    return 1.0


def nests(*_: object) -> float:
    return nests(*_)


def hoards(*_: object) -> float:
    return float(len(bytearray(8 << 30)))


def hoards_slowly(*_: object) -> float:
    held: list[str] = []
    while True:
        held.append("x" * (1 << 20) + str(len(held)))


def never_ends(*_: object) -> float:
    while True:
        pass


def sleeps(*_: object) -> float:
    time.sleep(3600)
    return 1.0


def backtracks(*_: object) -> float:
    return 1.0 if re.search(r"(a+)+$", "a" * 64 + "b") else 0.0


def ignores_the_clock(*_: object) -> float:
    signal.setitimer(signal.ITIMER_REAL, 0)
    return sleeps()


def _refused(attempt: Callable[[], object]) -> float:
    """1 where the system does not let it happen."""
    try:
        attempt()
    except (OSError, RuntimeError):
        return 1.0
    return 0.0


def connects(result: object, *_: object) -> float:
    def attempt() -> None:
        with socket.socket() as connection:
            connection.connect(("127.0.0.1", cast("int", result)))

    return _refused(attempt)


def forks(*_: object) -> float:
    return _refused(os.fork)


def starts_a_program(*_: object) -> float:
    return _refused(lambda: subprocess.run(["true"], check=False))


def starts_a_thread(*_: object) -> float:
    return _refused(threading.Thread(target=id, args=(0,)).start)


def signals_the_daemon(result: object, *_: object) -> float:
    return _refused(lambda: os.kill(cast("int", result), 0))


def limits_the_daemon(result: object, *_: object) -> float:
    if sys.platform != "linux":
        return 1.0
    return _refused(lambda: resource.prlimit(cast("int", result), resource.RLIMIT_NOFILE))


def slows_the_daemon(result: object, *_: object) -> float:
    if sys.platform == "win32":
        return 1.0
    return _refused(lambda: os.setpriority(os.PRIO_PROCESS, cast("int", result), 19))


def has_the_daemon_signalled(result: object, *_: object) -> float:
    if sys.platform == "win32":
        return 1.0
    return _refused(lambda: fcntl.fcntl(REPLIES, fcntl.F_SETOWN, cast("int", result)))


def writes_a_file(*_: object) -> float:
    return _refused(lambda: Path("file").write_text("x"))


def empties_a_file(result: object, *_: object) -> float:
    return _refused(lambda: Path(cast("str", result)).open("w"))


def fills_a_file(result: object, *_: object) -> float:
    def attempt() -> None:
        with Path(cast("str", result)).open("ab", buffering=0) as file:
            file.write(b"x")

    return _refused(attempt)


def removes_a_file(result: object, *_: object) -> float:
    return _refused(Path(cast("str", result)).unlink)


def has_nothing(*_: object) -> float:
    """No environment but what was given, no open files but the channel, an empty folder to be in."""
    open_files = [number for number in range(256) if _is_open(number)]
    nowhere = all(os.fstat(number).st_rdev == Path(os.devnull).stat().st_rdev for number in range(3))
    folder = list(Path.cwd().iterdir())
    secrets = set(os.environ) - {"OPENBLAS_NUM_THREADS", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}
    if secrets or open_files != [0, 1, 2, REPLIES] or not nowhere or folder:
        raise CheckerFault(f"{secrets} {open_files} {nowhere} {folder}")
    return 1.0


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


CHECKERS: Mapping[str, CheckerSpec] = {
    check.__name__: CheckerSpec(cast("Any", check))
    for check in (
        *(answer, says, counts, refuses, breaks, leaves, crashes, nests, hoards, hoards_slowly),
        *(never_ends, sleeps, backtracks, ignores_the_clock),
        *(connects, forks, starts_a_program, starts_a_thread, signals_the_daemon),
        *(limits_the_daemon, slows_the_daemon, has_the_daemon_signalled),
        *(writes_a_file, empties_a_file, fills_a_file, removes_a_file, has_nothing),
    )
} | {
    "exact_match": CheckerSpec(breaks),
    "needs_a_library": CheckerSpec(answer, libraries=("no_library_has_this_name",)),
}
