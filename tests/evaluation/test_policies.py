"""How policies are found, called and read."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.actions import Sleep
from drums.evaluation import Decision, PolicyError
from drums.evaluation.calling import called
from drums.evaluation.policy import load_policy, plan_of

if TYPE_CHECKING:
    from pathlib import Path


def test_an_answer_is_one_action_or_several_or_a_signal() -> None:
    assert plan_of("pyautogui.click(1, 2)").actions == ({"type": "pyautogui", "code": "pyautogui.click(1, 2)"},)
    assert [action["type"] for action in plan_of([Sleep(1), {"type": "execute", "command": "ls"}]).actions] == [
        "sleep",
        "execute",
    ]
    plan = plan_of(Decision(["pyautogui.press('a')", "DONE"], "it is typed"))
    assert (len(plan.actions), plan.signal, plan.said) == (1, "DONE", "it is typed")
    assert plan_of({"type": "signal", "name": "FAIL"}).signal == "FAIL"
    assert plan_of([]) == plan_of(Decision())


@pytest.mark.parametrize("answer", [None, 3, {"type": "dance"}, [{"type": "sleep", "seconds": -1}], ["DONE", "FAIL"]])
def test_what_is_no_action_is_the_policys_mistake(answer: object) -> None:
    with pytest.raises(PolicyError):
        plan_of(answer)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_any_answer_is_read_or_refused(answer: object) -> None:
    try:
        plan = plan_of(answer)
    except PolicyError:
        return
    assert all("type" in action for action in plan.actions)


def test_a_policy_is_found_by_module_and_name(tmp_path: Path) -> None:
    (tmp_path / "my_agent_of_the_test.py").write_text(
        "class Agent:\n    def __call__(self, seen): return 'DONE'\ndef once(seen): return 'FAIL'\nlimit = 3\n"
    )
    make = load_policy("my_agent_of_the_test:Agent", tmp_path)
    assert make() is not make()
    once = load_policy("my_agent_of_the_test:once", tmp_path)
    assert once() is once()
    for wrong, word in (
        ("my_agent_of_the_test", "module:name"),
        ("my_agent_of_the_test:x", "has no"),
        ("my_agent_of_the_test:limit", "can't be called"),
        ("no_such_module:x", "can't be imported"),
    ):
        with pytest.raises(PolicyError, match=word):
            load_policy(wrong, tmp_path)  # fmt: skip


async def test_a_policy_that_blocks_does_not_hold_the_others_up() -> None:
    gate = threading.Event()

    def waits(_: object) -> str:
        gate.wait(30)
        return "DONE"

    async def opens(_: object) -> str:
        gate.set()
        return "FAIL"

    assert list(await asyncio.gather(called("one", waits, 1), called("two", opens, 1))) == ["DONE", "FAIL"]


def raises(fault: BaseException) -> Any:
    def policy(_: object) -> str:
        raise fault

    return policy


@pytest.mark.parametrize(
    "fault", [ValueError("no"), SystemExit(3), KeyboardInterrupt(), StopIteration(), asyncio.CancelledError()]
)
async def test_whatever_a_policy_raises_is_a_policy_error(fault: BaseException) -> None:
    with pytest.raises(PolicyError):
        await called("the policy", raises(fault), 1)


async def test_whatever_an_async_policy_raises_is_a_policy_error() -> None:
    async def policy(_: object) -> str:
        raise asyncio.CancelledError

    with pytest.raises(PolicyError, match="cancelled itself"):
        await called("the policy", policy, 1)


async def test_the_callers_cancellation_passes_through_a_policy() -> None:
    gate = threading.Event()
    task = asyncio.ensure_future(called("the policy", lambda _: gate.wait(30), 1))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    gate.set()
