"""A group of rollouts from one moment: fork a desktop, act differently in each copy, compare the rewards as GRPO does.

A child whose episode is not valid has no reward and takes no part in the mean: it is left out, it is never a 0.
Run it like quickstart.py.
"""

import statistics

import drums

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
ATTEMPTS = [
    "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2",
    "mkdir ~/Desktop/todo_list",
    "cd ~/Desktop && mv todo_list_Jan_1 todo_list_Jan_2",
    "rmdir ~/Desktop/todo_list_Jan_1",
]


def attempt(env: drums.Env, command: str) -> drums.Reward:
    env.step({"type": "execute", "command": command, "shell": True})
    return env.verify(strict=False)


def advantages(rewards: list[drums.Reward]) -> list[float | None]:
    """Each valid reward less the group's mean, over its deviation; None for an episode that must not train."""
    scores = [reward.score if reward.valid else None for reward in rewards]
    known = [score for score in scores if score is not None]
    if not known:
        return [None] * len(scores)
    mean, deviation = statistics.fmean(known), statistics.pstdev(known)
    return [None if score is None else (score - mean) / (deviation or 1.0) for score in scores]


def main() -> None:
    with drums.connect() as client:
        with client.create(task=RENAME_FOLDER) as parent:
            parent.wait_valid()
            with parent.fork(len(ATTEMPTS), keep_state=False) as children:
                print(
                    f"forked {parent.id} into {', '.join(child.id for child in children)} in {children.seconds:.2f} s"
                )
                rewards = [attempt(child, command) for child, command in zip(children, ATTEMPTS, strict=True)]
            for reward, advantage in zip(rewards, advantages(rewards), strict=True):
                why = "; ".join(reward.invalid_reasons) or "valid"
                print(f"{reward.env_id}: score {reward.score} ({why}), advantage {advantage}")
        print(f"computers left: {len(client.envs())}")


if __name__ == "__main__":
    main()
