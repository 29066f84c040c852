"""Every call is a request that the spec allows, whatever its arguments; wrong ones are refused before sending."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from drums import BadRequest, DrumsError, actions
from drums._core import calls
from drums._core.arguments import count, flag, identifier, seconds, text
from tests import strategies as our
from tests.rules.every_call import (
    EVERY,
    TASK,
    all_operations,
    body_schema,
    operation_of,
    query_of,
)
from tests.spec_strategies import SPEC, schema_values, validator

if TYPE_CHECKING:
    from collections.abc import Callable

    from drums._core.call import Call

ids = our.sendable_texts.filter(lambda given: given.strip() and given not in {".", ".."})
spans = st.none() | st.integers(0, 86400) | st.floats(0, 86400)
counts = st.integers(1, 10**6)
NOT_SECONDS: list[Any] = [10**400, math.nan, math.inf, -math.inf, -1, -0.1, True, "1", [1], -(10**400)]
NOT_COUNTS: list[Any] = [10**5000, 0, -1, True, 1.0, "1", None, math.nan]
NOT_IDS: list[Any] = ["", " ", ".", "..", None, 1, b"s1", "\ud800", ["s1"]]


def conforms(operation_id: str, call: Call[Any]) -> None:
    """The call is this operation, with ids, query and body as the spec has them."""
    operation = operation_of(call.method, call.target)
    assert operation.name == operation_id
    assert call.target.isascii()
    for schema, value in query_of(operation, call.target).values():
        Draft202012Validator(schema | {"components": SPEC["components"]}).validate(value)
    name = body_schema(operation)
    assert (call.body is None) == (name is None)
    if name is not None and call.body is not None:
        validator(name).validate(json.loads(call.body))


def test_there_is_a_call_for_every_operation_of_the_spec() -> None:
    assert set(EVERY) == all_operations()


@pytest.mark.parametrize("operation_id", EVERY)
def test_each_call_is_the_operation_that_it_is_named_after(operation_id: str) -> None:
    conforms(operation_id, EVERY[operation_id])


@given(ids)
def test_an_id_arrives_as_it_is_whatever_it_holds(env_id: str) -> None:
    for call in (
        calls.get_slot(env_id),
        calls.delete_slot(env_id),
        calls.reset_slot(env_id),
        calls.get_screenshot(env_id),
        calls.get_gates(env_id, None),
        calls.verify_slot(env_id, None, None),
        calls.get_slot_metrics(env_id),
        calls.release_slot(env_id),
        calls.delete_checkpoint(env_id),
        calls.get_task(env_id),
    ):
        assert operation_of(call.method, call.target).ids == {"id": env_id}


@given(ids, st.none() | schema_values("Task"), st.none() | st.booleans(), spans, spans)
def test_create_is_what_the_spec_allows(
    image: str, task: dict[str, Any] | None, setup: bool | None, idle: float | None, ttl: float | None
) -> None:
    call = calls.create_slot(image, task, setup=setup, idle_timeout=idle, ttl=ttl)
    conforms("create_slot", call)
    sent = json.loads(call.body or b"")
    assert sent["task"] == task
    wanted = {"checkpoint": image, "setup": setup, "idle_timeout_s": idle, "ttl_s": ttl}
    assert {name: sent.get(name) for name in wanted} == wanted


@given(ids, schema_values("Task"))
def test_a_task_arrives_as_it_was_given(env_id: str, task: dict[str, Any]) -> None:
    call = calls.set_task(env_id, task)
    conforms("set_task", call)
    assert json.loads(call.body or b"") == {"task": task}


@given(ids, our.good_actions, st.booleans())
def test_step_is_what_the_spec_allows_and_carries_the_action_whole(env_id: str, given_action: Any, shot: bool) -> None:
    action = actions.action(given_action)
    call = calls.step_slot(env_id, 1, action, screenshot=shot)
    conforms("step_slot", call)
    assert json.loads(call.body or b"") == {"action": action, "screenshot": shot}


@given(ids, counts, st.booleans(), st.tuples(spans, spans, spans, spans, spans))
def test_fork_and_prefork_ask_for_the_same_in_the_same_words(
    env_id: str, n: int, keep: bool, times: tuple[float | None, ...]
) -> None:
    quiesce, idle, ttl, state_idle, state_ttl = times
    request = calls.fork_request(
        n, quiesce, keep_state=keep, idle_timeout=idle, ttl=ttl, state_idle_timeout=state_idle, state_ttl=state_ttl
    )
    fork, prefork = calls.branch_slot(env_id, request), calls.prefork_slot(env_id, request)
    conforms("branch_slot", fork)
    conforms("prefork_slot", prefork)
    assert fork.body == prefork.body
    sent = json.loads(fork.body or b"")
    assert sent.pop("delete_state_with_children", False) is not keep
    given_ones = {
        "n": n,
        "quiesce_timeout_s": quiesce,
        "idle_timeout_s": idle,
        "ttl_s": ttl,
        "state_idle_timeout_s": state_idle,
        "state_ttl_s": state_ttl,
    }
    assert sent == {name: value for name, value in given_ones.items() if value is not None}


@given(ids, st.none() | st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}", fullmatch=True), spans, spans, spans)
def test_save_is_what_the_spec_allows(env_id: str, name: str | None, quiesce: Any, idle: Any, ttl: Any) -> None:
    conforms("capture_slot", calls.capture_slot(env_id, name, quiesce, idle, ttl))


@given(ids, spans, spans)
def test_wait_quiescent_is_what_the_spec_allows(env_id: str, timeout: Any, window: Any) -> None:
    conforms("wait_quiescent", calls.wait_quiescent(env_id, 1, timeout, window))


@given(counts, st.none() | ids, st.booleans())
def test_a_page_is_asked_for_as_the_spec_allows(limit: int, after: str | None, destroyed: bool) -> None:
    conforms("list_slots", calls.list_slots(limit, after, include_destroyed=destroyed))


@given(st.floats(0, 1e6))
def test_the_server_is_never_asked_to_wait_longer_than_the_spec_allows(wait_s: float) -> None:
    call = calls.get_gates("s1", 1, wait_s=wait_s)
    conforms("get_gates", call)
    assert call.least_timeout_s >= min(wait_s, 60)


@given(st.floats(0, 86400))
def test_a_request_outlasts_the_time_that_it_asks_the_server_to_take(span: float) -> None:
    fork = calls.fork_request(
        1, span, keep_state=True, idle_timeout=None, ttl=None, state_idle_timeout=None, state_ttl=None
    )
    for call in (
        calls.wait_quiescent("s1", 1, span, None),
        calls.capture_slot("s1", None, span, None, None),
        calls.branch_slot("s1", fork),
        calls.step_slot("s1", 1, {"type": "sleep", "seconds": span}, screenshot=False),
        calls.step_slot("s1", 1, {"type": "batch", "actions": [{"type": "sleep", "seconds": span}]}, screenshot=False),
    ):
        assert call.least_timeout_s > span


@pytest.mark.parametrize("operation_id", EVERY)
def test_what_changes_something_says_what_to_do_when_its_reply_is_lost(operation_id: str) -> None:
    call = EVERY[operation_id]
    assert (call.if_lost is None) == (call.method == "GET")


def fork_of(**wrong: Any) -> Any:
    leases = {"idle_timeout": None, "ttl": None, "state_idle_timeout": None, "state_ttl": None}
    return calls.fork_request(**{"n": 1, "quiesce_timeout": None, "keep_state": True, **leases, **wrong})


def create(**wrong: Any) -> Any:
    return calls.create_slot(**{"checkpoint": "osworld-ubuntu", "task": None, **wrong})


def save(**wrong: Any) -> Any:
    return calls.capture_slot(
        **{"slot_id": "s1", "name": None, "quiesce_timeout": None, "idle_timeout": None, "ttl": None, **wrong}
    )


WRONG: list[tuple[Callable[[Any], Any], list[Any]]] = [
    (lambda bad: create(idle_timeout=bad), NOT_SECONDS),
    (lambda bad: create(ttl=bad), NOT_SECONDS),
    (lambda bad: create(checkpoint=bad), NOT_IDS),
    (lambda bad: create(setup=bad), ["yes", 1, 0.0]),
    (lambda bad: fork_of(n=bad), NOT_COUNTS),
    (lambda bad: fork_of(quiesce_timeout=bad), NOT_SECONDS),
    (lambda bad: fork_of(idle_timeout=bad), NOT_SECONDS),
    (lambda bad: fork_of(ttl=bad), NOT_SECONDS),
    (lambda bad: fork_of(state_idle_timeout=bad), NOT_SECONDS),
    (lambda bad: fork_of(state_ttl=bad), NOT_SECONDS),
    (lambda bad: fork_of(keep_state=bad), [None, 1, "no"]),
    (lambda bad: save(quiesce_timeout=bad), NOT_SECONDS),
    (lambda bad: save(idle_timeout=bad), NOT_SECONDS),
    (lambda bad: save(ttl=bad), NOT_SECONDS),
    (lambda bad: save(name=bad), [name for name in NOT_IDS if name is not None]),
    (lambda bad: calls.wait_quiescent("s1", 1, bad, None), NOT_SECONDS),
    (lambda bad: calls.wait_quiescent("s1", 1, None, bad), NOT_SECONDS),
    (lambda bad: calls.list_slots(bad, None), NOT_COUNTS),
    (lambda bad: calls.list_slots(1, None, include_destroyed=bad), [None, 1, "no"]),
    (lambda bad: calls.step_slot("s1", 1, {"type": "pyautogui", "code": ""}, screenshot=bad), [None, 1, "no"]),
    (lambda bad: calls.quarantine_slot("s1", bad), ["", None, 1, "\ud800"]),
    (calls.list_tasks, ["", 1, "\ud800"]),
    (calls.get_task, NOT_IDS),
    (calls.delete_checkpoint, NOT_IDS),
    (calls.get_slot, NOT_IDS),
    (calls.delete_slot, NOT_IDS),
]


@pytest.mark.parametrize(
    ("call", "wrong"), [(call, wrong) for call, many in WRONG for wrong in many], ids=lambda value: type(value).__name__
)
def test_wrong_input_is_refused_before_anything_is_sent(call: Callable[[Any], Any], wrong: Any) -> None:
    with pytest.raises(BadRequest) as refusal:
        call(wrong)
    assert refusal.value.sent == "no"
    assert not re.search(r"NoneType|<class|<lambda", str(refusal.value))


@given(st.none() | our.json_values | st.binary() | st.floats())
def test_any_argument_is_taken_or_refused_and_never_anything_else(anything: Any) -> None:
    for check in (count, seconds, text, identifier, flag):
        try:
            taken = check(anything, "it")
        except BadRequest as refusal:
            told: str = refusal.sent
        else:
            told = "taken" if taken == anything else "changed"
        assert told in {"no", "taken"}


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"id": "t", "config": "none"}, "$.config"),
        ({"id": "t", "config": [{"parameters": {}}]}, "$.config[0]"),
        ({"id": "t", "related_apps": [1]}, "$.related_apps[0]"),
        ({"id": "t", "evaluator": []}, "$.evaluator"),
    ],
)
def test_a_malformed_task_is_refused_with_the_place_that_is_wrong(wrong: dict[str, Any], where: str) -> None:
    with pytest.raises(BadRequest, match=re.escape(where)):
        calls.set_task("s1", wrong)


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/slots", "/v1/slots"),
        ("/v1/slots", "/v1/slots"),
        ("/v1", "/v1"),
        ("/v10", "/v1/v10"),
        ("/slots?limit=1", "/v1/slots?limit=1"),
    ],
)
def test_a_raw_call_takes_its_path_with_and_without_the_version(path: str, target: str) -> None:
    assert calls.raw_call("get", path, None, raw=False).target == target
    assert calls.raw_call("get", path, None, raw=False).method == "GET"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "slots", None),
        ("GET", "/a b", None),
        ("GET", "/a\r\nHost: evil", None),
        ("GET", "/../admin", None),
        ("GET", "/slots/./x", None),
        ("GET", "/ü", None),
        ("GET", "/a#b", None),
        ("GET", "", None),
        ("GET", 1, None),
        ("GE T", "/slots", None),
        ("TRACE", "/slots", None),
        ("", "/slots", None),
        ("POST", "/slots", {1, 2}),
        ("POST", "/slots", math.nan),
    ],
)
def test_a_raw_call_that_is_no_request_is_refused(method: Any, path: Any, body: Any) -> None:
    with pytest.raises(DrumsError) as refusal:
        calls.raw_call(method, path, body, raw=False)
    assert refusal.value.sent == "no"


def test_a_task_is_not_changed_by_sending_it() -> None:
    before = json.dumps(TASK)
    calls.create_slot("i", TASK)
    assert json.dumps(TASK) == before
