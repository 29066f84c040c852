"""Single changes of the spec, and whether each breaks somebody: the table that the compatibility check is held to.

Each change is made to `base()`: the released spec, and in it a closed enum in a request and one in a reply, so that
their changes can be tried too. `BREAKING` changes must each be reported, `HARMLESS` ones must not.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable

Spec = dict[str, Any]

RELEASED = Path(__file__).parents[2] / "spec" / "released" / "openapi.yaml"


def base() -> Spec:
    """The released spec with a closed enum in a request and one in a reply."""
    spec: Spec = yaml.safe_load(RELEASED.read_bytes())
    fields(spec, "CreateSlotRequest")["mode"] = {"type": "string", "enum": ["fast", "safe", "debug"]}
    fields(spec, "Checkpoint")["disk"] = {"type": "string", "enum": ["ssd", "ram"]}
    # As a new document, so that no two places share one object of YAML's anchors.
    return copy.deepcopy(spec)


def schema(spec: Spec, name: str) -> Spec:
    """A named schema."""
    found: Spec = spec["components"]["schemas"][name]
    return found


def fields(spec: Spec, name: str) -> Spec:
    """The properties of a named schema."""
    found: Spec = schema(spec, name)["properties"]
    return found


def operation(spec: Spec, path: str, method: str) -> Spec:
    """One operation."""
    found: Spec = spec["paths"][path][method]
    return found


BREAKING: dict[str, Callable[[Spec], None]] = {}
HARMLESS: dict[str, Callable[[Spec], None]] = {}


def _breaking(change: Callable[[Spec], None]) -> Callable[[Spec], None]:
    BREAKING[change.__name__.removeprefix("_")] = change
    return change


def _harmless(change: Callable[[Spec], None]) -> Callable[[Spec], None]:
    HARMLESS[change.__name__.removeprefix("_")] = change
    return change


def _drop(spec: Spec, name: str, field: str) -> None:
    del fields(spec, name)[field]
    required: list[str] = schema(spec, name).get("required", [])
    if field in required:
        required.remove(field)


@_breaking
def _reply_field_removed(spec: Spec) -> None:
    _drop(spec, "RewardReply", "score")


@_breaking
def _required_reply_field_removed(spec: Spec) -> None:
    _drop(spec, "RewardReply", "slot")


@_breaking
def _reply_field_no_longer_required(spec: Spec) -> None:
    schema(spec, "RewardReply")["required"].remove("valid")


@_breaking
def _reply_field_made_nullable(spec: Spec) -> None:
    fields(spec, "RewardReply")["slot"]["type"] = ["string", "null"]


@_breaking
def _reply_enum_value_added(spec: Spec) -> None:
    fields(spec, "Checkpoint")["disk"]["enum"].append("nvme")


@_breaking
def _reply_enum_value_removed(spec: Spec) -> None:
    fields(spec, "Checkpoint")["disk"]["enum"].remove("ram")


@_breaking
def _request_enum_value_removed(spec: Spec) -> None:
    fields(spec, "CreateSlotRequest")["mode"]["enum"].remove("debug")


@_breaking
def _required_query_parameter_added(spec: Spec) -> None:
    tenant = {"name": "tenant", "in": "query", "required": True, "schema": {"type": "string"}}
    operation(spec, "/v1/slots", "get")["parameters"].append(tenant)


@_breaking
def _request_field_made_required(spec: Spec) -> None:
    schema(spec, "CreateSlotRequest")["required"].append("mode")


@_breaking
def _request_field_removed(spec: Spec) -> None:
    _drop(spec, "CreateSlotRequest", "setup")


@_breaking
def _request_number_made_integer(spec: Spec) -> None:
    fields(spec, "CreateSlotRequest")["ttl_s"]["type"] = "integer"


@_breaking
def _reply_string_made_integer(spec: Spec) -> None:
    fields(spec, "SlotFields")["checkpoint"]["type"] = ["integer", "null"]


@_breaking
def _path_removed(spec: Spec) -> None:
    del spec["paths"]["/v1/slots/{id}/verify"]


@_breaking
def _method_removed(spec: Spec) -> None:
    del spec["paths"]["/v1/slots/{id}"]["delete"]


@_breaking
def _request_variant_removed(spec: Spec) -> None:
    schema(spec, "Action")["oneOf"].pop()
    del schema(spec, "Action")["discriminator"]["mapping"]["sleep"]


@_breaking
def _reply_variant_added(spec: Spec) -> None:
    fields(spec, "BranchReply")["checkpoint"]["oneOf"].append({"$ref": "#/components/schemas/TaskRef"})


@_breaking
def _field_of_a_nested_list_removed(spec: Spec) -> None:
    _drop(spec, "Gate", "name")


@_breaking
def _request_maximum_added(spec: Spec) -> None:
    fields(spec, "BranchRequest")["n"]["maximum"] = 8


@_breaking
def _reply_media_type_changed(spec: Spec) -> None:
    content = operation(spec, "/v1/slots/{id}/screenshot", "get")["responses"]["200"]["content"]
    content["image/jpeg"] = content.pop("image/png")


@_breaking
def _success_status_changed(spec: Spec) -> None:
    responses = operation(spec, "/v1/slots", "post")["responses"]
    responses["201"] = responses.pop("200")


@_breaking
def _optional_query_parameter_removed(spec: Spec) -> None:
    parameters = operation(spec, "/v1/slots", "get")["parameters"]
    parameters.remove({"$ref": "#/components/parameters/After"})


@_breaking
def _request_body_made_required(spec: Spec) -> None:
    operation(spec, "/v1/slots/{id}/verify", "post")["requestBody"]["required"] = True


@_breaking
def _unknown_request_fields_forbidden(spec: Spec) -> None:
    schema(spec, "CreateSlotRequest")["additionalProperties"] = False


@_breaking
def _reply_format_changed(spec: Spec) -> None:
    fields(spec, "SlotFields")["created_at"]["format"] = "date"


@_breaking
def _request_constant_changed(spec: Spec) -> None:
    fields(spec, "SleepAction")["type"]["const"] = "wait"
    mapping = schema(spec, "Action")["discriminator"]["mapping"]
    mapping["wait"] = mapping.pop("sleep")


@_breaking
def _operation_id_renamed(spec: Spec) -> None:
    operation(spec, "/v1/slots", "get")["operationId"] = "slots_list"


@_breaking
def _query_parameter_made_a_word(spec: Spec) -> None:
    spec["components"]["parameters"]["IncludeDestroyed"]["schema"] = {"type": "string", "enum": ["yes", "no"]}


@_harmless
def _optional_reply_field_added(spec: Spec) -> None:
    fields(spec, "RewardReply")["extra"] = {"type": "string"}


@_harmless
def _path_added(spec: Spec) -> None:
    spec["paths"]["/v1/x"] = {"get": {"operationId": "x", "responses": {"200": {"description": "ok"}}}}


@_harmless
def _optional_request_field_added(spec: Spec) -> None:
    fields(spec, "CreateSlotRequest")["extra"] = {"type": "string"}


@_harmless
def _summary_changed(spec: Spec) -> None:
    operation(spec, "/v1/slots", "get")["summary"] = "List the slots."


@_harmless
def _optional_query_parameter_added(spec: Spec) -> None:
    state = {"name": "state", "in": "query", "required": False, "schema": {"type": "string"}}
    operation(spec, "/v1/slots", "get")["parameters"].append(state)


@_harmless
def _request_enum_value_added(spec: Spec) -> None:
    fields(spec, "CreateSlotRequest")["mode"]["enum"].append("x")


@_harmless
def _request_field_made_nullable(spec: Spec) -> None:
    fields(spec, "StepRequest")["screenshot"]["type"] = ["boolean", "null"]


@_harmless
def _reply_field_made_required(spec: Spec) -> None:
    schema(spec, "RewardReply")["required"].append("validity")


@_harmless
def _schema_renamed(spec: Spec) -> None:
    schemas = spec["components"]["schemas"]
    schemas["AuditReport"] = schemas.pop("Audit")
    fields(spec, "RewardReply")["audit"]["oneOf"][0] = {"$ref": "#/components/schemas/AuditReport"}


@_harmless
def _fields_reordered(spec: Spec) -> None:
    properties = fields(spec, "RewardReply")
    schema(spec, "RewardReply")["properties"] = dict(reversed(properties.items()))


@_harmless
def _error_status_added(spec: Spec) -> None:
    gone = {"$ref": "#/components/responses/Gone"}
    operation(spec, "/v1/checkpoints/{id}", "delete")["responses"]["410"] = gone


@_harmless
def _request_minimum_loosened(spec: Spec) -> None:
    fields(spec, "BranchRequest")["n"]["minimum"] = 0
