"""What an audit looks at besides the checker's first answer, on which desktop, and that nothing is left of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.domain import acting, branching, lifecycle, rewards, saving
from drums.local.domain.auditing import Look, Recheck, ScopeLook, flags_of
from drums.local.domain.forking import Fork
from drums.local.domain.limits import Limits
from drums.local.domain.refusals import Refusal
from drums.local.machines.machine import DesktopGone, GuestError, MachineError, RestoreError, SlotId
from drums.local.osworld import Change, Verdict
from drums.local.osworld.evaluate import ErrorKind

from .conftest import TASK, World

CLOSING = {
    **TASK["evaluator"],
    "postconfig": [{"type": "execute", "parameters": {"command": ["touch", "closed"]}}],
}
SECOND = {
    **TASK["evaluator"],
    "redundant": {**TASK["evaluator"], "result": {"type": "vm_file", "path": "proof"}, "func": "file_contains"},
}
SECOND["redundant"]["expected"] = {"type": "rule", "rules": {"expected": []}}
"""Wants the file `proof` besides."""


def a_task(**changes: Any) -> dict[str, Any]:
    return {**TASK, **changes}


async def does(world: World, slot: str, *commands: str) -> None:
    for command in commands:
        await acting.step(world.host, slot, acting.Run("execute", command))


async def verified(world: World, task: dict[str, Any], *commands: str) -> rewards.Reward:
    """What an episode of the task in which these commands were run is worth."""
    slot = await world.a_valid_slot(task)
    await does(world, slot, *commands)
    return await rewards.verify(world.host, slot)


def nothing_is_left(world: World) -> None:
    """No desktop, no state, no place and no intent of an audit."""
    assert {slot for slot in world.machine.desktops if slot not in world.host.slots} == set()
    assert world.machine.states.keys() == world.host.states.keys()
    assert (world.host.probes, world.host.names_in_work, world.store.intents()) == (0, set(), [])
    assert world.host.admission._promised == []


# The rule.

scores = st.sampled_from([0.0, 0.25, 0.5, 1.0])
errors: st.SearchStrategy[ErrorKind] = st.sampled_from(get_args(ErrorKind))
verdicts = st.builds(lambda score: Verdict(score, None, 0.1), scores) | st.builds(
    lambda kind: Verdict(None, "it failed", 0.1, kind), errors
)
looks = st.builds(
    Look,
    verdicts,
    st.none() | st.builds(Recheck, verdicts, st.sampled_from(["fork", "same"])),
    st.none() | verdicts,
    st.none() | st.builds(ScopeLook, st.none() | st.just(()) | st.just((Change("file", "/home/user/x", "added"),))),
    st.none() | scores,
)


def same(one: Verdict, other: Verdict) -> bool:
    return one.score is not None and one.score == other.score


@given(looks)
def test_each_flag_stands_for_one_thing_and_none_is_raised_without_it(look: Look) -> None:
    flags = flags_of(look)
    assert len(set(flags)) == len(flags)
    assert ({"checker_timeout", "checker_crashed"} & set(flags) != set()) == (look.first.score is None)
    disagrees = look.again is not None and not same(look.first, look.again.verdict)
    assert ("recheck_disagrees" in flags) == disagrees
    assert ("redundant_disagrees" in flags) == (look.second is not None and not same(look.first, look.second))
    assert ("out_of_scope" in flags) == (look.scope is not None and bool(look.scope.beyond))
    assert ("scope_unknown" in flags) == (look.scope is not None and look.scope.beyond is None)


@given(looks, scores)
def test_a_score_that_was_there_from_the_start_is_flagged_and_0_never(look: Look, start: float) -> None:
    flags = flags_of(replace(look, start_score=start))
    gained = look.first.score is not None and look.first.score > start
    assert ("passed_at_start" in flags) == (bool(look.first.score) and not gained)
    assert "passed_at_start" not in flags_of(replace(look, start_score=None))


def test_no_look_raises_no_flag() -> None:
    assert flags_of(None) == ()


# The same check again.


async def test_a_recheck_runs_on_a_fork_with_the_closing_steps_and_leaves_nothing(world: World) -> None:
    slot = await world.a_valid_slot(a_task(evaluator=CLOSING))
    await does(world, slot, "touch done")
    world.machine.calls.clear()

    reward = await rewards.verify(world.host, slot)

    assert reward.look
    assert reward.look.again
    assert (reward.look.again.desktop, reward.look.agrees) == ("fork", True)
    touched = [what for call, what in world.machine.calls if call == "execute"]
    assert touched.count(slot) == 2  # closing step and checker, once each
    assert len(set(touched)) == 3  # the copy, and a desktop on which nothing was done
    nothing_is_left(world)


async def test_a_fork_is_of_the_desktop_before_the_first_check(world: World) -> None:
    spoiling = {**CLOSING, "postconfig": [{"type": "execute", "parameters": {"command": ["rm", "done"]}}]}
    world.host.check_at_start = False

    reward = await verified(world, a_task(evaluator=spoiling), "touch done")

    assert reward.look
    assert (reward.score, reward.look.agrees) == (0.0, True)


async def test_a_desktop_that_does_not_come_to_rest_is_checked_again_as_it_is(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await does(world, slot, "touch done")
    world.desktop(slot).quiet_s = 0.0
    verifying = asyncio.create_task(rewards.verify(world.host, slot))
    await world.clock.advance(2)
    while not verifying.done():
        await world.clock.settle()
        await asyncio.sleep(0.001)  # checkers run elsewhere

    look = verifying.result().look
    assert look
    assert look.again
    assert (look.again.desktop, look.agrees) == ("same", True)
    nothing_is_left(world)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("capture", MachineError("disk full")),
        ("create", RestoreError("no memory")),
        ("gate", GuestError("no answer")),
    ],
)
async def test_where_there_is_no_fork_the_same_desktop_is_checked(world: World, call: str, error: MachineError) -> None:
    slot = await world.a_valid_slot(TASK)
    await does(world, slot, "touch done")
    world.machine.fails[call].append(error)

    reward = await rewards.verify(world.host, slot)

    assert reward.look
    assert reward.look.again
    assert (reward.look.again.desktop, reward.trusted) == ("same", True)
    nothing_is_left(world)


async def test_a_fork_that_ends_under_the_checker_is_no_answer_of_the_checkers(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await does(world, slot, "touch done")

    def end_copies(call: str) -> None:
        if call == "execute":
            for other, desktop in world.machine.desktops.items():
                desktop.alive = other == slot

    world.machine.on_call = end_copies
    reward = await rewards.verify(world.host, slot)

    assert reward.look
    assert reward.look.again
    assert (reward.look.again.desktop, reward.trusted) == ("same", True)
    nothing_is_left(world)


@pytest.mark.parametrize("limits", [Limits(max_slots=1), Limits(max_states=0), Limits(probes=0)])
async def test_an_audit_takes_nobodys_place(limits: Limits) -> None:
    world = World(limits=limits)
    await world.host.start()
    reward = await verified(world, TASK, "touch done")
    assert reward.look
    assert reward.look.again
    assert (reward.look.again.desktop, reward.trusted) == ("same", True)
    nothing_is_left(world)
    await world.host.stop()


async def test_what_an_audit_makes_is_no_slot_no_state_and_in_no_figure(world: World) -> None:
    seen: list[tuple[list[str], int]] = []
    world.machine.on_call = lambda _: seen.append((world.live(), len(saving.listed(world.host)[1])))

    await verified(world, a_task(evaluator=CLOSING), "touch done")

    assert {(tuple(live), states) for live, states in seen} <= {((), 0), (("s1",), 0)}
    ledger = world.host.window.ledger
    assert (ledger.operations["create"].count, sum(ledger.episodes.values())) == (1, 1)
    assert not {"fork", "capture"} & ledger.operations.keys()
    assert world.host.store.next_number("slot") == 2


async def test_what_could_not_be_ended_is_tried_again(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    await does(world, slot, "touch done")
    world.machine.fails["delete"] += [MachineError("busy")] * 2
    world.machine.fails["destroy"].append(MachineError("busy"))

    assert (await rewards.verify(world.host, slot)).trusted
    assert len(world.store.intents()) == 2
    await world.clock.advance(100)

    nothing_is_left(world)


async def test_a_slot_that_is_destroyed_during_its_audit_takes_the_audit_along(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    world.machine.holds["execute"] = asyncio.Event()
    verifying = asyncio.create_task(rewards.verify(world.host, slot))
    await world.clock.settle()

    await lifecycle.delete(world.host, slot)

    with pytest.raises(Refusal) as refused:
        await verifying
    assert refused.value.kind == "gone"
    world.machine.holds.clear()
    await world.clock.settle()
    nothing_is_left(world)


async def test_a_checker_without_an_answer_is_not_asked_again(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    world.machine.fails["execute"].append(GuestError("no answer"))

    reward = await rewards.verify(world.host, slot)

    assert reward.look
    assert (reward.look.again, reward.look.agrees, reward.flags) == (None, None, ("checker_crashed",))
    nothing_is_left(world)


# The second evaluator.


@pytest.mark.parametrize(
    ("commands", "score", "flags"),
    [
        (("touch done", "touch proof"), 1.0, ()),
        (("touch done",), 1.0, ("redundant_disagrees",)),
        (("touch proof",), 0.0, ("redundant_disagrees",)),
        ((), 0.0, ()),
    ],
)
async def test_a_second_evaluator_has_to_agree(
    world: World, commands: tuple[str, ...], score: float, flags: tuple[str, ...]
) -> None:
    reward = await verified(world, a_task(evaluator=SECOND), *commands)
    assert (reward.score, reward.flags, reward.trusted) == (score, flags, not flags)


async def test_a_second_evaluator_that_could_not_look_does_not_agree(world: World) -> None:
    slot = await world.a_valid_slot(a_task(evaluator=SECOND))
    await does(world, slot, "touch done", "touch proof")
    world.machine.fails["read_file"].append(GuestError("no answer"))

    reward = await rewards.verify(world.host, slot)

    assert reward.look
    assert reward.look.second
    assert (reward.score, reward.look.second.score, reward.flags) == (1.0, None, ("redundant_disagrees",))


# The scope.


@pytest.mark.parametrize(
    ("scope", "commands", "beyond"),
    [
        ({"files": ["/done"]}, ("touch /done",), []),
        ({"files": ["/done"]}, ("touch /done", "touch /other"), [Change("file", "/other", "added")]),
        ({"files": []}, ("rm prepared",), [Change("file", "prepared", "removed")]),
        ({"processes": []}, ("touch /done",), []),
    ],
)
async def test_what_was_touched_beyond_the_scope_is_told(
    world: World, scope: dict[str, Any], commands: tuple[str, ...], beyond: list[Change]
) -> None:
    reward = await verified(world, a_task(scope=scope), "touch done", *commands)
    assert reward.look
    assert reward.look.scope
    expected = [*beyond, Change("file", "done", "added")] if "files" in scope else beyond
    assert sorted(reward.look.scope.beyond or (), key=str) == sorted(expected, key=str)
    assert ("out_of_scope" in reward.flags) == bool(expected)
    assert reward.score == 1.0


async def test_what_the_setup_and_the_closing_steps_do_is_not_the_agents(world: World) -> None:
    reward = await verified(world, a_task(scope={"files": []}, evaluator=CLOSING))
    assert reward.look
    assert reward.look.scope == ScopeLook(())


async def test_a_program_beyond_the_scope_is_told(world: World) -> None:
    slot = await world.a_valid_slot(a_task(scope={"processes": ["xterm"]}))
    started = world.desktop(slot).start_process()
    reward = await rewards.verify(world.host, slot)
    assert reward.look
    assert reward.look.scope == ScopeLook((Change("process", started.name, "added"),))


async def test_children_and_states_are_compared_with_the_parents_start(world: World) -> None:
    slot = await world.a_valid_slot(a_task(scope={"files": []}))
    await does(world, slot, "touch early")
    child = (await branching.branch(world.host, slot, Fork(1))).children[0].id
    state = await saving.capture(world.host, slot)
    later = (await lifecycle.create(world.host, state.id)).id
    await lifecycle.delete(world.host, slot)
    await world.clock.advance(5)
    for going_on in (child, later):
        await does(world, going_on, "touch late")
        reward = await rewards.verify(world.host, going_on)
        assert reward.look
        assert reward.look.scope == ScopeLook((Change("file", "early", "added"), Change("file", "late", "added")))
        await lifecycle.reset(world.host, going_on)
        await world.clock.advance(5)
        again = await rewards.verify(world.host, going_on)
        assert again.look
        assert again.look.scope == ScopeLook((Change("file", "early", "added"),))


async def test_another_task_on_a_state_does_not_inherit_how_the_first_began(world: World) -> None:
    slot = await world.a_valid_slot(a_task(scope={"files": []}))
    state = await saving.capture(world.host, slot)
    other = await lifecycle.create(world.host, state.id, a_task(id="another", scope={"files": []}))
    await world.clock.advance(5)
    assert (other.start_score, other.baseline) == (None, None)
    assert (await rewards.verify(world.host, other.id)).flags == ("scope_unknown",)


@pytest.mark.parametrize("when", ["at the start", "at the end"])
async def test_a_scope_that_could_not_be_looked_at_is_flagged(world: World, when: str) -> None:
    if when == "at the start":
        world.machine.fails["inventory"].append(GuestError("unreadable"))
    slot = await world.a_valid_slot(a_task(scope={"files": ["**"]}))
    if when == "at the end":
        world.machine.fails["inventory"].append(GuestError("unreadable"))

    reward = await rewards.verify(world.host, slot)

    assert (reward.score, reward.flags, reward.trusted) == (0.0, ("scope_unknown",), False)


async def test_inventories_go_with_the_last_that_has_them(world: World) -> None:
    slot = await world.a_valid_slot(a_task(scope={"files": []}))
    first = world.row(slot).baseline
    assert first is not None
    state = await saving.capture(world.host, slot)
    await lifecycle.reset(world.host, slot)
    second = world.row(slot).baseline
    assert second is not None
    assert second != first
    assert world.store.baseline(first) is not None
    await saving.delete(world.host, state.id)
    assert (world.store.baseline(first), world.store.baseline(second) is None) == (None, False)
    await lifecycle.delete(world.host, slot)
    assert world.store.baseline(second) is None


# How it began.


async def test_a_checker_with_steps_of_its_own_is_asked_on_a_desktop_where_nothing_was_done(world: World) -> None:
    """A no-op that passes: the closing steps alone solve it."""
    passing = {**CLOSING, "postconfig": [{"type": "execute", "parameters": {"command": ["touch", "done"]}}]}
    task = a_task(evaluator=passing)

    reward = await verified(world, task)
    assert reward.look
    assert (reward.score, reward.flags, reward.look.start_score) == (1.0, ("passed_at_start",), 1.0)

    creates = [call for call, _ in world.machine.calls].count("create")
    again = await verified(world, task)
    assert again.flags == ("passed_at_start",)
    assert [call for call, _ in world.machine.calls].count("create") == creates + 2  # the slot and its copy
    nothing_is_left(world)


async def test_a_score_of_0_needs_no_look_at_the_start(world: World) -> None:
    reward = await verified(world, a_task(evaluator=CLOSING))
    assert reward.look
    assert (reward.score, reward.look.start_score) == (0.0, None)
    assert world.host.scores_of_nothing == {}


async def test_children_know_what_doing_nothing_gives_from_where_their_task_was_set_up(world: World) -> None:
    parent = await world.a_valid_slot(a_task(evaluator=CLOSING))
    await does(world, parent, "touch done")
    child = (await branching.branch(world.host, parent, Fork(1))).children[0].id
    await world.clock.advance(5)
    grandchild = (await branching.branch(world.host, child, Fork(1))).children[0].id
    await world.clock.advance(5)
    reward = await rewards.verify(world.host, grandchild)
    assert reward.look
    assert (reward.score, reward.flags, reward.look.start_score) == (1.0, (), 0.0)


async def test_what_doing_nothing_gives_is_not_known_where_its_desktop_does_not_come_up(world: World) -> None:
    slot = await world.a_valid_slot(a_task(evaluator=CLOSING))
    await does(world, slot, "touch done")
    world.host.limits = Limits(probes=0)

    reward = await rewards.verify(world.host, slot)

    assert reward.look
    assert (reward.look.start_score, reward.flags) == (None, ())
    assert world.host.scores_of_nothing == {}


async def test_two_that_ask_at_once_have_one_answer(world: World) -> None:
    slots = [await world.a_valid_slot(a_task(evaluator=CLOSING)) for _ in range(2)]
    for slot in slots:
        await does(world, slot, "touch done")
    found = await asyncio.gather(*(rewards.verify(world.host, slot) for slot in slots))
    assert [reward.look.start_score for reward in found if reward.look] == [0.0, 0.0]
    assert len(world.host.scores_of_nothing) == 1
    nothing_is_left(world)


async def test_what_doing_nothing_gives_is_not_taken_from_a_state_that_had_the_same_id(world: World) -> None:
    """The first state has the work done already; the second, of the same name, has not."""

    async def worth(*before: str) -> rewards.Reward:
        source = await world.a_valid_slot()
        await does(world, source, *before)
        await saving.capture(world.host, source, "mine")
        slot = (await lifecycle.create(world.host, "mine", a_task(evaluator=CLOSING), setup=True)).id
        await world.clock.advance(5)
        await does(world, slot, "touch done")
        found = await rewards.verify(world.host, slot)
        for made in (slot, source):
            await lifecycle.delete(world.host, made)
        await saving.delete(world.host, "mine")
        return found

    assert (await worth("touch done")).flags == ("passed_at_start",)
    assert (await worth()).flags == ()
    assert world.host.scores_of_nothing == {}


async def test_a_look_at_doing_nothing_that_breaks_is_tried_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    slot = await world.a_valid_slot(a_task(evaluator=CLOSING))
    await does(world, slot, "touch done")
    with monkeypatch.context() as broken:
        broken.setattr("drums.local.domain.starts._do_nothing", None)
        with pytest.raises(TypeError):
            await rewards.verify(world.host, slot)
    reward = await rewards.verify(world.host, slot)
    assert reward.look
    assert reward.look.start_score == 0.0
    nothing_is_left(world)


async def test_a_new_task_forgets_how_the_one_before_began(world: World) -> None:
    slot = await world.a_valid_slot(a_task(scope={"files": []}))
    assert world.row(slot).start_score == 0.0
    row = await acting.set_task(world.host, slot, a_task(evaluator=CLOSING))
    assert (row.start_score, row.baseline) == (None, None)


async def test_the_desktop_that_is_lost_is_the_slots_and_not_the_copys(world: World) -> None:
    slot = await world.a_valid_slot(TASK)
    world.machine.fails["inventory"].append(DesktopGone("it crashed"))
    await acting.set_task(world.host, slot, a_task(scope={"files": []}))
    assert world.row(slot).state == "down"
    assert SlotId(slot) in world.host.slots
    nothing_is_left(world)
