"""What a test of the environment plays on: a daemon, a model that follows plans, verifiers between, in one process."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import verifiers.v1 as vf
from aiohttp import web
from mock_policy import ORDERS, application

from drums_verifiers.env import DrumsEnv

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from mock_policy import Plan

    import drums.aio
    from drums.local import InProcess

    Trace = vf.Trace[Any, Any, vf.AgentConfig]
    Episode = vf.Episode[Any, Any, vf.AgentConfig]

Told = dict[str, Any]


def images_in(body: Told) -> int:
    """Screenshots that a request shows the model."""
    contents = [message["content"] for message in body["messages"] if isinstance(message.get("content"), list)]
    return sum(part["type"] == "image_url" for content in contents for part in content)


class Model:
    """The mock policy, and what it was asked. `before[n]` runs before the n-th request (from 1) is answered."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[Told] = []
        self.before: dict[int, Callable[[], Awaitable[object]]] = {}
        self.on_each: Callable[[], Awaitable[object]] | None = None
        self.hang_from: int | None = None
        self.asked = asyncio.Event()

    @asynccontextmanager
    async def serving(self, plans: Sequence[Plan]) -> AsyncGenerator[None]:
        """Serve on a free port."""
        made = application(plans)
        made.middlewares.append(self._watched())
        runner = web.AppRunner(made, shutdown_timeout=0.05, handler_cancellation=True)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
            yield
        finally:
            await runner.cleanup()

    def _watched(self) -> Any:
        @web.middleware
        async def watched(
            request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
        ) -> web.StreamResponse:
            self.requests.append(await request.json())
            number = len(self.requests)
            if self.on_each is not None:
                await self.on_each()
            if number in self.before:
                await self.before[number]()
            self.asked.set()
            if self.hang_from is not None and number >= self.hang_from:
                await asyncio.Event().wait()
            return await handler(request)

        return watched


class Stage:
    """Plays episodes on a daemon, and looks at what is left there."""

    def __init__(self, daemon: InProcess, watcher: drums.aio.Client) -> None:
        self.daemon = daemon
        self.faults = daemon.faults
        self.watcher = watcher
        self.model = Model()
        self.env: vf.Env[Any] | None = None

    async def play(self, plans: Sequence[Plan] = ORDERS["alternate"], **keys: Any) -> Episode:
        """One episode with these keys of `env.*`; `tools`, `task` and `taskset` go where they belong."""
        async with self.opened(plans, **keys) as (env, context):
            episode = await env.run_episode(next(iter(env.taskset)), context)
            host = env.host if isinstance(env, DrumsEnv) else None
            assert host is not None
            assert host.size is None or host.places.free == host.size, "an episode gives back every place"
            return episode

    @asynccontextmanager
    async def opened(
        self, plans: Sequence[Plan] = ORDERS["alternate"], **keys: Any
    ) -> AsyncGenerator[tuple[vf.Env[Any], vf.ModelContext]]:
        """An env that is serving, and the model as it is to be asked."""
        self.env = env = vf.load_environment(config_of(**keys))
        async with self.model.serving(plans), env.serving():
            client = vf.EvalClientConfig(base_url=self.model.url)
            yield env, vf.ModelContext(model="mock", client=client, sampling=vf.SamplingConfig.model_validate({}))

    async def live(self) -> list[str]:
        """Ids of the desktops that are not closed."""
        return [env.id for env in await self.watcher.envs()]

    async def states(self) -> list[str]:
        """Ids of the saved states."""
        return [image.id for image in await self.watcher.images() if image.kind != "image"]


def config_of(**keys: Any) -> vf.EnvConfig:
    """The env's configuration, read by verifiers, without waiting where nothing is waited for."""
    tools = {"pause_s": 0, **keys.pop("tools", {})}
    task = {"tools": tools, **keys.pop("task", {})}
    taskset = {"id": "drums-verifiers", "task": task, **keys.pop("taskset", {})}
    return vf.resolve_env_config({"taskset": taskset, "settle_s": 0, **keys})
