"""What one sees of a desktop: a screenshot with what it is of, and what a step replied.

It fetches nothing and decodes no picture; it reads the size from the PNG's header. The one invariant: a size that is
given is that of a well-formed header within `MAX_SIDE_PX`, so that it is safe to decode by it.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, Self, TypedDict, cast
from zlib import crc32

from drums.errors import ProtocolError
from drums.records import StepReply

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_SIDE_PX: Final = 16_384
"""No desktop is wider or higher; a header that says so is not believed."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_IHDR_END = 33
"""Bytes to the end of the first chunk: signature 8, length 4, `IHDR` 4, its 13 bytes, checksum 4."""


class ObservationMeta(TypedDict):
    """What an observation is of."""

    env: str
    episode: int | None
    state: str | None
    verdict: str | None
    task_id: str | None
    instruction: str | None
    steps: int
    t: float


def png_size(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG in pixels, from its header.

    Raises:
        ProtocolError: It is no PNG, or its header is damaged or beyond all sense.
    """
    head = bytes(png[:_IHDR_END])
    if len(head) < _IHDR_END or head[:8] != _SIGNATURE or head[8:16] != b"\x00\x00\x00\rIHDR":
        raise ProtocolError(200, f"expected a PNG picture, got {len(png)} bytes of something else")
    if crc32(head[12:29]) != int.from_bytes(head[29:33], "big"):
        raise ProtocolError(200, "expected a PNG picture, got one whose header is damaged")
    width, height = int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if not (0 < width <= MAX_SIDE_PX and 0 < height <= MAX_SIDE_PX):
        raise ProtocolError(200, f"expected a screen of at most {MAX_SIDE_PX} pixels a side, got {width}x{height}")
    return width, height


class Observation:  # noqa: PLW1641  # not hashable: `meta` is a dict
    """A screenshot and what it is of.

    Args:
        png: The picture, as the server sent it.
        meta: Env, episode, state, verdict, task_id, instruction, steps so far and t, the Unix time in seconds.
    """

    __slots__ = ("meta", "png")

    def __init__(self, png: bytes, meta: ObservationMeta | None = None) -> None:
        self.png: bytes = png
        self.meta: ObservationMeta = meta if meta is not None else cast("ObservationMeta", {})

    @property
    def width(self) -> int:
        """Width of the screen in pixels."""
        return png_size(self.png)[0]

    @property
    def height(self) -> int:
        """Height of the screen in pixels."""
        return png_size(self.png)[1]

    def __eq__(self, other: object) -> bool:
        return (self.png, self.meta) == (other.png, other.meta) if isinstance(other, Observation) else NotImplemented

    def __repr__(self) -> str:
        env = self.meta.get("env")
        of = f" of {env}" if env else ""
        return f"<Observation{of}, {len(self.png)} bytes>"


class StepResult(StepReply):
    """What a step did: reads like the server's reply, by attribute and by name, with the screen if it was asked for.

    Args:
        reply: The server's reply.
        observation: The screen after the step; it is no part of the mapping.
    """

    __slots__ = ("_observation",)

    _observation: Observation | None

    def __init__(self, reply: Mapping[str, Any], observation: Observation | None = None) -> None:
        super().__init__(reply)
        object.__setattr__(self, "_observation", observation)

    @property
    def observation(self) -> Observation | None:
        """The screen after the step, with `step(..., screenshot=True)`; else None."""
        return self._observation

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self), self._observation)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return type(self)(deepcopy(dict(self), memo), deepcopy(self._observation, memo))
