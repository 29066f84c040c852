"""When leases end: pure, for slots and for states."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from drums.local.domain.leases import NEVER, slot_ends_at, state_ends_at, why_ended
from drums.local.machines.machine import CheckpointId, SlotId
from drums.local.store import CheckpointRow, SlotRow

moments = st.integers(0, 10_000).map(float)
limits = st.sampled_from([0.0, 1.0, 60.0, 1800.0])


@st.composite
def slots(draw: st.DrawFn) -> SlotRow:
    created = draw(moments)
    return SlotRow(
        number=1,
        id=SlotId("s1"),
        state=draw(st.sampled_from(["creating", "ready", "quarantined", "down"])),
        episode=1,
        checkpoint=CheckpointId("base"),
        created_at=created,
        last_used_at=created + draw(moments),
        idle_timeout_s=draw(limits),
        ttl_s=draw(limits),
    )


@st.composite
def states(draw: st.DrawFn) -> CheckpointRow:
    created = draw(moments)
    return CheckpointRow(
        id=CheckpointId("c1"),
        parent=SlotId("s1"),
        created_at=created,
        last_used_at=created + draw(moments),
        idle_timeout_s=draw(limits),
        ttl_s=draw(limits),
    )


@given(slots(), moments, st.booleans())
def test_a_slot_is_due_exactly_when_a_limit_is_over(row: SlotRow, later: float, in_use: bool) -> None:
    now = row.last_used_at + later
    idle_over = row.idle_timeout_s != 0 and not in_use and later >= row.idle_timeout_s
    ttl_over = row.ttl_s != 0 and now - row.created_at >= row.ttl_s

    assert (slot_ends_at(row, now=now, in_use=in_use) <= now) == (idle_over or ttl_over)


@given(slots(), moments, moments)
def test_using_a_slot_never_makes_it_end_earlier(row: SlotRow, later: float, much_later: float) -> None:
    now = row.last_used_at + later
    used = replace(row, last_used_at=now)

    assert slot_ends_at(used, now=now, in_use=False) >= slot_ends_at(row, now=now, in_use=False)
    assert slot_ends_at(row, now=now + much_later, in_use=True) >= slot_ends_at(row, now=now, in_use=True)


@given(slots(), moments)
def test_a_limit_of_0_ends_nothing(row: SlotRow, now: float) -> None:
    assert slot_ends_at(replace(row, idle_timeout_s=0.0, ttl_s=0.0), now=now, in_use=False) == NEVER


@given(slots(), moments)
def test_a_prepared_or_destroyed_slot_has_no_lease(row: SlotRow, now: float) -> None:
    assert slot_ends_at(replace(row, held=True), now=now, in_use=False) == NEVER
    assert slot_ends_at(replace(row, state="destroyed"), now=now, in_use=False) == NEVER


@given(states(), moments)
def test_a_state_is_due_exactly_when_a_limit_is_over_and_nothing_stands_on_it(row: CheckpointRow, later: float) -> None:
    now = row.last_used_at + later
    idle_over = row.idle_timeout_s != 0 and later >= row.idle_timeout_s
    ttl_over = row.ttl_s != 0 and now - row.created_at >= row.ttl_s

    assert (state_ends_at(row, slots=0) <= now) == (idle_over or ttl_over)
    assert state_ends_at(row, slots=1) == NEVER
    assert state_ends_at(replace(row, held=True), slots=0) == NEVER


@given(states(), moments)
def test_a_state_that_goes_with_its_children_is_due_when_none_is_left(row: CheckpointRow, later: float) -> None:
    row = replace(row, delete_with_children=True)
    now = row.last_used_at + later

    assert state_ends_at(row, slots=0) <= now
    assert state_ends_at(row, slots=1) == NEVER
    assert why_ended(row, now) == "its last child is closed"


@given(slots(), moments)
def test_the_reason_is_the_limit_that_is_over(row: SlotRow, later: float) -> None:
    now = row.last_used_at + later
    if slot_ends_at(row, now=now, in_use=False) <= now:
        ttl_over = row.ttl_s != 0 and now - row.created_at >= row.ttl_s
        assert why_ended(row, now) == (
            f"ttl of {row.ttl_s:g} s over" if ttl_over else f"idle for {row.idle_timeout_s:g} s"
        )
