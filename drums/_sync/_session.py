# Generated from drums/aio/_session.py by tools/generate_sync.py. Edit that file.
"""What a client and its envs share: how a call is sent, what is owned, and how that is ended.

It knows two operations: how an env is ended and how a task is looked up. The invariant: what a call made on the
server is owned from the moment its reply is here until a DELETE of it was answered, whatever interrupts the caller in
between.
"""

from __future__ import annotations

import logging
import os
import weakref
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self, TypedDict, TypeVar

from drums import _exit
from drums._core import calls
from drums._core.ownership import Ownership, left_behind, still_there
from drums._core.replies import ids_made, unanswered, value_of
from drums._core.retry import next_delay
from drums._core.settings import resolve
from drums._core.task_source import task_of
from drums._core.wire import Reply, Request, TransportError
from drums._io import sync as io
from drums.errors import (
    AuthError,
    DaemonUnavailable,
    DrumsError,
    ProtocolError,
    conceal,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drums._core.call import Call
    from drums._core.settings import Settings
    from drums._core.task_source import TaskSource
    from drums._sync._env import Env

T = TypeVar("T")

CLOSERS = 32
"""DELETEs under way at a time when many envs are closed."""

CLOSE_S = 30.0
"""Seconds for ending what no caller waits for: at a block's end, or an env that did not come up."""

GRACE_S = 10.0
"""Seconds that an interrupted caller waits for the reply of a create or fork that was sent, to end what it made."""

LEAST_S = 0.05
"""Seconds that a request gets even when the process is ending and no time is left: it then fails and says so."""

logger = logging.getLogger("drums")
_owning: set[Session] = set()
"""Keeps what still owns an env alive until the process ends, even if the program dropped its client."""


class Session:
    """Sends calls to one server, and owns what they make.

    Args:
        settings: Where to, and for how long. close_on_exit: Whether to end what is owned when the process ends.
        handle_signals: Whether also on SIGTERM and SIGHUP. refusal: Why nothing can be sent at all (a client from
        another process, without a token here); each call raises it.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        close_on_exit: bool,
        handle_signals: bool,
        refusal: AuthError | None = None,
    ) -> None:
        self.settings = settings
        self._transport = self._local_transport() if settings.is_local else io.Transport(settings)
        self.close_on_exit = close_on_exit
        self.handle_signals = handle_signals
        self.refusal = refusal
        self.closes_with: str | None = None
        """Id of the env whose end closes the session: one that was made by `env()`."""
        self._owned: Ownership[Env] = Ownership(io.thread_lock)
        self._process = 0
        self._register()

    @classmethod
    def elsewhere(cls, url: str, timeout_s: float, retry_s: float, had_token: bool, *options: bool) -> Self:
        """The copy in another process: its token comes from the environment there, and it owns nothing."""
        close_on_exit, handle_signals = options
        refusal = None
        try:
            settings = resolve(url, timeout_s=timeout_s, retry_s=retry_s)
        except AuthError as fault:  # raised by each call, since a worker that fails to unpickle tells nobody why
            settings, refusal = resolve(url, "", timeout_s=timeout_s, retry_s=retry_s), fault
        if refusal is None and had_token and settings.token is None:
            what = "this client came from another process, and here is no token for it"
            hint = "Set DRUMS_TOKEN or DRUMS_TOKEN_FILE where this process runs; a pickle carries no token"
            refusal = AuthError(401, what, sent="no", hint=hint)
        return cls(settings, close_on_exit=close_on_exit, handle_signals=handle_signals, refusal=refusal)

    def __reduce__(self) -> tuple[Any, ...]:
        settings = self.settings
        if settings.is_local:
            raise TypeError(
                "the local daemon lives in this process; for others start one with `drums up` and use its URL"
            )
        had_token = settings.token is not None or self.refusal is not None
        facts = (settings.url, settings.timeout_s, settings.retry_s, had_token)
        return type(self).elsewhere, (*facts, self.close_on_exit, self.handle_signals)

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def _local_transport(self) -> io.InProcessTransport:
        """Start the daemon with simulated desktops; it ends with `close()`, or when nobody holds this session."""
        daemon = import_module("drums.local").in_process()
        self._end_daemon = weakref.finalize(self, daemon.close)
        return io.InProcessTransport(daemon)

    def close(self) -> None:
        """Let go of the connections; a later call connects anew. The local daemon ends, with its desktops."""
        self._transport.close()
        if self.settings.is_local:
            self._end_daemon()

    # --- sending ------------------------------------------------------------------------------------------------------

    def send(self, call: Call[T], timeout: float | None = None) -> T:
        """What the call is for; a GET is repeated while the server can't be reached, up to `retry_s`.

        Args:
            call: What to send.
            timeout: Seconds for each try; None: the client's.

        Raises:
            DrumsError: No reply, a refusal, or a reply that is not what the spec says.
        """
        self._require_reach(call)
        limit = max(self.settings.timeout_s if timeout is None else timeout, call.least_timeout_s)
        begun, tries = io.monotonic(), 0
        while True:
            left = _exit.time_left()
            request = Request(call.method, call.target, call.body, max(min(limit, left), LEAST_S))
            try:
                return self._try(call, request)
            except DrumsError as fault:
                conceal(fault, self.settings.token or "")
                tries += 1
                delay = next_delay(
                    call.method,
                    fault.status,
                    tries=tries,
                    spent_s=io.monotonic() - begun,
                    retry_s=min(self.settings.retry_s, left),
                    retry_after_s=fault.retry_after,
                )
                if delay is None:
                    raise
                logger.warning("%s %s: %s; again in %.2f s", call.method, call.target, fault.message, delay)
            io.sleep(delay)

    def _try(self, call: Call[T], request: Request) -> T:
        begun = io.monotonic()
        outcome: object = "interrupted"
        try:
            reply = self._transport.send(request)
            outcome = reply.status
        except TransportError as fault:
            outcome = fault.what
            raise unanswered(call, fault) from fault
        finally:
            if logger.isEnabledFor(logging.DEBUG):
                spent_ms = (io.monotonic() - begun) * 1000
                logger.debug("%s %s %s %.0f ms", request.method, request.target, outcome, spent_ms)
        return value_of(call, reply)

    def _require_reach(self, call: Call[Any]) -> None:
        if self.refusal is not None:
            raise self.refusal.with_traceback(None)
        if not self.settings.is_local:
            return
        hint = "Connect anew, or start a daemon with `drums up` and use its URL"
        if self._process != os.getpid():
            what = "the local daemon lives in the process that this one was forked from"
            raise DaemonUnavailable(0, what, sent="no", hint=hint, **facts_of(call))
        if not self._end_daemon.alive:
            what = "the local daemon ended when its client was closed"
            raise DaemonUnavailable(0, what, sent="no", hint=hint, **facts_of(call))

    def send_making(self, call: Call[T]) -> T:
        """The same for a call that makes envs: those that a reply names which can't be read are ended."""
        try:
            return self.send(call)
        except ProtocolError as fault:
            self.end_quietly(ids_made(fault.body))
            raise

    def task(self, source: TaskSource) -> dict[str, Any]:
        """The task that an argument means; asks the server for one that is given by its id."""
        found = task_of(source)
        return dict(self.send(calls.get_task(found))) if isinstance(found, str) else found

    # --- owning -------------------------------------------------------------------------------------------------------

    def own(self, env: Env) -> None:
        """Own one more env, for this process."""
        self._register()
        self._owned.add(env.id, env)
        if self.close_on_exit and not self.settings.is_local:
            _owning.add(self)

    def owned(self) -> dict[str, Env]:
        """What is owned, by id, oldest first."""
        return self._owned.all()

    def disown(self, env_id: str) -> None:
        """Own it no longer: the server says that it is gone."""
        self._owned.remove(env_id)
        if not self._owned:
            _owning.discard(self)

    def grace_s(self) -> float:
        """Seconds that an interrupted caller waits for what it began."""
        return min(GRACE_S, _exit.time_left())

    def _register(self) -> None:
        """Ask for a clean-up when this process ends; a forked child begins anew."""
        if self._process == os.getpid() or (self.settings.is_local and self._process):
            return
        self._process = os.getpid()
        if self.close_on_exit and not self.settings.is_local:
            _exit.register(self._clean_up, signals=self.handle_signals)

    def _clean_up(self, deadline: float) -> None:
        """End what is owned while the process ends: in a thread of its own, without the event loop."""
        ids = list(self._owned.all())
        ends = [calls.delete_slot(env_id) for env_id in ids]
        requests = [Request(end.method, end.target, end.body, CLOSE_S) for end in ends]
        outcomes = _exit.send_all(self.settings, requests, deadline) if requests else []
        for env_id, end, outcome in zip(ids, ends, outcomes, strict=True):
            fault = _fault_of(end, outcome)
            if still_there(fault):
                logger.warning("%s", left_behind(env_id, fault))
            else:
                self._owned.remove(env_id)

    # --- ending -------------------------------------------------------------------------------------------------------

    def end(self, env_id: str, timeout: float | None = None) -> None:
        """End one env; one that is already gone is fine. It stays owned when that fails."""
        try:
            self.send(calls.delete_slot(env_id), timeout)
        except DrumsError as fault:
            if still_there(fault):
                raise
        self.disown(env_id)
        if env_id == self.closes_with:
            self.close()

    def end_all(self, env_ids: Iterable[str], timeout: float) -> list[tuple[str, DrumsError | None]]:
        """End many in parallel, within so many seconds; each id with what stopped it."""
        until = io.monotonic() + timeout

        def ended(env_id: str) -> tuple[str, DrumsError | None]:
            left = until - io.monotonic()
            try:
                if left <= 0:
                    what = f"there was no time left of {timeout:g} s"
                    raise DaemonUnavailable(0, what, sent="no", tried=f"close() of {env_id}")
                self.end(env_id, left)
            except DrumsError as fault:
                return env_id, fault
            return env_id, None

        told: list[tuple[str, DrumsError | None]] = []
        for outcome in io.run_each(ended, env_ids, CLOSERS):
            if isinstance(outcome, BaseException):
                raise outcome
            told.append(outcome)
        return told

    def end_quietly(self, env_ids: Iterable[str]) -> None:
        """End what nobody waits for, to the end even if the caller is interrupted; what is left is told to the log."""
        tell_left_behind(io.finish(self.end_all, env_ids, CLOSE_S))


def tell_left_behind(closed: Iterable[tuple[str, BaseException | None]]) -> None:
    """Tell the log of what could not be ended, where nobody is left to raise it to."""
    for env_id, fault in closed:
        if fault is not None:
            logger.warning("%s", left_behind(env_id, fault))


def _fault_of(end: Call[Any], outcome: Reply | TransportError) -> DrumsError | None:
    """Why an env could not be ended at the process's end; None when it was."""
    if isinstance(outcome, TransportError):
        return unanswered(end, outcome)
    try:
        value_of(end, outcome)
    except DrumsError as fault:
        return fault
    return None


class CallFacts(TypedDict):
    """What an error knows of its call."""

    tried: str
    method: str
    path: str


def facts_of(call: Call[Any], tried: str | None = None) -> CallFacts:
    """What an error that a record tells should know of its call."""
    return {"tried": tried or call.tried, "method": call.method, "path": call.target}
