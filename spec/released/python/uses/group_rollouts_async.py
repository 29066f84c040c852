"""A group of rollouts from one moment: `group_rollouts.py` in asyncio.

A child whose episode is not valid has no reward and takes no part in the mean: it is left out, it is never a 0.
Run it like quickstart.py.
"""

import asyncio
import statistics

import drums.aio

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
ATTEMPTS = [
    "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2",
    "mkdir ~/Desktop/todo_list",
    "cd ~/Desktop && mv todo_list_Jan_1 todo_list_Jan_2",
    "rmdir ~/Desktop/todo_list_Jan_1",
]


async def attempt(env: drums.aio.Env, command: str) -> drums.Reward:
    await env.step({"type": "execute", "command": command, "shell": True})
    return await env.verify(strict=False)


def advantages(rewards: list[drums.Reward]) -> list[float | None]:
    """Each valid reward less the group's mean, over its deviation; None for an episode that must not train."""
    scores = [reward.score if reward.valid else None for reward in rewards]
    known = [score for score in scores if score is not None]
    if not known:
        return [None] * len(scores)
    mean, deviation = statistics.fmean(known), statistics.pstdev(known)
    return [None if score is None else (score - mean) / (deviation or 1.0) for score in scores]


async def main() -> None:
    async with drums.aio.connect() as client:
        async with await client.create(task=RENAME_FOLDER) as parent:
            await parent.wait_valid()
            async with await parent.fork(len(ATTEMPTS), keep_state=False) as children:
                print(
                    f"forked {parent.id} into {', '.join(child.id for child in children)} in {children.seconds:.2f} s"
                )
                rewards = await asyncio.gather(
                    *(attempt(child, command) for child, command in zip(children, ATTEMPTS, strict=True))
                )
            for reward, advantage in zip(rewards, advantages(rewards), strict=True):
                why = "; ".join(reward.invalid_reasons) or "valid"
                print(f"{reward.env_id}: score {reward.score} ({why}), advantage {advantage}")
        print(f"computers left: {len(await client.envs())}")


if __name__ == "__main__":
    asyncio.run(main())
