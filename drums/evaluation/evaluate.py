"""One evaluation from the first question to the last line: which tasks, which run, play; then sum up what there is.

`drums eval` adds options, signals and progress bars. Invariant: what is refused is refused before a desktop is made.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from drums._version import __version__
from drums.evaluation.choice import ALL, chosen_tasks, hash_of
from drums.evaluation.report import write_report
from drums.evaluation.results import Results, read
from drums.evaluation.run import Plays, Run
from drums.evaluation.settings import FORMAT, Header, Pace, Settings
from drums.evaluation.summary import Summary, summary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import drums.aio
    from drums.evaluation.choice import Chosen
    from drums.evaluation.policy import MakePolicy
    from drums.evaluation.records import Outcome
    from drums.evaluation.report import Report
    from drums.evaluation.run import Watcher
    from drums.records import Health


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is asked for."""

    settings: Settings
    folder: Path
    """Where results, screenshots and the report go."""
    words: Sequence[str] = (ALL,)
    """Which tasks: see `chosen_tasks`."""
    pace: Pace = field(default_factory=Pace)
    resume: bool = False
    """Whether a run that is in the folder is gone on with."""
    again: frozenset[Outcome] = frozenset()
    """Outcomes of recorded rollouts that are played once more."""
    secrets: Sequence[str] = ()
    """What must never be written."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What came of it."""

    summary: Summary
    report: Report
    planned: int
    """Rollouts that the run has when it is complete."""
    recorded: int
    """Rollouts that are recorded."""


async def evaluate(
    client: drums.aio.Client, asked: Evaluation, make_policy: MakePolicy, watching: Callable[[int, int], Watcher]
) -> None:
    """Play what is missing of an evaluation; `summed_up` then tells what it came to, also after an interruption.

    Args:
        client: The server. It owns the desktops: enter it with `async with`, so that an interruption leaves none.
        asked: What to do.
        make_policy: Makes the policy, once for every rollout.
        watching: Makes who is told how it goes, from the numbers of rollouts in all and of those to be played now.

    Raises:
        BadRequest: There are no such tasks, or the folder holds another run.
        DrumsError: The server can't be asked for its tasks.
        OSError: Results can't be written.
    """
    health = await client.health()
    tasks = await chosen_tasks(client, asked.words)
    plays = Plays(tasks, make_policy, asked.settings, asked.pace, asked.again)
    header = header_of(asked.settings, tasks, health)
    planned = len(tasks) * asked.settings.attempts
    with Results(asked.folder, header, secrets=asked.secrets, resume=asked.resume) as results:
        watcher = watching(planned, len(plays.missing(results.rollouts)))
        await Run(client, health, plays, results, watcher).play()


def summed_up(folder: Path) -> Evaluated:
    """The summary of what a run has recorded so far, and the report beside it.

    Raises:
        BadRequest: The folder has no results.
        OSError: The report can't be written.
    """
    held = read(folder)
    attempts = int(held.header["settings"]["attempts"])
    planned = held.header["task_set"]["tasks"] * attempts
    records = list(held.rollouts.values())
    summary = summary_of(records, attempts)
    return Evaluated(summary, write_report(folder, held.header, records, summary, planned), planned, len(records))


def header_of(settings: Settings, tasks: Sequence[Chosen], health: Health) -> Header:
    """A run's header."""
    return {
        "kind": "run",
        "format": FORMAT,
        "drums": __version__,
        "started_at": time.time(),
        "settings": settings.told(),
        "task_set": {"hash": hash_of(task.task for task in tasks), "tasks": len(tasks)},
        "server": {"version": health.version, "machine": health.machine},
    }
