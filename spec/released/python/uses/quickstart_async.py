"""One desktop, one task, one reward: `quickstart.py` in asyncio.

Against a daemon of your own: `eval "$(drums up --detach)"`, then run this, then `drums down`.
With nothing set up: `DRUMS_URL=local python examples/quickstart_async.py` starts one in this process.
"""

import asyncio

import drums.aio

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
RENAME = "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2"


async def main() -> None:
    async with drums.aio.connect() as client:
        async with await client.create(task=RENAME_FOLDER) as env:
            await env.wait_valid()
            seen = await env.observe()
            print(f"{env.id}: {seen.meta['instruction']}")
            print(f"screenshot: {seen.width}x{seen.height}, {len(seen.png)} bytes")

            await env.step({"type": "execute", "command": RENAME, "shell": True})

            reward = await env.verify()
            print(f"score {reward.score} valid {reward.valid}")
        print(f"computers left: {len(await client.envs())}")


if __name__ == "__main__":
    asyncio.run(main())
