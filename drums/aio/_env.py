"""One desktop as a user holds it: what it can be told, and how it ends.

A method sends one `Call` of `drums._core.calls`, or a few; what it checks and reads is decided there. The invariant:
a reply about another episode than `record` names is an error, and is never taken for this one's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from drums._core import calls
from drums._core.arguments import some_seconds
from drums._core.gate_wait import asked_wait, open_gates, pause_before_next, verdict_in
from drums._core.ownership import left_behind
from drums._io import aio as io
from drums.actions import action as checked_action
from drums.aio._fork import Forks
from drums.aio._guest import Deed, GuestClient
from drums.aio._session import CLOSE_S, facts_of, logger
from drums.errors import ActionFailed, DrumsError, EnvFailed, GateFailed
from drums.observation import Observation, StepResult

if TYPE_CHECKING:
    from types import TracebackType

    from drums._core.call import Call
    from drums._core.task_source import TaskSource
    from drums.actions import Action
    from drums.records import GateReport, Slot, SlotMetrics
    from drums.reward import Reward


class Env(Forks):
    """One isolated desktop with a screen of 1920x1080 pixels, origin top left.

    Made by `client.create()` and `env.fork()`; entered with `async with`, it is closed at the block's end. A copy that
    came by pickle, or that a forked process has, drives the same desktop and owns nothing.
    """

    async def refresh(self) -> Self:
        """Ask the server what the env is now; touches neither desktop nor episode.

        Returns:
            The env itself, its `record` renewed.

        Raises:
            EnvGone: It was destroyed; `.closed_reason` says why.

        Server: get_slot
        """
        self._renew(await self._session.send(calls.get_slot(self.id)))
        return self

    async def metrics(self) -> SlotMetrics:
        """Read the env's figures: use of the host, latencies, episodes by verdict, failures, rewards.

        Server: get_slot_metrics
        """
        return await self._session.send(calls.get_slot_metrics(self.id))

    # --- act and look -------------------------------------------------------------------------------------------------

    async def step(self, action: Action, screenshot: bool = False, check: bool = True) -> StepResult:
        """Do one action on the desktop, in the current episode.

        Args:
            action: pyautogui code as a text, an action as a dict, or one of `drums.actions`. Coordinates are pixels.
                The texts FAIL, DONE and WAIT are signals: the task can't be done, it is done, a moment please.
            screenshot: Whether to look at the screen right after it; `.observation` has it.
            check: Whether another returncode than 0 is an error.

        Returns:
            The server's reply, by attribute and by name: `.result`, `.seconds`, `.observation`.

        Raises:
            BadRequest: It is no action, and nothing was sent; or the server does not know signals or batches.
            ActionFailed: It ended with another returncode than 0 and `check`; `.output` and `.error` say more.
            GuestError: The desktop did not answer in time; the action may have been done.

        Server: step_slot
        """
        return await self._act(Deed(action, f"step() of {self.id}", screenshot, check))

    async def observe(self) -> Observation:
        """Look at the desktop: a screenshot together with what it is of, both of the same episode.

        Raises:
            ProtocolError: The episode changed meanwhile: somebody else reset the env.

        Server: get_screenshot, get_slot
        """
        if self.episode is None:
            await self.refresh()
        png = await self.screenshot()
        self._renew(await self._session.send(calls.get_slot(self.id, self.episode)))
        return Observation(png, self._meta())

    async def screenshot(self) -> bytes:
        """Look at the screen: PNG, 1920x1080 pixels, with the pointer.

        Server: get_screenshot
        """
        return await self._session.send(calls.get_screenshot(self.id))

    def guest(self) -> GuestClient:
        """What runs inside the desktop: commands and programs, as its user."""
        return GuestClient(self, self._act)

    # --- episodes -----------------------------------------------------------------------------------------------------

    async def reset(self) -> Self:
        """Throw away what the desktop is, restore it from where it came from, and begin the next episode.

        The task's setup runs again and new gates are taken.

        Returns:
            The env itself, in its new episode.

        Raises:
            RestoreFailed: The desktop did not come up. The env stays; reset() may be tried again.
            TaskSetupFailed: It did, but a setup step of its task did not happen.
            Conflict: The env is quarantined; release() it first.

        Server: reset_slot
        """
        call = calls.reset_slot(self.id)
        self._renew(await self._session.send(call))
        self.steps = 0
        return self._ready(call)

    async def load_task(self, task: TaskSource) -> Self:
        """Give the env another task; its setup runs now, on the desktop as it is, and after every reset.

        Args:
            task: An OSWorld task, the path of a JSON file with one, or the id of one that the server knows.

        Returns:
            The env itself, with its new task.

        Raises:
            TaskSetupFailed: A setup step did not happen.
            TaskUnsupported: The server has no such setup step or checker.

        Server: set_task
        """
        call = calls.set_task(self.id, await self._session.task(task))
        self._renew(await self._session.send(call))
        return self._ready(call)

    async def gates(self) -> GateReport:
        """Read the gate report of the episode, as it stands now.

        Server: get_gates
        """
        report = await self._session.send(calls.get_gates(self.id, self.episode))
        self._learn(report.episode, report.validity)
        return report

    async def valid(self, timeout: float = 30.0) -> bool:
        """Whether the episode is valid so far; waits while gates are pending.

        Args:
            timeout: Seconds to wait; a verdict that is still pending then counts as not valid.

        Server: get_gates
        """
        try:
            await self.wait_valid(timeout)
        except EnvFailed:
            return False
        return True

    async def wait_valid(self, timeout: float = 60.0) -> Self:
        """Wait until every gate of the episode has passed, also the one that looks at the processes some seconds on.

        Worth it before actions that may end processes: such an end can't be told from a bad restore.

        Args:
            timeout: Seconds to wait.

        Returns:
            The env itself, valid and ready.

        Raises:
            GateFailed: A gate failed, or the env is quarantined; `.gates` has the report.
            EnvFailed: Gates were still pending when the time was over; or the env is down.

        Server: get_gates, get_slot
        """
        until = io.monotonic() + some_seconds(timeout, "timeout")
        report = await self._settled_gates(until)
        await self.refresh()
        facts = facts_of(calls.get_gates(self.id, self.episode), f"wait_valid() of {self.id}")
        if (failure := self._failure(facts, report)) is not None:
            raise failure
        verdict = verdict_in(report)
        if verdict == "invalid":
            what = f"{self.id} is not valid: {open_gates(report)}"
            raise GateFailed(self.record, what, gates=report, **facts)
        if verdict == "pending":
            what = f"{self.id} has no verdict after {timeout:g} s: {open_gates(report)}"
            raise EnvFailed(self.record, what, gates=report, hint="Give wait_valid() a longer timeout", **facts)
        return self

    async def verify(self, strict: bool = True) -> Reward:
        """Wait for the episode's last gate, run the task's checker, and tell what the episode is worth.

        Args:
            strict: Whether a reward that must not be used is an error.

        Returns:
            Score and validity. With `strict` false look at `.valid` before using `.score`.

        Raises:
            InvalidEpisode: The episode is not valid and `strict`; `.invalid_reasons` says why.
            CheckerError: The checker failed and `strict`. That is not a score of 0.
            ProtocolError: The reply is about another env, episode or task.

        Server: verify_slot
        """
        call = calls.verify_slot(self.id, self.episode, self._task_id())
        reward = await self._session.send(call)
        self._learn(reward.episode, reward.validity)
        return reward.required(**facts_of(call)) if strict else reward

    # --- its end ------------------------------------------------------------------------------------------------------

    async def quarantine(self, reason: str = "client") -> Self:
        """Bar the desktop from ever giving a reward in this episode; it keeps running, to be looked at.

        Args:
            reason: Why; it comes back in `record.reason` and in the reward's reasons.

        Server: quarantine_slot
        """
        self._renew(await self._session.send(calls.quarantine_slot(self.id, reason)))
        return self

    async def release(self) -> Self:
        """End a quarantine: the desktop's processes are killed, the env is `down`, and `reset()` restores it.

        Raises:
            Conflict: It is not quarantined.

        Server: release_slot
        """
        self._renew(await self._session.send(calls.release_slot(self.id)))
        return self

    async def close(self) -> None:
        """End the env and free its desktop. One that is already gone is fine; when it fails, the env stays owned.

        Server: delete_slot
        """
        await self._session.end(self.id)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await io.finish(self._session.end, self.id, CLOSE_S)
        except DrumsError as left:
            logger.warning("%s", left_behind(self.id, left))

    # --- parts --------------------------------------------------------------------------------------------------------

    async def _act(self, deed: Deed) -> StepResult:
        sent = checked_action(deed.action, tried=deed.tried)
        call = calls.step_slot(self.id, self.episode, sent, screenshot=deed.screenshot)
        did = await self._session.send(call, deed.timeout)
        self._acted()
        self._learn(did.raw.episode, did.raw.validity)
        result = StepResult(did.raw, None if did.png is None else Observation(did.png, self._meta()))
        if deed.check and result.result.returncode not in {None, 0}:
            raise ActionFailed(result, sent, **facts_of(call, deed.tried))
        return result

    async def _settled_gates(self, until: float) -> GateReport:
        """The gate report when it is no longer pending, or as it is when the time is over."""
        asked = 0
        while True:
            begun = io.monotonic()
            wait_s = asked_wait(until - begun)
            report = await self._session.send(calls.get_gates(self.id, self.episode, wait_s=wait_s))
            self._learn(report.episode, report.validity)
            asked += 1
            now = io.monotonic()
            if verdict_in(report) != "pending" or now >= until:
                return report
            await io.sleep(pause_before_next(asked, wait_s, now - begun, until - now))

    def _ready(self, call: Call[Slot]) -> Self:
        """This env, if its record does not tell a failure."""
        if (failure := self._failure(facts_of(call))) is not None:
            raise failure
        return self
