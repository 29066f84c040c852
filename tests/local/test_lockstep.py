"""The transition table and the daemon over HTTP, in lockstep: whatever is asked in whatever order, both say the same.

The model knows of each slot its state, what follows from the table, and which of a few files its desktop has. From that
it tells every status, state, verdict and score beforehand; ids are the daemon's to choose.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

import drums.local
from drums.local.domain.slots import TABLE, Operation, follow

from .slot_model import FILES, IMAGE, LIMITS, TASKS, Model, Slot, State, ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local import InProcess
    from drums.local.store import SlotState

slot_numbers = st.integers(0, 30)
"""Stands for one of the slots that there are or were."""


class Lockstep(RuleBasedStateMachine):
    """Asks the daemon and the model the same."""

    daemon: ClassVar[InProcess]
    seen: ClassVar[set[tuple[SlotState, Operation]]] = set()

    def __init__(self) -> None:
        super().__init__()
        self.daemon.reset()
        self.model = Model()

    def ask(self, method: str, target: str, body: object = None) -> tuple[int, Any]:
        return ask(self.daemon, method, target, body)

    def pick(self, number: int, operation: Operation) -> Slot:
        """One of the slots, now and then one that is destroyed."""
        among = (number % 6 and self.model.live) or self.model.slots
        slot = among[number % len(among)]
        self.seen.add((slot.state, operation))
        return slot

    def asked_of(self, slot: Slot, operation: Operation, method: str, target: str, body: object = None) -> Any:
        """Ask something of a slot; the reply where the table serves it, None where both refuse."""
        status, reply = self.ask(method, f"/slots/{slot.id}{target}", body)
        served = TABLE[slot.state, operation]
        if slot.state == "destroyed":
            assert (status, reply["code"], reply["closed_reason"]) == (410, "gone", "closed by a client")
        elif served is None:
            assert (status, reply["code"], reply["slot"]["state"]) == (409, "conflict", slot.state)
        else:
            return status, reply
        return None

    def agrees(self, record: Any, slot: Slot) -> None:
        """A record says what the model says; the gates have all been taken."""
        assert (record["id"], record["state"], record["episode"]) == (slot.id, slot.state, slot.episode)
        assert record["checkpoint"] == slot.checkpoint
        assert (record["task"] is None) == (slot.task is None)

    def settle(self, slot: Slot) -> None:
        """Wait for the gates, which are taken in the background."""
        status, report = self.ask("GET", f"/slots/{slot.id}/gates?wait_s=30")
        assert (status, report["validity"]["verdict"]) == (200, slot.verdict), report
        self.model.episodes[slot.verdict] += 1

    def spoil(self, slot: Slot) -> None:
        """An episode that was counted turns out invalid."""
        if slot.verdict == "valid":
            self.model.episodes["valid"] -= 1
            self.model.episodes["invalid"] += 1

    def admits(self, status: int, reply: Any, *, slots: int = 0, states: int = 0) -> bool:
        """Whether there was room; the daemon says the same."""
        if self.model.saved + states > LIMITS.max_states:
            assert (status, reply["code"]) == (403, "quota_exceeded")
        elif len(self.model.live) + slots > LIMITS.max_slots:
            assert (status, reply["code"]) == (429, "overloaded")
        else:
            assert status == 200, reply
            return True
        return False

    # Coming up

    @rule(
        number=st.integers(0, 5),
        task=st.sampled_from([None, None, "good", "good", "broken", "solved"]),
        fails=st.sampled_from([False, False, False, True]),
    )
    def create(self, number: int, task: str | None, fails: bool) -> None:
        checkpoint = list(self.model.states)[number % len(self.model.states)]
        if fails:
            self.daemon.faults.fail_restore()
        status, record = self.ask(
            "POST", "/slots", {"checkpoint": checkpoint, **({"task": TASKS[task]} if task else {})}
        )
        if not self.admits(status, record, slots=1):
            self.daemon.faults.clear()
            return
        source = self.model.states[checkpoint]
        slot = Slot(record["id"], checkpoint, "creating", source.files, task or source.task, setup=checkpoint == IMAGE)
        self.come_up(slot, fails=fails)
        self.model.slots.append(slot)
        self.agrees(record, slot)
        self.settle(slot)

    def come_up(self, slot: Slot, *, fails: bool = False) -> None:
        source = self.model.states[slot.checkpoint]
        slot.verdict, slot.start_done = "valid", not slot.setup and slot.task == source.task and source.start_done
        if fails:
            slot.fail("restore_failed")
            return
        if slot.setup:
            slot.set_up()
        slot.state = follow(slot.state, "came_up")

    @precondition(lambda self: self.model.slots)
    @rule(number=slot_numbers, trouble=st.sampled_from([None, None, "restore", "gate"]))
    def reset(self, number: int, trouble: str | None) -> None:
        slot = self.pick(number, "reset")
        if trouble == "restore":
            self.daemon.faults.fail_restore()
        elif trouble == "gate" and slot.task != "broken":  # which of the two comes first is open
            self.daemon.faults.fail_gate("network", slot=slot.id)
        answer = self.asked_of(slot, "reset", "POST", "/reset", {})
        if answer is not None:
            slot.state, slot.episode = "creating", slot.episode + 1
            slot.files = self.model.states[slot.checkpoint].files
            self.come_up(slot, fails=trouble == "restore")
            if trouble == "gate" and slot.task != "broken":
                slot.fail("gate_failed")
            self.settle(slot)
            self.agrees(self.ask("GET", f"/slots/{slot.id}")[1], slot)
        self.daemon.faults.clear()

    @precondition(lambda self: self.model.slots)
    @rule(number=slot_numbers, task=st.sampled_from(sorted(TASKS)))
    def set_task(self, number: int, task: str) -> None:
        slot = self.pick(number, "set_task")
        if answer := self.asked_of(slot, "set_task", "POST", "/task", {"task": TASKS[task]}):
            before = slot.verdict
            slot.task, slot.setup, slot.start_done = task, True, False
            slot.set_up()
            if before != slot.verdict:
                self.spoil(replace(slot, verdict=before))
            self.agrees(answer[1], slot)

    # Acting

    @precondition(lambda self: self.model.slots)
    @rule(
        number=slot_numbers, file=st.sampled_from(FILES), keep=st.booleans(), lost=st.sampled_from([False] * 5 + [True])
    )
    def step(self, number: int, file: str, keep: bool, lost: bool) -> None:
        slot = self.pick(number, "step")
        if lost and slot.state == "ready":
            self.daemon.faults.lose_desktop(slot.id)
        action = {"type": "execute", "command": f"{'touch' if keep else 'rm -f'} /home/user/{file}", "shell": True}
        answer = self.asked_of(slot, "step", "POST", "/step", {"action": action, "screenshot": keep})
        if answer is None:
            return
        status, reply = answer
        if lost:
            assert (status, reply["code"], reply["slot"]["state"]) == (502, "guest_error", "down")
            self.spoil(slot)
            slot.fail("desktop_gone")
            return
        assert (status, reply["result"]["returncode"], reply["episode"]) == (200, 0, slot.episode)
        assert reply["validity"]["verdict"] == slot.verdict
        slot.files = slot.files | {file} if keep else slot.files - {file}

    @precondition(lambda self: self.model.slots)
    @rule(number=slot_numbers)
    def screenshot(self, number: int) -> None:
        slot = self.pick(number, "screenshot")
        if answer := self.asked_of(slot, "screenshot", "GET", "/screenshot"):
            assert (answer[0], answer[1][:4]) == (200, b"\x89PNG")

    @precondition(lambda self: self.model.slots)
    @rule(number=slot_numbers)
    def verify(self, number: int) -> None:
        slot = self.pick(number, "verify")
        answer = self.asked_of(slot, "verify", "POST", "/verify", {})
        if answer is None:
            return
        status, reply = answer
        if slot.state == "ready" and slot.task is None:
            assert (status, reply["code"]) == (409, "conflict")
            return
        done = "done" in slot.files
        ready = slot.state == "ready"
        assert (status, reply["state"], reply["episode"]) == (200, slot.state, slot.episode)
        assert (reply["valid"], reply["validity"]["verdict"]) == (ready, "valid" if ready else "invalid")
        assert reply["score"] == (float(done) if ready else None)
        assert reply["audit"]["flags"] == (["passed_at_start"] if ready and done and slot.start_done else [])
        assert reply["audit"]["trusted"] == (ready and not reply["audit"]["flags"])
        assert bool(reply["invalid_reasons"]) == (not ready)
        assert bool(reply["checker_skipped"]) == (not ready)
        self.model.verified += ready

    # Barring and ending

    @precondition(lambda self: self.model.slots)
    @rule(number=slot_numbers, operation=st.sampled_from(["quarantine", "release"]))
    def bar(self, number: int, operation: Operation) -> None:
        slot = self.pick(number, operation)
        body = {"reason": "client"} if operation == "quarantine" else {}
        if answer := self.asked_of(slot, operation, "POST", f"/{operation}", body):
            after = TABLE[slot.state, operation]
            assert after is not None
            self.spoil(slot)
            slot.state, slot.verdict = after, "invalid"
            self.agrees(answer[1], slot)
            assert answer[1]["reason"]

    @precondition(lambda self: self.model.slots)
    @rule(number=slot_numbers)
    def delete(self, number: int) -> None:
        slot = self.pick(number, "delete")
        if answer := self.asked_of(slot, "delete", "DELETE", ""):
            slot.state = "destroyed"
            self.agrees(answer[1], slot)
            self.model.forget_childless(slot.checkpoint)

    # Copying

    @precondition(lambda self: self.model.slots)
    @rule(number=slot_numbers, busy=st.booleans())
    def capture(self, number: int, busy: bool) -> None:
        slot = self.pick(number, "capture")
        if busy and slot.state == "ready":
            self.daemon.faults.keep_busy(slot.id)
        answer = self.asked_of(slot, "capture", "POST", "/capture", {"quiesce_timeout_s": 0})
        self.daemon.faults.clear()
        if answer is None:
            return
        status, reply = answer
        if busy and self.model.saved < LIMITS.max_states:
            assert (status, reply["code"]) == (409, "not_quiescent")
        elif self.admits(status, reply, states=1):
            assert (reply["kind"], reply["parent"], reply["slots"]) == ("state", slot.id, 0)
            self.model.states[reply["id"]] = State(slot.files, slot.task, start_done=slot.start_done)

    @precondition(lambda self: self.model.slots)
    @rule(
        number=slot_numbers,
        n=st.integers(1, 4),
        fails=st.integers(0, 2),
        with_children=st.booleans(),
        prepared=st.sampled_from(["no", "no", "yes", "then input"]),
    )
    def branch(self, number: int, n: int, fails: int, with_children: bool, prepared: str) -> None:
        slot = self.pick(number, "branch")
        fork = {"n": n, "delete_state_with_children": with_children}
        if prepared != "no" and n <= LIMITS.fork:
            fails = 0
            self.prefork(slot, fork)
        if prepared == "then input":
            self.step(number, "other", keep=True, lost=False)
        if fails:
            self.daemon.faults.fail_restore(min(fails, n))
        answer = self.ask("POST", f"/slots/{slot.id}/branch", fork)
        self.daemon.faults.clear()
        if n > LIMITS.fork:
            assert (answer[0], answer[1]["code"]) == (403, "quota_exceeded")
        elif slot.state == "destroyed":
            assert answer[0] == 410
        elif TABLE[slot.state, "branch"] is None:
            assert (answer[0], answer[1]["code"]) == (409, "conflict")
        elif self.admits(*answer, slots=n, states=1):
            self.forked(slot, answer[1], n, min(fails, n), with_children=with_children)

    def prefork(self, slot: Slot, fork: dict[str, Any]) -> None:
        self.seen.add((slot.state, "prefork"))
        if answer := self.asked_of(slot, "prefork", "POST", "/prefork", fork):
            admitted = self.admits(*answer, slots=fork["n"], states=1)
            assert not admitted or (answer[1]["n"], answer[1]["max_age_s"]) == (fork["n"], LIMITS.prefork_max_age_s)

    def forked(self, parent: Slot, reply: Any, n: int, fails: int, *, with_children: bool) -> None:
        children, errors = (
            [c for c in reply["children"] if not c["error"]],
            [c for c in reply["children"] if c["error"]],
        )
        assert (len(children), len(errors)) == (n - fails, fails)
        assert all(child["code"] == "restore_failed" for child in errors)
        self.model.episodes["invalid"] += fails
        self.model.states[reply["state"]] = State(parent.files, parent.task, with_children, parent.start_done)
        for child in children:
            slot = Slot(child["id"], reply["state"], "ready", parent.files, parent.task, setup=False)
            slot.start_done = parent.start_done
            self.model.slots.append(slot)
            self.agrees(child, slot)
            assert child["parent"] == parent.id
            self.settle(slot)
        self.model.forget_childless(reply["state"])

    @rule(number=st.integers(0, 5))
    def delete_state(self, number: int) -> None:
        checkpoint = [*self.model.states, "nowhere"][number % (len(self.model.states) + 1)]
        status, reply = self.ask("DELETE", f"/checkpoints/{checkpoint}")
        standing = any(slot.checkpoint == checkpoint for slot in self.model.live)
        if checkpoint == "nowhere":
            assert (status, reply["code"]) == (404, "not_found")
        elif checkpoint == IMAGE or standing:
            assert (status, reply["code"]) == (409, "conflict")
        else:
            assert (status, reply["id"]) == (200, checkpoint)
            del self.model.states[checkpoint]

    # Looking

    @precondition(lambda self: self.model.slots)
    @rule(number=slot_numbers, operation=st.sampled_from(["get", "gates", "metrics", "quiescent"]))
    def look(self, number: int, operation: Operation) -> None:
        slot = self.pick(number, operation)
        method, target = {
            "get": ("GET", ""),
            "gates": ("GET", "/gates"),
            "metrics": ("GET", "/metrics"),
            "quiescent": ("POST", "/quiescent"),
        }[operation]
        answer = self.asked_of(slot, operation, method, target)
        if answer is None:
            return
        status, reply = answer
        assert status == 200
        if operation == "get":
            self.agrees(reply, slot)
            assert reply["validity"]["verdict"] == slot.verdict
        elif operation == "gates":
            assert (reply["validity"]["verdict"], reply["episode"]) == (slot.verdict, slot.episode)
        elif operation == "quiescent":
            assert (reply["quiescent"], reply["episode"]) == (True, slot.episode)

    @rule(limit=st.integers(1, 5))
    def page(self, limit: int) -> None:
        found: list[Any] = []
        after = ""
        while True:
            status, page = self.ask("GET", f"/slots?include_destroyed=true&limit={limit}{after}")
            assert status == 200
            assert len(page["items"]) <= limit
            found += page["items"]
            if page["next_after"] is None:
                break
            after = f"&after={page['next_after']}"
        known = {slot.id: slot.state for slot in self.model.slots}
        assert [int(record["id"][1:]) for record in found] == sorted({int(record["id"][1:]) for record in found})
        assert {record["id"]: record["state"] for record in found if record["id"] in known} == known
        assert all(record["state"] == "destroyed" for record in found if record["id"] not in known)

    @rule()
    def figures(self) -> None:
        status, metrics = self.ask("GET", "/metrics")
        assert (status, metrics["rewards"]["verified"]) == (200, self.model.verified)
        assert metrics["episodes"] == {verdict: count for verdict, count in self.model.episodes.items() if count}

    @invariant()
    def the_same_slots_live_in_the_same_states(self) -> None:
        status, listed = self.ask("GET", "/slots")
        assert status == 200
        assert [(record["id"], record["state"]) for record in listed] == [
            (slot.id, slot.state) for slot in self.model.live
        ]

    @invariant()
    def the_same_states_are_saved_with_the_same_slots_on_them(self) -> None:
        status, listed = self.ask("GET", "/checkpoints")
        standing = Counter(slot.checkpoint for slot in self.model.live)
        assert status == 200
        assert {record["id"]: record["slots"] for record in listed} == {
            checkpoint: standing[checkpoint] for checkpoint in self.model.states
        }


@pytest.fixture(scope="module")
def daemon() -> Iterator[InProcess]:
    with drums.local.in_process(alive_gate_s=0.0, limits=LIMITS) as daemon:
        yield daemon


def test_the_table_and_the_daemon_never_disagree(daemon: InProcess) -> None:
    Lockstep.daemon = daemon
    run_state_machine_as_test(
        Lockstep,
        settings=settings(
            max_examples=settings().max_examples // 2,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
