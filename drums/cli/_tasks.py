"""`drums tasks`: the tasks that a daemon knows, one of them, and which of a set of tasks can be used here.

It parses and prints. `--coverage` needs no daemon: what stands in the way of a task is read off its file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from drums.cli._complete import task_ids
from drums.cli._options import Json, TokenFile, Url, examples
from drums.cli._output import Misused, Output
from drums.cli._server import connected

if TYPE_CHECKING:
    from drums.local.osworld.coverage import Coverage
    from drums.local.osworld.library import TaskLibrary

WORDS = {
    "runnable": "runnable",
    "files": "with files",
    "image": "with apps",
    "refused": "refused",
}
"""The columns of the account, by status."""
EXPLAINED = {
    "files": "Lack files in the cache",
    "image": "Lack applications in the images",
    "refused": "Refused",
}


def register(app: typer.Typer) -> None:
    """Add `tasks`."""
    app.command(
        "tasks",
        epilog=examples("drums tasks", "drums tasks e0df059f --json", "drums tasks --coverage"),
    )(tasks)


def tasks(
    task: Annotated[
        str | None,
        typer.Argument(metavar="TASK", help="Id of one task (8 characters do).", autocompletion=task_ids),
    ] = None,
    *,
    domain: Annotated[str | None, typer.Option(metavar="NAME", help="Only this domain's.")] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Tell which tasks can be used here and why not the others; no daemon.")
    ] = False,
    osworld: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="With --coverage: a checkout of OSWorld. Default: $DRUMS_OSWORLD."),
    ] = None,
    packs: Annotated[
        list[Path] | None, typer.Option("--tasks", metavar="DIR", help="With --coverage: a folder of tasks.")
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option("--osworld-cache", metavar="DIR", help="With --coverage: where the files are that tasks name."),
    ] = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """List the tasks that a daemon knows, or show one."""
    out = Output(as_json)
    if coverage:
        _tell_coverage(out, _library(osworld, packs or [], cache), task, domain)
        return
    if osworld or packs or cache:
        raise Misused("--osworld, --tasks and --osworld-cache go with --coverage; a daemon has its own (`drums up`)")
    with connected(url, token_file) as server:
        if task is None:
            _tell_list(out, server.client.tasks(domain))
        else:
            _tell_task(out, server.client.task(task))


def _tell_list(out: Output, listed: Sequence[Mapping[str, Any]]) -> None:
    if out.as_json:
        out.document(list(listed))
    else:
        out.table(
            ("id", "domain", "instruction"),
            [(one["id"], one.get("domain"), " ".join(str(one.get("instruction") or "").split())) for one in listed],
        )


def _tell_task(out: Output, found: Mapping[str, Any]) -> None:
    if out.as_json:
        out.document(found)
        return
    evaluator = _object(found.get("evaluator"))
    func = evaluator.get("func")
    out.pairs(
        [
            ("id", found.get("id")),
            ("apps", ", ".join(map(str, _list(found.get("related_apps"))))),
            ("instruction", found.get("instruction")),
            ("setup", _steps(found.get("config"))),
            ("before the check", _steps(evaluator.get("postconfig"))),
            ("checker", " ".join(map(str, _list(func))) or func),
        ]
    )


def _steps(steps: object) -> str | None:
    return ", ".join(str(_object(step).get("type")) for step in _list(steps)) or None


def _library(osworld: Path | None, packs: Sequence[Path], cache: Path | None) -> TaskLibrary:
    from drums.local.osworld import TaskError, TaskSources  # noqa: PLC0415 -- only this option needs it

    named = osworld or TaskSources.from_environment().osworld
    try:
        return TaskSources(named, tuple(packs), cache).library()
    except TaskError as error:
        raise Misused(str(error)) from error


def _tell_coverage(out: Output, library: TaskLibrary, task: str | None, domain: str | None) -> None:
    from drums.local.osworld import TaskError  # noqa: PLC0415 -- as above
    from drums.local.osworld.coverage import coverage  # noqa: PLC0415 -- as above

    try:
        wanted = None if task is None else library.raw(task)["id"]
    except TaskError as error:
        raise Misused(str(error)) from error
    account = [one for one in coverage(library, _images()) if wanted in {None, one.id} and domain in {None, one.domain}]
    if out.as_json:
        task_set = {"tasks": library.task_set.tasks, "sha256": library.task_set.digest}
        out.document({"task_set": task_set, "cache": library.cache.folder, "tasks": [asdict(one) for one in account]})
    elif task is not None:
        for one in account:
            _tell_one(out, one)
    else:
        _tell_account(out, library, account)


def _images() -> dict[str, tuple[str, ...]]:
    """The packages of each image that there is a recipe for, the smallest first."""
    from drums.local.machines.runc import recipe  # noqa: PLC0415 -- as above

    known = {name: recipe.load(name).packages for name in recipe.known()}
    return dict(sorted(known.items(), key=lambda image: len(image[1])))


def _tell_one(out: Output, one: Coverage) -> None:
    out.pairs(
        [
            ("id", one.id),
            ("domain", one.domain),
            ("status", WORDS[one.status]),
            ("reason", one.reason),
            ("where", one.detail),
            ("image", one.image),
            ("apps", ", ".join(one.apps) or None),
            *(("missing file", url) for url in one.missing_files),
        ]
    )


def _tell_account(out: Output, library: TaskLibrary, account: list[Coverage]) -> None:
    from drums.local.osworld.coverage import STATUSES, by_domain, reasons  # noqa: PLC0415 -- as above

    rows = by_domain(account)
    out.table(
        ("domain", "tasks", *WORDS.values(), "missing files"),
        [(row.domain, row.tasks, *(row.by_status[status] for status in STATUSES), row.missing_files) for row in rows],
    )
    for status, title in EXPLAINED.items():
        if counted := reasons(account, cast("Any", status)):
            out.line()
            out.line(f"{title}:")
            out.table(("tasks", "reason"), [(count, reason) for reason, count in counted])
    out.line()
    out.pairs([("task set", f"{library.task_set.tasks} tasks, sha256 {library.task_set.digest}")])
    out.pairs([("cache", library.cache.folder)])


def _object(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []
