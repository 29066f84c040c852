"""Rollouts on real requests: what each kind of ending becomes, and that no desktop is left."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

import drums.aio
import drums.local
from drums.errors import BadRequest
from drums.evaluation import Decision, Seen, Usage
from drums.evaluation.policies import give_up, noop
from drums.evaluation.results import read
from drums.evaluation.settings import Pace, Prices
from drums.local import Limits
from tests.evaluation.stage import RENAME, RENAME_FOLDER, Told, a_run

if TYPE_CHECKING:
    from pathlib import Path

    from drums.local import InProcess


class Renames:
    """Solves the task in two turns."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []

    def __call__(self, seen: Seen) -> object:
        self.seen.append(seen)
        return Decision([RENAME], "I rename it") if seen.turn == 0 else "DONE"


async def test_a_rollout_is_recorded_with_all_that_was_seen_and_done(client: drums.aio.Client, tmp_path: Path) -> None:
    [record] = await a_run(client, Renames, tmp_path)
    assert (record["outcome"], record["score"], record["trusted"], record["ended"]) == ("scored", 1.0, True, "done")
    first, second = record["turns"]
    assert first["said"] == "I rename it"
    assert first["actions"][0]["action"]["command"] == RENAME["command"]
    assert first["actions"][0]["returncode"] == 0
    assert second["signal"] == "DONE"
    for name in (first["screenshot"], second["screenshot"], record["last_screenshot"]):
        assert name is not None
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    assert {gate["status"] for gate in record["gates"]} == {"passed"}
    assert await client.envs() == []


async def test_a_policy_sees_the_screen_the_task_and_what_it_did(client: drums.aio.Client, tmp_path: Path) -> None:
    policy = Renames()
    await a_run(client, policy, tmp_path)
    first, second = policy.seen
    assert first.png.startswith(b"\x89PNG")
    assert (first.task_id, first.turn, first.turns_left) == (RENAME_FOLDER, 0, 15)
    assert "folder" in first.instruction
    assert (second.turn, second.turns_left, second.meta["steps"]) == (1, 14, 1)
    assert second.history[0].taken[0].returncode == 0


async def test_a_bad_gate_makes_an_invalid_rollout_and_never_a_score(
    client: drums.aio.Client, daemon: InProcess, tmp_path: Path
) -> None:
    daemon.faults.fail_gate("network", 1)
    records = await a_run(client, Renames, tmp_path, attempts=3, pace=Pace(places=1))
    assert sorted(record["outcome"] for record in records) == ["invalid", "scored", "scored"]
    [invalid] = [record for record in records if record["outcome"] == "invalid"]
    assert (invalid["score"], invalid["bad_gates"]) == (None, ["network"])
    assert invalid["reasons"]
    assert ("network", "failed") in [(gate["name"], gate["status"]) for gate in invalid["gates"]]


async def test_a_quarantine_in_the_middle_makes_it_invalid(client: drums.aio.Client, tmp_path: Path) -> None:
    async def policy(seen: Seen) -> object:
        await client.call("POST", f"/slots/{seen.meta['env']}/quarantine", {"reason": "tampered"})
        return RENAME

    [record] = await a_run(client, policy, tmp_path)
    assert (record["outcome"], record["score"], record["bad_gates"]) == ("invalid", None, ["quarantine"])
    assert any("tampered" in reason for reason in record["reasons"])


async def test_a_desktop_whose_lease_ran_out_is_an_error_of_that_rollout_alone(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    ended: list[str] = []

    async def policy(seen: Seen) -> object:
        if not ended:
            ended.append(seen.meta["env"])
            await client.call("DELETE", f"/slots/{seen.meta['env']}")
        return RENAME if seen.turn == 0 else "DONE"

    records = await a_run(client, policy, tmp_path, attempts=2, pace=Pace(places=1))
    assert sorted(record["outcome"] for record in records) == ["error", "scored"]
    [lost] = [record for record in records if record["error"] is not None]
    assert lost["error"] is not None
    assert lost["error"]["kind"] == "lease"


def raising(_: Seen) -> object:
    raise RuntimeError("out of memory\nBearer abcdef0123456789 \x1b[31m")


@pytest.mark.parametrize(("policy", "words"), [
    (raising, "the policy raised RuntimeError: out of memory"),
    (lambda _: {"type": "dance"}, "no action"),
    (lambda _: {"type": "batch", "actions": []}, "action"),
])  # fmt: skip
async def test_a_policys_failure_is_an_error_with_a_short_reason(
    client: drums.aio.Client, tmp_path: Path, policy: object, words: str
) -> None:
    [record] = await a_run(client, policy, tmp_path)
    assert record["outcome"] == "error"
    assert record["error"] is not None
    assert record["error"]["kind"] == "policy"
    assert words in record["error"]["message"]
    assert "abcdef" not in record["error"]["message"]
    assert record["error"]["message"].isprintable()
    assert await client.envs() == []


async def test_a_setup_that_did_not_happen_and_a_task_that_is_not_supported_are_errors(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(
        '{"id": "broken-task", "instruction": "x", "evaluator": {"func": "infeasible"},'
        ' "config": [{"type": "execute", "parameters": {"command": ["false"]}}]}'
    )
    unknown = tmp_path / "unknown.json"
    unknown.write_text(
        '{"id": "unknown-task", "instruction": "x", "config": [{"type": "teleport", "parameters": {}}],'
        ' "evaluator": {"func": "infeasible"}}'
    )
    records = await a_run(client, noop, tmp_path / "run", words=(str(broken), str(unknown)))
    kinds = {record["task_id"]: record["error"] and record["error"]["kind"] for record in records}
    assert kinds == {"broken-task": "task_setup", "unknown-task": "task_unsupported"}


async def test_giving_up_is_sent_and_scored_as_the_task_says(client: drums.aio.Client, tmp_path: Path) -> None:
    task = tmp_path / "cannot.json"
    task.write_text('{"id": "cannot-be-done", "instruction": "x", "evaluator": {"func": "infeasible"}}')
    words = (str(task), RENAME_FOLDER)
    given_up = await a_run(client, give_up, tmp_path / "fail", words=words)
    assert {record["task_id"]: record["score"] for record in given_up} == {"cannot-be-done": 1.0, RENAME_FOLDER: 0.0}
    assert {record["ended"] for record in given_up} == {"fail"}
    nothing = await a_run(client, noop, tmp_path / "noop", words=words)
    assert {record["score"] for record in nothing} == {0.0}


async def test_a_rollout_ends_at_its_turns_and_is_scored(client: drums.aio.Client, tmp_path: Path) -> None:
    [record] = await a_run(client, lambda _: [], tmp_path, max_turns=3)
    assert (record["ended"], len(record["turns"]), record["score"]) == ("turns", 3, 0.0)


async def test_a_policy_that_hangs_is_cut_off_and_what_it_did_is_scored(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    gate = threading.Event()

    def policy(seen: Seen) -> object:
        return gate.wait(60) if seen.turn else RENAME

    [record] = await a_run(client, policy, tmp_path, time_limit_s=1.0)
    gate.set()
    assert (record["ended"], record["score"]) == ("time", 1.0)


@pytest.mark.usefixtures("quick")
async def test_a_host_that_is_full_is_asked_again(client: drums.aio.Client, daemon: InProcess, tmp_path: Path) -> None:
    async def policy(seen: Seen) -> object:
        daemon.faults.overload(1, 0.01)
        return RENAME if seen.turn == 0 else "DONE"

    [record] = await a_run(client, policy, tmp_path)
    assert record["score"] == 1.0


@pytest.mark.usefixtures("quick")
async def test_a_host_that_stays_full_is_an_error_in_the_end(tmp_path: Path) -> None:
    with drums.local.serving(alive_gate_s=0.0, limits=Limits(max_slots=1)) as daemon:
        async with drums.aio.connect(daemon.url, daemon.token) as client, await client.create():
            [record] = await a_run(client, noop, tmp_path, pace=Pace(wait_s=0.05))
    assert record["error"] is not None
    assert record["error"]["kind"] == "full"


async def test_desktops_at_a_time_are_never_more_than_the_places(client: drums.aio.Client, tmp_path: Path) -> None:
    most = 0

    async def policy(_: Seen) -> object:
        nonlocal most
        most = max(most, len(await client.envs()))
        return "DONE"

    await a_run(client, policy, tmp_path, attempts=6, pace=Pace(places=2))
    assert most == 2


class Meters:
    """Counts tokens and remembers that it was closed."""

    closed = 0

    def __init__(self) -> None:
        self.usage = Usage()

    async def __call__(self, _: Seen) -> object:
        self.usage.requests += 1
        self.usage.prompt_tokens += 1000
        self.usage.completion_tokens += 100
        return "DONE"

    def close(self) -> None:
        Meters.closed += 1


async def test_what_a_policy_used_is_recorded_and_priced_and_it_is_closed(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    Meters.closed = 0
    records = await a_run(client, Meters, tmp_path, attempts=2, prices=Prices(2.0, 10.0))
    assert [record["usage"] for record in records] == [
        {"requests": 1, "prompt_tokens": 1000, "completion_tokens": 100}
    ] * 2
    assert [record["cost"]["model"] for record in records] == [pytest.approx(0.003)] * 2
    assert Meters.closed == 2


# --- groups -----------------------------------------------------------------------------------------------------------


async def test_attempts_can_be_forks_of_one_desktop(client: drums.aio.Client, tmp_path: Path) -> None:
    records = await a_run(client, Renames, tmp_path, attempts=3, fork=True, pace=Pace(places=4))
    assert [record["score"] for record in records] == [1.0] * 3
    assert len({record["parent"] for record in records}) == 1
    assert records[0]["parent"] not in {None, *(record["env"] for record in records)}
    assert await client.envs() == []
    assert [image.id for image in await client.images() if image.kind == "state"] == []


async def test_a_fork_is_cut_to_the_places_and_a_child_that_fails_is_alone(
    client: drums.aio.Client, daemon: InProcess, tmp_path: Path
) -> None:
    daemon.faults.fail_restore(1, skip=2)
    records = await a_run(client, Renames, tmp_path, attempts=4, fork=True, pace=Pace(places=3))
    assert sorted(record["outcome"] for record in records) == ["error", "scored", "scored", "scored"]
    assert len({record["parent"] for record in records}) == 2


async def test_a_fork_needs_two_places(client: drums.aio.Client, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="two places"):
        await a_run(client, noop, tmp_path, fork=True, pace=Pace(places=1))


# --- resuming and ending ----------------------------------------------------------------------------------------------


async def cancelled_after(client: drums.aio.Client, folder: Path, rollouts: int, attempts: int) -> None:
    """A run that is cancelled when so many rollouts are recorded."""
    running: list[asyncio.Task[Any]] = []

    def then() -> None:
        if len(told.records) == rollouts:
            running[0].cancel()

    told = Told(then)
    running.append(asyncio.ensure_future(a_run(client, Renames, folder, attempts=attempts, told=told)))
    with pytest.raises(asyncio.CancelledError):
        await running[0]


async def test_a_cancelled_run_leaves_no_desktop_and_keeps_what_it_has(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    await cancelled_after(client, tmp_path, rollouts=2, attempts=8)
    assert await client.envs() == []
    assert client.owned_envs() == []
    assert 2 <= len(read(tmp_path).rollouts) < 8


async def test_a_run_goes_on_without_playing_a_finished_rollout_again(client: drums.aio.Client, tmp_path: Path) -> None:
    await cancelled_after(client, tmp_path, rollouts=2, attempts=5)
    before = read(tmp_path).rollouts
    told = Told()
    records = await a_run(client, Renames, tmp_path, attempts=5, resume=True, told=told)
    assert not before.keys() & set(told.begun_ids)
    assert len(records) == 5
    assert {record["id"]: record for record in records}.items() >= before.items()


async def test_what_gave_no_score_can_be_played_again(
    client: drums.aio.Client, daemon: InProcess, tmp_path: Path
) -> None:
    daemon.faults.fail_gate("network", 1)
    await a_run(client, Renames, tmp_path, attempts=3, pace=Pace(places=1))
    told = Told()
    records = await a_run(client, Renames, tmp_path, attempts=3, resume=True, again=frozenset({"invalid"}), told=told)
    assert len(told.records) == 1
    assert [record["outcome"] for record in records] == ["scored"] * 3


async def test_a_disk_that_is_full_ends_the_run_and_leaves_no_desktop(client: drums.aio.Client, tmp_path: Path) -> None:
    def policy(_: Seen) -> object:
        (tmp_path / "screenshots").rename(tmp_path / "elsewhere")
        (tmp_path / "screenshots").write_text("in the way")
        return "pyautogui.press('a')"

    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the system
        await a_run(client, policy, tmp_path)
    assert await client.envs() == []


async def test_what_was_touched_beyond_the_tasks_scope_is_told(client: drums.aio.Client, tmp_path: Path) -> None:
    task = tmp_path / "narrow.json"
    task.write_text(
        '{"id": "narrow-task", "instruction": "x", "scope": {"files": ["/home/user/Desktop/done"]}, "evaluator":'
        ' {"func": "infeasible"}}'
    )

    def policy(seen: Seen) -> object:
        touch = {"type": "execute", "command": "touch ~/Desktop/done ~/elsewhere", "shell": True}
        return touch if seen.turn == 0 else "FAIL"

    [record] = await a_run(client, policy, tmp_path / "run", words=(str(task),))
    assert (record["score"], record["trusted"], record["audit_flags"]) == (1.0, False, ["out_of_scope"])
    assert record["beyond"] == ["file /home/user/elsewhere added"]


async def test_a_server_that_is_away_for_a_moment_costs_no_rollout(
    client: drums.aio.Client, daemon: InProcess, tmp_path: Path
) -> None:
    def then() -> None:
        if len(told.records) == 1:
            daemon.faults.unavailable(1)

    told = Told(then)
    records = await a_run(client, noop, tmp_path, attempts=2, pace=Pace(places=1), told=told)
    assert [record["outcome"] for record in records] == ["scored", "scored"]
