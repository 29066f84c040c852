"""One desktop in one rollout: what it is told, what it shows, and which of two ways an episode can go wrong.

`InvalidEpisodeError`: a gate failed or the desktop is quarantined; the trace is dropped. `DesktopError`: the desktop,
or the server, failed; the trace is an error. The invariant: every failure of the SDK that ends a rollout becomes one
of the two, by this module alone.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from typing import TYPE_CHECKING, TypeVar

from drums.actions import Signal
from drums.errors import (
    ActionFailed,
    BadRequest,
    Conflict,
    DrumsError,
    EnvFailed,
    GateFailed,
    RestoreFailed,
    TaskSetupFailed,
)
from drums.evaluation.admission import admitted
from drums_verifiers.verdict import drop_reason, failed_gates, reason_of_record

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import drums.aio
    from drums.actions import Action, SignalName
    from drums.observation import StepResult
    from drums.reward import Reward
    from drums_verifiers.data import DrumsToolsConfig

T = TypeVar("T")

logger = logging.getLogger("drums_verifiers")

SETTLE_S = 60.0
"""Seconds that the first action waits for the last gate; an action before it could look like a bad restore."""


class InvalidEpisodeError(Exception):
    """The episode must not be trained on; the text is the drop reason.

    Args:
        reason: The drop reason.
        why: What the server said of it.
        env_id: The desktop, where it is not open any more.
    """

    def __init__(self, reason: str, why: str | None = None, env_id: str | None = None) -> None:
        super().__init__(reason)
        self.why = why
        self.env_id = env_id


class DesktopError(RuntimeError):
    """The desktop or the server failed; the text is the error on the trace."""


class Desktop:
    """An env as a rollout uses it. It closes nothing: who made the env does.

    Args:
        env: The env.
        parent: Id of the env that it was forked from.
        wait_s: Seconds to go on while the server says 429.
    """

    def __init__(self, env: drums.aio.Env, *, parent: str | None = None, wait_s: float = 0.0) -> None:
        self.env = env
        self.parent = parent
        self.tools: DrumsToolsConfig | None = None
        """How the task's tools are configured."""
        self._wait_s = wait_s
        self._settled = False

    @property
    def id(self) -> str:
        """The env's id."""
        return self.env.id

    def require_valid(self) -> None:
        """Refuse to go on in an episode that is known to be invalid.

        Raises:
            InvalidEpisodeError: A gate failed, or the env is quarantined.
        """
        if (reason := reason_of_record(self.env.record)) is not None:
            raise InvalidEpisodeError(reason, self.env.record.reason)

    async def settle(self) -> None:
        """Wait, once, until the episode's last gate was taken.

        Raises:
            InvalidEpisodeError: A gate failed.
            DesktopError: The desktop or the server failed.
        """
        if self._settled:
            return
        self.require_valid()
        try:
            await self.asked(lambda: self.env.wait_valid(SETTLE_S))
        except InvalidEpisodeError:
            raise
        except DesktopError:
            # Gates that are still pending after all that time are verify's to wait for.
            if self.env.state != "ready":
                raise
        self._settled = True

    async def act(self, action: Action, *, check: bool = False) -> StepResult:
        """Do one action, after the last gate.

        Args:
            action: What to do.
            check: Whether another returncode than 0 is an error.

        Raises:
            InvalidEpisodeError: A gate failed, or the env is quarantined, before or after the action.
            DesktopError: The desktop or the server failed; or `check`.
            BadRequest: It is no action.
        """
        await self.settle()
        did = await self.asked(lambda: self.env.step(action, check=check))
        self.require_valid()
        return did

    async def signal(self, name: SignalName) -> None:
        """Tell the server what the model says of its task: what can't be done is solved by saying so.

        A server that knows no signals is not told; it scores what the desktop shows.

        Raises:
            InvalidEpisodeError: A gate failed, or the env is quarantined.
            DesktopError: The desktop or the server failed.
        """
        try:
            await self.act(Signal(name))
        except BadRequest as refused:
            logger.info("%s: %s", self.id, refused)

    async def screenshot(self) -> bytes:
        """The screen as PNG.

        Raises:
            InvalidEpisodeError: The env is quarantined.
            DesktopError: The desktop or the server failed.
        """
        return await self.asked(self.env.screenshot)

    async def verify(self, timeout_s: float) -> Reward:
        """What the episode is worth.

        Raises:
            DesktopError: The desktop or the server failed, or it took too long.
        """
        try:
            async with asyncio.timeout(timeout_s):
                return await self.asked(lambda: self.env.verify(strict=False))
        except TimeoutError:
            raise DesktopError(f"verify of {self.id} took longer than verify_timeout_s = {timeout_s:g}") from None

    async def asked(self, deed: Callable[[], Awaitable[T]]) -> T:
        """What the server gives, once it has room.

        Raises:
            InvalidEpisodeError: A gate failed, or the env is quarantined.
            DesktopError: The desktop or the server failed.
            BadRequest: It was refused as it stands.
        """
        try:
            return await admitted(deed, self._wait_s)
        except (BadRequest, ActionFailed) as fault:
            if isinstance(fault, BadRequest):
                raise
            raise DesktopError(str(fault)) from fault
        except DrumsError as fault:
            raise await self.told(fault) from fault

    async def told(self, fault: DrumsError) -> InvalidEpisodeError | DesktopError:
        """Which of the two a failure is. Only a refusal for the env's state may hide a quarantine."""
        if isinstance(fault, GateFailed):
            return InvalidEpisodeError(reason_of_failure(fault), fault.message)
        if isinstance(fault, Conflict):
            try:
                await self.env.refresh()
            except DrumsError as gone:
                return DesktopError(str(gone))
            if self.env.state == "quarantined":
                return InvalidEpisodeError(reason_of_record(self.env.record) or drop_reason("invalid", ()))
        return DesktopError(str(fault))


def reason_of_failure(fault: EnvFailed) -> str:
    """The drop reason of an env that did not come up, or turned out invalid."""
    report = fault.gates
    if report is not None:
        bad = [gate.name for gate in report.gates if gate.status != "passed"]
        verdict = None if report.validity is None else report.validity.verdict
        return drop_reason("invalid" if verdict == "pending" else verdict, failed_gates(report.gates, bad))
    told = reason_of_record(fault.record)
    if told is None or told == drop_reason("invalid", ()):
        # A fork says of a child only that it did not come up; the gate of that is taken first.
        told = drop_reason("invalid", [gate for cls, gate in _FIRST_GATES.items() if isinstance(fault, cls)])
    return told


_FIRST_GATES: dict[type[EnvFailed], str] = {RestoreFailed: "restore", TaskSetupFailed: "task_setup"}


playing: weakref.WeakValueDictionary[str, Desktop] = weakref.WeakValueDictionary()
"""The desktop of each rollout in this process, by its trace's id; the episode holds it, this only finds it."""
