"""No mixture of fields makes an episode valid that is not; the daemon's rule and the SDK's say the same."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import event, example, find, given
from hypothesis import strategies as st

from drums.validity import judge, verdict_of
from tests.strategies import (
    INVALIDATING,
    SOUND,
    UNTRUSTING,
    Fault,
    Json,
    audits,
    free_replies,
    gate_names,
    gates,
    invalidating_faults,
    sound_replies,
    untrusting_faults,
)

OLD_AND_QUARANTINED: Json = {
    "slot": "s104",
    "episode": 1,
    "task_id": None,
    "state": "quarantined",
    "score": None,
    "valid": False,
    "validity": {"verdict": "valid", "gates": []},
    "checker_error": None,
    "checker_skipped": "quarantined: client",
    "gates": [{"name": "network", "status": "passed"}],
}


@given(sound_replies())
def test_a_sound_reply_is_valid_with_its_score_and_without_reasons(reply: Json) -> None:
    judged = judge(reply)
    assert (judged.valid, judged.verdict, judged.reasons, judged.bad_gates) == (True, "valid", (), ())
    assert judged.score == reply["score"]
    assert judged.trusted is (True if "audit" in reply else None)


@given(sound_replies(), invalidating_faults)
def test_one_fault_is_enough_to_make_an_episode_invalid(reply: Json, fault: Fault) -> None:
    judged = judge(fault.applied_to(reply))
    assert not judged.valid
    assert judged.verdict != "valid"
    assert judged.reasons
    assert all(reason.strip() for reason in judged.reasons)
    assert judged.trusted is not True


@given(sound_replies(), st.lists(invalidating_faults, min_size=1, max_size=4))
def test_faults_do_not_cancel_each_other(reply: Json, faults: list[Fault]) -> None:
    for fault in faults:
        reply = fault.applied_to(reply)
    assert not judge(reply).valid


@pytest.mark.parametrize("fault", INVALIDATING, ids=str)
def test_every_fault_by_itself_is_enough(fault: Fault) -> None:
    judged = judge(fault.applied_to(SOUND))
    assert not judged.valid
    assert judged.reasons
    assert all(reason.strip() for reason in judged.reasons)


@given(sound_replies(audited=True), untrusting_faults)
def test_what_speaks_against_a_score_takes_its_trust_and_not_the_validity(reply: Json, fault: Fault) -> None:
    judged = judge(fault.applied_to(reply))
    assert judged.valid
    assert judged.trusted is False


@pytest.mark.parametrize("fault", UNTRUSTING, ids=str)
def test_every_word_against_a_score_by_itself_is_enough(fault: Fault) -> None:
    assert judge(fault.applied_to(SOUND)).trusted is False


@given(sound_replies(audited=False), st.sampled_from([None, "absent"]))
def test_without_an_audit_nothing_is_trusted(reply: Json, audit: str | None) -> None:
    assert judge(reply if audit else reply | {"audit": None}).trusted is None


@given(free_replies)
@example(OLD_AND_QUARANTINED).via("daemon before 0.4.2: the verdict of a quarantined slot stays valid")
@example(OLD_AND_QUARANTINED | {"valid": True}).via("a quarantine whose env is called valid")
def test_no_mixture_of_fields_makes_a_bad_episode_valid(reply: Json) -> None:
    judged = judge(reply)
    event(f"valid: {judged.valid}")
    assert judged.valid is (judged.reasons == ())
    assert (judged.verdict == "valid") is judged.valid
    if judged.valid:
        assert_nothing_speaks_against(reply)
    if judged.trusted:
        assert judged.valid
        assert judged.score is not None
        assert reply["audit"]["trusted"] is True
        assert not reply["audit"]["flags"]


def assert_nothing_speaks_against(reply: dict[str, Any]) -> None:
    """What the contract asks of a valid episode, field by field."""
    validity = reply.get("validity") or {}
    assert reply["valid"] is True
    assert reply.get("state") in (None, "ready")
    assert validity.get("verdict") in (None, "valid")
    assert not validity.get("gates")
    assert all(gate["status"] == "passed" for gate in reply.get("gates") or [])
    assert not reply.get("invalid_reasons")
    assert not reply.get("quarantined")
    assert "quarantined" not in str(reply.get("checker_skipped"))


@pytest.mark.parametrize("valid", [True, False])
def test_both_verdicts_occur_in_the_free_mixture(valid: bool) -> None:
    assert find(free_replies, lambda reply: judge(reply).valid is valid)


@given(free_replies)
def test_judging_changes_nothing_and_says_the_same_again(reply: Json) -> None:
    before = copy.deepcopy(reply)
    assert judge(reply) == judge(copy.deepcopy(reply))
    assert repr(reply) == repr(before)


@given(sound_replies(), gates())
def test_the_daemon_and_the_sdk_say_the_same_of_all_gates(reply: Json, taken: list[Json]) -> None:
    verdict = verdict_of((gate["name"], gate["status"]) for gate in taken)
    event(verdict)
    bad = [gate["name"] for gate in taken if gate["status"] != "passed"]
    told = reply | {"gates": taken, "validity": {"verdict": verdict, "gates": bad}, "valid": verdict == "valid"}
    judged = judge(told)
    assert (judged.verdict, judged.valid, list(judged.bad_gates)) == (verdict, verdict == "valid", bad)


@given(gates(min_size=1), st.data())
def test_a_verdict_depends_on_no_order_and_one_failure_decides(taken: list[Json], data: st.DataObject) -> None:
    pairs = [(gate["name"], gate["status"]) for gate in taken]
    verdict = verdict_of(pairs)
    assert verdict_of(data.draw(st.permutations(pairs))) == verdict
    assert verdict_of([*pairs, ("network", "failed")]) == "invalid"
    assert verdict_of([*pairs, ("network", "pending")]) == ("invalid" if verdict == "invalid" else "pending")
    assert verdict_of([*pairs, ("network", "passed")]) == verdict


def test_an_episode_without_gates_is_pending_because_nothing_passed() -> None:
    assert verdict_of([]) == "pending"


@given(sound_replies(audited=False), gates(st.sampled_from(["failed", "pending"]), min_size=1))
def test_reasons_are_derived_where_the_server_sends_none(reply: Json, bad: list[Json]) -> None:
    told = reply | {"valid": False, "gates": bad, "state": "down"}
    expected = [f"gate {gate['name']} {gate['status']}" for gate in bad]
    assert list(judge(told).reasons) == ["env is down", *expected]


@given(sound_replies(), st.lists(st.text(min_size=1).filter(str.strip), min_size=1))
def test_the_servers_own_reasons_are_kept(reply: Json, reasons: list[str]) -> None:
    judged = judge(reply | {"valid": False, "invalid_reasons": reasons})
    assert judged.reasons == tuple(reason.strip() for reason in reasons)


def test_an_old_daemons_quarantined_slot_reads_as_invalid() -> None:
    judged = judge(OLD_AND_QUARANTINED)
    assert (judged.valid, judged.verdict, judged.score, judged.trusted) == (False, "invalid", None, None)
    assert judged.reasons == ("env is quarantined", "quarantined: client")


@pytest.mark.parametrize(
    "told", [{"state": "quarantined"}, {"checker_skipped": "quarantined: client"}, {"quarantined": True}]
)
def test_a_score_beside_a_quarantine_does_not_count(told: Json) -> None:
    assert judge(SOUND | told).score is None
    assert judge(SOUND | told | {"validity": {"verdict": "pending"}, "valid": False}).verdict == "invalid"


@pytest.mark.parametrize("name", ["", None, 5, ["network"]])
def test_a_gate_without_a_name_is_bad_all_the_same(name: object) -> None:
    assert judge(SOUND | {"gates": [{"name": name, "status": "failed"}]}).reasons == ("gate without a name failed",)


@pytest.mark.parametrize("state", ["ready", "down"])
def test_a_verdict_of_a_newer_server_is_passed_on_and_never_valid(state: str) -> None:
    judged = judge(SOUND | {"validity": {"verdict": "doubtful"}, "state": state})
    assert (judged.valid, judged.verdict) == (False, "doubtful")


def test_a_score_of_a_checker_that_was_skipped_does_not_count() -> None:
    assert judge(SOUND | {"checker_skipped": "no task"}).score is None
    assert judge(SOUND | {"checker_skipped": "no task", "score": None}).valid


@given(sound_replies(), st.text(min_size=1))
def test_a_checker_error_never_becomes_a_score(reply: Json, error: str) -> None:
    assert judge(reply | {"checker_error": error}).score is None


@given(sound_replies(), gate_names)
def test_a_gate_that_only_validity_names_is_bad_as_the_verdict_says(reply: Json, name: str) -> None:
    for verdict, status in (("pending", "pending"), ("invalid", "failed"), ("valid", "failed")):
        judged = judge(reply | {"validity": {"verdict": verdict, "gates": [name]}})
        assert judged.bad_gates == (name,)
        assert judged.reasons == (f"gate {name} {status}",)


@given(sound_replies(), gate_names)
def test_of_two_readings_of_one_gate_the_worse_counts(reply: Json, name: str) -> None:
    readings = [{"name": name, "status": status} for status in ("failed", "passed", "pending")]
    assert judge(reply | {"gates": readings}).reasons == (f"gate {name} failed",)


@given(sound_replies(audited=False))
def test_a_reply_without_a_verdict_is_judged_by_its_gates_and_never_by_none(reply: Json) -> None:
    told = {name: value for name, value in reply.items() if name != "validity"}
    assert judge(told).valid
    assert judge(told | {"gates": []}).reasons == ("no verdict",)


@given(sound_replies(), st.sampled_from(["state", "invalid_reasons", "checker_skipped", "checker_error", "episode"]))
def test_a_field_that_an_old_server_leaves_out_or_sends_as_null_speaks_against_nothing(reply: Json, field: str) -> None:
    assert judge(reply | {field: None}).valid
    assert judge({name: value for name, value in reply.items() if name != field}).valid


@given(sound_replies())
def test_a_pending_verdict_stays_pending_only_while_it_can_become_valid(reply: Json) -> None:
    pending = {"valid": False, "validity": {"verdict": "pending", "gates": ["network"]}, "gates": []}
    assert judge(reply | pending).verdict == "pending"
    assert judge(reply | pending | {"state": "quarantined"}).verdict == "invalid"
    assert judge(reply | pending | {"gates": [{"name": "limits", "status": "failed"}]}).verdict == "invalid"


@given(audits(trusted=False), sound_replies())
def test_the_audits_flags_are_passed_on(audit: Json, reply: Json) -> None:
    judged = judge(reply | {"audit": audit})
    assert judged.audit_flags == tuple(audit["flags"])
    assert judged.trusted is False
