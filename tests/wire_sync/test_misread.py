# Generated from tests/wire/test_misread.py by tools/generate_sync.py. Edit that file.
"""Replies that are not what the spec says: what they name as made is ended, and the error keeps what came."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from drums import DaemonUnavailable, DrumsError, ProtocolError
from drums._core.wire import Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    import drums
    from drums._core.wire import Request


class Altering:
    """Sends as a client does, and changes what comes back for POST."""

    def __init__(self, client: drums.Client, change: Callable[[Reply], Reply]) -> None:
        self.inner: Any = client._session._transport
        self.change = change
        client._session._transport = self  # type: ignore[assignment]

    def send(self, request: Request) -> Reply:
        reply: Reply = self.inner.send(request)
        return self.change(reply) if request.method == "POST" else reply

    def close(self) -> None:
        self.inner.close()


def with_fields(**fields: Any) -> Callable[[Reply], Reply]:
    """Changes some fields of a JSON reply."""
    return lambda reply: Reply(reply.status, reply.headers, json.dumps(json.loads(reply.body) | fields).encode())


def test_an_env_whose_record_cannot_be_read_is_ended(client: drums.Client) -> None:
    Altering(client, with_fields(episode="one"))
    with pytest.raises(ProtocolError) as fault:
        client.create()
    assert fault.value.where == "$.episode"
    assert isinstance(fault.value.body, dict)
    assert (client.envs(), client.owned_envs()) == ([], [])


def test_children_of_a_fork_that_cannot_be_read_are_ended(env: drums.Env) -> None:
    Altering(env.client, with_fields(seconds="long"))
    with pytest.raises(ProtocolError) as fault:
        env.fork(3)
    assert fault.value.where == "$.seconds"
    assert [seen.id for seen in env.client.envs()] == [env.id]
    assert env.client.owned_envs() == [env]


def test_a_state_that_does_not_belong_to_the_env_is_no_answer(env: drums.Env) -> None:
    Altering(env.client, with_fields(parent="s999"))
    with pytest.raises(ProtocolError, match="s999"):
        env.save()
    assert env.last_state is None


HTML = {"content-type": "text/html"}
IN_BETWEEN: dict[str, tuple[Reply, type[DrumsError]]] = {
    "a page": (Reply(200, HTML, b"<html><title>Sign in</title></html>"), ProtocolError),
    "a cut reply": (Reply(200, {"content-type": "application/json"}, b'{"slot": "s1", "resu'), ProtocolError),
    "nothing": (Reply(204, {}, b""), ProtocolError),
    "a redirect": (Reply(302, {"location": "https://elsewhere.example/"}, b""), DrumsError),
    "a gateway's word": (Reply(502, HTML, b"<html>Bad Gateway</html>"), DrumsError),
    "an odd status": (Reply(599, {}, b"\x00\xff"), DrumsError),
    "a gateway that is down": (Reply(503, {"retry-after": "7"}, b""), DaemonUnavailable),
}


@pytest.mark.parametrize("what", IN_BETWEEN)
def test_a_gateway_in_between_is_told_as_what_it_is(env: drums.Env, what: str) -> None:
    instead, error = IN_BETWEEN[what]
    Altering(env.client, lambda _: instead)
    with pytest.raises(error) as fault:
        env.step("pyautogui.click(1, 2)")
    assert fault.value.method == "POST"
    assert f"step(pyautogui) of {env.id}" in str(fault.value)
    assert env.steps == 0


def test_a_server_that_repeats_the_token_does_not_get_it_into_an_error(client: drums.Client) -> None:
    token = client._session.settings.token
    assert token is not None
    body = json.dumps({"error": f"you are {token}", "token": token}).encode()
    Altering(client, lambda _: Reply(400, {"content-type": "application/json"}, body))
    with pytest.raises(DrumsError) as fault:
        client.reset_metrics()
    assert token not in f"{fault.value} {fault.value!r} {fault.value.body}"
