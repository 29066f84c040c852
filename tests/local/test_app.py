"""The daemon's HTTP by itself: the real routes and checks of the spec, with handlers that tell what they were asked."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any, cast, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from drums.local.answers import STATUS_OF
from drums.local.app import App
from drums.local.domain.refusals import Kind, Refusal
from drums.local.faults import Faults
from drums.local.handlers import Call, Json, Png
from drums.local.requests import MAX_DEPTH
from drums.local.routes import routes, spec
from tests.local.asking import HOST, TOKEN, Asked, ask, send

if TYPE_CHECKING:
    from drums.local.domain.host import Host
    from drums.local.handlers import Handler

MAX_BODY_BYTES = 1000
STEP = "/v1/slots/s1/step"
CLICK = {"action": {"type": "pyautogui", "code": "pyautogui.click(1, 2)"}}
NO_HOST = cast("Host", None)
"""The handlers of these tests ask no domain."""


async def telling(_host: Host, call: Call) -> Json:
    """A handler that replies what it was asked."""
    return Json(200, {"path": dict(call.path), "query": dict(call.query), "body": dict(call.body)})


def an_app(**handlers: Handler) -> App:
    known: dict[str, Handler] = dict.fromkeys(routes().operations, telling)
    return App(NO_HOST, TOKEN, {**known, **handlers}, routes(), faults=Faults(), max_body_bytes=MAX_BODY_BYTES)


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()[:MAX_BODY_BYTES]


def refusing(refusal: Exception) -> Handler:
    async def refuse(_host: Host, _call: Call) -> Json:
        raise refusal

    return refuse


# Who may ask


@given(
    method=st.sampled_from(["GET", "POST", "DELETE", "PUT", "HEAD", "TRACE"]),
    path=st.sampled_from(["/", "/v1/health", "/v1/slots", STEP, "/v1/nothing", "/v1/slots/%ff"]),
    given_token=st.sampled_from(
        [None, "", TOKEN, f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer"]
    ),
)
async def test_without_the_token_every_request_is_a_401_whatever_it_asks(
    method: str, path: str, given_token: str | None
) -> None:
    said = await ask(an_app(), method, path, headers={"authorization": given_token, "host": "evil.example"})
    assert said.status == 401
    assert said.headers["www-authenticate"] == "Bearer"
    assert method == "HEAD" or said.json["code"] == "unauthorized"


@given(st.text(st.characters(codec="latin-1"), max_size=20))
async def test_no_other_token_opens_the_daemon(token: str) -> None:
    said = await ask(an_app(), "GET", "/v1/health", headers={"authorization": f"Bearer {token}"})
    assert said.status == 401


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_schemes_case_does_not_matter(scheme: str) -> None:
    assert (await ask(an_app(), "GET", "/v1/health", headers={"authorization": f"{scheme} {TOKEN}"})).status == 200


@pytest.mark.parametrize("host", ["127.0.0.1:7070", "localhost:7070", "LOCALHOST", "[::1]:7070", "127.3.2.1:80"])
async def test_every_name_of_this_machine_is_served_also_through_a_tunnels_port(host: str) -> None:
    assert (await ask(an_app(), "GET", "/v1/health", headers={"host": host})).status == 200


@pytest.mark.parametrize(
    "host",
    [None, "", "evil.example:7070", "127.0.0.1.evil.example", "localhost.evil.example", "192.168.0.7:7070", "0.0.0.0"],
)
async def test_a_name_that_was_bound_to_this_machine_from_outside_is_refused(host: str | None) -> None:
    said = await ask(an_app(), "GET", "/v1/health", headers={"host": host})
    assert (said.status, said.json["code"]) == (403, "forbidden")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:3000", f"https://{HOST}"])
async def test_pages_of_another_origin_are_refused_even_with_the_token(origin: str) -> None:
    assert (await ask(an_app(), "POST", STEP, CLICK, {"origin": origin})).status == 403


async def test_a_page_of_this_very_address_may_ask() -> None:
    assert (await ask(an_app(), "POST", STEP, CLICK, {"origin": f"http://{HOST}"})).status == 200


# What was asked


def test_every_operation_of_the_spec_has_a_route() -> None:
    named = {
        item[method]["operationId"] for item in spec()["paths"].values() for method in item if method != "parameters"
    }
    assert set(routes().operations) == named


@pytest.mark.parametrize("operation", routes().operations.values(), ids=lambda operation: operation.id)
async def test_every_operation_reaches_its_own_handler(operation: Any) -> None:
    async def mine(_host: Host, call: Call) -> Json:
        return Json(200, [operation.id, dict(call.path)])

    expected = operation.body.required if operation.body else False
    body = _example_of(operation.id) if expected else None
    said = await ask(
        an_app(**{operation.id: mine}), operation.method, operation.path.replace("{id}", "a%2Fb%20c"), body
    )
    assert said.json == [operation.id, {"id": "a/b c"} if "{id}" in operation.path else {}]


def _example_of(operation_id: str) -> object:
    for item in spec()["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and operation.get("operationId") == operation_id:
                examples = operation["requestBody"]["content"]["application/json"]["examples"]
                name = next(iter(examples.values()))["$ref"].rpartition("/")[2]
                return spec()["components"]["examples"][name]["value"]
    raise AssertionError(operation_id)


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v1/", "/health", "/v1/health/", "/v1//slots", "/v1/slots/", "/v2/health"]
)
async def test_a_path_that_the_spec_does_not_have_is_a_404(path: str) -> None:
    said = await ask(an_app(), "GET", path)
    assert (said.status, said.json["code"]) == (404, "not_found")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "get", "FOO"])
async def test_a_method_that_a_path_does_not_take_is_a_405_that_names_those_it_takes(method: str) -> None:
    said = await ask(an_app(), method, "/v1/slots")
    assert (said.status, said.headers["allow"]) == (405, "GET, POST")


async def test_the_reply_to_head_has_no_body() -> None:
    assert (await ask(an_app(), "HEAD", "/v1/health")).body == b""


@pytest.mark.parametrize("slot", ["%ff", "%c3%28"])
async def test_an_id_that_is_not_utf_8_is_the_name_of_nothing(slot: str) -> None:
    assert (await ask(an_app(), "GET", f"/v1/slots/{slot}")).status == 404


# Bodies


async def test_a_body_may_be_missing_where_it_is_optional() -> None:
    said = await ask(an_app(), "POST", "/v1/slots/s1/reset", b"", {"content-type": "application/json"})
    assert (said.status, said.json["body"]) == (200, {})


async def test_a_body_that_is_needed_must_be_there() -> None:
    said = await ask(an_app(), "POST", STEP)
    assert (said.status, said.json["code"]) == (400, "bad_request")


async def test_fields_and_query_parameters_that_nobody_knows_do_no_harm() -> None:
    said = await ask(an_app(), "POST", f"{STEP}?future=1", {**CLICK, "future": {"a": [1]}})
    assert said.status == 200
    assert said.json["query"] == {}
    assert said.json["body"] == {**CLICK, "future": {"a": [1]}}


async def test_a_body_sent_as_a_form_is_refused_by_the_name_of_its_type() -> None:
    said = await ask(an_app(), "POST", STEP, CLICK, {"content-type": "application/x-www-form-urlencoded"})
    assert said.status == 400
    assert "application/json" in said.json["error"]
    assert "application/x-www-form-urlencoded" in said.json["error"]


async def test_an_integer_that_is_written_with_a_point_arrives_as_an_integer() -> None:
    said = await ask(an_app(), "POST", "/v1/slots/s1/branch", b'{"n": 2.0}')
    assert said.body.count(b'"n":2}') == 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"action": {"type": "sleep", "seconds": -1}}, "$.action.seconds: -1 is less than the minimum of 0"),
        ({"action": {"type": "pyautogui"}}, '$.action: "code" is a required property'),
        ({"action": {"type": "drag"}}, "$.action: type must be one of pyautogui, execute, launch, sleep"),
        ({"action": 3}, "$.action: 3 is not of type"),
        ({**CLICK, "screenshot": "yes"}, '$.screenshot: "yes" is not of type "boolean"'),
        ([], "$: [] is not of type"),
    ],
)
async def test_a_refused_body_is_told_by_the_place_that_is_wrong(body: object, words: str) -> None:
    said = await ask(an_app(), "POST", STEP, body)
    assert said.status == 400
    assert words in said.json["error"]


async def test_a_refusal_never_repeats_a_whole_body() -> None:
    said = await ask(an_app(), "POST", STEP, {"action": "x" * 900})
    assert len(said.json["error"]) < 400


UNSTORABLE = [
    b'{"action": {"type": "sleep", "seconds": NaN}}',
    b'{"action": {"type": "sleep", "seconds": 1e999}}',
    b'{"action": {"type": "sleep", "seconds": Infinity}}',
    b'{"action": {"type": "sleep", "seconds": 1}, "more": ' + b"9" * 30 + b"}",
    b'{"action": {"type": "pyautogui", "code": "\\ud800"}}',
    b'{"action": {"type": "pyautogui", "code": "\xff"}}',
    '{"action": {"type": "pyautogui", "code": "x"}}'.encode("utf-16"),
]


@pytest.mark.parametrize("body", UNSTORABLE)
async def test_what_could_not_be_stored_and_sent_back_is_refused(body: bytes) -> None:
    assert (await ask(an_app(), "POST", STEP, body)).status == 400


@pytest.mark.parametrize(("depth", "status"), [(MAX_DEPTH - 1, 200), (MAX_DEPTH, 400), (400, 400)])
async def test_a_body_may_nest_only_so_deep(depth: int, status: int) -> None:
    nested = b"[" * depth + b"]" * depth
    body = json.dumps(CLICK).encode()[:-1] + b', "more": ' + nested + b"}"
    assert (await ask(an_app(), "POST", STEP, body)).status == status


def test_a_body_that_would_exhaust_the_parser_is_refused() -> None:
    from drums.local.requests import parsed

    with pytest.raises(Refusal, match="nests deeper"):
        parsed(b"[" * 200_000 + b"]" * 200_000)


@given(st.binary(max_size=80) | st.recursive(st.none() | st.floats() | st.text(), st.lists).map(as_json))
@example(b"\xef\xbb\xbf{}")
async def test_no_body_whatever_is_more_than_a_bad_request(body: bytes) -> None:
    assert (await ask(an_app(), "POST", STEP, body)).status in {200, 400}


@pytest.mark.parametrize("declared", [True, False])
async def test_a_body_that_is_too_long_is_refused_before_it_is_read(declared: bool) -> None:
    parts = [b" " * 600] * 5
    headers = {"content-length": "3000"} if declared else {"transfer-encoding": "chunked"}
    asked = Asked("POST", STEP, headers, parts)
    said = await send(an_app(), asked)
    assert said is not None
    assert (said.status, said.json["code"]) == (413, "body_too_large")
    assert asked.read == (0 if declared else 2)


async def test_a_client_that_leaves_in_the_middle_of_its_body_gets_no_reply() -> None:
    assert await send(an_app(), Asked("POST", STEP, {}, [b'{"act'], complete=False)) is None


# Queries


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("limit=5&after=s3&include_destroyed=true", {"limit": 5, "after": "s3", "include_destroyed": True}),
        ("limit=1&limit=2", {"limit": 2}),
        ("include_destroyed=false", {"include_destroyed": False}),
        ("", {}),
    ],
)
async def test_query_parameters_arrive_with_the_types_of_the_spec(query: str, values: dict[str, object]) -> None:
    assert (await ask(an_app(), "GET", f"/v1/slots?{query}")).json["query"] == values


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=",
        "limit=x",
        "limit=1.5",
        "limit=1_0",
        "limit=%205",
        "limit=" + "9" * 50,
        "include_destroyed=yes",
    ],
)
async def test_a_query_parameter_of_another_type_is_refused_by_name(query: str) -> None:
    said = await ask(an_app(), "GET", f"/v1/slots?{query}")
    assert said.status == 400
    assert query.partition("=")[0] in said.json["error"]


@pytest.mark.parametrize(
    ("wait", "status"), [("0", 200), ("2.5", 200), ("6e1", 200), ("61", 400), ("nan", 400), ("inf", 400)]
)
async def test_a_wait_is_a_finite_number_of_seconds(wait: str, status: int) -> None:
    assert (await ask(an_app(), "GET", f"/v1/slots/s1/gates?wait_s={wait}")).status == status


# Replies


@pytest.mark.parametrize("kind", get_args(Kind))
async def test_every_kind_of_refusal_has_its_status_and_names_itself(kind: Kind) -> None:
    app = an_app(get_slot=refusing(Refusal(kind, "in these words", closed_reason="idle", retry_after_s=1.2)))
    said = await ask(app, "GET", "/v1/slots/s1")
    assert said.status == STATUS_OF[kind]
    assert said.json == {
        "error": "in these words",
        "code": kind,
        "closed_reason": "idle",
        "retry_after_s": 1.2,
        "request_id": said.headers["x-request-id"],
    }
    assert said.headers["retry-after"] == "2"


async def test_a_refusal_without_a_known_wait_asks_for_none() -> None:
    said = await ask(an_app(get_slot=refusing(Refusal("overloaded", "full"))), "GET", "/v1/slots/s1")
    assert "retry-after" not in said.headers
    assert "retry_after_s" not in said.json


async def test_half_a_character_costs_no_reply() -> None:
    said = await ask(an_app(get_slot=refusing(Refusal("guest_error", "no file a\ud800b"))), "GET", "/v1/slots/s1")
    assert (said.status, said.json["error"]) == (STATUS_OF["guest_error"], "no file a?b")


async def test_what_nobody_foresaw_is_told_to_the_log_and_not_to_the_caller(caplog: pytest.LogCaptureFixture) -> None:
    app = an_app(get_slot=refusing(RuntimeError("/home/someone/secret")))
    with caplog.at_level(logging.INFO, "drums.local"):
        said = await ask(app, "GET", "/v1/slots/s1")
    assert (said.status, said.json["code"]) == (500, "internal")
    assert b"secret" not in said.body
    assert said.json["request_id"] in caplog.text
    assert "/home/someone/secret" in caplog.text


async def test_the_log_names_the_request_but_neither_token_query_nor_body(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "drums.local"):
        said = await ask(an_app(), "POST", f"{STEP}?q=in-the-query", CLICK)
    assert f"POST {STEP} 200" in caplog.text
    assert said.headers["x-request-id"] in caplog.text
    assert not any(word in caplog.text for word in (TOKEN, "in-the-query", "click"))


async def test_a_path_can_put_nothing_but_plain_letters_into_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "drums.local"):
        await ask(an_app(), "POST", "/v1/\x9b2J\x1b[0m")
    assert "\\x9b2J" in caplog.text
    assert caplog.text.strip().replace("\x1b[0m", "").isascii()


async def test_a_clients_own_request_id_is_kept_if_it_is_a_plain_word() -> None:
    assert (await ask(an_app(), "GET", "/v1/health", headers={"x-request-id": "a-1.b_2"})).headers[
        "x-request-id"
    ] == "a-1.b_2"


@pytest.mark.parametrize("given_id", ["", "a b", "a" * 65, "é", "a\x7f"])
async def test_any_other_request_id_is_replaced(given_id: str) -> None:
    made = (await ask(an_app(), "GET", "/v1/health", headers={"x-request-id": given_id})).headers["x-request-id"]
    assert made != given_id
    assert len(made) == 16


async def test_a_picture_is_sent_as_it_is() -> None:
    async def picture(_host: Host, _call: Call) -> Png:
        return Png(b"\x89PNG")

    said = await ask(an_app(get_screenshot=picture), "GET", "/v1/slots/s1/screenshot")
    assert (said.headers["content-type"], said.body) == ("image/png", b"\x89PNG")


async def test_a_request_that_the_daemons_end_cuts_short_is_answered_with_503() -> None:
    begun = asyncio.Event()

    async def waiting(_host: Host, _call: Call) -> Json:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    task = asyncio.create_task(ask(an_app(get_gates=waiting), "GET", "/v1/slots/s1/gates"))
    await begun.wait()
    task.cancel()
    said = await task
    assert (said.status, said.json["code"]) == (503, "unavailable")


async def test_only_http_is_spoken() -> None:
    with pytest.raises(ValueError, match="websocket"):
        await an_app()({"type": "websocket"}, Asked("GET", "/").receive, cast("Any", None))
