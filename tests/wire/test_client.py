"""What a client tells of its server, and what it makes there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import drums.aio
import drums.local
from drums import (
    AuthError,
    BadRequest,
    BatchError,
    Conflict,
    DaemonUnavailable,
    DrumsError,
    NotFound,
    Overloaded,
    ProtocolError,
    RestoreFailed,
    State,
    TaskSetupFailed,
    TaskUnsupported,
)
from drums._core.replies import Page

if TYPE_CHECKING:
    from pathlib import Path

    from drums.local import InProcess

RENAME_FOLDER = "e0df059f-28a6-4169-924f-b9623e7184cc"
FALSE: dict[str, Any] = {"type": "execute", "parameters": {"command": ["false"]}}
"""A setup step that can't succeed."""


async def a_task_with(client: drums.aio.Client, **fields: Any) -> dict[str, Any]:
    """The built-in task, changed."""
    return {**(await client.task(RENAME_FOLDER)), "id": "changed", **fields}


# --- what it tells ----------------------------------------------------------------------------------------------------


async def test_health_reads_both_ways(client: drums.aio.Client) -> None:
    health = await client.health()
    assert health.version == health["version"]
    assert health.machine == "sim"
    assert health.limits is not None
    assert json.loads(json.dumps(health)) == health


async def test_metrics_count_what_was_done_and_reset_closes_the_window(client: drums.aio.Client) -> None:
    await client.create()
    before = await client.metrics()
    assert before.operations["create"].count == 1
    closed = await client.reset_metrics()
    assert closed.window.id == before.window.id
    assert closed.window.ended_at is not None
    after = await client.metrics()
    assert after.window.ended_at is None
    assert "create" not in after.operations


async def test_images_come_before_the_states_that_were_saved(client: drums.aio.Client, env: drums.aio.Env) -> None:
    state = await env.save("mine")
    images = await client.images()
    assert [image.kind for image in images] == ["image", "state"]
    assert images[0].id == drums.DEFAULT_IMAGE
    assert images[1].id == state


async def test_a_deleted_state_is_gone(client: drums.aio.Client, env: drums.aio.Env) -> None:
    state = await env.save()
    deleted = await client.delete_state(state)
    assert deleted.id == state
    assert [image.kind for image in await client.images()] == ["image"]
    with pytest.raises(NotFound):
        await client.delete_state(state)


async def test_a_state_is_not_deleted_under_an_env(client: drums.aio.Client, env: drums.aio.Env) -> None:
    state = await env.save()
    made = await client.create(from_state=state)
    with pytest.raises(Conflict):
        await client.delete_state(state)
    await made.close()
    await client.delete_state(state)


async def test_tasks_are_listed_and_read_by_a_prefix_of_their_id(client: drums.aio.Client) -> None:
    listed = await client.tasks()
    assert RENAME_FOLDER in [task.id for task in listed]
    assert await client.tasks("no such domain") == []
    task = await client.task(RENAME_FOLDER[:8])
    assert task.id == RENAME_FOLDER
    assert task["evaluator"] is not None
    with pytest.raises(NotFound):
        await client.task("ffffffff-0000")


async def test_envs_are_those_of_the_server_whoever_made_them(client: drums.aio.Client, daemon: InProcess) -> None:
    mine = await client.create()
    async with drums.aio.connect(daemon.url, daemon.token) as other:
        theirs = await other.create()
        assert [env.id for env in await client.envs()] == [mine.id, theirs.id]
        assert [env.id for env in client.owned_envs()] == [mine.id]
    assert [env.id for env in await client.envs()] == [mine.id]


async def test_a_handle_from_the_list_drives_the_same_desktop_and_owns_nothing(
    client: drums.aio.Client, env: drums.aio.Env
) -> None:
    (found,) = await client.envs()
    await found.step({"type": "execute", "command": "touch ~/Desktop/here", "shell": True})
    assert "here" in ((await env.guest().execute("ls ~/Desktop", shell=True)).output or "")
    await found.close()
    assert (await client.envs(), client.owned_envs()) == ([], [])


@pytest.mark.parametrize("page_size", [1, 2, 3, 500])
async def test_records_come_page_by_page_in_order_and_each_once(client: drums.aio.Client, page_size: int) -> None:
    made = sorted(await client.create_many(5), key=lambda env: int(env.id[1:]))
    await made[1].close()
    live = [record.id async for record in client.env_records(page_size=page_size)]
    assert live == [env.id for env in made if env is not made[1]]
    everything = [record async for record in client.env_records(include_destroyed=True, page_size=page_size)]
    assert [record.id for record in everything] == [env.id for env in made]
    assert [record.state for record in everything].count("destroyed") == 1


async def test_any_request_can_be_sent_by_hand(client: drums.aio.Client, env: drums.aio.Env) -> None:
    assert (await client.call("GET", f"/slots/{env.id}"))["id"] == env.id
    assert (await client.call("GET", f"/v1/slots/{env.id}/screenshot", raw=True))[:4] == b"\x89PNG"
    assert (await client.call("POST", f"/slots/{env.id}/quarantine", {"reason": "by hand"}))["state"] == "quarantined"
    with pytest.raises(NotFound):
        await client.call("GET", "/nowhere")
    with pytest.raises(BadRequest):
        await client.call("GET", "/health", timeout=-1)


# --- what it makes ----------------------------------------------------------------------------------------------------


async def test_an_env_is_ready_when_it_is_made(client: drums.aio.Client) -> None:
    env = await client.create()
    assert (env.state, env.episode, env.steps, env.task, env.from_state, env.last_state) == (
        "ready",
        1,
        0,
        None,
        None,
        None,
    )
    assert env.client is client
    assert env.record["checkpoint"] == drums.DEFAULT_IMAGE
    assert client.owned_envs() == [env]


async def test_a_task_is_given_by_its_id_itself_or_its_file(client: drums.aio.Client, tmp_path: Path) -> None:
    whole = dict(await client.task(RENAME_FOLDER))
    file = tmp_path / "task.json"
    file.write_text(json.dumps(whole))
    for source in (RENAME_FOLDER, RENAME_FOLDER[:8], whole, file, str(file)):
        env = await client.create(task=source)
        assert env.task is not None
        assert env.task.id == RENAME_FOLDER


async def test_an_env_starts_where_its_state_was_saved(client: drums.aio.Client, env: drums.aio.Env) -> None:
    await env.guest().execute("touch ~/Desktop/kept", shell=True)
    state = await env.save()
    again = await client.create(from_state=state)
    assert again.from_state == state
    assert isinstance(again.from_state, State)
    assert "kept" in ((await again.guest().execute("ls ~/Desktop", shell=True)).output or "")


async def test_leases_are_those_that_were_asked_for(client: drums.aio.Client) -> None:
    env = await client.create(idle_timeout=60, ttl=0)
    assert (env.record.idle_timeout_s, env.record.ttl_s) == (60, 0)


async def test_setup_can_be_left_out(client: drums.aio.Client) -> None:
    task = await a_task_with(client, config=[FALSE])
    assert (await client.create(task=task, setup=False)).state == "ready"


async def test_nothing_is_left_of_an_env_that_did_not_come_up(client: drums.aio.Client, daemon: InProcess) -> None:
    daemon.faults.fail_restore()
    with pytest.raises(RestoreFailed) as failure:
        await client.create()
    assert failure.value.record.state == "down"
    assert "create(" in str(failure.value)
    assert (await client.envs(), client.owned_envs()) == ([], [])


async def test_nothing_is_left_of_an_env_whose_setup_failed(client: drums.aio.Client) -> None:
    task = await a_task_with(client, config=[FALSE])
    with pytest.raises(TaskSetupFailed, match="task setup failed"):
        await client.create(task=task)
    assert (await client.envs(), client.owned_envs()) == ([], [])


async def test_an_env_that_did_not_come_up_and_cannot_be_ended_stays_owned(
    client: drums.aio.Client, daemon: InProcess, caplog: pytest.LogCaptureFixture
) -> None:
    daemon.faults.fail_restore()
    daemon.faults.drop_before("delete_slot")
    with pytest.raises(RestoreFailed):
        await client.create()
    (left,) = client.owned_envs()
    assert f"{left.id} was not closed" in caplog.text
    assert await client.close() == [(left.id, None)]
    assert client.owned_envs() == []


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"image": "no-such-image"}, NotFound),
        ({"from_state": "no-such-state"}, NotFound),
        ({"task": "ffffffff-0000"}, NotFound),
        ({"image": "mine", "from_state": "c1"}, BadRequest),
        ({"idle_timeout": -1}, BadRequest),
        ({"ttl": float("nan")}, BadRequest),
        ({"task": 7}, BadRequest),
        ({"image": ""}, BadRequest),
    ],
)
async def test_what_cannot_be_made_is_refused(
    client: drums.aio.Client, arguments: dict[str, Any], error: type[DrumsError]
) -> None:
    with pytest.raises(error):
        await client.create(**arguments)
    assert (await client.envs(), client.owned_envs()) == ([], [])


async def test_a_task_that_the_server_cannot_set_up_is_refused_by_name(client: drums.aio.Client) -> None:
    task = await a_task_with(client, config=[{"type": "googledrive", "parameters": {}}])
    with pytest.raises(TaskUnsupported, match="googledrive"):
        await client.create(task=task)
    assert await client.envs() == []


async def test_many_envs_are_made_at_once(client: drums.aio.Client) -> None:
    made = await client.create_many(6, task=RENAME_FOLDER, workers=3, idle_timeout=60)
    assert len({env.id for env in made}) == 6
    assert {env.record.idle_timeout_s for env in made} == {60}
    assert {env.id for env in client.owned_envs()} == {env.id for env in made}


async def test_a_batch_that_comes_short_keeps_what_was_made(client: drums.aio.Client, daemon: InProcess) -> None:
    daemon.faults.fail_restore(times=2, skip=1)
    with pytest.raises(BatchError) as short:
        await client.create_many(5, workers=1)
    assert (len(short.value.ok), len(short.value.failed)) == (3, 2)
    assert {type(error) for error in short.value.failed} == {RestoreFailed}
    assert [env.id for env in await client.envs()] == [env.id for env in short.value.ok]
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(BadRequest):
            await client.create_many(wrong)  # type: ignore[arg-type]


async def test_a_full_host_says_when_to_come_back() -> None:
    with drums.local.serving(limits=drums.local.Limits(max_slots=1)) as small:
        async with drums.aio.connect(small.url, small.token) as client:
            await client.create()
            with pytest.raises(Overloaded) as full:
                await client.create()
            assert full.value.retry_after is not None
            assert len(await client.envs()) == 1


# --- how it ends ------------------------------------------------------------------------------------------------------


async def test_the_end_of_the_block_closes_what_was_made(daemon: InProcess, client: drums.aio.Client) -> None:
    async with drums.aio.connect(daemon.url, daemon.token) as other:
        parent = await other.create()
        await parent.fork(3)
        assert len(await client.envs()) == 4
    assert await client.envs() == []


async def test_the_end_of_the_block_closes_what_was_made_when_the_block_fails(
    daemon: InProcess, client: drums.aio.Client
) -> None:
    async def block() -> None:
        async with drums.aio.connect(daemon.url, daemon.token) as other:
            await other.create()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await block()
    assert await client.envs() == []


async def test_close_tells_each_env_and_leaves_a_failed_delete_owned(
    client: drums.aio.Client, daemon: InProcess
) -> None:
    made = await client.create_many(3, workers=1)
    await made[0].client.call("DELETE", f"/slots/{made[0].id}")
    daemon.faults.drop_before("delete_slot")
    told = dict(await client.close())
    assert sorted(told) == sorted(env.id for env in made)
    failed = [env_id for env_id, error in told.items() if error is not None]
    assert len(failed) == 1
    assert [env.id for env in client.owned_envs()] == failed
    assert await client.close() == [(failed[0], None)]
    assert await client.envs() == []


async def test_close_with_no_time_left_says_so_and_keeps_all(client: drums.aio.Client) -> None:
    made = await client.create_many(2)
    told = await client.close(timeout=0)
    assert {type(error) for _, error in told} == {DaemonUnavailable}
    assert "no time left" in str(told[0][1])
    assert len(client.owned_envs()) == len(made)


async def test_a_client_can_be_used_after_its_close(client: drums.aio.Client) -> None:
    await client.close()
    await client.close()
    assert await client.envs() == []


async def test_a_failed_close_at_the_end_of_a_block_is_logged(
    daemon: InProcess, client: drums.aio.Client, caplog: pytest.LogCaptureFixture
) -> None:
    async with drums.aio.connect(daemon.url, daemon.token) as other:
        env = await other.create()
        daemon.faults.drop_before("delete_slot")
    assert f"{env.id} was not closed" in caplog.text
    assert [left.id for left in await client.envs()] == [env.id]
    assert await other.close() == [(env.id, None)]


# --- ways in ----------------------------------------------------------------------------------------------------------


async def test_connect_tries_the_token_at_once(daemon: InProcess) -> None:
    for wrong in ("wrong", ""):
        with pytest.raises(AuthError):
            await drums.aio.connect(daemon.url, wrong)
    client = await drums.aio.connect(daemon.url, "wrong", check=False)
    with pytest.raises(AuthError):
        await client.health()


async def test_connect_tells_when_nothing_answers() -> None:
    with pytest.raises(DaemonUnavailable) as nobody:
        await drums.aio.connect("http://127.0.0.1:9", "t", retry_s=0)
    assert (nobody.value.status, nobody.value.sent) == (0, "no")
    assert str(nobody.value).startswith("connect() (GET ")


async def test_connect_reads_the_environment_at_the_call(
    daemon: InProcess, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text(f"{daemon.token}\n")
    file.chmod(0o600)
    monkeypatch.setenv("DRUMS_URL", daemon.url or "")
    monkeypatch.setenv("DRUMS_TOKEN_FILE", str(file))
    monkeypatch.delenv("DRUMS_TOKEN", raising=False)
    async with drums.aio.connect() as client:
        assert client.url == daemon.url
        assert (client.timeout, client.retry_s) == (900.0, 60.0)
    file.chmod(0o644)
    with pytest.raises(AuthError, match="chmod 600"):
        await drums.aio.connect()


async def test_env_is_one_desktop_whose_close_ends_all(daemon: InProcess, client: drums.aio.Client) -> None:
    async with drums.aio.env(RENAME_FOLDER, url=daemon.url, token=daemon.token) as env:
        assert env.task is not None
        assert env.task.id == RENAME_FOLDER
        assert [seen.id for seen in await client.envs()] == [env.id]
    assert await client.envs() == []


async def test_env_leaves_nothing_when_it_cannot_be_made(daemon: InProcess, client: drums.aio.Client) -> None:
    daemon.faults.fail_restore()
    with pytest.raises(RestoreFailed):
        await drums.aio.env(url=daemon.url, token=daemon.token)
    assert await client.envs() == []


async def test_local_is_a_daemon_in_this_process_for_as_long_as_the_client_lives() -> None:
    async with drums.aio.connect("local") as client:
        env = await client.create(task=RENAME_FOLDER)
        assert (await env.step("pyautogui.click(1, 2)")).result.returncode == 0
        assert client.url == "local"
    with pytest.raises(DaemonUnavailable):
        await client.health()


async def test_a_page_that_leads_back_is_not_followed_for_ever(
    client: drums.aio.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def send(_: object) -> Page:
        return Page([], "s1")

    monkeypatch.setattr(client._session, "send", send)
    with pytest.raises(ProtocolError, match="next_after"):
        await client.envs()
    monkeypatch.undo()
