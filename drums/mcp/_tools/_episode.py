"""The episode: what is asked, saying that it is done or can't be, and, where it is allowed, what it is worth."""

from __future__ import annotations

from typing import Literal

from drums.mcp._envelope import Answer
from drums.mcp._tools._base import Toolset, tool


class EpisodeTools(Toolset):
    """The task and its end."""

    @tool("Read the task", reads=True)
    async def read_task(self) -> Answer:
        """Tell what is to be done in this desktop."""
        task = self._tools.env.task
        return Answer({"task": task is not None}, None if task is None else task.instruction)

    @tool("Look at the episode", reads=True)
    async def episode(self) -> Answer:
        """Tell whether the desktop is sound so far: its state, the verdict, the number of actions done."""
        env = await self._tools.env.refresh()
        verdict = None if env.validity is None else env.validity.verdict
        return Answer({"state": env.state, "episode": env.episode, "verdict": verdict, "steps": env.steps})

    @tool("End the task", destroys=True, repeats=True)
    async def finish(self, outcome: Literal["done", "infeasible"]) -> Answer:
        """Say that the task is done, or that it can't be done. It is the last thing to do."""
        await self._tools.env.step("DONE" if outcome == "done" else "FAIL")
        return Answer({"outcome": outcome})

    @tool("Verify", rewards=True)
    async def verify(self) -> Answer:
        """Run the task's checker and tell the score; null when the episode is not valid."""
        reward = await self._tools.env.verify(strict=False)
        score = reward.score if reward.valid else None
        facts = {"score": score, "valid": reward.valid, "trusted": reward.trusted}
        return Answer(facts, "; ".join([*reward.invalid_reasons, reward.checker_error or ""]).strip("; ") or None)
