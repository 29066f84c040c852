"""Whatever a server sends, a caller gets a value or a `DrumsError` that keeps what was sent."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from typing import Any

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from drums import errors
from drums._core import calls, replies
from drums._core.bodies import DEEPEST, retry_after_of
from drums._core.wire import Reply, TransportError
from drums.records import Checkpoint, Slot
from drums.reward import Reward
from tests import strategies as our
from tests.rules.every_call import EPISODE, EVERY, FORK, SLOT, TASK, reply_schema
from tests.spec_breaks import breaks_of
from tests.spec_strategies import schema_values, values_of

JSON_TYPE = {"content-type": "application/json"}
operations = st.sampled_from(sorted(EVERY))
content_types = st.sampled_from(
    [
        "application/json",
        "application/json; charset=utf-8",
        "text/html",
        "image/png",
        "text/plain",
        "",
        "nonsense",
        None,
    ]
) | st.text(st.characters(codec="latin-1"), max_size=10)

PNG = our.pngs(st.integers(1, 4000), st.integers(1, 4000))
nested = st.integers(1, 3000).map(lambda depth: b"[" * depth + b"]" * depth)
texts_that_are_no_json = st.sampled_from(
    [
        b"",
        b" ",
        b"null",
        b"NaN",
        b'{"score": NaN}',
        b"[Infinity]",
        b'{"a": 1e999}',
        b"\xff\xfe",
        b"<html>502</html>",
        b'{"id": "s1"',
    ]
)
"""Among them two that are JSON, but no reply."""


@st.composite
def bodies(draw: st.DrawFn, operation: str) -> bytes:
    """What may come as the body of a reply: sound, broken, cut, deep, a page, or anything at all."""
    schema = reply_schema(operation)
    if schema is not None and draw(st.booleans()):
        value = draw(values_of(schema))
        if draw(st.booleans()):
            value = draw(st.sampled_from(list(breaks_of(schema, value)))).applied_to(value)
        text = json.dumps(value).encode()
        return text[: draw(st.integers(0, len(text)))] if draw(st.booleans()) else text
    return draw(
        our.error_bodies.map(lambda body: body if isinstance(body, bytes) else json.dumps(body).encode())
        | our.json_values.map(lambda value: json.dumps(value).encode())
        | texts_that_are_no_json
        | nested
        | PNG
        | st.binary(max_size=40)
    )


@st.composite
def any_replies(draw: st.DrawFn) -> tuple[str, Reply]:
    """An operation, and what came back for it."""
    operation = draw(operations)
    headers = draw(
        st.fixed_dictionaries(
            {"content-type": content_types},
            optional={
                "retry-after": st.text(max_size=8) | st.integers(-5, 10**9).map(str),
                "x-request-id": st.text(max_size=8),
                "location": st.text(max_size=20),
            },
        )
    )
    known = {name: value for name, value in headers.items() if value is not None}
    return operation, Reply(draw(st.just(200) | our.statuses.filter(bool)), known, draw(bodies(operation)))


@given(any_replies())
@example(("verify_slot", Reply(200, JSON_TYPE, b'{"slot": "s104", "valid": "true"}'))).via("a string is no boolean")
@example(("get_slot", Reply(520, {}, b"\x00"))).via("a status that Python's HTTPStatus does not know")
@example(("list_slots", Reply(200, JSON_TYPE, b"[" * 200_000))).via("a bomb")
@example(("get_health", Reply(200, JSON_TYPE, b"1" * 5000))).via("a number of more digits than int() takes")
def test_any_reply_to_any_operation_is_a_value_or_a_drums_error(case: tuple[str, Reply]) -> None:
    operation, reply = case
    outcome = "value"
    try:
        replies.value_of(EVERY[operation], reply)
    except errors.DrumsError as error:
        outcome = type(error).__name__
        told = (error.status, bool(str(error)), str(pickle.loads(pickle.dumps(error))) == str(error))
    else:
        told = (reply.status, True, 200 <= reply.status < 300)
    event(outcome)
    assert told == (reply.status, True, True)


def sound(operation: str, value: Any) -> Any:
    """A reply that the spec allows, made to be about what `EVERY` asks for."""
    if isinstance(value, list):
        return value
    told: dict[str, Any] = {name: text for name, text in (("slot", SLOT), ("episode", EPISODE)) if name in value}
    if operation in {"get_slot", "delete_slot", "reset_slot", "set_task", "quarantine_slot", "release_slot"}:
        told |= {"id": SLOT}
    if operation == "capture_slot":
        told |= {"id": "after-login", "parent": SLOT}
    if operation == "verify_slot":
        told |= {"task_id": TASK["id"]}
    if operation == "branch_slot":
        told |= {"checkpoint": None, "children": [{"id": "s1", "state": "ready"}, {"error": "no memory"}]}
    return value | told


@st.composite
def sound_replies(draw: st.DrawFn) -> tuple[str, Any]:
    """An operation with a JSON reply, and a sound one."""
    operation = draw(operations.filter(lambda name: reply_schema(name) is not None))
    schema = reply_schema(operation)
    assert schema is not None
    return operation, sound(operation, draw(values_of(schema)))


def answered(operation: str, value: Any, status: int = 200) -> Any:
    return replies.value_of(EVERY[operation], Reply(status, JSON_TYPE, json.dumps(value).encode()))


@given(sound_replies())
def test_what_the_spec_allows_is_read_as_it_came(case: tuple[str, Any]) -> None:
    operation, value = case
    read = answered(operation, value)
    if operation == "list_slots":
        assert (read.records, read.next_after) == (value["items"], value["next_after"] or None)
    elif operation == "branch_slot":
        assert (read.raw, read.state) == (value, value["state"])
    elif operation == "verify_slot":
        assert isinstance(read, Reward)
        assert read.raw == value
    else:
        assert (read.raw if operation == "step_slot" else read) == value


@given(sound_replies(), st.data())
def test_one_broken_field_is_a_protocol_error_that_names_it(case: tuple[str, Any], data: st.DataObject) -> None:
    operation, value = case
    schema = reply_schema(operation)
    assert schema is not None
    one = data.draw(st.sampled_from(list(breaks_of(schema, value))))
    broken = one.applied_to(value)
    if one.steps == ("valid",) and one.missing:  # a reply that does not say `valid` is one that is not valid
        assert answered(operation, broken).valid is False
        return
    if operation == "list_slots" and isinstance(broken, list):  # as servers before 0.4 send it
        return
    text = json.dumps(broken).replace("NaN", "1e999").replace("Infinity", "1e999")  # what JSON has no word for
    with pytest.raises(errors.ProtocolError) as fault:
        replies.value_of(EVERY[operation], Reply(200, JSON_TYPE, text.encode()))
    assert fault.value.where is not None
    assert fault.value.where.startswith("$")
    assert (fault.value.status, fault.value.body) == (200, json.loads(text))


@pytest.mark.parametrize("operation", sorted(EVERY))
def test_an_empty_a_cut_and_a_foreign_page_are_protocol_errors_with_the_body_kept(operation: str) -> None:
    for body, headers in (
        (b"", JSON_TYPE),
        (b'{"id": "s104", "sta', JSON_TYPE),
        (b"<html><title>Sign in</title></html>", {"content-type": "text/html"}),
        (b"\xff\xfe\xfd", JSON_TYPE),
    ):
        with pytest.raises(errors.ProtocolError) as fault:
            replies.value_of(EVERY[operation], Reply(200, headers, body))
        kept = fault.value.body
        assert (kept.encode() if isinstance(kept, str) else kept) == body


@pytest.mark.parametrize("operation", [name for name in sorted(EVERY) if name != "get_screenshot"])
def test_json_under_another_media_type_is_not_taken_for_an_answer(operation: str) -> None:
    with pytest.raises(errors.ProtocolError, match="text/plain"):
        replies.value_of(EVERY[operation], Reply(200, {"content-type": "text/plain"}, b"{}"))


SOMETHING_ELSE: list[tuple[str, str, Any]] = [
    ("get_slot", "id", "s105"),
    ("reset_slot", "id", "s105"),
    ("delete_slot", "id", "s105"),
    ("set_task", "id", "s105"),
    ("quarantine_slot", "id", "s105"),
    ("release_slot", "id", "s105"),
    ("get_gates", "slot", "s105"),
    ("get_gates", "episode", 4),
    ("step_slot", "slot", "s105"),
    ("step_slot", "episode", 4),
    ("verify_slot", "slot", "s105"),
    ("verify_slot", "episode", 2),
    ("verify_slot", "task_id", "another"),
    ("wait_quiescent", "slot", "s105"),
    ("wait_quiescent", "episode", 4),
    ("get_slot_metrics", "slot", "s105"),
    ("prefork_slot", "slot", "s105"),
    ("capture_slot", "parent", "s105"),
    ("capture_slot", "id", "another"),
]


@given(st.sampled_from(SOMETHING_ELSE), st.data())
def test_a_reply_about_something_else_is_a_protocol_error(case: tuple[str, str, Any], data: st.DataObject) -> None:
    operation, field, other = case
    schema = reply_schema(operation)
    assert schema is not None
    value = sound(operation, data.draw(values_of(schema))) | {field: other}
    with pytest.raises(errors.ProtocolError) as fault:
        answered(operation, value)
    assert fault.value.where == f"$.{field}"


def test_a_record_of_another_episode_is_a_protocol_error_where_one_was_asked_for() -> None:
    reply = Reply(200, JSON_TYPE, b'{"id": "s104", "state": "ready", "episode": 4}')
    assert replies.value_of(calls.get_slot(SLOT), reply).episode == 4
    with pytest.raises(errors.ProtocolError, match=r"expected 3, got 4 at \$\.episode"):
        replies.value_of(calls.get_slot(SLOT, EPISODE), reply)


@given(st.lists(our.slots(), max_size=5))
def test_an_old_servers_bare_array_is_the_same_page(records: list[Any]) -> None:
    old = answered("list_slots", records)
    assert old == answered("list_slots", {"items": records, "next_after": None})
    assert old.records == records


def test_a_page_that_does_not_say_whether_it_is_the_last_is_no_page() -> None:
    with pytest.raises(errors.ProtocolError, match="next_after"):
        answered("list_slots", {"items": []})


# --- refusals ---------------------------------------------------------------------------------------------------------


@given(operations, our.statuses.filter(lambda status: status and not 200 <= status < 300), our.error_bodies)
def test_a_refusal_has_the_class_of_its_row_and_keeps_the_body(operation: str, status: int, body: Any) -> None:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    with pytest.raises(errors.DrumsError) as refusal:
        replies.value_of(EVERY[operation], Reply(status, JSON_TYPE | {"x-request-id": "7f3a"}, raw))
    error = refusal.value
    assert type(error) is errors.class_for(status, error.code, error.message)
    assert (error.request_id, error.method) == ("7f3a", EVERY[operation].method)
    assert error.sent == "yes" or status in {502, 503, 504}, "a gateway's word does not tell what the server did"
    assert error.sent == "yes" or EVERY[operation].if_lost in {None, error.hint}
    assert error.path == EVERY[operation].target
    kept = error.body
    assert raw == kept if isinstance(kept, bytes) else kept in (raw.decode(), _json_or_none(raw))


def _json_or_none(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None


def test_a_refusal_of_an_old_daemon_for_a_destroyed_slot_is_env_gone() -> None:
    with pytest.raises(errors.EnvGone):
        answered("get_slot", {"error": "slot is destroyed"}, 409)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_told_and_not_followed(status: int) -> None:
    headers = {"location": "https://user:secret@elsewhere.example/v1/slots"}
    with pytest.raises(errors.DrumsError) as refusal:
        replies.value_of(EVERY["get_health"], Reply(status, headers))
    assert "elsewhere.example" in str(refusal.value)
    assert "secret" not in str(refusal.value)
    assert "redirects are not followed" in str(refusal.value)


@pytest.mark.parametrize("sent", ["no", "maybe"])
@pytest.mark.parametrize("operation", sorted(EVERY))
def test_no_reply_is_daemon_unavailable_and_says_what_may_have_been_done(operation: str, sent: Any) -> None:
    call = EVERY[operation]
    error = replies.unanswered(call, TransportError("no complete reply in 5 s", sent, timed_out=True))
    assert type(error) is errors.DaemonUnavailable
    assert (error.status, error.sent, error.method, error.path) == (0, sent, call.method, call.target)
    assert "no complete reply in 5 s" in str(error)
    if sent == "maybe" and call.if_lost is not None:
        assert call.if_lost.rstrip(".") in str(error)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": " 30 "}, 30.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 30.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:27:30 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT"}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
        ({"retry-after": "Wed, 99 Oct 2026 07:28:30 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
    ],
)
def test_retry_after_is_seconds_or_a_date_as_against_the_replys_own(
    headers: dict[str, str], wait: float | None
) -> None:
    assert retry_after_of(headers) == wait


@given(st.dictionaries(st.sampled_from(["retry-after", "date"]), st.text(max_size=40)))
def test_any_retry_after_is_a_sensible_span_or_none(headers: dict[str, str]) -> None:
    wait = retry_after_of(headers)
    assert wait is None or 0 <= wait < 1e9


def test_the_header_counts_more_than_the_bodys_word() -> None:
    body = json.dumps({"error": "full", "retry_after_s": 9}).encode()
    for headers, wait in ((JSON_TYPE | {"retry-after": "2"}, 2.0), (JSON_TYPE, 9.0)):
        with pytest.raises(errors.Overloaded) as refusal:
            replies.value_of(EVERY["create_slot"], Reply(429, headers, body))
        assert refusal.value.retry_after == wait


# --- bombs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [DEEPEST + 1, 900, 5000, 200_000])
@pytest.mark.parametrize("pair", ["[]", '{"a":}'])
def test_json_that_is_deeper_than_any_record_is_refused(depth: int, pair: str) -> None:
    opening, closing = (pair[0], pair[1]) if len(pair) == 2 else (pair[:-1], pair[-1])
    body = (opening * depth + "1" + closing * depth).encode()
    with pytest.raises(errors.ProtocolError) as fault:
        replies.value_of(EVERY["get_health"], Reply(200, JSON_TYPE, body))
    copy.deepcopy(fault.value)


def test_many_flat_records_are_not_taken_for_deep_ones() -> None:
    assert len(answered("list_checkpoints", [{"id": f"c{number}"} for number in range(5000)])) == 5000


def test_a_deep_body_of_a_refusal_is_kept_as_text() -> None:
    with pytest.raises(errors.DrumsError) as refusal:
        replies.value_of(EVERY["get_health"], Reply(500, JSON_TYPE, b"[" * 500 + b"]" * 500))
    assert refusal.value.body == "[" * 500 + "]" * 500
    assert sys.getrecursionlimit() >= 500


# --- pictures ---------------------------------------------------------------------------------------------------------


@given(PNG, st.sampled_from([{}, {"content-type": "image/png"}, {"content-type": "application/octet-stream"}]))
def test_a_screenshot_is_the_png_as_it_came(png: bytes, headers: dict[str, str]) -> None:
    assert replies.value_of(EVERY["get_screenshot"], Reply(200, headers, png)) == png


@given(PNG)
def test_the_screenshot_of_a_step_is_decoded_once(png: bytes) -> None:
    import base64

    call = calls.step_slot(SLOT, None, {"type": "pyautogui", "code": ""}, screenshot=True)
    for text, fault in ((base64.b64encode(png).decode(), None), ("!", "base64"), ("aGk=", "PNG"), (None, "asked for")):
        body = json.dumps({"result": {}, "screenshot_png_b64": text}).encode()
        if fault is None:
            assert replies.value_of(call, Reply(200, JSON_TYPE, body)).png == png
            continue
        with pytest.raises(errors.ProtocolError, match=fault) as wrong:
            replies.value_of(call, Reply(200, JSON_TYPE, body))
        assert wrong.value.where == "$.screenshot_png_b64"


# --- forks ------------------------------------------------------------------------------------------------------------


@given(schema_values("BranchReply"))
def test_a_fork_of_another_number_of_children_is_a_protocol_error(value: dict[str, Any]) -> None:
    right = value | {"checkpoint": None, "children": [{"id": "s1", "state": "ready"}] * FORK.n}
    assert len(answered("branch_slot", right).children) == FORK.n
    for wrong in (right["children"][1:], [*right["children"], {"error": "one too many"}]):
        with pytest.raises(errors.ProtocolError, match=f"expected {FORK.n} children"):
            answered("branch_slot", right | {"children": wrong})


@pytest.mark.parametrize(
    ("child", "failure"),
    [
        ({"id": "s1", "state": "ready"}, None),
        ({"id": "s1", "state": "ready", "error": None}, None),
        ({"id": "s1", "state": "ready", "error": "restore failed: x"}, errors.RestoreFailed),
        ({"id": "s1", "state": "quarantined", "error": "gate failed"}, errors.GateFailed),
        ({"id": "s1", "state": "quarantined"}, errors.GateFailed),
        ({"id": "s1", "state": "down", "last_error": "restore failed: x"}, errors.RestoreFailed),
        ({"id": "s1", "state": "down", "last_error": "task setup failed: x"}, errors.TaskSetupFailed),
        ({"id": "s1", "state": "hibernating"}, errors.EnvFailed),
        ({"id": "s1"}, errors.EnvFailed),
        ({"error": "restore failed: no memory"}, errors.RestoreFailed),
        ({"error": "no room", "code": "task_setup_failed"}, errors.TaskSetupFailed),
        ({"error": "Task setup failed: download"}, errors.TaskSetupFailed),
        ({"state": "ready"}, errors.EnvFailed),
        ({}, errors.EnvFailed),
    ],
)
def test_a_child_is_ready_only_when_nothing_speaks_against_it(child: dict[str, Any], failure: type | None) -> None:
    found = replies.child_failure(child)
    assert (None if found is None else type(found)) is failure


@given(our.json_values | schema_values("BranchReply") | schema_values("Slot"))
def test_the_ids_of_what_was_made_are_found_in_any_body(body: Any) -> None:
    ids = replies.ids_made(body)
    assert all(ids)
    children: Any = body.get("children") if isinstance(body, dict) else None
    if isinstance(children, list):
        named = [child.get("id") for child in children if isinstance(child, dict)]
        assert set(ids) >= {name for name in named if isinstance(name, str) and name}


def test_records_of_a_reply_are_records() -> None:
    assert isinstance(answered("list_slots", [{"id": "s1", "state": "ready"}]).records[0], Slot)
    assert isinstance(answered("list_checkpoints", [{"id": "c1"}])[0], Checkpoint)
