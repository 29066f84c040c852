"""Auditing tasks before anybody trains on them: whether a task's score means what it says.

    async with drums.aio.connect("local") as client:
        async for audit in audit_tasks(client, subjects_of("builtin")):
            print(audit.task_id, audit.verdict, *audit.findings)

Right after setup a task has to score 0, its oracle 1, each near miss 0, forks of the oracle's end state the same again,
and giving up 0 unless the task can't be done. `drums audit-task` is this as a command.
"""

from drums.task_audit._pack import BUILTIN, Subject, SubjectError, subject_of_file, subjects_of
from drums.task_audit._plays import Play, plays_of
from drums.task_audit._run import Terms, audit_task, audit_tasks
from drums.task_audit._verdict import Outcome, TaskAudit, finding, passes, verdict_of

__all__ = [
    "BUILTIN",
    "Outcome",
    "Play",
    "Subject",
    "SubjectError",
    "TaskAudit",
    "Terms",
    "audit_task",
    "audit_tasks",
    "finding",
    "passes",
    "plays_of",
    "subject_of_file",
    "subjects_of",
    "verdict_of",
]
