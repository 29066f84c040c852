"""What an agent says of its task counts as OSWorld counts it, and a second evaluator is read strictly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.osworld import Signal, TaskMalformed, TaskUnsupported, check, check_again
from drums.local.osworld.task import read_task
from tests.local.osworld.tasks import a_task, an_evaluator, expecting, printing

if TYPE_CHECKING:
    from drums.local.machines.machine import Desktop
    from drums.local.osworld import LoadedTask

last_signals = st.sampled_from([None, *get_args(Signal)])
PASSING = {"result": printing("as wanted"), "expected": expecting("as wanted")}
FAILING = {"result": printing("otherwise"), "expected": expecting("as wanted")}


def a_loaded_task(**evaluator: Any) -> LoadedTask:
    return read_task(a_task(evaluator=an_evaluator(**evaluator)))


def an_infeasible_task(**more: Any) -> LoadedTask:
    return read_task(a_task(evaluator={"func": "infeasible", **more}))


@given(last=last_signals)
def test_an_infeasible_task_is_solved_by_giving_up_and_by_nothing_else(last: Signal | None) -> None:
    assert an_infeasible_task().evaluator.score_of_signal(last) == (1.0 if last == "FAIL" else 0.0)


@given(last=last_signals)
def test_giving_up_on_any_other_task_is_its_failure_and_else_the_desktop_decides(last: Signal | None) -> None:
    assert a_loaded_task().evaluator.score_of_signal(last) == (0.0 if last == "FAIL" else None)


async def test_giving_up_after_the_work_is_done_scores_nothing(desktop: Desktop) -> None:
    task = a_loaded_task(**PASSING)
    scores = [(await check(task, desktop, last_signal=last)).score for last in (None, "DONE", "WAIT", "FAIL")]
    assert scores == [1.0, 1.0, 1.0, 0.0]


async def test_what_a_signal_decides_alone_touches_no_desktop(desktop: Desktop) -> None:
    step = {"type": "execute", "parameters": {"command": ["touch", "/home/user/touched"]}}
    assert (await check(an_infeasible_task(postconfig=[step]), desktop, last_signal="FAIL")).score == 1.0
    assert (await check(a_loaded_task(**PASSING, postconfig=[step]), desktop, last_signal="FAIL")).score == 0.0
    assert await desktop.read_file("/home/user/touched", 10) is None


@pytest.mark.parametrize(
    ("evaluator", "where"),
    [
        ({"func": ["infeasible", "exact_match"], "result": [None, None]}, "task.evaluator.func[0]"),
        (an_evaluator(redundant={"func": "infeasible"}), "task.evaluator.redundant.func"),
        (an_evaluator(redundant={}), "task.evaluator.redundant.func"),
        (an_evaluator(redundant="exact_match"), "task.evaluator.redundant"),
    ],
)
def test_infeasible_stands_alone(evaluator: dict[str, Any], where: str) -> None:
    with pytest.raises(TaskMalformed) as caught:
        read_task(a_task(evaluator=evaluator))
    assert caught.value.where == where


@pytest.mark.parametrize("field", ["postconfig", "redundant", "scope"])
def test_a_second_evaluator_only_looks(field: str) -> None:
    with pytest.raises(TaskUnsupported, match=rf"task\.evaluator\.redundant\.{field}"):
        a_loaded_task(redundant=an_evaluator(**{field: []}))


async def test_a_second_evaluator_gives_a_score_of_its_own(desktop: Desktop) -> None:
    task = a_loaded_task(**PASSING, redundant={"func": "exact_match", **FAILING})
    again = await check_again(task, desktop)
    assert (await check(task, desktop)).score == 1.0
    assert again is not None
    assert again.score == 0.0


async def test_a_task_without_a_second_evaluator_has_no_second_score(desktop: Desktop) -> None:
    assert await check_again(a_loaded_task(**PASSING), desktop) is None
