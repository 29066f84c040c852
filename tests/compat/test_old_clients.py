"""Old clients against the new API, by example: what a server of the new spec may send, the released records must take;
what a released client may ask, the new spec must allow. It judges bodies, not documents, so it needs no rules.
"""

from __future__ import annotations

import copy
import importlib.util
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from jsonschema import Draft202012Validator

from drums._record import Record, shape_fault
from tests.compat.spec_changes import BREAKING, HARMLESS, RELEASED, Spec, base
from tests.spec_strategies import SPEC, values_of
from tools._codegen.records import records_module
from tools._codegen.spec import Spec as Document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

REPLIES = (
    "Health",
    "Metrics",
    "Checkpoint",
    "TaskSummary",
    "Task",
    "SlotPage",
    "Slot",
    "StepReply",
    "GateReport",
    "RewardReply",
    "SlotMetrics",
    "QuiescentReply",
    "PreforkReply",
    "BranchReply",
    "ErrorReply",
)
REQUESTS = (
    "CreateSlotRequest",
    "StepRequest",
    "TaskRequest",
    "QuiescentRequest",
    "CaptureRequest",
    "BranchRequest",
    "QuarantineRequest",
)


def profile(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )


@pytest.fixture(scope="module")
def released_records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The records as the released spec makes them: what an old client checks replies with."""
    folder: Path = tmp_path_factory.mktemp("released")
    path = folder / "released_records.py"
    path.write_bytes(records_module(Document(RELEASED.read_bytes())))
    found = importlib.util.spec_from_file_location("released_records", path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules["released_records"] = module
    found.loader.exec_module(module)
    yield module
    del sys.modules["released_records"]


def objection(record: type[Record], spec: Spec, name: str, examples: int) -> str | None:
    """The first thing that an old client can't read in a body of the new spec; None if it reads all."""
    found: list[str] = []

    @profile(examples)
    @given(values_of(spec["components"]["schemas"][name], schemas=spec["components"]["schemas"]))
    def read(body: Any) -> None:
        fault = shape_fault(record, body)
        if fault is not None:
            found.append(str(fault))

    read()
    return found[0] if found else None


def refusal(old: Spec, new: Spec, name: str, examples: int) -> str | None:
    """The first request of an old client that the new spec does not allow; None if it allows all."""
    found: list[str] = []
    checked = Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": {"schemas": new["components"]["schemas"]}}
    )

    @profile(examples)
    @given(values_of(old["components"]["schemas"][name], extra_fields=False, schemas=old["components"]["schemas"]))
    def ask(body: Any) -> None:
        found.extend(error.message for error in checked.iter_errors(body))

    ask()
    return found[0] if found else None


@pytest.mark.parametrize("name", REPLIES)
def test_released_records_take_what_a_new_server_sends(name: str, released_records: ModuleType) -> None:
    assert objection(getattr(released_records, name), SPEC, name, 60) is None


@pytest.mark.parametrize("name", REQUESTS)
def test_the_new_api_takes_what_released_clients_send(name: str) -> None:
    assert refusal(base(), SPEC, name, 60) is None


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("required_reply_field_removed", "RewardReply"),
        ("reply_field_no_longer_required", "RewardReply"),
        ("reply_field_made_nullable", "RewardReply"),
        ("reply_string_made_integer", "Slot"),
        ("field_of_a_nested_list_removed", "GateReport"),
    ],
)
def test_it_finds_replies_that_old_clients_can_not_read(change: str, name: str, released_records: ModuleType) -> None:
    new = copy.deepcopy(base())
    BREAKING[change](new)
    assert objection(getattr(released_records, name), new, name, 60)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("request_field_made_required", "CreateSlotRequest"),
        ("request_number_made_integer", "CreateSlotRequest"),
        ("request_variant_removed", "StepRequest"),
        ("request_maximum_added", "BranchRequest"),
        ("request_constant_changed", "StepRequest"),
    ],
)
def test_it_finds_requests_that_the_new_api_refuses(change: str, name: str) -> None:
    new = copy.deepcopy(base())
    BREAKING[change](new)
    assert refusal(base(), new, name, 60)


@pytest.mark.parametrize("change", ["optional_reply_field_added", "reply_field_made_required", "fields_reordered"])
def test_it_lets_harmless_changes_pass(change: str, released_records: ModuleType) -> None:
    new = copy.deepcopy(base())
    HARMLESS[change](new)
    assert objection(released_records.RewardReply, new, "RewardReply", 60) is None
