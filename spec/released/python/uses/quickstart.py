"""One desktop, one task, one reward.

Against a daemon of your own: `eval "$(drums up --detach)"`, then run this, then `drums down`.
With nothing set up: `DRUMS_URL=local python examples/quickstart.py` starts one in this process.
"""

import drums

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
RENAME = "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2"


def main() -> None:
    with drums.connect() as client:
        with client.create(task=RENAME_FOLDER) as env:
            env.wait_valid()
            seen = env.observe()
            print(f"{env.id}: {seen.meta['instruction']}")
            print(f"screenshot: {seen.width}x{seen.height}, {len(seen.png)} bytes")

            env.step({"type": "execute", "command": RENAME, "shell": True})

            reward = env.verify()
            print(f"score {reward.score} valid {reward.valid}")
        print(f"computers left: {len(client.envs())}")


if __name__ == "__main__":
    main()
