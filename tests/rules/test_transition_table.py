"""The daemon's transition table: total, consistent, and with no way around a quarantine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.domain.refusals import Refusal
from drums.local.domain.slots import FACTS, INPUT, OPERATIONS, STATES, TABLE, Fact, Operation, decide, follow
from drums.local.machines.machine import CheckpointId, SlotId
from drums.local.store import SlotRow, SlotState

if TYPE_CHECKING:
    from collections.abc import Iterable

states = st.sampled_from(STATES)
operations = st.sampled_from(OPERATIONS)
facts = st.sampled_from(FACTS)


def a_row(state: SlotState) -> SlotRow:
    return SlotRow(
        number=1,
        id=SlotId("s1"),
        state=state,
        episode=1,
        checkpoint=CheckpointId("base"),
        created_at=0.0,
        last_used_at=0.0,
        idle_timeout_s=0.0,
        ttl_s=0.0,
        reason="client" if state == "quarantined" else None,
        last_error="restore failed: no memory" if state == "down" else None,
        closed_reason="closed by a client" if state == "destroyed" else None,
    )


def asked(row: SlotRow, operation: Operation) -> SlotState | Refusal:
    try:
        return decide(row, operation)
    except Refusal as refusal:
        return refusal


@given(states, operations)
def test_every_request_in_every_state_has_a_state_or_a_refusal(state: SlotState, operation: Operation) -> None:
    answer = asked(a_row(state), operation)

    if isinstance(answer, Refusal):
        assert TABLE[state, operation] is None
        assert answer.kind == ("gone" if state == "destroyed" else "conflict")
    else:
        assert answer == TABLE[state, operation]


@given(states, operations)
def test_a_refusal_names_the_slot_and_what_stands_in_the_way(state: SlotState, operation: Operation) -> None:
    row = a_row(state)
    answer = asked(row, operation)
    cause = {"creating": "coming up", "ready": "not quarantined"}.get(state)

    if isinstance(answer, Refusal):
        assert answer.message.startswith("s1 ")
        assert (cause or row.reason or row.last_error or row.closed_reason or "?") in answer.message


@given(st.sampled_from(["get", "metrics", "gates"]), states)
def test_looking_never_changes_a_state(operation: Operation, state: SlotState) -> None:
    assert TABLE[state, operation] in {state, None}


@given(operations, facts)
def test_a_destroyed_slot_stays_destroyed(operation: Operation, fact: Fact) -> None:
    assert TABLE["destroyed", operation] is None
    assert follow("destroyed", fact) == "destroyed"


@given(states.filter(lambda state: state != "destroyed"))
def test_every_live_slot_can_be_deleted(state: SlotState) -> None:
    assert TABLE[state, "delete"] == "destroyed"


@given(operations)
def test_whoever_changes_a_state_gives_input(operation: Operation) -> None:
    changes = any(TABLE[state, operation] not in {state, None} for state in STATES)

    assert not changes or operation in INPUT


def walk(state: SlotState, moves: Iterable[tuple[Operation, Fact]]) -> Iterable[tuple[SlotState, str, SlotState]]:
    """The steps of a slot that is asked things while other things happen to it; what is refused is no step."""
    for operation, fact in moves:
        after = TABLE[state, operation]
        if after is not None:
            yield state, operation, after
            state = after
        yield state, fact, follow(state, fact)
        state = follow(state, fact)


lives = st.lists(st.tuples(operations, facts), max_size=40)


@given(lives)
def test_nothing_but_a_release_and_a_reset_leads_from_quarantined_to_ready(moves: list[tuple[Operation, Fact]]) -> None:
    since_barred: list[str] | None = None
    for before, move, after in walk("ready", moves):
        if since_barred is not None:
            since_barred.append(move)
        elif "quarantined" in {before, after}:
            since_barred = []
        if since_barred is not None and after == "ready":
            ended = [move for move in since_barred if move in {"release", "desktop_gone"}]
            assert ended
            assert "reset" in since_barred[since_barred.index(ended[0]) :]
            since_barred = None


@given(lives)
def test_only_a_reset_leads_out_of_down(moves: list[tuple[Operation, Fact]]) -> None:
    for before, move, after in walk("down", moves):
        if before == "down" and after not in {"down", "destroyed"}:
            assert (move, after) == ("reset", "creating")


@pytest.mark.parametrize("state", STATES)
def test_every_state_can_be_reached(state: SlotState) -> None:
    reached: set[SlotState] = {"creating"}
    for _ in STATES:
        reached |= {follow(start, fact) for start in reached for fact in FACTS}
        reached |= {after for (start, _), after in TABLE.items() if start in reached and after is not None}

    assert state in reached
