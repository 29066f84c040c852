"""Drums for asyncio: the same names as `drums`, as coroutines; one process drives hundreds of desktops.

    async with drums.aio.connect() as client:
        async with await client.create(task="e0df059f") as env:
            await env.wait_valid()
            await env.step("pyautogui.click(960, 540)")
            reward = await env.verify()

Nothing is loaded before it is used. Errors, records, actions and rewards are those of `drums`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drums._core.settings import DEFAULT_URL as DEFAULT_URL
    from drums._core.state import State as State
    from drums.aio._client import DEFAULT_IMAGE as DEFAULT_IMAGE
    from drums.aio._client import Client as AsyncClient
    from drums.aio._client import Client as Client
    from drums.aio._connect import connect as connect
    from drums.aio._connect import env as env
    from drums.aio._env import Env as AsyncEnv
    from drums.aio._env import Env as Env
    from drums.aio._fork import ForkResult as ForkResult
    from drums.aio._guest import GuestClient as GuestClient
else:
    _HOME = {
        "DEFAULT_IMAGE": "drums.aio._client",
        "DEFAULT_URL": "drums._core.settings",
        "AsyncClient": "drums.aio._client:Client",
        "AsyncEnv": "drums.aio._env:Env",
        "Client": "drums.aio._client",
        "Env": "drums.aio._env",
        "ForkResult": "drums.aio._fork",
        "GuestClient": "drums.aio._guest",
        "State": "drums._core.state",
        "connect": "drums.aio._connect",
        "env": "drums.aio._connect",
    }

    def __getattr__(name):
        if name not in _HOME:
            message = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(message)
        from importlib import import_module  # noqa: PLC0415  # once a name

        module, _, original = _HOME[name].partition(":")
        value = globals()[name] = getattr(import_module(module), original or name)
        return value

    def __dir__():
        return sorted(__all__)


__all__ = [
    "DEFAULT_IMAGE",
    "DEFAULT_URL",
    "AsyncClient",
    "AsyncEnv",
    "Client",
    "Env",
    "ForkResult",
    "GuestClient",
    "State",
    "connect",
    "env",
]
