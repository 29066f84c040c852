"""`drums audit-task`: whether tasks may be trained on.

It parses and prints; what is played and what it means is `drums.task_audit`'s.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drums.cli._options import Json, TokenFile, Url, examples
from drums.cli._output import Output, note
from drums.cli._status import Status

if TYPE_CHECKING:
    from drums.task_audit import Subject, TaskAudit, Terms

SUFFIX = ".json"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "audit-task",
        epilog=examples(
            "drums audit-task e0df059f",
            "drums audit-task --pack builtin scheduling --rechecks 1",
            "drums audit-task my/pack/files/t1.json --json",
        ),
    )(audit_task)


def audit_task(
    tasks: Annotated[
        list[str] | None,
        typer.Argument(metavar="TASK", help="Ids of the pack (8 characters do), its domains, or files. Default: all."),
    ] = None,
    *,
    pack: Annotated[
        str,
        typer.Option(
            "--pack", metavar="PACK", help="`builtin`, or a folder of <domain>/<id>.json that the daemon knows too."
        ),
    ] = "builtin",
    rechecks: Annotated[int, typer.Option(metavar="K", min=0, help="Forks of the oracle's end state to check.")] = 3,
    concurrency: Annotated[int, typer.Option("--concurrency", "-c", metavar="N", min=1, help="Tasks at a time.")] = 2,
    image: Annotated[
        str | None, typer.Option(metavar="NAME", help="The image to use. Default: the one that a task's proof names.")
    ] = None,
    require_proof: Annotated[bool, typer.Option("--require-proof", help="Fail on a task without an oracle.")] = False,
    url: Url = None,
    token_file: TokenFile = None,
    json: Json = False,
) -> int:
    """Play tasks and tell whether their scores mean what they say.

    Right after setup a task has to score 0, its oracle 1, its near misses 0, forks of the oracle's end state the same
    again, and giving up 0 unless the task can't be done. The exit status is 0 when every task that could be played is
    sound, 1 else.
    """
    from drums.task_audit import SubjectError, Terms, passes  # noqa: PLC0415 -- only this command needs it

    try:
        subjects = _subjects(pack, tasks or [])
    except SubjectError as error:
        note(error)
        return Status.USAGE
    audits = asyncio.run(_audited(subjects, Terms(rechecks, concurrency, image), url, token_file))
    ok = passes(audits, require_proof=require_proof)
    _print(audits, Output(json), passed=ok)
    return Status.OK if ok else Status.FAILED


def _subjects(pack: str, words: list[str]) -> list[Subject]:
    from drums.task_audit import subject_of_file, subjects_of  # noqa: PLC0415 -- as above

    files = [word for word in words if word.endswith(SUFFIX)]
    named = [word for word in words if not word.endswith(SUFFIX)]
    found = [subject_of_file(Path(file)) for file in files]
    return found if files and not named else [*subjects_of(pack, named), *found]


async def _audited(subjects: list[Subject], terms: Terms, url: str | None, token_file: Path | None) -> list[TaskAudit]:
    from drums.cli._async_client import async_client  # noqa: PLC0415 -- as above
    from drums.task_audit import audit_tasks  # noqa: PLC0415 -- as above

    audits: list[TaskAudit] = []
    async with async_client(url, token_file) as client:
        async for audit in audit_tasks(client, subjects, terms):
            audits.append(audit)
            note(f"{len(audits)} of {len(subjects)}: {audit.task_id} {audit.verdict}, {audit.seconds:.1f} s")
    return sorted(audits, key=lambda audit: (audit.domain, audit.task_id))


def _print(audits: list[TaskAudit], output: Output, *, passed: bool) -> None:
    if output.as_json:
        output.document({"passed": passed, "tasks": [_record(audit) for audit in audits]})
        return
    columns = ("task", "domain", "difficulty", "start", "no-op", "FAIL", "oracle", "near misses", "rechecks", "verdict")
    output.table(columns, [_row(audit) for audit in audits])
    for audit in audits:
        for finding in audit.findings:
            output.line(f"{audit.task_id}: {finding}")
    counts = {word: sum(audit.verdict == word for audit in audits) for word in _words(audits)}
    output.line(", ".join(f"{count} {word}" for word, count in counts.items()) or "there are no such tasks")


def _words(audits: list[TaskAudit]) -> list[str]:
    return list(dict.fromkeys(audit.verdict for audit in audits))


def _row(audit: TaskAudit) -> tuple[str, ...]:
    kinds = ("start", "no_op", "fail", "oracle", "near_miss", "recheck")
    scores = (" ".join(_number(score) for score in audit.scores(kind)) or "-" for kind in kinds)
    return (audit.task_id, audit.domain, audit.difficulty or "-", *scores, audit.verdict)


def _number(score: float | None) -> str:
    return "?" if score is None else f"{score:g}"


def _record(audit: TaskAudit) -> dict[str, object]:
    return {
        "task": audit.task_id,
        "domain": audit.domain,
        "difficulty": audit.difficulty,
        "verdict": audit.verdict,
        "findings": list(audit.findings),
        "seconds": round(audit.seconds, 3),
        "plays": [
            {
                "kind": outcome.play.kind,
                "why": outcome.play.why,
                "expected": outcome.play.expected,
                "score": outcome.score,
                "flags": list(outcome.flags),
                "invalid_reasons": list(outcome.invalid),
                "checker_error": outcome.checker_error,
                "failed": outcome.failed,
                "seconds": round(outcome.seconds, 3),
            }
            for outcome in audit.outcomes
        ],
    }
