"""The pack of tasks that comes with the daemon: its files, its proofs, and every proof on a simulated desktop."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

import pytest

from drums.actions import SIGNALS, action
from drums.local.faults import Faults
from drums.local.machines.machine import CheckpointId, SlotId
from drums.local.machines.sim import SimMachine
from drums.local.osworld import TaskLibrary, check, check_again, own_pack, set_up
from drums.local.osworld.errors import TaskMalformed
from drums.local.osworld.proofs import own_proofs, read_proof

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drums.actions import Action
    from drums.local.machines.machine import Desktop
    from drums.local.osworld import LoadedTask, Signal

PACK = Path(str(own_pack()))
LIBRARY = TaskLibrary()
PROOFS = own_proofs()
SIMULATED = sorted(task_id for task_id, proof in PROOFS.items() if proof.sim)
CRON = "crontab - <<'EOF'\n{}\nEOF"
A_PROOF: dict[str, Any] = {
    "difficulty": "easy",
    "sim": True,
    "image": "osworld-ubuntu",
    "oracle": ["FAIL"],
    "near_misses": [{"why": "One.", "actions": ["DONE"]}, {"why": "Another.", "actions": ["DONE"]}],
}


async def no_wait(_: float) -> None:
    """A simulated desktop is never waited for."""


async def a_desktop() -> Desktop:
    """A fresh desktop."""
    return await SimMachine(Faults()).create(SlotId("s1"), CheckpointId("osworld-ubuntu"))


async def begin(task_id: str, desktop: Desktop) -> LoadedTask:
    """A task's setup on a fresh desktop."""
    task = LIBRARY.find(task_id)
    await set_up(task, desktop, sleep=no_wait)
    return task


async def act(desktop: Desktop, actions: Sequence[Action]) -> Signal | None:
    """Do actions as an env does them; the signal, where the last one is one."""
    last: Signal | None = None
    for each in actions:
        fields = cast("dict[str, Any]", action(each))
        last = fields["name"] if fields["type"] == "signal" else None
        match fields["type"]:
            case "pyautogui":
                await desktop.pyautogui(fields["code"])
            case "execute":
                await desktop.execute(fields["command"], fields["shell"])
            case "launch":
                await desktop.launch(fields["command"], fields["shell"])
            case kind:
                assert kind in {"signal", "sleep"}, kind
    return last


async def scores(task: LoadedTask, desktop: Desktop, last: Signal | None) -> set[float | None]:
    """What the task's checkers say, the second one too where it has one."""
    first = await check(task, desktop, last_signal=last, sleep=no_wait)
    second = await check_again(task, desktop)
    assert first.checker_error is None, first
    return {first.score} if second is None else {first.score, second.score}


@pytest.mark.parametrize("task_id", SIMULATED)
async def test_only_the_oracle_solves_a_task(task_id: str) -> None:
    proof = PROOFS[task_id]

    desktop = await a_desktop()
    assert await scores(await begin(task_id, desktop), desktop, None) == {0.0}, "it is solved from the start"
    desktop = await a_desktop()
    task = await begin(task_id, desktop)
    assert await scores(task, desktop, await act(desktop, proof.oracle)) == {1.0}, "the oracle does not solve it"
    for miss in proof.near_misses:
        desktop = await a_desktop()
        task = await begin(task_id, desktop)
        last = await act(desktop, miss.actions)
        assert (await check(task, desktop, last_signal=last, sleep=no_wait)).score == 0.0, miss.why


@pytest.mark.parametrize(
    ("task_id", "line"),
    [
        ("fe2d3021", "30 2 * * * ~/bin/backup.sh"),
        ("fe2d3021", "30 02 * * *\t$HOME/bin/backup.sh >/dev/null 2>&1"),
        ("fe2d3021", "# every night\n30  2 * * *  /bin/bash /home/user/bin/backup.sh >> /home/user/backup.log 2>&1"),
        ("dc0702c6", "0,15,30,45 8-17 * * 1,2,3,4,5 sh ~/bin/poll.sh"),
        ("dc0702c6", "0-59/15 08-17 * * mon-fri /home/user/bin/poll.sh"),
        ("dc0702c6", "*/15 8,9,10,11,12,13,14,15,16,17 * * Mon-Fri /home/user/bin/poll.sh"),
    ],
)
async def test_a_job_may_be_written_in_any_way_that_means_the_same(task_id: str, line: str) -> None:
    desktop = await a_desktop()
    task = await begin(task_id, desktop)

    await act(desktop, [{"type": "execute", "command": CRON.format(line), "shell": True}])

    assert await scores(task, desktop, None) == {1.0}


def test_every_task_has_a_proof_and_every_proof_a_task() -> None:
    assert set(PROOFS) == {summary.id for summary in LIBRARY.summaries()}


def test_the_pack_is_as_large_and_as_mixed_as_it_says() -> None:
    tasks = [LIBRARY.find(task_id) for task_id in PROOFS]
    by_difficulty = Counter(proof.difficulty for proof in PROOFS.values())

    assert len(tasks) >= 60
    assert len(SIMULATED) >= 50
    assert min(by_difficulty[word] for word in ("easy", "medium", "hard")) >= 10
    assert sum(task.evaluator.infeasible for task in tasks) >= 6
    assert sum(proof.image == "office" for proof in PROOFS.values()) >= 8
    assert sum(any(isinstance(each, str) and each not in SIGNALS for each in p.oracle) for p in PROOFS.values()) >= 4


@pytest.mark.parametrize("task_id", sorted(PROOFS))
def test_a_task_is_told_apart_and_told_shortly(task_id: str) -> None:
    (path,) = PACK.glob(f"*/{task_id}.json")
    task = LIBRARY.find(task_id)

    assert str(UUID(task.id)) == task.id == path.stem
    assert 20 <= len(task.instruction) <= 300
    assert not re.search(r"\b(checker|evaluat\w*|score|exact_match|md5)\b", task.instruction)
    assert task.config, "a task begins with a setup that can fail"
    assert task.related_apps


def test_instructions_and_short_ids_are_unique() -> None:
    instructions = [summary.instruction for summary in LIBRARY.summaries()]

    assert len(set(instructions)) == len(instructions) == len({task_id[:8] for task_id in PROOFS})


def test_every_file_of_the_pack_is_used() -> None:
    used = "".join(path.read_text() for path in PACK.glob("*/*.json"))

    assert [path.name for path in (PACK / "files").iterdir() if f'"{path.name}"' not in used] == []


@pytest.mark.skipif("DRUMS_OSWORLD" not in os.environ, reason="DRUMS_OSWORLD names no checkout of OSWorld")
def test_no_instruction_is_one_of_osworlds() -> None:
    theirs = _words_of(Path(os.environ["DRUMS_OSWORLD"]))

    assert [each.id for each in LIBRARY.summaries() if _plain(each.instruction) in theirs] == []


@cache
def _words_of(checkout: Path) -> frozenset[str]:
    found = [json.loads(path.read_text()) for path in checkout.glob("**/examples/*/*.json")]
    assert found
    return frozenset(_plain(task["instruction"]) for task in found)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"difficulty": "impossible"}, "proof.difficulty"),
        ({"image": ""}, "proof.image"),
        ({"sim": 1}, "proof.sim"),
        ({"oracle": []}, "proof.oracle"),
        ({"oracle": [{"type": "dance"}]}, "proof.oracle[0]"),
        ({"near_misses": A_PROOF["near_misses"][:1]}, "proof.near_misses"),
        ({"near_misses": [{"why": "", "actions": ["DONE"]}] * 2}, "proof.near_misses[0].why"),
        ({"near_misses": [{"why": "It is.", "actions": []}] * 2}, "proof.near_misses[0].actions"),
        ({"notes": ""}, "proof.notes"),
    ],
)
def test_a_proof_that_is_none_is_refused_with_the_place(change: dict[str, Any], place: str) -> None:
    assert read_proof(A_PROOF).oracle == ("FAIL",)

    with pytest.raises(TaskMalformed) as refused:
        read_proof({**A_PROOF, **change})
    assert refused.value.where == place
