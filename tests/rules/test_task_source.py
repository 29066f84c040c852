"""A task argument is a task, its file, or an id; and a name that a model chose opens no file but a task's."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums import BadRequest
from drums._core import task_source
from drums._core.task_source import task_of
from tests import strategies as our
from tests.spec_strategies import schema_values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from unittest.mock import Mock

TASK = {"id": "t1", "instruction": "Rename it.", "config": []}


@pytest.fixture
def no_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mock]:
    """Whoever opens a path is found out."""
    from unittest.mock import Mock

    opened = Mock(side_effect=AssertionError("a file was opened"))
    monkeypatch.setattr(Path, "open", opened)
    yield opened
    assert not opened.called


@given(schema_values("Task"))
def test_a_task_is_taken_as_it_is(task: dict[str, Any]) -> None:
    assert task_of(task) == task
    assert task_of(task) is not task


@given(
    our.sendable_texts.filter(
        lambda given: given.strip() and given not in {".", ".."} and not given.lower().endswith(".json")
    )
)
def test_a_text_is_an_id_and_no_file(text: str) -> None:
    assert task_of(text) == text


@pytest.mark.parametrize("name", ["/etc/passwd", "tasks/one", "~/.ssh/id_rsa", "one.json.txt", "../x", "json"])
def test_only_a_name_that_ends_in_json_can_open_a_file(name: str, no_files: Mock) -> None:
    assert task_of(name) == name


def test_a_file_holds_the_task_by_its_path_or_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "task.JSON"
    file.write_text(json.dumps(TASK))
    assert task_of(file) == task_of(str(file)) == TASK


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"\xff\xfe\xfd", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "holds no JSON object"),
        (b"{}", "must have a text `id`"),
        (b'{"id": 1}', "must have a text `id`"),
        (b'{"id": "t", "limit": NaN}', "can't be sent"),
    ],
)
def test_a_file_without_a_task_is_refused_by_its_name(tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / "task.json"
    file.write_bytes(content)
    with pytest.raises(BadRequest, match=why) as refusal:
        task_of(file)
    assert str(file) in str(refusal.value)
    assert refusal.value.sent == "no"


@pytest.mark.parametrize("name", ["missing.json", ".", "nul\0.json"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadRequest, match="can't be read"):
        task_of(tmp_path / name)


def test_a_huge_file_is_refused_and_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_source, "LONGEST_FILE", 10)
    (tmp_path / "task.json").write_text(json.dumps(TASK))
    with pytest.raises(BadRequest, match="larger than 10 bytes"):
        task_of(tmp_path / "task.json")


NO_TASKS: list[Any] = [None, 1, b"t", ["t"], "", " ", ".", "..", "\ud800", {}, {"id": ""}, {"id": 1}, {"id": "\ud800"}]
UNSENDABLE: list[Any] = [{"id": "t", "x": {1}}, {"id": "t", "x": math.nan}]


@pytest.mark.parametrize("wrong", NO_TASKS + UNSENDABLE)
def test_what_is_no_task_is_refused(wrong: Any) -> None:
    with pytest.raises(BadRequest) as refusal:
        task_of(wrong)
    assert refusal.value.sent == "no"


@given(our.json_values | st.binary() | schema_values("Task"))
def test_anything_is_a_task_an_id_or_refused(given_one: Any) -> None:
    try:
        found = task_of(given_one)
    except BadRequest:
        return
    assert found == given_one
