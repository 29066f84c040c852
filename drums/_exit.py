"""The end of the process: at exit, on SIGTERM and on SIGHUP, every client gets to clean up what it owns.

It knows nothing of envs: a client registers a function that ends what it owns, with threads and sockets of its own, for
at that moment an event loop may be dead or blocked. The invariants: an end takes `LIMIT_S` longer at most, whatever the
server does; a process ends only what it registered itself, never its parent's; a signal that has a handler keeps it.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from types import MethodType
from typing import TYPE_CHECKING, Final
from weakref import ReferenceType, WeakMethod, ref

from drums._core.wire import Reply, Request, TransportError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from drums._core.settings import Settings

    CleanUp = Callable[[float], object]

LIMIT_S: Final = 10.0
"""Seconds that all cleaning up together may take: as long as a service manager commonly waits before it kills."""

_UNWIND_S: Final = 5.0
"""Seconds of these after which a signal lets the main thread go on: it may hold what the cleaning up waits for."""

_WORKERS: Final = 32
"""Envs that one client ends at a time."""

_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Registration:
    """One client's right to clean up when the process ends."""

    def __init__(self, clean_up: CleanUp, *, signals: bool) -> None:
        self.signals = signals
        self.done = threading.Event()
        """Set when it has cleaned up. (`Thread.join`, interrupted once, takes a thread for ended.)"""
        self._clean_up: Callable[[], CleanUp | None] = (
            WeakMethod(clean_up, lambda _: self.cancel()) if isinstance(clean_up, MethodType) else lambda: clean_up
        )

    def cancel(self) -> None:
        """Take it back: there is nothing to clean up any more."""
        _registered.pop(id(self), None)
        _give_back_signals()

    def run(self, deadline: float) -> None:
        """Clean up, and tell of a failure instead of raising it: nobody is left to catch it."""
        clean_up = self._clean_up()
        try:
            if clean_up is not None:
                clean_up(deadline)
        except Exception:
            from logging import getLogger  # noqa: PLC0415  # an ending process that has nothing to tell needs none

            getLogger("drums").warning("cleaning up at the end of the process failed", exc_info=True)
        finally:
            self.done.set()


class _Run:
    """All clients cleaning up at once, each in a thread that the end of the process does not wait for."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self._begun = list(_registered.values())
        for registration in self._begun:
            registration.done.clear()
            thread = threading.Thread(target=registration.run, args=(deadline,), daemon=True)
            try:
                thread.start()
            except RuntimeError:  # there are too many, or Python 3.12.0 or 3.12.1 is ending
                registration.run(deadline)

    def is_over(self) -> bool:
        """Whether every client is done."""
        return all(registration.done.is_set() for registration in self._begun)

    def wait(self, seconds: float) -> None:
        """Wait for them, so long at most and never past the deadline."""
        until = min(self.deadline, time.monotonic() + seconds)
        for registration in self._begun:
            registration.done.wait(max(0.0, until - time.monotonic()))


class _TerminatedError(SystemExit):
    """Raised by a signal, with its exit status. As long as it lives, the process is on its way out."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        _state.raised = ref(self)


class _State:
    """Where the end of this process stands."""

    run: _Run | None = None
    raised: ReferenceType[_TerminatedError] | None = None
    at_exit = False
    hooked_worker = False


_registered: dict[int, Registration] = {}
_state = _State()


def register(clean_up: CleanUp, *, signals: bool = True) -> Registration:
    """Have `clean_up(deadline)` called when this process ends, until the registration is cancelled.

    Args:
        clean_up: Gets the monotonic instant by which to be done, is called in a thread of its own, and must need no
            event loop and no lock that the main thread may hold for long. A bound method keeps no object alive.
        signals: Also on SIGTERM and SIGHUP, where their default handlers are in place and this is the main thread.
    """
    registration = Registration(clean_up, signals=signals)
    _registered[id(registration)] = registration
    atexit.unregister(_at_exit)
    atexit.register(_at_exit)
    _hook_worker_exit()
    if signals:
        _take_signals()
    return registration


def time_left() -> float:
    """Seconds until an ending process stops waiting; infinite while nothing has begun to end it."""
    ending = _state.at_exit or (_state.raised is not None and _state.raised() is not None)
    if _state.run is None or not ending:
        return float("inf")
    return max(0.0, _state.run.deadline - time.monotonic())


def send_all(settings: Settings, requests: Sequence[Request], deadline: float) -> list[Reply | TransportError]:
    """Send requests at once, each at most once and none past the deadline, with connections of their own.

    Args:
        settings: Where to, and with which token.
        requests: What to send; their own timeouts can only be shortened.
        deadline: Monotonic instant.

    Returns:
        The reply, or why there is none, for each in order.
    """
    from drums._io.sync import Transport, run_each  # noqa: PLC0415  # an asyncio program needs it here alone

    transport = Transport(settings)

    def send(request: Request) -> Reply:
        left_s = min(request.timeout_s, deadline - time.monotonic())
        return transport.send(Request(request.method, request.target, request.body, left_s))

    try:
        outcomes = run_each(send, requests, _WORKERS)
    finally:
        transport.close()
    return [_reply_or_why(outcome) for outcome in outcomes]


def _reply_or_why(outcome: Reply | BaseException) -> Reply | TransportError:
    if isinstance(outcome, Reply | TransportError):
        return outcome
    return TransportError(f"{type(outcome).__name__}: {outcome}", "maybe")


def _at_exit() -> None:
    _state.at_exit = True
    _clean_up(LIMIT_S)


def _clean_up(wait_s: float) -> None:
    now, run = time.monotonic(), _state.run
    # An end that a signal began keeps the signal's deadline.
    deadline = run.deadline if run is not None and now < run.deadline + LIMIT_S else now + LIMIT_S
    if (run is None or run.is_over()) and now < deadline:
        run = _state.run = _Run(deadline)
    if run is not None:
        run.wait(wait_s)


def _on_signal(number: int, frame: FrameType | None) -> None:
    """Clean up, then unwind the main thread with exit status 128 + `number`. A second signal kills at once."""
    del frame
    signal.signal(number, signal.SIG_DFL)
    if _state.at_exit or not any(registration.signals for registration in _registered.values()):
        os.kill(os.getpid(), number)
        return
    _clean_up(_UNWIND_S)
    raise _TerminatedError(number)


def _take_signals() -> None:
    if threading.current_thread() is not threading.main_thread():
        return
    for number in _SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            with suppress(ValueError):  # the main thread of a subinterpreter takes no signals
                signal.signal(number, _on_signal)


def _give_back_signals() -> None:
    if threading.current_thread() is not threading.main_thread():
        return
    if any(registration.signals for registration in _registered.values()):
        return
    for number in _SIGNALS:
        if signal.getsignal(number) is _on_signal:
            signal.signal(number, signal.SIG_DFL)


def _hook_worker_exit() -> None:
    """A worker of `multiprocessing` ends without `atexit`, and has its own list of last things to do."""
    process = sys.modules.get("multiprocessing.process")
    if process is None or process.parent_process() is None or _state.hooked_worker:
        return
    from multiprocessing.util import Finalize  # noqa: PLC0415  # loaded already in a worker

    _state.hooked_worker = True
    Finalize(None, _at_exit, exitpriority=0)


def _begin_anew() -> None:
    """In a forked child: what its parent registered is its parent's to end."""
    _registered.clear()
    _state.run = _state.raised = None
    _state.at_exit = _state.hooked_worker = False
    _give_back_signals()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
