"""Every cell of the transition table, asked of a daemon by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import drums.local
from drums.local.domain.slots import OPERATIONS, TABLE, Operation

from .slot_model import IMAGE, TASKS, ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local import InProcess
    from drums.local.store import SlotState

REQUESTS: dict[Operation, tuple[str, str, object]] = {
    "get": ("GET", "", None),
    "metrics": ("GET", "/metrics", None),
    "gates": ("GET", "/gates", None),
    "screenshot": ("GET", "/screenshot", None),
    "step": ("POST", "/step", {"action": {"type": "sleep", "seconds": 0}}),
    "verify": ("POST", "/verify", {}),
    "set_task": ("POST", "/task", {"task": TASKS["good"]}),
    "reset": ("POST", "/reset", {}),
    "quiescent": ("POST", "/quiescent", {"timeout_s": 1, "window_s": 0}),
    "capture": ("POST", "/capture", {}),
    "prefork": ("POST", "/prefork", {"n": 1}),
    "branch": ("POST", "/branch", {"n": 1}),
    "quarantine": ("POST", "/quarantine", {"reason": "client"}),
    "release": ("POST", "/release", {}),
    "delete": ("DELETE", "", None),
}


WAYS: dict[SlotState, list[Operation]] = {
    "ready": [],
    "quarantined": ["quarantine"],
    "down": ["quarantine", "release"],
    "destroyed": ["delete"],
}
"""How a slot that is ready comes into each state; `creating` it is only during a request."""


@pytest.fixture(scope="module")
def daemon() -> Iterator[InProcess]:
    with drums.local.in_process(alive_gate_s=0.0) as daemon:
        yield daemon


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("state", WAYS)
def test_every_cell_of_the_table_is_what_the_daemon_does(
    daemon: InProcess, state: SlotState, operation: Operation
) -> None:
    slot = ask(daemon, "POST", "/slots", {"checkpoint": IMAGE, "task": TASKS["good"]})[1]["id"]
    for way in WAYS[state]:
        method, target, body = REQUESTS[way]
        assert ask(daemon, method, f"/slots/{slot}{target}", body)[0] == 200

    method, target, body = REQUESTS[operation]
    status, _ = ask(daemon, method, f"/slots/{slot}{target}", body)

    after = TABLE[state, operation]
    assert status == (200 if after is not None else 410 if state == "destroyed" else 409)
    expected = {"creating": "ready", None: state}.get(after, after)
    told = ask(daemon, "GET", f"/slots/{slot}")[1]
    assert (told["slot"] if expected == "destroyed" else told)["state"] == expected
