"""The OpenAPI document keeps the rules that the generators and the SDK rely on, beyond what a linter knows."""

from __future__ import annotations

import json
import keyword
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from drums._record import Record
from tests.spec_strategies import SCHEMAS, SPEC, Schema, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

OPERATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, methods in SPEC["paths"].items()
    for method, operation in methods.items()
    if method != "parameters"
}

THE_API = {
    "get_health": "GET /v1/health",
    "get_metrics": "GET /v1/metrics",
    "reset_metrics": "POST /v1/metrics/reset",
    "list_checkpoints": "GET /v1/checkpoints",
    "delete_checkpoint": "DELETE /v1/checkpoints/{id}",
    "list_tasks": "GET /v1/tasks",
    "get_task": "GET /v1/tasks/{id}",
    "list_slots": "GET /v1/slots",
    "create_slot": "POST /v1/slots",
    "get_slot": "GET /v1/slots/{id}",
    "delete_slot": "DELETE /v1/slots/{id}",
    "reset_slot": "POST /v1/slots/{id}/reset",
    "step_slot": "POST /v1/slots/{id}/step",
    "get_screenshot": "GET /v1/slots/{id}/screenshot",
    "get_gates": "GET /v1/slots/{id}/gates",
    "verify_slot": "POST /v1/slots/{id}/verify",
    "set_task": "POST /v1/slots/{id}/task",
    "get_slot_metrics": "GET /v1/slots/{id}/metrics",
    "wait_quiescent": "POST /v1/slots/{id}/quiescent",
    "capture_slot": "POST /v1/slots/{id}/capture",
    "prefork_slot": "POST /v1/slots/{id}/prefork",
    "branch_slot": "POST /v1/slots/{id}/branch",
    "quarantine_slot": "POST /v1/slots/{id}/quarantine",
    "release_slot": "POST /v1/slots/{id}/release",
}

RESERVED = {name for name in dir(Record) if not name.startswith("_")} | {
    "from_dict",
    "to_dict",
    "additional_properties",
}
"""What a field would hide: the methods of a dict, and of the generated models."""


def resolve(part: Schema) -> Schema:
    """A part of the document with its `$ref` followed."""
    while "$ref" in part:
        found: Schema = SPEC
        for step in part["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        part = found
    return part


def examples_of(media: Schema) -> list[Any]:
    """The examples of a body; a file's are addresses."""
    return [resolve(example).get("value") for example in media.get("examples", {}).values()]


def bodies_of(operation: Schema) -> Iterator[tuple[str, Schema]]:
    """Every body of an operation, with words for it: the request's, and each status's."""
    for media in resolve(operation.get("requestBody", {})).get("content", {}).values():
        yield "request", media
    for status, response in operation["responses"].items():
        for media in resolve(response)["content"].values():
            yield status, media


def complaints(media: Schema) -> Iterator[str]:
    """What is wrong with a body's examples; without any, that."""
    examples = examples_of(media)
    if not examples:
        yield "no example"
    if media["schema"].get("format") == "binary":
        return
    checked = Draft202012Validator({**media["schema"], "components": SPEC["components"]})
    for example in examples:
        yield from (f"{error.json_path}: {error.message}" for error in checked.iter_errors(example))


def reply_schemas() -> set[str]:
    """Names of the schemas that a reply may hold, at any depth."""
    found: set[str] = set()
    waiting = [
        json.dumps(media["schema"])
        for _, _, operation in OPERATIONS.values()
        for where, media in bodies_of(operation)
        if where != "request"
    ]
    while waiting:
        for name in set(re.findall(r'"#/components/schemas/(\w+)"', waiting.pop())) - found:
            found.add(name)
            waiting.append(json.dumps(SCHEMAS[name]))
    return found


def inline_objects(node: Any, where: str) -> Iterator[str]:
    """Places in a schema where an object is described without a name."""
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from inline_objects(item, f"{where}[{index}]")
    if not isinstance(node, dict):
        return
    if "properties" in node or node.get("type") == "object" or "object" in (node.get("type") or ()):
        yield where
    for key, item in node.items():
        if key not in {"examples", "example"}:
            yield from inline_objects(item, f"{where}.{key}")


def test_the_document_is_valid_openapi() -> None:
    assert SPEC["openapi"] == "3.1.0"
    assert list(OpenAPIV31SpecValidator(SPEC).iter_errors()) == []


def test_the_document_describes_the_whole_api() -> None:
    assert {name: f"{method} {path}" for name, (method, path, _) in OPERATIONS.items()} == THE_API


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_says_what_it_does_to_the_desktop(name: str) -> None:
    operation = OPERATIONS[name][2]
    assert operation["summary"].endswith(".")
    assert re.search(r"desktop|episode", operation["description"])
    assert len(operation["description"].split()) >= 8


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_body_has_examples_that_its_schema_allows(name: str) -> None:
    bodies = list(bodies_of(OPERATIONS[name][2]))
    assert {where: list(complaints(media)) for where, media in bodies} == {where: [] for where, _ in bodies}
    assert OPERATIONS[name][0] != "POST" or "request" in dict(bodies)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_documents_the_statuses_that_any_request_may_get(name: str) -> None:
    method, path, operation = OPERATIONS[name]
    statuses = set(operation["responses"])
    assert statuses >= {"200", "401", "403", "429", "503"}
    assert ("404" in statuses) == ("{id}" in path or name == "create_slot")
    assert ("410" in statuses) == path.startswith("/v1/slots/{id}")
    assert statuses >= ({"400", "413"} if method == "POST" else set())
    assert "default" not in statuses


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_status_names_its_headers_and_its_error_schema(name: str) -> None:
    for status, response in OPERATIONS[name][2]["responses"].items():
        reply = resolve(response)
        assert "X-Request-Id" in reply["headers"]
        assert ("Retry-After" in reply["headers"]) == (status in {"429", "503"})
        if status != "200":
            assert reply["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/ErrorReply"}


def test_every_operation_needs_the_token() -> None:
    assert SPEC["security"] == [{"bearer": []}]
    assert all("security" not in operation for _, _, operation in OPERATIONS.values())


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_and_field_is_described(name: str) -> None:
    assert SCHEMAS[name]["description"].strip().endswith(".")
    for field, schema in SCHEMAS[name].get("properties", {}).items():
        assert schema["description"].strip().endswith("."), field


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_fields_name_or_description_tells_its_unit(name: str) -> None:
    for field, schema in SCHEMAS[name].get("properties", {}).items():
        words = schema.get("type", [])
        numeric = {"number", "integer"} & set([words] if isinstance(words, str) else words)
        unit = r"[Ss]econds|bytes|count|from 1|0 to 1|currency|status|[Pp]rocess id|How many"
        assert not numeric or re.search(unit, schema["description"]), field


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_field_hides_a_method(name: str) -> None:
    fields = set(resolved(SCHEMAS[name]).get("properties", {}))
    allowed = {"items"} if name == "SlotPage" else set()
    assert fields & RESERVED == allowed
    assert not any(keyword.iskeyword(field) or not re.fullmatch(r"[a-z][a-z0-9_]*", field) for field in fields)


def test_every_object_has_a_name() -> None:
    found = [
        place
        for name, schema in SCHEMAS.items()
        for key, part in schema.items()
        for place in inline_objects(part, f"{name}.{key}")
        if place != f"{name}.properties"
    ]
    for name, (_, _, operation) in OPERATIONS.items():
        found += [place for where, media in bodies_of(operation) for place in inline_objects(media, f"{name} {where}")]
    assert found == []


def test_no_schema_has_a_default() -> None:
    assert '"default"' not in json.dumps(SCHEMAS)


def test_replies_have_open_enums_only() -> None:
    for name in reply_schemas():
        text = json.dumps(SCHEMAS[name])
        assert '"enum"' not in text, name
        assert '"const"' not in text, name


def test_an_open_enum_has_one_name_and_one_set_of_words() -> None:
    words: dict[str, list[str]] = {}
    for schema in SCHEMAS.values():
        for field in schema.get("properties", {}).values():
            for part in (field, field.get("items", {})):
                if "x-extensible-enum" in part:
                    assert words.setdefault(part["title"], part["x-extensible-enum"]) == part["x-extensible-enum"]
    assert words["SlotState"] == ["creating", "ready", "quarantined", "down", "destroyed"]
    assert words["Verdict"] == ["pending", "valid", "invalid"]


def test_a_reply_closes_no_object() -> None:
    assert "additionalProperties: false" not in json.dumps(SCHEMAS).replace('"', "")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("BranchRequest", {"n": 0}),
        ("BranchRequest", {"n": 1.5}),
        ("BranchRequest", {}),
        ("BranchRequest", {"n": 1, "ttl_s": -1}),
        ("CreateSlotRequest", {}),
        ("CreateSlotRequest", {"checkpoint": ""}),
        ("CreateSlotRequest", {"checkpoint": "osworld-ubuntu", "idle_timeout_s": -0.1}),
        ("CreateSlotRequest", {"checkpoint": "osworld-ubuntu", "task": {}}),
        ("StepRequest", {"action": {"type": "drag"}}),
        ("StepRequest", {"action": {"type": "sleep", "seconds": -1}}),
        ("StepRequest", {"action": {"type": "pyautogui"}}),
        ("StepRequest", {"action": {"type": "execute", "command": [1]}}),
        ("QuarantineRequest", {}),
        ("QuiescentRequest", {"timeout_s": "30"}),
        ("CaptureRequest", {"id": "../escape"}),
        ("EmptyRequest", []),
    ],
)
def test_a_request_that_makes_no_sense_is_refused(name: str, body: Any) -> None:
    assert not Draft202012Validator({**SCHEMAS[name], "components": SPEC["components"]}).is_valid(body)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("CreateSlotRequest", {"checkpoint": "osworld-ubuntu", "task": None, "setup": None, "later": 1}),
        ("CreateSlotRequest", {"checkpoint": "c1", "idle_timeout_s": 0, "ttl_s": 0}),
        ("StepRequest", {"action": {"type": "execute", "command": "ls", "shell": True, "later": 1}}),
        ("BranchRequest", {"n": 1, "quiesce_timeout_s": 0}),
        ("CaptureRequest", {}),
        ("EmptyRequest", {}),
    ],
)
def test_a_request_of_an_older_or_newer_client_is_taken(name: str, body: Any) -> None:
    assert Draft202012Validator({**SCHEMAS[name], "components": SPEC["components"]}).is_valid(body)


def test_the_daemons_copy_is_the_document() -> None:
    copy = Path(__file__).parents[2] / "drums" / "local" / "openapi.json"
    assert json.loads(copy.read_bytes()) == SPEC
