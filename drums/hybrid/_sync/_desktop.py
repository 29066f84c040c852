# Generated from drums/hybrid/aio/_desktop.py by tools/generate_sync.py. Edit that file.
"""What all tools over one env share: how an action gets there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drums._sync._env import Env
    from drums.actions import Action


class Desktop:
    """One env, as the tools use it.

    Args:
        env: The env.
    """

    def __init__(self, env: Env) -> None:
        self.env = env

    def gesture(self, action: Action) -> None:
        """Do one action of mouse or keyboard."""
        self.env.step(action)
