"""What a run is: the settings that make its numbers, and the header that records them.

Invariant: two runs whose settings compare equal may share one file of results; how fast a run goes (places, waiting) is
no part of them. No secret is: a key is known here by the name of its environment variable only.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, TypedDict, cast

from drums._quote import mapping_at, redacted
from drums.evaluation.shapes import fits
from drums.screen import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT: Final = 1
"""Version of the lines in `results.jsonl`."""
LAST_MOMENT: Final = 253_402_300_799.0
"""The last Unix time that a date can show."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a model costs, in one currency per million tokens."""

    prompt: float = 0.0
    completion: float = 0.0

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """The cost of so many tokens."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1e6


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides a run's numbers."""

    policy: str
    """`module:name`, or `<model> at <base URL>`."""
    attempts: int = 1
    """Rollouts of each task."""
    max_turns: int = 15
    time_limit_s: float | None = None
    """Seconds that the policy has for a rollout, from the first look; None: no limit."""
    pause_s: float = 1.0
    """Seconds between a turn's last action and the next look."""
    image: str | None = None
    """None: the server's default."""
    fork: bool = False
    """Whether a task's attempts are forked children of one desktop."""
    width: int = 1280
    """Of the screenshots that an endpoint's model sees, in pixels."""
    height: int = 720
    images_to_keep: int = 5
    """Screenshots that stay in an endpoint's conversation."""
    body: str = "{}"
    """JSON: fields that are added to every request to an endpoint, such as a temperature."""
    prices: Prices | None = None
    """None: the model's cost is not known."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of what an endpoint's model sees."""
        return min(self.width, SCREEN_WIDTH_PX), min(self.height, SCREEN_HEIGHT_PX)

    def told(self) -> dict[str, Any]:
        """The settings as they are recorded."""
        return asdict(self) | {"policy": redacted(self.policy)}


@dataclass(frozen=True, slots=True)
class Pace:
    """How a run goes about it; no part of its settings."""

    places: int = 4
    """Desktops at a time."""
    wait_s: float = 900.0
    """Seconds to go on asking a host that is full."""
    verify_s: float = 600.0
    """Seconds that the last gate and the checker may take."""


class TaskSet(TypedDict):
    """Which tasks a run plays."""

    hash: str
    """SHA-256 over the tasks' JSON: the same tasks in the same wording have the same."""
    tasks: int


class Header(TypedDict):
    """The first line of `results.jsonl`."""

    kind: str
    format: int
    drums: str
    started_at: float
    """Unix time, in seconds."""
    settings: dict[str, Any]
    task_set: TaskSet
    server: dict[str, Any]
    """Version and machine, as the server said."""


def header_in(line: object) -> Header | None:
    """The header that the first line of results holds; None where it holds something else."""
    if not fits(line, Header):
        return None
    header = cast("Header", line)
    attempts = header["settings"].get("attempts")
    sound = header["kind"] == "run" and 0 <= header["started_at"] <= LAST_MOMENT
    return header if sound and isinstance(attempts, int) and attempts > 0 else None


def differences(before: Header, now: Header) -> list[str]:
    """What of two runs is not the same, so that their results can't be mixed; in words."""
    old, new = _facts(before), _facts(now)
    return [
        f"{name} was {old.get(name)!r} and is {new.get(name)!r}"
        for name in {**new, **old}
        if old.get(name) != new.get(name)
    ]


def _facts(header: Header) -> dict[str, object]:
    """What must be the same. A header may come from a file that somebody has changed."""
    held = cast("Mapping[str, object]", header)
    settings, task_set = (mapping_at(held, name) or {} for name in ("settings", "task_set"))
    return {**settings, "format": held.get("format"), "task set": task_set.get("hash")}
