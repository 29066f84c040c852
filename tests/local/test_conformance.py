"""The daemon against its own spec, by schemathesis: whatever is asked, no 5xx, and every reply as the spec says.

The daemon runs in this process and is asked over loopback HTTP. Two ways: each operation by itself, with requests that
are and that are not what the spec says, on slots in every state; and sequences of operations that follow ids from one
reply into the next request.
"""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    ensure_resource_availability,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
    use_after_free,
)

import drums.local
from drums.local import Limits
from drums.local.routes import routes, spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemathesis.generation.stateful.state_machine import APIStateMachine

    from drums.local import InProcess

    Case = schemathesis.Case[Any]
    CheckContext = schemathesis.CheckContext
    Response = schemathesis.Response

SCHEMA = schemathesis.openapi.from_dict(copy.deepcopy(dict(spec())))


def the_daemon_is_at_no_fault(_context: CheckContext, response: Response, _case: Case) -> None:
    """No 5xx but the guest's own: a program that is to be launched and is not in the desktop."""
    if response.status_code >= 500:
        said = response.json()
        assert (response.status_code, said["code"]) == (502, "guest_error"), said
        assert "there is no such program" in said["error"], said


CHECKS = [
    the_daemon_is_at_no_fault,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
    allow_header_conformance,
]
LIMITS = Limits(fork=3, max_slots=40, max_states=8)
IMAGE = "osworld-ubuntu"
TASK = "e0df059f-28a6-4169-924f-b9623e7184cc"
LONGEST_S = 0.05
"""No wait and no sleep is let take longer."""


FEW = 3
"""Children of a fork in a sequence, at most."""
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.large_base_example]


def profile(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=SLOW,
    )


@dataclass
class World:
    """A daemon, and slots of it in every state."""

    daemon: InProcess
    slots: dict[str, str] = field(default_factory=dict[str, str])

    def ask(self, method: str, target: str, body: object = None) -> Any:
        """One request that is known to be sound."""
        headers = {"authorization": f"Bearer {self.daemon.token}"}
        raw = None if body is None else json.dumps(body).encode()
        _, _, said = self.daemon.submit(method, target, headers, raw).result(30)
        return json.loads(said)

    def slot(self, state: str) -> str:
        """A slot that is now in that state."""
        known = self.slots.get(state)
        if known is None or self.ask("GET", f"/v1/slots/{known}").get("state") != state:
            self.slots[state] = known = self._made(state)
        return known

    def _made(self, state: str) -> str:
        if len(self.ask("GET", "/v1/slots")) > LIMITS.max_slots // 2:
            self.daemon.reset()
            self.slots.clear()
        made = str(self.ask("POST", "/v1/slots", {"checkpoint": IMAGE})["id"])
        for name in {"quarantined": ["quarantine"], "down": ["quarantine", "release"]}.get(state, []):
            self.ask("POST", f"/v1/slots/{made}/{name}", {"reason": "a test"} if name == "quarantine" else {})
        if state == "destroyed":
            self.ask("DELETE", f"/v1/slots/{made}")
        return made

    @property
    def asking(self) -> dict[str, Any]:
        """Where to ask, and as whom."""
        return {"base_url": self.daemon.url, "headers": {"Authorization": f"Bearer {self.daemon.token}"}}

    def check(self, case: Case) -> None:
        """Send one request and hold the reply to the spec."""
        bound(case)
        self.place(case)
        case.call_and_validate(checks=CHECKS, **self.asking)

    def place(self, case: Case) -> None:
        """Let most requests name something that exists; the same request always the same."""
        chance = crc32(repr((case.method, case.path, case.path_parameters, case.query, case.body)).encode())
        if "id" in case.path_parameters and chance % 6 < 5:
            case.path_parameters = {**case.path_parameters, "id": self._an_id(case.path, chance)}
        if chance % 4:
            name_the_image(case)

    def _an_id(self, path: str, chance: int) -> str:
        if path.startswith("/v1/tasks"):
            return TASK[: 8 + chance % 30]
        if path.startswith("/v1/checkpoints"):
            saved = self.ask("POST", f"/v1/slots/{self.slot('ready')}/capture", {"idle_timeout_s": 5})
            return str(saved.get("id", "c1"))
        return self.slot(("ready", "ready", "quarantined", "down", "destroyed")[chance % 5])


def bound(case: Case) -> None:
    """Let nothing take long, and ask for slots in pages: without `limit` the reply is the bare list of former times."""
    if isinstance(case.body, dict):
        body: dict[str, Any] = {
            name: _short(value) if name.endswith("timeout_s") else value for name, value in case.body.items()
        }
        if "action" in body:
            body["action"] = _quick(body["action"])
        case.body = body
    if isinstance(case.query, dict):
        case.query = {name: _short(value) if name == "wait_s" else value for name, value in case.query.items()}
    if case.operation.definition.raw["operationId"] == "list_slots":
        case.query = {"limit": 7, **case.query}


def _quick(action: Any) -> Any:
    """The action, without what it would wait for."""
    if not isinstance(action, dict):
        return action
    quick = {name: _short(value) if name == "seconds" else value for name, value in action.items()}
    if quick.get("name") == "WAIT":
        quick["name"] = "DONE"
    if isinstance(actions := quick.get("actions"), list):
        quick["actions"] = [_quick(one) for one in actions]
    return quick


def name_the_image(case: Case) -> None:
    """Let a desktop be made from what there is; the name that was drawn is hardly ever a checkpoint's."""
    if isinstance(case.body, dict) and isinstance(case.body.get("checkpoint"), str) and case.body["checkpoint"]:
        case.body = {**case.body, "checkpoint": IMAGE}


def ask_for_few(case: Case) -> None:
    """Let a fork be one that the daemon has room for; most numbers are far beyond it."""
    if isinstance(case.body, dict) and type(number := case.body.get("n")) is int and number > FEW:
        case.body = {**case.body, "n": 1 + number % FEW}


def _short(value: object) -> object:
    """The value, unless it is a time that would be waited."""
    is_long = isinstance(value, int | float) and not isinstance(value, bool) and LONGEST_S < value <= 86400
    return LONGEST_S if is_long else value


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with drums.local.serving(limits=LIMITS, alive_gate_s=0.0) as daemon:
        yield World(daemon)


@SCHEMA.parametrize()
@profile(15)
def test_every_reply_is_what_the_spec_says(case: Case, world: World) -> None:
    world.check(case)


@pytest.mark.long
@pytest.mark.timeout(600)
@SCHEMA.parametrize()
@profile(400)
def test_every_reply_is_what_the_spec_says_at_length(case: Case, world: World) -> None:
    world.check(case)


class Sequences:
    """What a sequence of operations is asked of, and held to; mixed into the machine that follows the spec's links."""

    world: World
    done: set[str]
    """Operations that were done, and not only refused."""

    def setup(self) -> None:
        """Every sequence begins with a daemon that was just started, and one desktop."""
        self.world.daemon.reset()
        self.world.ask("POST", "/v1/slots", {"checkpoint": IMAGE})

    def before_call(self, case: Case) -> None:
        """Keep it short, and let what was drawn name what there is; what came from a reply stays."""
        bound(case)
        name_the_image(case)
        ask_for_few(case)
        drawn = case.path_parameters.get("id")
        if drawn is not None and not re.fullmatch(r"[sc][0-9]+", str(drawn)):
            first = {"tasks": TASK, "checkpoints": "c1"}.get(case.path.split("/")[2], "s1")
            case.path_parameters = {**case.path_parameters, "id": first}

    def get_call_kwargs(self, _case: Case) -> dict[str, Any]:
        """Where to ask, and as whom."""
        return self.world.asking

    def validate_response(self, response: Any, case: Case, **asked: Any) -> None:
        """The same checks as for single requests, and that what was deleted is gone and what was made is there."""
        checks = [*CHECKS, use_after_free, ensure_resource_availability]
        case.validate_response(response, checks=checks, transport_kwargs=asked)
        if response.status_code == 200:
            self.done.add(case.operation.definition.raw["operationId"])


def run_sequences(world: World, sequences: int, steps: int) -> set[str]:
    """Run them, and tell which operations were done."""
    done: set[str] = set()
    parts = (Sequences, SCHEMA.as_state_machine())
    machine = cast("type[APIStateMachine]", type("Asking", parts, {"world": world, "done": done}))
    machine.run(settings=settings(profile(sequences), stateful_step_count=steps))
    return done


def test_sequences_of_operations_keep_to_the_spec(world: World) -> None:
    done = run_sequences(world, sequences=25, steps=20)
    assert done >= {"create_slot", "get_slot", "step_slot", "reset_slot", "capture_slot", "delete_slot"}


@pytest.mark.long
@pytest.mark.timeout(900)
def test_long_sequences_of_operations_keep_to_the_spec(world: World) -> None:
    done = run_sequences(world, sequences=300, steps=40)
    unlinked = {"get_health", "get_metrics", "reset_metrics", "list_tasks"}
    assert done >= set(routes().operations) - unlinked
