"""When a desktop is still: the rule over looks at its process tree."""

from __future__ import annotations

from typing import Literal

from hypothesis import event, given
from hypothesis import strategies as st

from drums.local.domain.quiescence import Seen, seen
from drums.local.machines.machine import Process, ProcessTree

ProcessState = Literal["running", "exiting", "zombie"]
STATES: list[ProcessState] = ["running", "running", "running", "exiting", "zombie"]

EVERY_S = 0.1


@st.composite
def trees(draw: st.DrawFn) -> ProcessTree:
    """Few different ones, so that the same tree is often seen again."""
    numbers = draw(st.sets(st.integers(1, 2), max_size=2))
    state = draw(st.sampled_from(STATES))
    threads = draw(st.integers(1, 2))
    processes = frozenset(Process(number, number, threads, state, f"p{number}") for number in numbers)
    return ProcessTree(processes, last_pid=draw(st.sampled_from([2, 2, 3])))


def looks(trees: list[ProcessTree]) -> Seen:
    """What is known after looking at these trees, one after the other."""
    last: Seen | None = None
    for number, tree in enumerate(trees):
        last = seen(last, tree, number * EVERY_S)
    assert last is not None
    return last


@given(st.lists(trees(), min_size=1, max_size=12))
def test_still_is_the_time_since_the_first_of_the_last_equal_settled_looks(history: list[ProcessTree]) -> None:
    equal = 0
    for tree in reversed(history):
        if tree != history[-1]:
            break
        equal += 1
    now = (len(history) - 1) * EVERY_S
    expected = (equal - 1) * EVERY_S if history[-1].settled else 0.0
    event("still" if expected else "moves")

    assert abs(looks(history).still_for(now) - expected) < 1e-9


@given(trees(), st.sampled_from(["pid", "thread", "start"]))
def test_whatever_moves_starts_the_time_again(tree: ProcessTree, move: str) -> None:
    process = Process(9, 9, 1, "running", "p9")
    before = ProcessTree(tree.processes | {process}, 9)
    after = {
        "pid": ProcessTree(before.processes, 10),
        "thread": ProcessTree(tree.processes | {Process(9, 9, 2, "running", "p9")}, 9),
        "start": ProcessTree(tree.processes | {Process(9, 10, 1, "running", "p9")}, 9),
    }[move]

    assert looks([before, before, after]).still_for(2 * EVERY_S) == 0.0


def test_still_and_moving_both_occur() -> None:
    calm = ProcessTree(frozenset({Process(1, 1, 1, "running", "p1")}), 1)
    ending = ProcessTree(frozenset({Process(1, 1, 1, "exiting", "p1")}), 1)

    assert looks([calm] * 3).still_for(2 * EVERY_S) > 0
    assert looks([ending] * 3).still_for(2 * EVERY_S) == 0
