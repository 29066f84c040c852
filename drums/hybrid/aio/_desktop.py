"""What all tools over one env share: how an action gets there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drums.actions import Action
    from drums.aio._env import Env


class Desktop:
    """One env, as the tools use it.

    Args:
        env: The env.
    """

    def __init__(self, env: Env) -> None:
        self.env = env

    async def gesture(self, action: Action) -> None:
        """Do one action of mouse or keyboard."""
        await self.env.step(action)
