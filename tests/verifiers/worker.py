"""A process that plays an episode, to be interrupted or killed: `python worker.py MODEL_URL FORK_N [LEASE_S]`."""

from __future__ import annotations

import asyncio
import sys

import verifiers.v1 as vf

from drums_verifiers.env import DrumsEnv
from tests.verifiers.stage import config_of


async def main(model_url: str, fork_n: str, lease_s: str | None = None) -> None:
    """Play until the end, or until something ends this process."""
    env = vf.load_environment(config_of(fork_n=int(fork_n)))
    client = vf.EvalClientConfig(base_url=model_url)
    context = vf.ModelContext(model="mock", client=client, sampling=vf.SamplingConfig.model_validate({}))
    async with env.serving():
        if lease_s is not None and isinstance(env, DrumsEnv) and env.host is not None:
            env.host.idle_timeout_s = float(lease_s)
        await env.run_episode(next(iter(env.taskset)), context)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
