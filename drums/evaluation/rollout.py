"""One rollout on one desktop: look, ask the policy, act, and so on to a limit or its last word; then the reward.

It neither makes nor closes the desktop. Invariants: whatever happens on the way becomes a record, save the caller's
cancellation; the policy's time is its limit's, and a step that was begun is not cut off by it.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final, TypeVar

from drums._quote import excerpt
from drums.errors import BadRequest, Conflict, DrumsError, EnvFailed, GateFailed
from drums.evaluation.admission import admitted
from drums.evaluation.calling import called
from drums.evaluation.policy import PolicyError, Seen, Taken, Turn, Usage, plan_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    import drums.aio
    from drums.evaluation.policy import MakePolicy, Plan, Policy
    from drums.evaluation.records import ActionRecord, Ended, RolloutRecord, TurnRecord
    from drums.evaluation.results import Results
    from drums.evaluation.settings import Pace, Settings
    from drums.evaluation.tape import Tape
    from drums.reward import Reward

T = TypeVar("T")

SETTLE_S: Final = 60.0
"""Seconds that the first look waits for the last gate; an action before it could look like a bad restore."""
WAIT_S: Final = 1.0
"""Seconds of a WAIT on a server that does not know signals."""
LONGEST_OUTPUT: Final = 2000
"""Characters of what an action printed that are recorded, from its end."""


async def settle(env: drums.aio.Env, wait_s: float) -> None:
    """Wait until the episode's last gate was taken; gates that are pending for longer are verify's to wait for.

    Raises:
        GateFailed: A gate failed, or the env is quarantined.
        DrumsError: The desktop or the server failed.
    """
    try:
        await admitted(lambda: env.wait_valid(SETTLE_S), wait_s)
    except EnvFailed as fault:
        if isinstance(fault, GateFailed) or env.state != "ready":
            raise


class Player:
    """Plays one rollout.

    Args:
        env: The desktop, with the task set up.
        tape: Where it is recorded.
        results: Where screenshots are kept.
        settings: The limits.
        pace: How long to wait.
        signals: Whether the server knows DONE, FAIL and WAIT.
    """

    def __init__(
        self, env: drums.aio.Env, tape: Tape, results: Results, settings: Settings, pace: Pace, *, signals: bool
    ) -> None:
        self._env = env
        self._tape = tape
        self._results = results
        self._settings = settings
        self._pace = pace
        self._signals = signals
        self._history: list[Turn] = []
        self._looks = 0
        self._began = time.monotonic()
        tape.env = env.id

    async def play(self, make_policy: MakePolicy) -> RolloutRecord:
        """Play it to its end.

        Args:
            make_policy: Makes the policy.

        Returns:
            What came of it.
        """
        record = await self._played(make_policy)
        try:
            record["cost"]["host"] = (await self._env.metrics()).usage.cost
        except DrumsError:
            record["cost"]["host"] = None  # the figures of a desktop that is gone are gone too
        return record

    async def _played(self, make_policy: MakePolicy) -> RolloutRecord:
        try:
            await settle(self._env, self._pace.wait_s)
            await self._turns(make_policy)
            return self._tape.rewarded(await self._verify())
        except PolicyError as fault:
            return self._tape.failed("policy", excerpt(str(fault)))
        except TimeoutError:
            limit = self._pace.verify_s
            return self._tape.failed("timeout", f"the last gate and the checker took longer than {limit:g} s")
        except DrumsError as fault:
            return await self._told(fault)

    async def _turns(self, make_policy: MakePolicy) -> None:
        """Ask and act until the policy says its last word or a limit is reached."""
        policy: Policy = await called("the policy's constructor", make_policy)
        self._began = time.monotonic()
        try:
            while self._tape.ended is None and not self._is_spoiled():
                if len(self._history) == self._settings.max_turns:
                    self._tape.ended = "turns"
                    break
                self._tape.ended = await self._turn(policy)
        finally:
            self._tape.play_seconds = time.monotonic() - self._began
            usage = getattr(policy, "usage", None)
            self._tape.usage = usage if isinstance(usage, Usage) else None
            if callable(close := getattr(policy, "close", None)):
                await called("the policy's close()", close)
        self._tape.last_screenshot = self._kept(await self._asked(self._env.screenshot))

    async def _turn(self, policy: Policy) -> Ended | None:
        """One turn, and what it ended the rollout with.

        Raises:
            PolicyError: The policy failed, or was still in trouble when its time was over.
        """
        seen = await self._look()
        at_s, screenshot = time.monotonic() - self._began, self._kept(seen.png)
        turn: TurnRecord = {"at_s": at_s, "screenshot": screenshot, "said": None, "actions": [], "signal": None}
        self._tape.turns.append(turn)
        limit = asyncio.timeout(self._left())
        try:
            async with limit:
                answer = await called("the policy", policy, seen)
        except TimeoutError:
            trouble = getattr(policy, "trouble", None)
            if isinstance(trouble, str):
                raise PolicyError(f"the time limit came while {trouble}") from None
            return "time"
        plan = plan_of(answer)
        turn["said"], turn["signal"] = plan.said, plan.signal
        taken: list[Taken] = []
        for action in plan.actions:
            if self._left() == 0:
                return "time"
            taken.append(await self._act(action))
            turn["actions"].append(_recorded(taken[-1]))
            if self._is_spoiled():
                return None
        self._history.append(Turn(tuple(taken), plan.said))
        return await self._after(plan)

    async def _after(self, plan: Plan) -> Ended | None:
        """What a turn ends with: a pause for the desktop, and the policy's signal."""
        if plan.actions or plan.signal is None:
            left = self._left()
            await asyncio.sleep(self._settings.pause_s if left is None else min(self._settings.pause_s, left))
        if plan.signal is not None and self._signals:
            await self._act({"type": "signal", "name": plan.signal})
        elif plan.signal == "WAIT":
            await self._act({"type": "sleep", "seconds": WAIT_S})
        if plan.signal == "DONE":
            return "done"
        return "fail" if plan.signal == "FAIL" else None

    async def _look(self) -> Seen:
        observation = await self._asked(self._env.observe)
        left = self._settings.max_turns - len(self._history)
        return Seen(observation.png, observation.meta, tuple(self._history), left)

    async def _act(self, action: Mapping[str, object]) -> Taken:
        """Do one action; whatever it returns is the policy's to see.

        Raises:
            PolicyError: The server refuses it as it stands.
        """
        try:
            did = await self._asked(lambda: self._env.step(action, check=False))
        except BadRequest as refused:
            raise PolicyError(f"the policy's action was refused: {refused.message}") from refused
        result = did.result
        output, error = str(result.output or ""), str(result.error or "")
        return Taken(action, result.returncode, output, error, did.seconds or 0.0)

    async def _verify(self) -> Reward:
        async with asyncio.timeout(self._pace.verify_s):
            return await self._asked(lambda: self._env.verify(strict=False))

    async def _told(self, fault: DrumsError) -> RolloutRecord:
        """The record for a failure. A refusal for the env's state may hide a quarantine: the server is asked."""
        spoiled = fault if isinstance(fault, GateFailed) else None
        try:
            if isinstance(fault, Conflict):
                await self._env.refresh()
                spoiled = GateFailed(self._env.record) if self._env.state == "quarantined" else None
            if spoiled is not None:
                return self._tape.rewarded(await self._verify(), spoiled=spoiled)
        except (DrumsError, TimeoutError):
            # The first failure is the one to tell.
            return self._tape.failed_by(spoiled or fault)
        return self._tape.failed_by(fault)

    async def _asked(self, deed: Callable[[], Awaitable[T]]) -> T:
        """What the server gives, once it has room."""
        return await admitted(deed, self._pace.wait_s)

    def _is_spoiled(self) -> bool:
        """Whether the episode is known to be invalid, so that going on is of no use."""
        validity = self._env.validity
        return self._env.state == "quarantined" or (validity is not None and validity.verdict == "invalid")

    def _left(self) -> float | None:
        """Seconds that the policy has left; None: no limit."""
        limit = self._settings.time_limit_s
        return None if limit is None else max(0.0, self._began + limit - time.monotonic())

    def _kept(self, png: bytes) -> str | None:
        name = self._results.keep_screenshot(self._tape.rollout.id, self._looks, png)
        self._looks += 1
        return name


def _recorded(taken: Taken) -> ActionRecord:
    return {
        "action": dict(taken.action),
        "returncode": taken.returncode,
        "output": taken.output[-LONGEST_OUTPUT:],
        "error": taken.error[-LONGEST_OUTPUT:],
        "seconds": taken.seconds,
    }
