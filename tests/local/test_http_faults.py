"""Faults that a test orders, as a client sees them on the wire."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import httpx
import pytest

if TYPE_CHECKING:
    from drums.local import InProcess

SLOT = {"checkpoint": "osworld-ubuntu"}


def test_the_next_requests_are_429_with_the_wait_that_was_ordered(daemon: InProcess, http: httpx.Client) -> None:
    daemon.faults.overload(2, retry_after_s=1.5)
    for _ in range(2):
        refused = http.get("/v1/health")
        assert (refused.status_code, refused.json()["code"]) == (429, "overloaded")
        assert (refused.headers["retry-after"], refused.json()["retry_after_s"]) == ("2", 1.5)
    assert http.get("/v1/health").status_code == 200


def test_a_refused_request_did_nothing(daemon: InProcess, http: httpx.Client) -> None:
    daemon.faults.overload()
    assert http.post("/v1/slots", json=SLOT).status_code == 429
    assert http.get("/v1/slots").json() == []


def test_an_outage_is_503_until_it_is_over(daemon: InProcess, http: httpx.Client) -> None:
    daemon.faults.unavailable(times=1)
    refused = http.get("/v1/health")
    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
    assert http.get("/v1/health").status_code == 200
    daemon.faults.unavailable()
    assert {http.get("/v1/health").status_code for _ in range(3)} == {503}
    daemon.faults.clear()
    assert http.get("/v1/health").status_code == 200


def test_who_has_no_token_uses_up_no_fault(daemon: InProcess, http: httpx.Client) -> None:
    daemon.faults.overload()
    assert http.get("/v1/health", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert http.get("/v1/health").status_code == 429


def test_a_connection_dropped_before_the_work_leaves_nothing_done(daemon: InProcess, http: httpx.Client) -> None:
    daemon.faults.drop_before("create_slot")
    with pytest.raises(httpx.NetworkError):
        http.post("/v1/slots", json=SLOT)
    assert http.get("/v1/slots").json() == []


def test_a_connection_dropped_after_the_work_loses_the_reply_only(daemon: InProcess, http: httpx.Client) -> None:
    daemon.faults.drop_after("create_slot")
    with pytest.raises(httpx.NetworkError):
        http.post("/v1/slots", json=SLOT)
    assert [slot["state"] for slot in http.get("/v1/slots").json()] == ["ready"]


def test_only_the_operation_that_was_named_is_dropped(daemon: InProcess, http: httpx.Client) -> None:
    daemon.faults.drop_before("delete_slot")
    assert http.post("/v1/slots", json=SLOT).status_code == 200


def test_a_restore_that_fails_is_a_record_and_not_an_error(daemon: InProcess, http: httpx.Client) -> None:
    daemon.faults.fail_restore()
    created = http.post("/v1/slots", json=SLOT)
    assert (created.status_code, created.json()["state"]) == (200, "down")
    assert created.json()["last_error"].startswith("restore failed")


def test_a_gate_that_fails_quarantines(daemon: InProcess, http: httpx.Client) -> None:
    daemon.faults.fail_gate("network")
    slot = http.post("/v1/slots", json=SLOT).json()["id"]
    report = http.get(f"/v1/slots/{slot}/gates", params={"wait_s": 30}).json()
    assert (report["validity"]["verdict"], report["validity"]["gates"]) == ("invalid", ["network"])
    assert http.get(f"/v1/slots/{slot}").json()["state"] == "quarantined"


def test_a_guest_that_hangs_is_502(daemon: InProcess, http: httpx.Client) -> None:
    slot = http.post("/v1/slots", json=SLOT).json()["id"]
    assert http.get(f"/v1/slots/{slot}/gates", params={"wait_s": 30}).json()["validity"]["verdict"] == "valid"
    daemon.faults.hang_guest()
    hung = http.post(f"/v1/slots/{slot}/step", json={"action": {"type": "pyautogui", "code": "pyautogui.click()"}})
    assert (hung.status_code, hung.json()["code"], hung.json()["slot"]["id"]) == (502, "guest_error", slot)


def test_a_body_that_is_too_long_is_refused_and_the_connection_can_be_used_again(http: httpx.Client) -> None:
    limit = http.get("/v1/health").json()["limits"]["max_body_bytes"]
    for body in (b" " * (limit + 1), iter([b" " * limit, b" "])):
        refused = http.post("/v1/slots", content=body, headers={"Content-Type": "application/json"})
        assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")
        assert http.get("/v1/health").status_code == 200


async def test_requests_sent_at_once_on_one_connection_are_answered_in_order(daemon: InProcess) -> None:
    assert daemon.url is not None
    reader, writer = await asyncio.open_connection("127.0.0.1", int(daemon.url.rpartition(":")[2]))
    head = f"HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {daemon.token}\r\n"
    request_ids = [f"r{number}" for number in range(5)]
    writer.writelines(f"GET /v1/health {head}X-Request-Id: {id_}\r\n\r\n".encode() for id_ in request_ids)
    seen = [await one_reply(reader) for _ in request_ids]
    writer.close()
    assert seen == [(200, id_) for id_ in request_ids]


async def one_reply(reader: asyncio.StreamReader) -> tuple[int, str]:
    """Status and request id of the next reply on a connection."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    status, *lines = head.strip().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    json.loads(await reader.readexactly(int(headers["content-length"])))
    return int(status.split()[1]), headers["x-request-id"]
