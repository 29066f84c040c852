"""Which tasks words name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.errors import BadRequest
from drums.evaluation.choice import chosen_tasks, hash_of
from tests.evaluation.stage import RENAME_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    import drums.aio


async def ids(client: drums.aio.Client, *words: str) -> list[str]:
    return [task.id for task in await chosen_tasks(client, words)]


async def test_words_name_tasks_by_id_prefix_domain_or_all(client: drums.aio.Client) -> None:
    every = [task.id for task in await client.tasks()]
    assert await ids(client, RENAME_FOLDER) == [RENAME_FOLDER]
    assert await ids(client, RENAME_FOLDER[:8], RENAME_FOLDER) == [RENAME_FOLDER]
    assert await ids(client, "all") == every
    in_domain = [task.id for task in await client.tasks("os")]
    assert await ids(client, "os", "all") == in_domain + [task for task in every if task not in in_domain]


async def test_files_name_tasks_too(client: drums.aio.Client, tmp_path: Path) -> None:
    listed, by_domain, own, lines = (tmp_path / name for name in ("a.json", "b.json", "c.json", "d.txt"))
    listed.write_text(json.dumps([RENAME_FOLDER]))
    by_domain.write_text(json.dumps({"os": [RENAME_FOLDER]}))
    own.write_text(json.dumps({"id": "my-own-task", "instruction": "x", "evaluator": {"func": "infeasible"}}))
    lines.write_text(f"# the smallest\n{RENAME_FOLDER[:8]}  # rename\n\n")
    for file in (listed, by_domain, lines):
        assert await ids(client, str(file)) == [RENAME_FOLDER]
    [task] = await chosen_tasks(client, [str(own)])
    assert (task.id, task.own, task.domain) == ("my-own-task", True, tmp_path.name)


@pytest.mark.parametrize("word", ["nothing", "e0df", "no/such/file.json", "ffffffff"])
async def test_a_word_that_names_nothing_is_refused(client: drums.aio.Client, word: str) -> None:
    with pytest.raises(BadRequest):
        await ids(client, word)


async def test_a_file_that_holds_no_tasks_is_refused(client: drums.aio.Client, tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    for text in ("{", "[1]", "3", "[]", '{"id": 3}'):
        file.write_text(text)
        with pytest.raises(BadRequest):
            await ids(client, str(file))


@given(st.lists(st.dictionaries(st.text(), st.integers() | st.text(), max_size=4), max_size=5), st.randoms())
def test_the_hash_of_a_task_set_knows_no_order(tasks: list[dict[str, Any]], chance: Any) -> None:
    shuffled = [dict(sorted(task.items(), key=lambda _: chance.random())) for task in tasks]
    chance.shuffle(shuffled)
    assert hash_of(shuffled) == hash_of(tasks)
    assert hash_of([*tasks, {"id": "one more"}]) != hash_of(tasks)
