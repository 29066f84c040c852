"""The folder of a run: what survives a kill, who may write, what is never written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.errors import BadRequest
from drums.evaluation.results import NAME, Results, folder_name, read
from drums.evaluation.settings import Header, Settings
from tests.evaluation.stage import a_record

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    b"\x00\x00\x00\nIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00\x00\x00IEND\xaeB`\x82"
)


def a_header(**settings: Any) -> Header:
    told = Settings(policy="a:b", **settings).told()
    return {
        "kind": "run",
        "format": 1,
        "drums": "0",
        "started_at": 0.0,
        "settings": told,
        "task_set": {"hash": "sha256:1", "tasks": 2},
        "server": {},
    }


def test_what_was_added_is_read_again(tmp_path: Path) -> None:
    with Results(tmp_path, a_header()) as results:
        results.add(a_record(attempt=0))
        results.add(a_record(attempt=1, outcome="error"))
    with Results(tmp_path, a_header(), resume=True) as again:
        assert list(again.rollouts) == ["t1#0", "t1#1"]
    assert read(tmp_path).rollouts["t1#1"]["error"] == {"kind": "policy", "message": "it raised"}


@given(st.data())
def test_a_file_cut_anywhere_is_gone_on_with(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("run")
    with Results(folder, a_header()) as results:
        results.add(a_record(attempt=0))
        results.add(a_record(attempt=1))
    whole = (folder / NAME).read_bytes()
    kept = whole[: data.draw(st.integers(0, len(whole)))]
    (folder / NAME).write_bytes(kept)
    with Results(folder, a_header(), resume=True) as results:
        assert len(results.rollouts) == max(0, kept.count(b"\n") - 1)
        results.add(a_record(attempt=2))
    found = read(folder)
    assert "t1#2" in found.rollouts
    assert found.whole_bytes == (folder / NAME).stat().st_size


def test_results_are_not_written_over_by_mistake(tmp_path: Path) -> None:
    with Results(tmp_path, a_header()) as results:
        results.add(a_record())
    before = (tmp_path / NAME).read_bytes()
    with pytest.raises(BadRequest, match="has results already"):
        Results(tmp_path, a_header())
    assert (tmp_path / NAME).read_bytes() == before


def test_a_run_with_other_settings_is_refused_with_what_differs(tmp_path: Path) -> None:
    with Results(tmp_path, a_header(attempts=4)):
        pass
    now = a_header(attempts=8)
    now["task_set"]["hash"] = "sha256:2"
    with pytest.raises(BadRequest) as refused:
        Results(tmp_path, now, resume=True)
    assert "attempts was 4 and is 8" in str(refused.value)
    assert "task set was 'sha256:1' and is 'sha256:2'" in str(refused.value)


def test_a_damaged_line_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    with Results(tmp_path, a_header()) as results:
        results.add(a_record(attempt=0))
        results.add(a_record(attempt=1))
    lines = (tmp_path / NAME).read_bytes().splitlines(keepends=True)
    (tmp_path / NAME).write_bytes(lines[0] + b"{oops\n" + lines[2])
    with pytest.raises(BadRequest, match="line 2"):
        Results(tmp_path, a_header(), resume=True)
    assert (tmp_path / NAME).read_bytes().endswith(lines[2])


@pytest.mark.skipif(os.name != "posix", reason="files are not locked there")
def test_two_processes_do_not_write_the_same_results(tmp_path: Path) -> None:
    with Results(tmp_path, a_header()), pytest.raises(BadRequest, match="another process"):
        Results(tmp_path, a_header(), resume=True)


def test_a_secret_is_written_nowhere(tmp_path: Path) -> None:
    secret = "sk-very-secret-0123456789"
    error = {"kind": "policy", "message": f"401 for {secret}"}
    turn: dict[str, Any] = {"at_s": 0, "screenshot": None, "said": secret, "actions": [], "signal": None}
    with Results(tmp_path, a_header(), secrets=[secret, "", "none"]) as results:
        results.add(a_record(outcome="error", error=error, turns=[turn], reasons=["none"]))
    text = (tmp_path / NAME).read_text()
    assert secret not in text
    assert json.loads(text.splitlines()[1])["reasons"] == ["none"]


def test_only_pictures_are_kept_and_only_in_the_folder(tmp_path: Path) -> None:
    with Results(tmp_path / "run", a_header()) as results:
        assert results.keep_screenshot("t#0", 0, b"#!/bin/sh") is None
        name = results.keep_screenshot("../../../etc/cron.d/x#0", 7, PNG)
    assert name is not None
    assert name.startswith("screenshots/")
    assert name.endswith("/007.png")
    assert (tmp_path / "run" / name).resolve().is_relative_to(tmp_path / "run" / "screenshots")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@given(st.text(), st.text())
def test_every_rollout_has_a_folder_of_its_own(one: str, other: str) -> None:
    name = folder_name(one)
    assert Path(name).name == name
    assert name.isascii()
    assert (name == folder_name(other)) == (one == other)


@pytest.mark.parametrize("line", ['{"kind": "rollout", "id": "t1#1"}', '{"kind": "rollout", "outcome": "good"}', "{}"])
def test_a_line_of_another_version_is_named_and_not_passed_over(tmp_path: Path, line: str) -> None:
    with Results(tmp_path, a_header()) as results:
        results.add(a_record())
    with (tmp_path / NAME).open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(BadRequest, match="line 3"):
        read(tmp_path)


CHANGES: list[dict[str, Any]] = [
    *(
        {"score": score}
        for score in cast("tuple[Any, ...]", ("1", True, None, 1.5, -1, 10**400, float("nan"), float("inf"), [1], {}))
    ),
    *({"outcome": outcome} for outcome in ("invalid", "error", "good", None)),
    *({name: 1} for name in ("audit_flags", "reasons", "bad_gates", "turns", "cost", "domain", "error", "trusted")),
    *({"seconds": seconds} for seconds in (float("nan"), None, "1")),
    {"attempt": 7},
    {"task_id": "another"},
    {"turns": [{"actions": None}]},
    {"cost": {"model": float("inf"), "host": None}},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_rollout_that_was_changed_to_nonsense_is_named_and_never_a_figure(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    with Results(tmp_path, a_header()) as results:
        results.add(a_record())
    header, line = (tmp_path / NAME).read_text().splitlines()
    changed = json.dumps({**json.loads(line), **change})
    (tmp_path / NAME).write_text(f"{header}\n{changed}\n")
    with pytest.raises(BadRequest, match="line 2"):
        read(tmp_path)


@pytest.mark.parametrize(
    "change", [{"started_at": 1e300}, {"started_at": None}, {"task_set": {}}, {"server": 1}, {"settings": {}}], ids=str
)
def test_a_header_that_was_changed_to_nonsense_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    (tmp_path / NAME).write_text(json.dumps({**a_header(), **change}) + "\n")
    with pytest.raises(BadRequest, match="does not begin with a run's header"):
        read(tmp_path)
