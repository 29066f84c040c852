"""Every method, each way it can fail: the error is typed, says what was tried and what the server may have done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import drums.aio
from drums import AuthError, DaemonUnavailable, DrumsError, EnvGone, NotFound, Overloaded
from drums.records import Slot

from .every_method import OF_CLIENT, OF_ENV, ONLY_READ

if TYPE_CHECKING:
    from drums.local import InProcess

CALLS_OF = {
    "health": "get_health",
    "metrics": "get_metrics",
    "reset_metrics": "reset_metrics",
    "images": "list_checkpoints",
    "delete_state": "delete_checkpoint",
    "tasks": "list_tasks",
    "task": "get_task",
    "envs": "list_slots",
    "create": "create_slot",
    "create from a task's id": "get_task",
    "call": "get_health",
}
CALLS_OF_ENV = {
    "refresh": "get_slot",
    "metrics": "get_slot_metrics",
    "step": "step_slot",
    "observe": "get_screenshot",
    "screenshot": "get_screenshot",
    "reset": "reset_slot",
    "load_task": "set_task",
    "gates": "get_gates",
    "wait_valid": "get_gates",
    "verify": "verify_slot",
    "wait_quiescent": "wait_quiescent",
    "save": "capture_slot",
    "prefork": "prefork_slot",
    "fork": "branch_slot",
    "quarantine": "quarantine_slot",
    "release": "release_slot",
    "guest.execute": "step_slot",
    "guest.launch": "step_slot",
    "guest.screenshot": "get_screenshot",
    "guest.screen_size": "get_screenshot",
    "guest.platform": "step_slot",
}
"""The first operation of each method."""


def says_what_was_tried(error: DrumsError, token: str) -> None:
    assert error.tried
    assert error.tried in str(error)
    assert error.path is not None
    assert error.path.startswith("/v1/")
    assert f"({error.method} {error.path})" in str(error)
    assert error.hint in str(error)
    assert token not in f"{error} {error!r} {error.__dict__}"


@pytest.mark.parametrize("name", OF_CLIENT)
async def test_a_client_method_without_a_good_token_is_an_auth_error(daemon: InProcess, name: str) -> None:
    client = await drums.aio.connect(daemon.url, "not-the-token", check=False)
    with pytest.raises(AuthError) as refusal:
        await OF_CLIENT[name](client)
    says_what_was_tried(refusal.value, "not-the-token")
    assert "DRUMS_TOKEN" in str(refusal.value)


@pytest.mark.parametrize("name", OF_ENV)
async def test_an_env_method_without_a_good_token_is_an_auth_error(daemon: InProcess, name: str) -> None:
    client = await drums.aio.connect(daemon.url, "not-the-token", check=False)
    env = drums.aio.Env(client, client._session, Slot({"id": "s1", "state": "ready", "episode": 1}))
    with pytest.raises(AuthError) as refusal:
        await OF_ENV[name](env)
    says_what_was_tried(refusal.value, "not-the-token")


@pytest.mark.parametrize("name", [*OF_CLIENT, *OF_ENV])
async def test_a_method_while_nobody_answers_is_daemon_unavailable_and_nothing_was_done(name: str) -> None:
    client = await drums.aio.connect("http://127.0.0.1:9", "some-token", retry_s=0, check=False)
    env = drums.aio.Env(client, client._session, Slot({"id": "s1", "state": "ready", "episode": 1}))
    with pytest.raises(DaemonUnavailable) as nobody:
        await (OF_CLIENT[name](client) if name in OF_CLIENT else OF_ENV[name](env))
    assert (nobody.value.status, nobody.value.sent) == (0, "no")
    says_what_was_tried(nobody.value, "some-token")


@pytest.mark.parametrize("name", [*OF_CLIENT, *OF_ENV])
async def test_a_method_on_a_full_host_is_overloaded_and_not_repeated(
    client: drums.aio.Client, env: drums.aio.Env, daemon: InProcess, name: str
) -> None:
    daemon.faults.overload(times=1, retry_after_s=7)
    with pytest.raises(Overloaded) as full:
        await (OF_CLIENT[name](client) if name in OF_CLIENT else OF_ENV[name](env))
    assert full.value.retry_after == 7
    assert full.value.request_id
    says_what_was_tried(full.value, daemon.token)


@pytest.mark.parametrize("name", [*OF_CLIENT, *OF_ENV])
async def test_a_method_while_the_daemon_is_away_is_daemon_unavailable(
    client: drums.aio.Client, env: drums.aio.Env, daemon: InProcess, name: str
) -> None:
    daemon.faults.unavailable(times=1)
    with pytest.raises(DaemonUnavailable) as away:
        await (OF_CLIENT[name](client) if name in OF_CLIENT else OF_ENV[name](env))
    assert (away.value.status, away.value.sent) == (503, "yes")
    says_what_was_tried(away.value, daemon.token)


@pytest.mark.parametrize("name", [*OF_CLIENT, *OF_ENV])
@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_lost_reply_says_that_the_outcome_is_unknown_and_what_to_call(
    client: drums.aio.Client, env: drums.aio.Env, daemon: InProcess, name: str, when: str
) -> None:
    operation = CALLS_OF[name] if name in OF_CLIENT else CALLS_OF_ENV[name]
    (daemon.faults.drop_before if when == "before" else daemon.faults.drop_after)(operation)
    if name == "release":
        await env.quarantine()
    if name == "delete_state":
        await env.save("c999")
    with pytest.raises(DaemonUnavailable) as lost:
        await (OF_CLIENT[name](client) if name in OF_CLIENT else OF_ENV[name](env))
    assert (lost.value.status, lost.value.sent) == (0, "maybe")
    says_what_was_tried(lost.value, daemon.token)
    if name not in ONLY_READ:
        assert "may" in lost.value.hint or "ask again" in lost.value.hint


@pytest.mark.parametrize("name", OF_ENV)
async def test_a_method_of_a_closed_env_is_env_gone(env: drums.aio.Env, daemon: InProcess, name: str) -> None:
    await env.close()
    with pytest.raises(EnvGone) as gone:
        await OF_ENV[name](env)
    assert gone.value.closed_reason
    says_what_was_tried(gone.value, daemon.token)


@pytest.mark.parametrize("name", OF_ENV)
async def test_a_method_of_an_env_that_never_was_is_not_found(
    client: drums.aio.Client, daemon: InProcess, name: str
) -> None:
    env = drums.aio.Env(client, client._session, Slot({"id": "s999", "state": "ready", "episode": 1}))
    with pytest.raises(NotFound) as unknown:
        await OF_ENV[name](env)
    says_what_was_tried(unknown.value, daemon.token)


async def test_closing_what_never_was_is_fine(client: drums.aio.Client) -> None:
    await drums.aio.Env(client, client._session, Slot({"id": "s999", "state": "ready"})).close()


async def test_a_create_whose_reply_was_lost_can_be_found_among_the_envs(
    client: drums.aio.Client, daemon: InProcess
) -> None:
    daemon.faults.drop_after("create_slot")
    with pytest.raises(DaemonUnavailable, match=r"look in client\.envs\(\)"):
        await client.create()
    assert client.owned_envs() == []
    (found,) = await client.envs()
    await found.close()


async def test_a_fork_whose_reply_was_lost_names_the_parent_of_its_children(
    env: drums.aio.Env, daemon: InProcess
) -> None:
    daemon.faults.drop_after("branch_slot")
    with pytest.raises(DaemonUnavailable, match=rf"whose parent is {env.id}"):
        await env.fork(2)
    children = [seen for seen in await env.client.envs() if seen.record.parent == env.id]
    assert len(children) == 2


async def test_a_post_and_a_delete_are_sent_once_whatever_happens(daemon: InProcess) -> None:
    client = await drums.aio.connect(daemon.url, daemon.token, retry_s=30)
    env = await client.create()
    daemon.faults.drop_before("step_slot")
    daemon.faults.drop_before("delete_slot")
    with pytest.raises(DaemonUnavailable):
        await env.step("pyautogui.click(1, 2)")
    with pytest.raises(DaemonUnavailable):
        await env.close()
    await env.step("pyautogui.click(1, 2)")
    await client.close()
