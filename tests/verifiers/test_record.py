"""DRUMS_RECORD: what a line says, and that many processes may write."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.verifiers.installed import need_verifiers

need_verifiers()

from mock_policy import PROBE, SOLVE

from drums_verifiers.record import record

if TYPE_CHECKING:
    import pytest

    from drums_verifiers.record import Line
    from tests.verifiers.stage import Stage

ROOT = Path(__file__).resolve().parent.parent.parent
WRITERS, LINES, LONG = 4, 60, 20_000


async def test_a_line_for_each_scored_trace(stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "record.jsonl"
    monkeypatch.setenv("DRUMS_RECORD", str(path))
    stage.faults.fail_gate("network", slot="s3")
    episode = await stage.play([SOLVE], fork_n=2)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    good, bad = sorted(lines, key=lambda line: line["child"])
    told = ("task", "desktop", "parent", "verdict", "failed_gates", "score", "reward", "dropped", "trusted")
    task = "e0df059f-28a6-4169-924f-b9623e7184cc"
    assert [good[name] for name in told] == [task, "s2", "s1", "valid", [], 1, 1, None, True]
    reason = "drums_invalid:invalid:network"
    assert [bad[name] for name in told] == [task, "s3", "s1", "invalid", ["network"], None, None, reason, None]
    assert {line["trace"] for line in lines} == {trace.id for trace in episode.traces}


async def test_a_trace_with_an_error_is_not_scored_and_has_no_line(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.jsonl"
    monkeypatch.setenv("DRUMS_RECORD", str(path))

    async def hang() -> None:
        stage.faults.hang_guest()

    stage.model.before[2] = hang
    await stage.play([PROBE])
    assert not path.exists()


def test_without_the_variable_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line: Line = {
        "trace": "t", "task": "t", "desktop": None, "parent": None, "child": None, "verdict": "valid",
        "failed_gates": [], "score": 1.0, "reward": 1.0, "dropped": None, "trusted": None, "t": 0.0,
    }  # fmt: skip
    record(line, {})
    assert list(tmp_path.iterdir()) == []


def test_lines_of_many_processes_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    program = (
        "import json, sys; from drums_verifiers.record import append\n"
        f"for n in range({LINES}): append(sys.argv[1], json.dumps([sys.argv[2], n, sys.argv[2] * {LONG}]) + '\\n')"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(path), str(number)], cwd=ROOT) for number in range(WRITERS)
    ]
    assert [writer.wait(60) for writer in writers] == [0] * WRITERS
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted(line[:2] for line in lines) == sorted([str(w), n] for w in range(WRITERS) for n in range(LINES))
    assert all(text == writer * LONG for writer, _, text in lines)
