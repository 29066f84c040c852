# Generated from drums/aio/_fork.py by tools/generate_sync.py. Edit that file.
"""Saving and forking an env, and what a fork is.

The invariant: every child that the server names is owned by the client before anybody can be interrupted or refused.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Self, cast

from drums._core import calls
from drums._core.replies import child_failure
from drums._core.state import State
from drums._io import sync as io
from drums._sync._handle import Handle
from drums._sync._session import CLOSE_S, facts_of, logger, tell_left_behind
from drums.errors import DrumsError, ForkError
from drums.records import Slot

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from drums._core.call import Call
    from drums._core.replies import Forked
    from drums._sync._client import Client
    from drums._sync._env import Env
    from drums._sync._session import Session
    from drums.errors import EnvFailed
    from drums.records import (
        BranchChild,
        BranchReply,
        Checkpoint,
        PreforkReply,
        QuiescentReply,
    )


class ForkResult(list["Env"]):
    """The children of a fork, in the server's order; entered with `async with`, they are closed together at its end.

    The saved state stays, unless `keep_state=False` was asked for: `delete_state()`, or its lease, ends it.

    Args:
        children: The children.
        client: The client that owns them.
        session: What sends for that client.
        raw: The server's reply.
        checkpoint: The record of the saved state.
        failed: An error for each child that did not come up.
        seconds: How long the server took.
    """

    def __init__(
        self,
        children: Iterable[Env],
        *,
        client: Client,
        session: Session,
        raw: BranchReply,
        checkpoint: Checkpoint,
        failed: list[EnvFailed],
        seconds: float,
    ) -> None:
        super().__init__(children)
        self._client = client
        self._session = session
        self.raw = raw
        """The server's reply."""
        self.checkpoint = checkpoint
        """The record of the saved state."""
        self.failed = failed
        """An error for each child that did not come up, `.record` its record; empty after a strict fork."""
        self.seconds = seconds
        """How long the server took, in seconds."""

    @property
    def state(self) -> State:
        """Id of the saved state that the children were made from."""
        return State(self.checkpoint.id)

    def close(self, timeout: float = CLOSE_S) -> list[tuple[str, DrumsError | None]]:
        """End all children at once.

        Args:
            timeout: Seconds for all of them together.

        Returns:
            Each child's id, with the error that stopped it or None. One that could not be ended stays owned.

        Server: delete_slot
        """
        return self._session.end_all([child.id for child in self], timeout)

    def delete_state(self) -> Checkpoint:
        """Delete the saved state; its children must be closed before.

        Raises:
            Conflict: An env that was made from it still lives.

        Server: delete_checkpoint
        """
        return self._client.delete_state(self.state)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        tell_left_behind(io.finish(self.close))


class Forks(Handle):
    """The part of an env that saves and forks it."""

    def wait_quiescent(self, timeout: float | None = None, window: float | None = None) -> QuiescentReply:
        """Wait until no process or thread of the desktop has started or ended for a while.

        Args:
            timeout: Seconds to wait at most; None: the server's 30.
            window: Seconds of stillness that are asked for; None: the server's 1.

        Raises:
            NotQuiescent: It did not settle in time.

        Server: wait_quiescent
        """
        return self._session.send(calls.wait_quiescent(self.id, self.episode, timeout, window))

    def save(
        self,
        name: str | None = None,
        quiesce_timeout: float | None = None,
        *,
        idle_timeout: float | None = None,
        ttl: float | None = None,
    ) -> State:
        """Save the desktop, its disk and its running processes; it is paused for a moment and goes on in its episode.

        Args:
            name: The state's id; None: the server chooses one.
            quiesce_timeout: Seconds to wait for a still process tree; None: the server's 30.
            idle_timeout: Seconds without an env made from it after which the state is deleted; 0: never.
            ttl: Seconds after which it is deleted in any case; 0: never.

        Returns:
            The state's id, for `client.create(from_state=)`.

        Raises:
            NotQuiescent: The desktop did not settle. Nothing was saved.
            Conflict: The name is taken, or the env is not ready.
            QuotaExceeded: There is no room for another state.

        Server: capture_slot
        """
        saved = self._session.send(calls.capture_slot(self.id, name, quiesce_timeout, idle_timeout, ttl))
        return self._saved(State(saved.id))

    def prefork(
        self,
        n: int,
        quiesce_timeout: float | None = None,
        *,
        keep_state: bool = True,
        idle_timeout: float | None = None,
        ttl: float | None = None,
        state_idle_timeout: float | None = None,
        state_ttl: float | None = None,
    ) -> PreforkReply:
        """Prepare a fork in the background; the desktop goes on.

        The next `fork()` with the same `n` and `keep_state` takes it, if the desktop took no input meanwhile and
        nothing started or ended in it. Else it is thrown away, as it is 120 s later.

        Args:
            n: Children to prepare.
            quiesce_timeout: Seconds to wait for a still process tree; None: the server's 30.
            keep_state: Whether the saved state stays when the last child is closed.
            idle_timeout: Seconds unused after which a child is ended; 0: never.
            ttl: Seconds after which a child is ended in any case; 0: never.
            state_idle_timeout: Seconds without a child after which the state is deleted; 0: never.
            state_ttl: Seconds after which the state is deleted in any case; 0: never.

        Raises:
            QuotaExceeded: More children than one fork may have.
            Overloaded: There is no room for them.

        Server: prefork_slot
        """
        request = calls.fork_request(
            n,
            quiesce_timeout,
            keep_state=keep_state,
            idle_timeout=idle_timeout,
            ttl=ttl,
            state_idle_timeout=state_idle_timeout,
            state_ttl=state_ttl,
        )
        return self._session.send(calls.prefork_slot(self.id, request))

    def fork(
        self,
        n: int,
        strict: bool = True,
        quiesce_timeout: float | None = None,
        *,
        keep_state: bool = True,
        idle_timeout: float | None = None,
        ttl: float | None = None,
        state_idle_timeout: float | None = None,
        state_ttl: float | None = None,
    ) -> ForkResult:
        """Save this desktop and start `n` copies of it, running processes included; this env keeps running.

        Safe right after an action: waits until no process starts or ends for a second. The children are owned by the
        client, as if it had created them. Cancelled halfway, it ends what it made.

        Args:
            n: Copies to start, 1 to `health().limits.fork`.
            strict: Whether a child that does not come up is an error; else it is in the result too, and in `.failed`.
            quiesce_timeout: Seconds to wait for a still process tree; None: the server's 30.
            keep_state: Whether the saved state stays when the last child is closed.
            idle_timeout: Seconds unused after which a child is ended; 0: never.
            ttl: Seconds after which a child is ended in any case; 0: never.
            state_idle_timeout: Seconds without a child after which the state is deleted; 0: never.
            state_ttl: Seconds after which the state is deleted in any case; 0: never.

        Returns:
            The children in the server's order, with `.state`, `.failed`, `.seconds`; `async with` closes them.

        Raises:
            NotQuiescent: The desktop did not settle. Nothing was captured.
            ForkError: A child did not come up and `strict`; `.ok` holds the others, which live on.
            QuotaExceeded: More children than one fork may have; nothing was started.
            Overloaded: There is no room for them; nothing was started.

        Server: branch_slot
        """
        request = calls.fork_request(
            n,
            quiesce_timeout,
            keep_state=keep_state,
            idle_timeout=idle_timeout,
            ttl=ttl,
            state_idle_timeout=state_idle_timeout,
            state_ttl=state_ttl,
        )
        call = calls.branch_slot(self.id, request)
        result = io.made(partial(self._fork, call), self._unfork, self._session.grace_s)
        self._forked(result.raw)
        if strict and result.failed:
            raise self._refused(result, call)
        return result

    branch = fork

    # --- parts --------------------------------------------------------------------------------------------------------

    def _fork(self, call: Call[Forked]) -> ForkResult:
        begun = io.monotonic()
        forked = self._session.send_making(call)
        seconds = io.monotonic() - begun if forked.seconds is None else forked.seconds
        failures = [(child, child_failure(child)) for child in forked.children]
        failed = [type(why)(child, why.message, **facts_of(call)) for child, why in failures if why is not None]
        children = [self._child(child, State(forked.state)) for child in forked.children if child.id]
        return ForkResult(
            children,
            client=self._client,
            session=self._session,
            raw=forked.raw,
            checkpoint=forked.checkpoint,
            failed=failed,
            seconds=seconds,
        )

    def _child(self, child: BranchChild, state: State) -> Env:
        record = Slot({**child, "state": child.state or "down"})
        env = cast("Env", type(self)(self._client, self._session, record, from_state=state))
        self._session.own(env)
        return env

    def _unfork(self, made: ForkResult) -> None:
        self._session.end_quietly([child.id for child in made])
        try:
            made.delete_state()
        except DrumsError as fault:
            logger.warning("the state %s was not deleted: %s", made.state, fault.message)

    def _refused(self, result: ForkResult, call: Call[Forked]) -> ForkError:
        """The error for a fork that came short, once its failed children are ended."""
        bad = {error.record.get("id") for error in result.failed}
        self._session.end_quietly([child.id for child in result if child.id in bad])
        ok = [child for child in result if child.id not in bad]
        return ForkError(ok, result.failed, result.state, **facts_of(call))
