"""What a model can do with the tools, and that it is told what came of it."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

from drums.mcp import Terms
from drums.observation import png_size
from tests.mcp.conftest import session

if TYPE_CHECKING:
    import drums.aio

OLD, NEW = "~/Desktop/todo_list_Jan_1", "~/Desktop/todo_list_Jan_2"


async def test_a_folder_is_renamed_by_shell_and_verified(env: drums.aio.Env) -> None:
    async with session(env, Terms(verify=True)) as model:
        assert "todo_list_Jan_2" in (await model.call("read_task"))["untrusted"]
        assert (await model.call("verify"))["facts"]["score"] == 0
        ran = await model.call("run", command=f"mv {OLD} {NEW} && ls ~/Desktop")
        assert ran["facts"]["returncode"] == 0
        assert "todo_list_Jan_2" in ran["untrusted"]
        assert (await model.call("finish", outcome="done"))["ok"]
        assert (await model.call("verify"))["facts"] == {"score": 1, "valid": True, "trusted": True}


async def test_a_folder_is_renamed_by_the_screen_and_verified(env: drums.aio.Env) -> None:
    """In a terminal, as a person would who knows no other way."""
    async with session(env, Terms(verify=True)) as model:
        await model.call("press", keys="ctrl+alt+t")
        await model.call("type_text", text=f"mv {OLD} {NEW}\n")
        seen = await model.content("screenshot")
        assert [content.type for content in seen] == ["text", "image"]
        assert (await model.call("verify"))["facts"]["score"] == 1


async def test_a_folder_is_renamed_by_the_file_tools(env: drums.aio.Env) -> None:
    async with session(env, Terms(verify=True)) as model:
        assert (await model.call("move_file", path=OLD, to=NEW))["ok"]
        assert (await model.call("verify"))["facts"]["score"] == 1


async def test_pictures_have_the_size_that_coordinates_count(env: drums.aio.Env) -> None:
    async with session(env, Terms(width=960, height=540)) as model:
        _, picture = await model.content("screenshot")
        assert picture.mime_type == "image/png"
        assert png_size(base64.b64decode(picture.data)) == (960, 540)
        await model.call("move", x=959, y=539)
        assert (await model.call("cursor_position"))["facts"] == {"x": 959, "y": 539}
        await model.call("move", x=0, y=0)
        assert (await model.call("cursor_position"))["facts"] == {"x": 0, "y": 0}


async def test_files_are_written_read_listed_and_removed(env: drums.aio.Env) -> None:
    async with session(env) as model:
        name = "~/a folder/näme\n'quoted\".txt"
        written = await model.call("write_file", path=name, content="one\ntwo\n")
        assert written["facts"]["size"] == 8
        await model.call("append_file", path=name, content="three\n")
        part = await model.call("read_file", path=name, offset=4, length=4)
        assert (part["untrusted"], part["truncated"]) == ("two\n", True)
        listed = json.loads((await model.call("list_folder", path="~/a folder"))["untrusted"])
        assert [(one["path"], one["kind"], one["size"]) for one in listed] == [(f"/home/user{name[1:]}", "file", 14)]
        assert (await model.call("remove_file", path="~/a folder"))["error"] == "failed_in_desktop"
        assert (await model.call("remove_file", path="~/a folder", recursive=True))["ok"]
        assert (await model.call("read_file", path=name))["error"] == "not_found"


async def test_a_job_is_started_looked_at_and_ended(env: drums.aio.Env) -> None:
    """A simulated desktop has no time of its own: what is started there is over at once."""
    async with session(env) as model:
        job = (await model.call("start", command="echo begun; echo oh >&2; exit 3"))["facts"]["job"]
        seen = await model.call("job", job=job)
        assert (seen["facts"]["returncode"], seen["untrusted"]) == (3, "begun\n\n[stderr]\noh\n")
        assert (await model.call("kill_job", job=job))["facts"]["returncode"] == 3
        other = job[:-1] + ("0" if job[-1] != "0" else "1")
        assert (await model.call("job", job=other))["error"] == "not_found"
        assert (await model.call("job", job="../../etc"))["error"] == "bad_argument"


async def test_what_a_desktop_lacks_is_unsupported_and_not_a_failure(env: drums.aio.Env) -> None:
    async with session(env) as model:
        assert (await model.call("accessibility_tree"))["error"] == "unsupported"
        assert (await model.call("screenshot"))["ok"]


async def test_a_task_that_cannot_be_done_is_given_up(env: drums.aio.Env) -> None:
    async with session(env, Terms(verify=True)) as model:
        await model.call("move_file", path=OLD, to=NEW)
        await model.call("finish", outcome="infeasible")
        assert (await model.call("verify"))["facts"]["score"] == 0


async def test_nothing_is_done_any_more_once_the_task_was_ended(env: drums.aio.Env) -> None:
    """Another action would take the place of the last one, by which the episode is scored."""
    async with session(env) as model:
        await model.call("finish", outcome="infeasible")
        steps = env.steps
        assert (await model.call("read_file", path="~/x"))["error"] == "not_allowed"
        assert (await model.call("click", x=1, y=1))["error"] == "not_allowed"
        assert (await model.call("episode"))["ok"]
        assert (await model.call("finish", outcome="infeasible"))["ok"]
    assert env.steps == steps + 1


async def test_a_quarantined_desktop_tells_no_score(env: drums.aio.Env) -> None:
    async with session(env, Terms(verify=True)) as model:
        await model.call("move_file", path=OLD, to=NEW)
        await env.quarantine("looked odd")
        told = await model.call("verify")
        assert told["facts"]["score"] is None
        assert told["facts"]["valid"] is False
        assert "looked odd" in told["untrusted"]


@pytest.mark.parametrize("command", ["exit 3", "no-such-program"])
async def test_a_returncode_is_told_and_is_no_error(env: drums.aio.Env, command: str) -> None:
    async with session(env) as model:
        told = await model.call("run", command=command)
        assert told["ok"]
        assert told["facts"]["returncode"] != 0
