"""Which tasks can be used here, and what stands in the way of the others.

It reads tasks and looks at the cache and at the recipes of images; it starts no desktop. Invariant: every task is in
exactly one row of the account, with a reason unless it can be run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .errors import TaskError, TaskUnsupported

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from .library import TaskLibrary
    from .task import TaskSummary

Status = Literal["runnable", "files", "image", "refused"]
STATUSES: tuple[Status, ...] = ("runnable", "files", "image", "refused")


@dataclass(frozen=True, slots=True)
class Coverage:
    """What can be said of one task."""

    id: str
    domain: str
    status: Status
    """`runnable`; `files`: once the files that the cache lacks are there; `image`: in an image with more in it;
    `refused`: not at all."""
    reason: str | None
    """What is lacking, in the same words for all tasks that lack it."""
    detail: str | None
    """Where in the task that is."""
    image: str | None
    """An image that has what the task needs."""
    apps: tuple[str, ...] = ()
    """The applications that it needs, of those that images differ in."""
    missing_files: tuple[str, ...] = ()
    """The URLs of the files that the cache lacks."""
    files: int = 0
    """How many files it names by URL."""


def coverage(library: TaskLibrary, images: Mapping[str, Collection[str]]) -> list[Coverage]:
    """The account of all tasks, by domain and id.

    Args:
        library: The tasks.
        images: The packages of each image, the plainest image first.
    """
    return [_of_task(library, summary, images) for summary in library.summaries()]


def _of_task(library: TaskLibrary, summary: TaskSummary, images: Mapping[str, Collection[str]]) -> Coverage:
    try:
        task = library.find(summary.id, demand_files=False)
    except TaskUnsupported as error:
        return Coverage(summary.id, summary.domain, "refused", error.lacking, str(error), None)
    except TaskError as error:
        return Coverage(summary.id, summary.domain, "refused", "it is malformed", str(error), None)
    apps, missing = task.needs.apps, tuple(file.url for file in task.missing)
    image = next((name for name, packages in images.items() if not task.needs.lacking(packages)), None)
    status: Status = "runnable"
    reason = None
    if image is None:
        nowhere = task.needs.lacking(frozenset[str]().union(*images.values()))
        status, reason = "image", f"no image has {' and '.join(nowhere or apps)}"
    elif missing:
        status, reason = "files", "files that the cache lacks"
    return Coverage(summary.id, summary.domain, status, reason, None, image, apps, missing, len(task.files))


@dataclass(frozen=True, slots=True)
class Row:
    """The account of one domain, or of all."""

    domain: str
    tasks: int
    by_status: Mapping[Status, int]
    missing_files: int
    """Of the tasks that only lack files."""


def by_domain(account: Iterable[Coverage]) -> list[Row]:
    """A row for each domain, and one for all of them at the end."""
    listed = list(account)
    domains = dict.fromkeys(one.domain for one in listed)
    return [
        *(_row(domain, [one for one in listed if one.domain == domain]) for domain in domains),
        _row("all", listed),
    ]


def reasons(account: Iterable[Coverage], status: Status) -> list[tuple[str, int]]:
    """Why tasks have that status, and how many for each reason; the most frequent first."""
    counted = Counter(one.reason for one in account if one.status == status and one.reason)
    return sorted(counted.items(), key=lambda counted: (-counted[1], counted[0]))


def _row(domain: str, listed: list[Coverage]) -> Row:
    counted = Counter(one.status for one in listed)
    files = {url for one in listed if one.status == "files" for url in one.missing_files}
    return Row(domain, len(listed), {status: counted[status] for status in STATUSES}, len(files))
