"""Records read both ways, keep everything, change nothing, and tell where a reply is not what the spec says."""

from __future__ import annotations

import copy
import json
import math
import pickle
from typing import TYPE_CHECKING, Any, get_args

import drums_api.models
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from drums import records
from drums._record import Record, items_fault, shape_fault
from drums.records import BranchReply, Checkpoint, Gate, Health, Metrics, RewardReply, Slot, SlotPage, StepReply
from tests.spec_breaks import broken_values
from tests.spec_strategies import SCHEMAS, json_types, resolved, schema_values, validator

if TYPE_CHECKING:
    from collections.abc import Callable

CLASSES: dict[str, type[Record]] = {
    name: value
    for name in records.__all__
    if isinstance(value := getattr(records, name), type) and issubclass(value, Record)
}


def some_record() -> st.SearchStrategy[Record]:
    """A record of any class, as a correct server may send it."""
    return st.sampled_from(sorted(CLASSES)).flatmap(lambda name: schema_values(name).map(CLASSES[name]))


def plain(value: Any) -> Any:
    """The JSON of a value, without any class of ours."""
    return json.loads(json.dumps(value))


@given(some_record())
def test_a_record_is_the_json_it_was_made_of(record: Record) -> None:
    sent = plain(record)
    assert record == sent
    assert isinstance(record, dict)
    assert {**record} == sent
    assert type(record | {"more": 1}) is dict
    assert all(record[name] == value and record.get(name) == value for name, value in sent.items())


@given(some_record())
def test_a_record_survives_pickle_and_copies(record: Record) -> None:
    for other in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record), copy.copy(record)):
        assert type(other) is type(record)
        assert other == record
        assert other is not record


def test_a_deep_copy_shares_nothing_with_its_original() -> None:
    slot = Slot({"id": "s1", "state": "ready", "validity": {"verdict": "pending", "gates": ["network"]}})
    other = copy.deepcopy(slot)
    other["validity"]["gates"].append("mounts")
    assert slot["validity"]["gates"] == ["network"]


CHANGES: dict[str, Callable[[Any], object]] = {
    "set an item": lambda record: record.__setitem__("id", "s2"),
    "delete an item": lambda record: record.__delitem__("id"),
    "update": lambda record: record.update(id="s2"),
    "merge in place": lambda record: record.__ior__({"id": "s2"}),
    "set a default": lambda record: record.setdefault("reason", "client"),
    "pop": lambda record: record.pop("id"),
    "pop any": lambda record: record.popitem(),
    "clear": lambda record: record.clear(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_record_can_not_be_changed(change: str) -> None:
    slot = Slot({"id": "s1", "state": "ready"})
    with pytest.raises(TypeError, match=r"Slot is read-only; change a copy: dict\(record\)"):
        CHANGES[change](slot)
    assert slot == {"id": "s1", "state": "ready"}


def test_an_attribute_can_not_be_set() -> None:
    slot = Slot({"id": "s1", "state": "ready"})
    with pytest.raises(AttributeError):
        setattr(slot, "state", "down")  # noqa: B010
    with pytest.raises(AttributeError):
        setattr(slot, "colour", "red")  # noqa: B010


def attributes_of(cls: type[Record]) -> list[str]:
    """The typed attributes of a record."""
    return [name for name, value in vars(cls).items() if isinstance(value, property)]


@given(some_record())
def test_every_attribute_says_what_the_field_says(record: Record) -> None:
    for name in attributes_of(type(record)):
        sent = record.get(name)
        read = getattr(record, name)
        if sent is None and read is not None:
            assert read in ([], {})
        else:
            assert read == sent


@given(some_record())
def test_objects_within_a_record_are_records_too(record: Record) -> None:
    for name in attributes_of(type(record)):
        shape, read = record.__shapes__[name], getattr(record, name)
        inner = shape.record or (shape.each.record if shape.each else None)
        if inner is None or read is None:
            continue
        held = read if isinstance(read, list) else [read] if shape.record else list(read.values())
        assert all(type(item) is inner for item in held)


@pytest.mark.parametrize("name", CLASSES)
def test_every_field_of_the_spec_has_an_attribute(name: str) -> None:
    fields = set(resolved(SCHEMAS[name]).get("properties", {}))
    by_name_only = {"items"} if name == "SlotPage" else set()
    assert set(attributes_of(CLASSES[name])) == fields - by_name_only
    assert all(getattr(CLASSES[name], field).__doc__ for field in fields - by_name_only)


@pytest.mark.parametrize("name", CLASSES)
def test_the_smallest_reply_of_an_old_server_reads(name: str) -> None:
    schema = resolved(SCHEMAS[name])
    least: dict[str, Any] = {
        field: {"string": "x", "boolean": False, "array": [], "object": {}, "null": None}[
            json_types(schema["properties"][field])[-1]
        ]
        for field in schema.get("required", [])
    }
    for inner in set(least) & {"result"}:
        least[inner] = {}
    record = CLASSES[name](least)
    assert shape_fault(CLASSES[name], record) is None
    for field in set(attributes_of(CLASSES[name])) - set(least):
        assert getattr(record, field) in (None, [], {})


# --- shapes -----------------------------------------------------------------------------------------------------------


@given(some_record())
def test_what_the_spec_allows_has_the_right_shape(record: Record) -> None:
    assert validator(type(record).__name__).is_valid(plain(record))
    assert shape_fault(type(record), plain(record)) is None
    assert shape_fault(type(record), record) is None


@given(st.data())
def test_one_broken_thing_is_found_where_it_is(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(CLASSES)))
    value, broken = data.draw(broken_values(name))
    event("a field is missing" if broken.missing else "a value of the wrong type")
    fault = shape_fault(CLASSES[name], value)
    assert fault is not None
    assert fault.path == broken.path
    assert (fault.got == "nothing") == broken.missing
    assert str(fault) == f"expected {fault.expected}, got {fault.got} at {fault.path}"


@given(st.data())
def test_the_shape_check_agrees_with_json_schema(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(CLASSES)))
    value, broken = data.draw(broken_values(name))
    finite = broken.missing or not isinstance(broken.value, float) or math.isfinite(broken.value)
    assert validator(name).is_valid(value) == (not finite)


@pytest.mark.parametrize(
    ("cls", "value", "fault"),
    [
        (Slot, {"id": "s1", "state": 3}, "expected string, got number 3 at $.state"),
        (Slot, {"id": "s1"}, "expected string, got nothing at $.state"),
        (Slot, [], "expected object, got array of 0 at $"),
        (Slot, None, "expected object, got null at $"),
        (Slot, {"id": "s1", "state": "ready", "episode": True}, "expected integer or null, got true at $.episode"),
        (Slot, {"id": "s1", "state": "ready", "episode": 1.5}, "expected integer or null, got number 1.5 at $.episode"),
        (RewardReply, {"slot": "s1", "valid": 1}, "expected boolean, got number 1 at $.valid"),
        (
            RewardReply,
            {"slot": "s1", "valid": True, "score": "1.0"},
            'expected number or null, got string "1.0" at $.score',
        ),
        (
            RewardReply,
            {"slot": "s1", "valid": True, "score": math.nan},
            "expected number or null, got number nan at $.score",
        ),
        (
            BranchReply,
            {"state": "c1", "children": [{}, {}, {"state": {}}]},
            "expected string or null, got object of 0 fields at $.children[2].state",
        ),
        (
            Metrics,
            {"window": {}, "operations": {"a step": {"p50_s": False}}},
            'expected number or null, got false at $.operations["a step"].p50_s',
        ),
        (Metrics, {"window": {}, "episodes": {"valid": None}}, "expected integer, got null at $.episodes.valid"),
        (Health, {"version": "x" * 200}, None),
        (Health, {"version": ["x"]}, "expected string, got array of 1 at $.version"),
        (Slot, {"id": "s1", "state": "ready", "ttl_s": "y" * 99}, 'got string "' + "y" * 39 + '…" at $.ttl_s'),
        (Slot, {"id": "s1", "state": "ready", "episode": 2.0}, None),
    ],
)
def test_a_fault_says_what_was_expected_and_what_is_there(cls: type[Record], value: object, fault: str | None) -> None:
    found = shape_fault(cls, value)
    assert (found is None) if fault is None else str(found).endswith(fault)


def test_a_bare_array_of_records_is_checked_item_by_item() -> None:
    assert items_fault(Checkpoint, [{"id": "c1"}, {"id": "c2", "later": 1}]) is None
    assert str(items_fault(Checkpoint, [{"id": "c1"}, {}])) == "expected string, got nothing at $[1].id"
    assert str(items_fault(Checkpoint, {})) == "expected array, got object of 0 fields at $"
    assert items_fault(Checkpoint, []) is None


def test_a_fault_within_a_part_of_a_reply_names_the_whole_path() -> None:
    assert str(shape_fault(Gate, {"name": "network"}, "$.gates[3]")) == (
        "expected string, got nothing at $.gates[3].status"
    )


# --- what people see --------------------------------------------------------------------------------------------------


@given(some_record())
def test_a_repr_is_short_and_names_the_class(record: Record) -> None:
    shown = repr(record)
    assert shown.startswith(type(record).__name__ + "(")
    assert len(shown) < 800


def test_a_repr_leaves_out_what_is_long() -> None:
    reply = StepReply({"slot": "s1", "result": {"returncode": 0}, "screenshot_png_b64": "A" * 100_000})
    assert repr(reply) == (
        "StepReply(slot='s1', result=<object of 1 fields>, screenshot_png_b64=<string of 100000 characters>)"
    )


def test_a_page_keeps_its_items_by_name() -> None:
    page = SlotPage({"items": [{"id": "s1", "state": "ready"}], "next_after": None})
    assert page["items"][0]["id"] == "s1"
    assert dict(page.items())["next_after"] is None
    assert page.next_after is None


@pytest.mark.parametrize("name", [name for name in records.__all__ if name not in CLASSES])
def test_the_known_words_are_those_of_the_spec(name: str) -> None:
    known = [
        tuple(part["x-extensible-enum"])
        for schema in SCHEMAS.values()
        for field in schema.get("properties", {}).values()
        for part in (field, field.get("items", {}))
        if part.get("title") == name
    ]
    assert known
    assert {get_args(getattr(records, name))} == set(known)


# --- the generated models agree ---------------------------------------------------------------------------------------


@given(some_record())
def test_the_generated_models_read_and_write_the_same_fields(record: Record) -> None:
    model = getattr(drums_api.models, type(record).__name__)
    written = model.from_dict(plain(record)).to_dict()
    assert written.keys() == record.keys()
    assert validator(type(record).__name__).is_valid(plain(written))
