"""The tasks, and what a rollout of one is worth.

A task's hooks look only at what the episode (`env.py`) has prepared: a desktop, or why there is none. The invariant: a
reward is recorded only for an episode that `drums.Reward` calls valid, with the checker's own score.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import verifiers.v1 as vf  # pyright: ignore[reportMissingTypeStubs]

from drums_verifiers.data import DrumsData, DrumsTaskConfig, DrumsTasksetConfig, TaskBase, Trace, state_of
from drums_verifiers.desktop import Desktop, DesktopError, playing
from drums_verifiers.record import Line, record
from drums_verifiers.verdict import STOP, drop_reason, failed_gates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.reward import Reward

INFO = "drums"
"""Where a trace's `info` says what Drums knows of it."""

SYSTEM_PROMPT = (
    "You operate a Linux desktop with the given tools. Every tool answers with a screenshot of the desktop after it; "
    "begin with one to see where things are. When the task is done, say so with the tool for it."
)


@dataclass(frozen=True, slots=True)
class Start:
    """What an episode gives one of its rollouts to begin with."""

    desktop: Desktop | None = None
    invalid: str | None = None
    """The drop reason, where the episode is invalid already."""
    why: str | None = None
    """What the server said of that."""
    fault: str | None = None
    """What has failed already."""
    parent: str | None = None
    env_id: str | None = None
    """Id of a desktop that did not come up."""

    @property
    def id(self) -> str | None:
        """The desktop's id."""
        return self.env_id if self.desktop is None else self.desktop.id


class DrumsTask(TaskBase):
    """One OSWorld task."""

    config: DrumsTaskConfig

    start: Start | None = None
    """Set on the copy that one rollout gets; None where there is no episode (vf-validate, a rescoring)."""

    @property
    def key(self) -> str:
        """The task's id: the same for each rollout, whatever its desktop is."""
        return self.data.task_id

    def begun(self, start: Start, *, prompt: str, child: int | None = None) -> DrumsTask:
        """The copy for one rollout."""
        task = self.with_data(desktop=start.id, child=child, prompt=prompt)
        task.start = start
        if start.desktop is not None:
            start.desktop.tools = self.config.tools
        return task

    async def setup(self, trace: Trace, runtime: vf.Runtime) -> None:
        """Let the harness find the desktop; end a rollout at once that has none.

        Raises:
            DesktopError: Something has failed already.
        """
        start = self.start
        if start is None:
            return
        state_of(trace).desktop = start.id
        trace.info[INFO] = {"desktop": start.id, "parent": start.parent, "child": self.data.child}
        if start.fault is not None:
            raise DesktopError(start.fault)
        if start.invalid is not None:
            state_of(trace).invalid = start.invalid
            trace.stop(STOP)
        if start.desktop is not None:
            playing[trace.id] = start.desktop

    @vf.stop
    async def drums_invalid(self, trace: Trace) -> bool:
        """The episode is not valid any more."""
        return state_of(trace).invalid is not None

    @vf.stop
    async def desktop_fault(self, trace: Trace) -> bool:
        """The desktop or the server failed."""
        return state_of(trace).fault is not None

    @vf.stop
    async def said_the_end(self, trace: Trace) -> bool:
        """The model said that it is done, or that the task can't be done."""
        return state_of(trace).ended is not None

    async def finalize(self, trace: Trace, runtime: vf.Runtime) -> None:
        """Make an error of what failed in the rollout: it is no reason to drop the trace, and never a reward of 0.

        Raises:
            DesktopError: The desktop or the server failed.
        """
        if state_of(trace).fault is not None:
            raise DesktopError(state_of(trace).fault)

    @vf.reward
    async def checker(self, trace: Trace) -> float | dict[str, float]:
        """The checker's score; nothing for an episode that is not valid.

        Raises:
            DesktopError: The checker, the desktop or the server failed.
        """
        told = trace.info.setdefault(INFO, {})
        start = self.start
        if start is None:
            return _rescored(trace, told)
        if state_of(trace).invalid is None and start.desktop is not None:
            reward = await start.desktop.verify(self.config.verify_timeout_s)
            if reward.raw.state == "down":
                raise DesktopError(f"the desktop {start.id} failed: {'; '.join(reward.invalid_reasons)}")
            told |= _of(reward)
            state_of(trace).invalid = told["dropped"]
            if state_of(trace).invalid is None and (reward.checker_error or reward.score is None):
                why = reward.checker_error or reward.checker_skipped or "it gave neither a score nor a reason"
                raise DesktopError(f"the checker of {self.data.task_id} failed: {why}")
        else:
            told |= _unverified(state_of(trace).invalid or drop_reason("invalid", ()), start.why)
        record(_line(trace, self.data, told))
        return _handed_out(trace, told)


class DrumsTaskset(vf.Taskset[DrumsTask, DrumsTasksetConfig]):
    """The tasks that `task_ids` names. Loading asks no server: what the model is told comes with the episode."""

    def load(self) -> Iterator[DrumsTask]:
        """Each task, in the order given."""
        for task_id in self.config.task_ids:
            known = {"id": task_id, "name": task_id[:8], "task_id": task_id}
            prompts = {"prompt": f"OSWorld task {task_id}", "system_prompt": SYSTEM_PROMPT}
            yield DrumsTask(DrumsData.model_validate(known | prompts), self.config.task)

    @classmethod
    def toolsets(cls, config: DrumsTasksetConfig) -> list[vf.Toolset[Any, Any]]:
        """The tool server for other harnesses than ours; `DrumsEnv` starts it only for those."""
        from drums_verifiers.server import DrumsToolset  # noqa: PLC0415 - needs mcp, which our harness does not

        return [DrumsToolset(config.task.tools)]


def _of(reward: Reward) -> dict[str, Any]:
    """What verify says, as `info` keeps it."""
    failed = failed_gates(reward.gates, reward.bad_gates)
    return {
        "verdict": reward.verdict,
        "failed_gates": [] if reward.valid else failed,
        "score": reward.score,
        "trusted": reward.trusted,
        "audit_flags": reward.audit_flags,
        "invalid_reasons": reward.invalid_reasons,
        "dropped": None if reward.valid else drop_reason(reward.verdict, failed),
    }


def _unverified(reason: str, why: str | None) -> dict[str, Any]:
    """The same for an episode that is known to be invalid without asking."""
    _, verdict, gates = reason.split(":", 2)
    failed = [gate for gate in gates.split(",") if gate]
    return {
        "verdict": verdict,
        "failed_gates": failed,
        "score": None,
        "trusted": None,
        "invalid_reasons": [why or reason],
        "dropped": reason,
    }


def _rescored(trace: Trace, told: dict[str, Any]) -> float | dict[str, float]:
    """The reward of a finished trace, from what it says of itself."""
    if "dropped" not in told:
        raise ValueError("this trace was never scored, and its desktop is gone")
    return _handed_out(trace, told)


def _handed_out(trace: Trace, told: dict[str, Any]) -> float | dict[str, float]:
    """The reward, or nothing and a dropped trace; a trainer that does not know `dropped` knows `trainable`."""
    if told["dropped"] is None:
        return float(told["score"])
    trace.drop(told["dropped"])
    trace.agent.trainable = False
    return {}


def _line(trace: Trace, data: DrumsData, told: dict[str, Any]) -> Line:
    return {
        "trace": trace.id,
        "task": data.task_id,
        "desktop": told.get("desktop"),
        "parent": told.get("parent"),
        "child": data.child,
        "verdict": told["verdict"],
        "failed_gates": told["failed_gates"],
        "score": told["score"],
        "reward": told["score"] if told["dropped"] is None else None,
        "dropped": told["dropped"],
        "trusted": told["trusted"],
        "t": time.time(),
    }
