"""Who may ask, and what a malformed request gets."""

from __future__ import annotations

from drums.conform.outcome import hold, part
from drums.conform.scenarios import scenario
from drums.conform.visit import Visit

MALFORMED: tuple[tuple[str, object], ...] = (
    ("create_slot", {}),
    ("create_slot", {"checkpoint": 7}),
    ("step_slot", {}),
    ("step_slot", {"action": {"type": "drag"}}),
    ("step_slot", {"action": {"type": "sleep", "seconds": -1}}),
    ("step_slot", {"action": {"type": "pyautogui"}}),
    ("branch_slot", {"n": 0}),
    ("branch_slot", {"n": 1, "ttl_s": -1}),
    ("branch_slot", {}),
    ("prefork_slot", {"n": "two"}),
    ("quarantine_slot", {}),
    ("capture_slot", {"id": "../escape"}),
    ("wait_quiescent", {"timeout_s": "30"}),
    ("set_task", {"task": {}}),
)


@scenario
def no_reply_without_the_token(visit: Visit) -> None:
    """Whoever has no token, or a wrong one, gets 401 from every operation."""
    for stranger in (visit.with_token(None), visit.with_token("conform-not-the-token")):
        for operation, body in (
            ("get_health", None),
            ("list_slots", None),
            ("create_slot", {"checkpoint": visit.image}),
        ):
            answer = stranger.ask(
                operation, body=body, query={"limit": 1} if operation == "list_slots" else None, status=401
            )
            hold(answer["code"] == "unauthorized", "a 401 has the code `unauthorized`", answer.content)


@scenario
def a_malformed_request_changes_nothing(visit: Visit) -> None:
    """A request that the spec does not allow gets 400 `bad_request`, and nothing is done."""
    slot = visit.make()["id"]
    for operation, body in MALFORMED:
        visit.ask(operation, "" if operation == "create_slot" else slot, body, status=400)
    visit.ask("step_slot", slot, raw=b'{"action": ', status=400)
    record = visit.ask("get_slot", slot).content
    hold(record["state"] == "ready", "a malformed request changes no state", record)
    hold(visit.children_of(slot) == [], "a malformed request starts nothing")


@scenario
def what_does_not_exist_is_a_404(visit: Visit) -> None:
    """An id that never existed gets 404 `not_found`, however it is written."""
    nothing = visit.made_up()
    for operation in (
        "get_slot",
        "delete_slot",
        "get_gates",
        "get_screenshot",
        "get_slot_metrics",
        "delete_checkpoint",
    ):
        visit.ask(operation, nothing, status=404)
    visit.ask("get_task", nothing, status=404)
    visit.ask("step_slot", nothing, {"action": {"type": "sleep", "seconds": 0}}, status=404)
    visit.ask("create_slot", body={"checkpoint": nothing}, status=404)
    visit.ask("get_slot", visit.made_up("/verify"), status=404)


@scenario
def unknown_fields_are_ignored(visit: Visit) -> None:
    """A field that the spec does not name does no harm in any request."""
    slot = visit.make(later={"than": "today"})["id"]
    action = {"type": "sleep", "seconds": 0, "later": 1}
    visit.ask("step_slot", slot, {"action": action, "later": [1]})
    visit.ask("verify_slot", slot, {"later": 1}, status=409)


@scenario
def the_daemon_tells_what_it_can_do(visit: Visit) -> None:
    """`get_health` names a version, and limits that are counts."""
    health = visit.ask("get_health").content
    hold(bool(health["version"]), "the version is not empty", health)
    limits = {name: value for name, value in part(health, "limits").items() if value is not None}
    hold(all(value >= 0 for value in limits.values() if isinstance(value, int | float)), "no limit is negative", limits)
