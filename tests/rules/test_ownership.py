"""What is owned stays owned until its end is confirmed, and never becomes another process's."""

from __future__ import annotations

import threading
from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from drums import Conflict, DaemonUnavailable, EnvGone, NotFound
from drums._core.ownership import Ownership, left_behind, still_there

ids = st.integers(1, 6).map(lambda number: f"s{number}")


class OwnershipIsADictOfOneProcess(RuleBasedStateMachine):
    """Against a plain dict, which a fork empties."""

    def __init__(self) -> None:
        super().__init__()
        self.process = 1
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr("drums._core.ownership.os.getpid", lambda: self.process)
        self.owned: Ownership[int] = Ownership(nullcontext)
        self.model: dict[str, int] = {}

    def teardown(self) -> None:
        self.patch.undo()

    @rule(env_id=ids, env=st.integers())
    def add(self, env_id: str, env: int) -> None:
        self.owned.add(env_id, env)
        self.model[env_id] = env

    @rule(env_id=ids)
    def remove(self, env_id: str) -> None:
        self.owned.remove(env_id)
        self.model.pop(env_id, None)

    @rule()
    def fork(self) -> None:
        self.process += 1
        self.model = {}

    @invariant()
    def both_hold_the_same(self) -> None:
        assert self.owned.all() == self.model
        assert list(self.owned.all()) == list(self.model)
        assert len(self.owned) == len(self.model)


TestOwnershipIsADictOfOneProcess = OwnershipIsADictOfOneProcess.TestCase


def test_a_forked_child_is_not_stopped_by_a_lock_that_its_parent_held(monkeypatch: pytest.MonkeyPatch) -> None:
    locks: list[threading.Lock] = []

    def lock() -> threading.Lock:
        locks.append(threading.Lock())
        return locks[-1]

    owned: Ownership[int] = Ownership(lock)
    owned.add("s1", 1)
    locks[0].acquire()
    monkeypatch.setattr("drums._core.ownership.os.getpid", lambda: -1)
    assert owned.all() == {}


def test_what_is_asked_for_is_a_copy() -> None:
    owned: Ownership[int] = Ownership(threading.Lock)
    owned.add("s1", 1)
    owned.all().clear()
    assert owned.all() == {"s1": 1}


@given(st.sampled_from([EnvGone(410, "gone"), NotFound(404, "no such slot"), None]))
def test_what_is_gone_is_as_good_as_ended(fault: Exception | None) -> None:
    assert not still_there(fault)


@pytest.mark.parametrize("fault", [DaemonUnavailable(503, "later"), Conflict(409, "busy"), KeyError("bug")])
def test_any_other_outcome_leaves_it_owned_and_says_so(fault: Exception) -> None:
    assert still_there(fault)
    note = left_behind("s104", fault)
    assert note.startswith("s104 was not closed: ")
    assert "lease" in note
