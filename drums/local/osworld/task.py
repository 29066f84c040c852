"""A task that was read: what the domain holds, sets up after every reset, and checks.

It is OSWorld's task format; unknown top-level keys are kept and ignored. Invariant: a LoadedTask can
be set up and checked here as far as its JSON tells; everything that is not built was refused when it was read.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from .cache import CachedFile, FileCache, FileUnavailable, absent
from .errors import SetupFailed, TaskMalformed, TaskUnsupported
from .evaluate import CHECK_TIMEOUT_S, Evaluator, Signal, Verdict, judge, read_evaluator
from .fields import Fields, Json, kind, texts
from .getters import ACCESSIBLE
from .needs import Needs, needs_of
from .reading import Reading
from .scope import Scope, read_scope
from .stage import Stage
from .steps import Step, read_steps, run_strictly

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from importlib.resources.abc import Traversable

    from drums.local.machines.machine import Desktop

    Sleep = Callable[[float], Awaitable[None]]

OWN_DOMAIN = "custom"
"""The domain of a task object that names no app and comes from no pack."""


@dataclass(frozen=True, slots=True)
class TaskSummary:
    """What a list of tasks shows of one."""

    id: str
    domain: str
    instruction: str
    related_apps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LoadedTask(TaskSummary):
    """A task that can be set up and checked here."""

    raw: Mapping[str, object] = field(repr=False)
    """The task's JSON as it came."""
    config: tuple[Step, ...] = field(repr=False)
    evaluator: Evaluator = field(repr=False)
    scope: Scope | None = field(repr=False)
    """What the episode may touch; None: anything."""
    files: tuple[CachedFile, ...] = field(repr=False)
    """The files that it names by URL: what setup and checker need of the web."""
    cache: FileCache = field(repr=False)
    """Where those files are."""

    @property
    def needs(self) -> Needs:
        """What a desktop must have for it."""
        return needs_of(self.raw, self.domain, infeasible=self.evaluator.infeasible)

    @property
    def missing(self) -> tuple[CachedFile, ...]:
        """The files that the cache lacks."""
        return tuple(file for file in self.files if not file.there)

    def demand_files(self) -> None:
        """See that every file is there, or may be fetched.

        Raises:
            TaskUnsupported: One is neither; the message names its URL, where to put it, and how many there are.
        """
        missing = self.missing
        if missing and not self.cache.fetches:
            first, *others = missing
            more = f" ({len(others)} more are missing)" if others else ""
            raise TaskUnsupported(f"task {self.id}: {absent(first)}{more}", "files that the cache lacks")

    @property
    def summary(self) -> TaskSummary:
        """What a list of tasks shows of it."""
        return TaskSummary(self.id, self.domain, self.instruction, self.related_apps)


def read_summary(value: Json, domain: str | None = None) -> TaskSummary:
    """A task's summary, whether or not the task is supported.

    Raises:
        TaskMalformed: The object is not an OSWorld task.
    """
    fields = Fields.of(value, "task")
    apps = texts(fields.items("related_apps"), fields.at("related_apps"))
    return TaskSummary(fields.text("id"), domain or _domain(fields, apps), fields.text("instruction"), apps)


def read_task(
    value: Json,
    domain: str | None = None,
    *,
    cache: FileCache | None = None,
    assets: Traversable | None = None,
) -> LoadedTask:
    """A task as OSWorld writes it, ready to be set up once its files are there.

    Args:
        value: The JSON object.
        domain: The domain of the pack it is from; None: the app that it names.
        cache: Where the files are that it names by URL; None: the default folder, and nothing is fetched.
        assets: The folder of files of the pack it is from; None: it may name none.

    Raises:
        TaskMalformed: The object is not an OSWorld task; the message names the place.
        TaskUnsupported: A step, getter, checker or option in it is not built here; the message names it.
    """
    summary = read_summary(value, domain)
    fields = Fields.of(value, "task")
    if fields.get("evaluator") is None:
        raise TaskMalformed(fields.at("evaluator"), "is missing")
    reading = Reading(summary.id, cache or FileCache(), assets, accessible=_is_accessible(fields))
    config = read_steps(fields.items("config"), fields.at("config"), reading)
    if fields.get("proxy") is True:
        what = "the web (proxy), and desktops have no network"
        raise TaskUnsupported(f"{fields.at('proxy')}: the task needs {what}", what)
    return LoadedTask(
        id=summary.id,
        domain=summary.domain,
        instruction=summary.instruction,
        related_apps=summary.related_apps,
        raw=cast("dict[str, object]", value),
        config=config,
        evaluator=read_evaluator(fields.get("evaluator"), reading),
        scope=read_scope(fields.get("scope"), fields.at("scope")),
        files=tuple(dict.fromkeys(reading.files)),
        cache=reading.cache,
    )


def _is_accessible(fields: Fields) -> bool:
    """Whether the task is judged by what programs tell of their widgets."""
    result = Fields.of(fields.get("evaluator"), fields.at("evaluator")).get("result")
    getters = cast("list[Json]", result) if isinstance(result, list) else [result]
    return any(isinstance(one, dict) and str(cast("dict[str, Json]", one).get("type")) in ACCESSIBLE for one in getters)


def _domain(fields: Fields, apps: tuple[str, ...]) -> str:
    snapshot = fields.get("snapshot")
    if snapshot is not None and not isinstance(snapshot, str):
        raise TaskMalformed(fields.at("snapshot"), f"expected text, got {kind(snapshot)}")
    return snapshot or (apps[0] if apps else OWN_DOMAIN)


async def set_up(task: LoadedTask, desktop: Desktop, *, sleep: Sleep = asyncio.sleep) -> None:
    """Prepare the desktop for the task; after every create and reset, before the agent acts.

    The task's references are fetched now too, so that a missing one costs no episode.

    Args:
        task: What to prepare it for.
        desktop: A desktop fresh from its image or state.
        sleep: How `sleep` steps wait, in seconds.

    Raises:
        SetupFailed: A step did not happen. The episode must not start.
        DesktopGone: There is no desktop any more.
    """
    for file in task.files:
        try:
            await task.cache.have(file)
        except FileUnavailable as error:
            raise SetupFailed("files", str(error)) from error
    await run_strictly(task.config, Stage(desktop, sleep), task.id)


async def check(
    task: LoadedTask,
    desktop: Desktop,
    *,
    last_signal: Signal | None = None,
    postconfig: bool = True,
    timeout_s: float = CHECK_TIMEOUT_S,
    sleep: Sleep = asyncio.sleep,
) -> Verdict:
    """Score the desktop as it is now.

    Args:
        task: What the agent was to do.
        desktop: The desktop it left.
        last_signal: What the agent's last action said, if it was a signal: FAIL scores 1 where the task is infeasible
            and 0 everywhere else.
        postconfig: Whether to run the task's steps before the check; False for a second look, or one at the start.
        timeout_s: The longest that it may take.
        sleep: How `sleep` steps wait, in seconds.

    Raises:
        DesktopGone: There is no desktop any more.
    """
    return await judge(
        task.evaluator, desktop, last_signal=last_signal, postconfig=postconfig, timeout_s=timeout_s, sleep=sleep
    )


async def check_again(task: LoadedTask, desktop: Desktop, *, timeout_s: float = CHECK_TIMEOUT_S) -> Verdict | None:
    """Score the desktop by the task's independent second evaluator (`evaluator.redundant`), after the first one.

    Args:
        task: What the agent was to do.
        desktop: The desktop as the first evaluator left it.
        timeout_s: The longest that it may take.

    Returns:
        What it found; None where the task names no second evaluator.

    Raises:
        DesktopGone: There is no desktop any more.
    """
    second = task.evaluator.redundant
    if second is None:
        return None
    return await judge(second, desktop, last_signal=None, postconfig=False, timeout_s=timeout_s, sleep=asyncio.sleep)
