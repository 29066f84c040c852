"""What the tests of evaluation share: a run over a daemon in this process, records as a run makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from drums.evaluation.evaluate import Evaluation, evaluate
from drums.evaluation.results import read
from drums.evaluation.settings import Pace, Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import drums.aio
    from drums.evaluation.policy import MakePolicy
    from drums.evaluation.records import RolloutRecord
    from drums.evaluation.tape import Rollout

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
RENAME = {"type": "execute", "command": "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2", "shell": True}
SETTINGS: dict[str, Any] = {"policy": "a:policy", "pause_s": 0.0}


class Told:
    """Remembers what it is told of a run; calls `then` after each rollout."""

    def __init__(self, then: Callable[[], None] = lambda: None) -> None:
        self.begun_ids: list[str] = []
        self.records: list[RolloutRecord] = []
        self._then = then

    def begun(self, rollout: Rollout) -> None:
        self.begun_ids.append(rollout.id)

    def ended(self, record: RolloutRecord) -> None:
        self.records.append(record)
        self._then()


async def a_run(
    client: drums.aio.Client,
    policy: object,
    folder: Path,
    *,
    words: tuple[str, ...] = (RENAME_FOLDER,),
    pace: Pace | None = None,
    resume: bool = False,
    again: frozenset[Any] = frozenset(),
    told: Told | None = None,
    secrets: tuple[str, ...] = (),
    made_by: MakePolicy | None = None,
    **settings: Any,
) -> list[RolloutRecord]:
    """Run a policy over tasks; the records, by id."""
    make = made_by or cast("MakePolicy", policy if isinstance(policy, type) else lambda: policy)
    watcher = told or Told()
    asked = Evaluation(
        settings=Settings(**{**SETTINGS, **settings}),
        folder=folder,
        words=words,
        pace=pace or Pace(wait_s=5.0),
        resume=resume,
        again=again,
        secrets=secrets,
    )
    await evaluate(client, asked, make, lambda _planned, _missing: watcher)
    rollouts = read(folder).rollouts
    return [rollouts[rollout_id] for rollout_id in sorted(rollouts)]


def a_record(**facts: Any) -> RolloutRecord:
    """A scored rollout, or what the facts make of it."""
    record = {
        "kind": "rollout",
        "task_id": "t1",
        "domain": "files",
        "instruction": "Do it",
        "attempt": 0,
        "outcome": "scored",
        "score": 1.0,
        "trusted": True,
        "audit_flags": [],
        "beyond": [],
        "reasons": [],
        "bad_gates": [],
        "gates": [],
        "error": None,
        "ended": "done",
        "env": "s1",
        "parent": None,
        "turns": [],
        "last_screenshot": None,
        "started_at": 0.0,
        "seconds": 1.0,
        "play_seconds": 0.5,
        "usage": None,
        "cost": {"model": None, "host": None},
        **facts,
    }
    record.setdefault("id", f"{record['task_id']}#{record['attempt']}")
    if record["outcome"] != "scored":
        record["score"] = None
    if record["outcome"] == "error" and record["error"] is None:
        record["error"] = {"kind": "policy", "message": "it raised"}
    return cast("RolloutRecord", record)
