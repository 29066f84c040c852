"""Auditing over a daemon in this process: sound and unsound tasks, and that nothing is left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import drums.aio
from drums.local.osworld.proofs import read_proof
from drums.task_audit import Subject, SubjectError, TaskAudit, Terms, audit_tasks, subject_of_file, subjects_of

if TYPE_CHECKING:
    from pathlib import Path

MAKE = "mkdir ~/Desktop/made"


def task(command: str, *, expected: str = "yes\n", setup: str = "true") -> dict[str, Any]:
    """A task whose checker compares what a command prints."""
    return {
        "id": "11111111-2222-4333-8444-555555555555",
        "instruction": "Make a folder.",
        "related_apps": ["os"],
        "config": [{"type": "execute", "parameters": {"command": setup, "shell": True}}],
        "evaluator": {
            "func": "exact_match",
            "result": {"type": "vm_command_line", "command": command, "shell": True},
            "expected": {"type": "rule", "rules": {"expected": expected}},
        },
    }


SOUND = task("[ -d ~/Desktop/made ] && echo yes || echo no")


def subject(
    raw: dict[str, Any], *, oracle: str = MAKE, miss: str = "touch ~/Desktop/made", sim: bool = True
) -> Subject:
    def shell(command: str) -> list[object]:
        return [{"type": "execute", "command": command, "shell": True}]

    misses = [{"why": "a file", "actions": shell(miss)}, {"why": "elsewhere", "actions": shell("mkdir ~/made")}]
    proof: dict[str, object] = {"difficulty": "easy", "sim": sim, "image": "office", "oracle": shell(oracle)}
    return Subject(raw["id"], "files", read_proof(proof | {"near_misses": misses}), raw)


async def audited(one: Subject, rechecks: int = 1) -> TaskAudit:
    async with drums.aio.connect("local") as client:
        audits = [audit async for audit in audit_tasks(client, [one], Terms(rechecks))]
        assert await client.envs() == []
        assert [image for image in await client.images() if image.kind == "state"] == []
    return audits[0]


async def test_a_sound_task() -> None:
    audit = await audited(subject(SOUND), rechecks=2)
    assert (audit.verdict, audit.findings) == ("sound", ())
    assert audit.scores("oracle") == [1.0]
    assert audit.scores("recheck") == [1.0, 1.0]
    assert audit.scores("near_miss") == [0.0, 0.0]


async def test_a_task_that_is_solved_from_the_start_is_unsound() -> None:
    audit = await audited(subject(task("[ -d ~/Desktop/made ] && echo yes || echo no", setup=MAKE), oracle="true"))
    assert audit.verdict == "unsound"
    assert "start (nothing was done) scored 1, expected 0" in audit.findings


async def test_a_checker_that_a_near_miss_passes_is_unsound() -> None:
    audit = await audited(subject(task("[ -e ~/Desktop/made ] && echo yes || echo no")))
    assert audit.findings == ("near_miss (a file) scored 1, expected 0",)


async def test_a_setup_that_does_not_happen_decides_nothing() -> None:
    audit = await audited(subject(task("true", setup="false")))
    assert audit.verdict == "undecided"
    assert "it could not be set up" in audit.findings[0]


async def test_a_task_that_needs_a_real_desktop_is_skipped_where_desktops_are_simulated() -> None:
    audit = await audited(subject(SOUND, sim=False))
    assert audit.verdict == "skipped"


async def test_a_task_that_the_server_does_not_know_is_skipped_with_what_to_do() -> None:
    async with drums.aio.connect("local") as client:
        unknown = Subject("99999999-2222-4333-8444-555555555555", "files", None)
        audits = [audit async for audit in audit_tasks(client, [unknown])]
    assert audits[0].verdict == "skipped"
    assert "drums up --tasks" in audits[0].findings[0]


async def test_a_task_whose_image_the_server_lacks_is_skipped_with_what_to_do() -> None:
    async with drums.aio.connect("local") as client:
        audits = [audit async for audit in audit_tasks(client, [subject(SOUND)], Terms(image="office"))]
    assert audits[0].verdict == "skipped"
    assert "drums image build office" in audits[0].findings[0]


def test_a_task_of_a_file_is_read_with_the_proof_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    with pytest.raises(SubjectError, match="give an OSWorld task"):
        subject_of_file(folder / "none.json")
    (folder / "t.json").write_text('{"id": "t", "instruction": "x"}')
    assert subject_of_file(folder / "t.json").proof is None
    (folder / "t.proof.json").write_text("{}")
    with pytest.raises(SubjectError):
        subject_of_file(folder / "t.json")


def test_tasks_of_a_pack_are_chosen_by_id_and_by_domain() -> None:
    everything = subjects_of("builtin")
    first = everything[0]
    assert subjects_of("builtin", [first.id[:8]])[0].id == first.id
    of_domain = subjects_of("builtin", [first.domain])
    assert {one.domain for one in of_domain} == {first.domain}
    with pytest.raises(SubjectError, match="no task has the id"):
        subjects_of("builtin", ["nothing-like-that"])
    with pytest.raises(SubjectError, match="is no folder"):
        subjects_of("/nowhere/at/all")
