"""Tries the examples: generate, build and run each against one local daemon, and compare what they say.

Invariant: a language whose tools are not here is said aloud and skipped; one whose tools are here must work.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import drums.local
from tools._clients.languages import ClientError, Language, run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drums.local import InProcess

EXPECTED = (
    "screen 1920 x 1080",
    "scores 0 1 0",
    "no such desktop: 404 not_found",
    "pages of 2: 2 1",
    "closed 3",
)
"""What every example writes, whatever the language."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one language."""

    language: str
    status: Literal["passed", "failed", "skipped"]
    detail: str
    seconds: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """To generate, to build, to run."""


def tried(languages: Iterable[Language]) -> list[Trial]:
    """Try languages one after the other, all against the same daemon."""
    with drums.local.serving() as daemon:
        return [_tried(language, daemon) for language in languages]


def _tried(language: Language, daemon: InProcess) -> Trial:
    missing = language.missing()
    if missing:
        return Trial(language.title, "skipped", f"{' and '.join(missing)} not found on PATH")
    marks = [time.monotonic()]
    try:
        language.generate(language.folder / "api")
        marks.append(time.monotonic())
        for command in language.build:
            run(command, language.folder, language.environment)
        marks.append(time.monotonic())
        said = run(language.start, language.folder, {"DRUMS_URL": str(daemon.url), "DRUMS_TOKEN": daemon.token})
    except (ClientError, OSError) as error:
        return Trial(language.title, "failed", str(error))
    marks.append(time.monotonic())
    seconds = (marks[1] - marks[0], marks[2] - marks[1], marks[3] - marks[2])
    lines = tuple(said.splitlines())
    if lines != EXPECTED:
        return Trial(language.title, "failed", f"wrote {lines} instead of {EXPECTED}", seconds)
    return Trial(
        language.title, "passed", "created, looked, forked, verified, handled an error, paged, closed", seconds
    )
