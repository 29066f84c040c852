"""Older daemons: what they say, and that everything else is as today."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import drums.local
from drums.local.emulation import VERSIONS
from tests.local.asking import client_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from drums.local import InProcess

TASK_ID = "e0df059f-28a6-4169-924f-b9623e7184cc"


@pytest.fixture(scope="module", params=list(VERSIONS))
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def served(version: str) -> Iterator[InProcess]:
    with drums.local.serving(alive_gate_s=0.0, emulate=version) as daemon:
        yield daemon


def create(http: httpx.Client) -> str:
    task = http.get(f"/v1/tasks/{TASK_ID}").json()
    return str(http.post("/v1/slots", json={"checkpoint": "osworld-ubuntu", "task": task}).json()["id"])


def valid(http: httpx.Client, slot: str) -> Any:
    """The gate report once no gate is pending; an old daemon does not wait for that."""
    while (report := http.get(f"/v1/slots/{slot}/gates").json())["validity"]["verdict"] == "pending":
        pass
    return report


def test_it_says_its_version_and_no_more_than_it_had(http: httpx.Client, version: str) -> None:
    health = http.get("/v1/health").json()
    assert health["version"].startswith(version)
    assert not {"limits", "capabilities", "machine"} & health.keys()


def test_before_pages_a_list_is_bare_and_holds_destroyed_slots_whatever_the_query(
    http: httpx.Client, version: str
) -> None:
    first, second = create(http), create(http)
    http.delete(f"/v1/slots/{first}")
    listed = http.get("/v1/slots", params={"limit": 1, "after": second}).json()
    if version == "0.3":
        assert [(slot["id"], slot["state"]) for slot in listed] == [(first, "destroyed"), (second, "ready")]
    else:
        assert listed == {"items": [], "next_after": None}


def test_a_destroyed_slot_is_a_conflict_told_by_words(http: httpx.Client) -> None:
    slot = create(http)
    http.delete(f"/v1/slots/{slot}")
    for gone in (http.get(f"/v1/slots/{slot}"), http.post(f"/v1/slots/{slot}/reset"), http.delete(f"/v1/slots/{slot}")):
        assert gone.status_code == 409
        assert gone.json() == {"error": "slot is destroyed", "request_id": gone.headers["x-request-id"]}


def test_other_conflicts_are_as_today(http: httpx.Client) -> None:
    slot = create(http)
    http.post(f"/v1/slots/{slot}/quarantine", json={"reason": "a test"})
    refused = http.post(f"/v1/slots/{slot}/reset")
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")


def test_a_reward_has_neither_audit_nor_reasons(http: httpx.Client) -> None:
    slot = create(http)
    valid(http, slot)
    reward = http.post(f"/v1/slots/{slot}/verify", json={}).json()
    assert reward["valid"] is True
    assert not {"audit", "invalid_reasons"} & reward.keys()


def test_the_verdict_of_a_quarantined_slot_stays_valid_though_its_reward_is_not(http: httpx.Client) -> None:
    slot = create(http)
    valid(http, slot)
    http.post(f"/v1/slots/{slot}/quarantine", json={"reason": "client"})
    reward = http.post(f"/v1/slots/{slot}/verify", json={}).json()
    assert (reward["valid"], reward["score"], reward["validity"]["verdict"]) == (False, None, "valid")
    assert reward["state"] == "quarantined"
    assert http.get(f"/v1/slots/{slot}").json()["validity"] == {"verdict": "valid", "gates": []}
    assert all(gate["status"] == "passed" for gate in http.get(f"/v1/slots/{slot}/gates").json()["gates"])


def test_a_failed_gate_was_told_then_too(daemon: InProcess, http: httpx.Client) -> None:
    daemon.faults.fail_gate("network")
    slot = create(http)
    assert valid(http, slot)["validity"] == {"verdict": "invalid", "gates": ["network"]}
    assert http.post(f"/v1/slots/{slot}/verify", json={}).json()["validity"]["verdict"] == "invalid"


def test_it_does_not_wait_for_a_verdict(version: str) -> None:
    with drums.local.serving(alive_gate_s=3600.0, emulate=version) as daemon, client_of(daemon) as http:
        slot = create(http)
        report = http.get(f"/v1/slots/{slot}/gates", params={"wait_s": 60})
    assert report.json()["validity"]["verdict"] == "pending"


def test_an_unknown_version_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(drums.local.DaemonError, match=r"known are 0\.3, 0\.4\.1"):
        drums.local.in_process(emulate="0.1")
