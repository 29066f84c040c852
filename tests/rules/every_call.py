"""One call for each operation of the spec, and what the spec says of it; for the tests of calls and of replies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from drums._core import calls
from tests.spec_strategies import SPEC, resolved

if TYPE_CHECKING:
    from drums._core.call import Call

TASK: dict[str, Any] = {"id": "e0df059f-28a6-4169-924f-b9623e7184cc", "instruction": "Rename a folder.", "config": []}
SLOT, EPISODE = "s104", 3
FORK = calls.fork_request(
    2, None, keep_state=True, idle_timeout=None, ttl=None, state_idle_timeout=None, state_ttl=None
)

EVERY: dict[str, Call[Any]] = {
    "get_health": calls.get_health(),
    "get_metrics": calls.get_metrics(),
    "reset_metrics": calls.reset_metrics(),
    "list_checkpoints": calls.list_checkpoints(),
    "delete_checkpoint": calls.delete_checkpoint("c7"),
    "list_tasks": calls.list_tasks("os"),
    "get_task": calls.get_task("e0df059f"),
    "list_slots": calls.list_slots(500, "s3", include_destroyed=True),
    "create_slot": calls.create_slot("osworld-ubuntu", TASK, setup=True, idle_timeout=60, ttl=0),
    "get_slot": calls.get_slot(SLOT),
    "delete_slot": calls.delete_slot(SLOT),
    "reset_slot": calls.reset_slot(SLOT),
    "step_slot": calls.step_slot(SLOT, EPISODE, {"type": "pyautogui", "code": "1"}, screenshot=False),
    "get_screenshot": calls.get_screenshot(SLOT),
    "get_gates": calls.get_gates(SLOT, EPISODE, wait_s=10.0),
    "verify_slot": calls.verify_slot(SLOT, EPISODE, TASK["id"]),
    "set_task": calls.set_task(SLOT, TASK),
    "get_slot_metrics": calls.get_slot_metrics(SLOT),
    "wait_quiescent": calls.wait_quiescent(SLOT, EPISODE, 30, 1),
    "capture_slot": calls.capture_slot(SLOT, "after-login", 30, 60, 0),
    "prefork_slot": calls.prefork_slot(SLOT, FORK),
    "branch_slot": calls.branch_slot(SLOT, FORK),
    "quarantine_slot": calls.quarantine_slot(SLOT, "client"),
    "release_slot": calls.release_slot(SLOT),
}
"""By operationId."""


class Operation(NamedTuple):
    """One operation of the spec, as a request meets it."""

    name: str
    facts: dict[str, Any]
    ids: dict[str, str]
    """What stands for each part of the path."""


def operation_of(method: str, target: str) -> Operation:
    """The one operation of the spec that a request is for."""
    path = urlsplit(target).path
    found = [
        Operation(item[method.lower()]["operationId"], item | item[method.lower()], ids)
        for template, item in SPEC["paths"].items()
        if method.lower() in item and (ids := _ids(template, path)) is not None
    ]
    assert len(found) == 1, f"{method} {target} is {len(found)} operations"
    return found[0]


def _ids(template: str, path: str) -> dict[str, str] | None:
    names, parts = template.split("/"), path.split("/")
    if len(names) != len(parts):
        return None
    if any(not name.startswith("{") and name != part for name, part in zip(names, parts, strict=True)):
        return None
    return {name[1:-1]: unquote(part) for name, part in zip(names, parts, strict=True) if name.startswith("{")}


def query_of(operation: Operation, target: str) -> dict[str, tuple[dict[str, Any], Any]]:
    """Each query parameter of a request: its schema in the spec, and its value as that schema reads it."""
    known: dict[str, dict[str, Any]] = {}
    for entry in operation.facts.get("parameters", []):
        parameter: dict[str, Any] = entry
        if "$ref" in entry:
            parameter = SPEC["components"]["parameters"][entry["$ref"].rsplit("/", 1)[1]]
        if parameter["in"] == "query":
            known[parameter["name"]] = parameter["schema"]
    sent = dict(parse_qsl(urlsplit(target).query, keep_blank_values=True, strict_parsing=True)) if "?" in target else {}
    return {name: (known[name], _read(known[name], text)) for name, text in sent.items()}


def _read(schema: dict[str, Any], text: str) -> Any:
    return text if resolved(schema)["type"] == "string" else json.loads(text)


def body_schema(operation: Operation) -> str | None:
    """Name of the schema of the request's body; None for an operation without one."""
    body = operation.facts.get("requestBody")
    return None if body is None else body["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]


def reply_schema(name: str) -> dict[str, Any] | None:
    """Schema of an operation's JSON reply; None for the screenshot."""
    for item in SPEC["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and operation.get("operationId") == name:
                content: dict[str, Any] = operation["responses"]["200"]["content"]
                return content["application/json"]["schema"] if "application/json" in content else None
    raise AssertionError(f"no operation {name}")


def all_operations() -> set[str]:
    """Every operationId of the spec."""
    return {
        operation["operationId"]
        for item in SPEC["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict) and "operationId" in operation
    }
