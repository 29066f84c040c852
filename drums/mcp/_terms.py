"""How an MCP server is started: which desktop, what a model may do with it, how much of it.

Only the person who starts the server decides this: no tool has an argument for any of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from drums.errors import BadRequest
from drums.screen import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX

WIDTH_PX, HEIGHT_PX = 1280, 720
LEASE_S = 60.0
"""Seconds after which a desktop that a server made ends when that server is gone; alive, it renews the lease."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a server is started.

    Raises:
        BadRequest: Two of them contradict each other, or a number is out of bounds.
    """

    env: str | None = None
    """Id of a desktop that exists already, and that outlives the server; None: the server makes one and ends it."""
    image: str | None = None
    """The image of the desktop that it makes; None: the default one."""
    task: str | None = None
    """The OSWorld task of the desktop that it makes: an id, or the path of a JSON file."""
    from_state: str | None = None
    """The saved state that it makes its desktop from, instead of an image."""
    read_only: bool = False
    """Whether a model may only look: no tool changes anything."""
    verify: bool = False
    """Whether a model may ask for its own reward. Leave it off where the reward trains or ranks anything."""
    max_calls: int | None = None
    """Calls that a model may make; None: any number."""
    max_seconds: float | None = None
    """Seconds that it may take, from its first call; None: any number."""
    width: int = WIDTH_PX
    """Of the pictures that a model gets, in pixels; its coordinates count these."""
    height: int = HEIGHT_PX
    lease_s: float = LEASE_S

    def __post_init__(self) -> None:
        if self.env is not None and (self.image or self.task or self.from_state):
            raise _bad("a desktop that exists already has its image, state and task", "Give --env alone")
        if self.image is not None and self.from_state is not None:
            raise _bad("a desktop is made from an image or a saved state, not both", "Give one of them")
        if self.max_calls is not None and self.max_calls < 1:
            raise _bad(f"max_calls is {self.max_calls}", "Give 1 or more")
        if not (2 <= self.width <= SCREEN_WIDTH_PX and 2 <= self.height <= SCREEN_HEIGHT_PX):
            raise _bad(f"pictures are {self.width}x{self.height}", "Give at least 2x2 and at most 1920x1080")
        for name, seconds in (("max_seconds", self.max_seconds), ("lease_s", self.lease_s)):
            if seconds is not None and not 0 < seconds < math.inf:
                raise _bad(f"{name} is {seconds}", "Give seconds, more than 0")


def _bad(what: str, do: str) -> BadRequest:
    return BadRequest(400, what, sent="no", tried="starting the MCP server", hint=do)
