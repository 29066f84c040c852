"""A run: every rollout of every task, so many desktops at a time, each recorded as soon as it is over.

How one is played is `rollout.py`'s. Invariants: every desktop that is made here is closed, however the run ends; a
rollout that is recorded is never played again; desktops at a time are never more than the places.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, cast

from drums._core.arguments import refused
from drums.errors import DaemonUnavailable, DrumsError, TaskUnsupported
from drums.evaluation.admission import Places, admitted
from drums.evaluation.rollout import Player, settle
from drums.evaluation.tape import Rollout, Tape
from drums.local.osworld.proofs import own_proofs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    import drums.aio
    from drums.evaluation.choice import Chosen
    from drums.evaluation.policy import MakePolicy
    from drums.evaluation.records import Outcome, RolloutRecord
    from drums.evaluation.results import Results
    from drums.evaluation.settings import Pace, Settings
    from drums.records import Health

LEASE_MARGIN_S: Final = 600.0
"""Seconds beyond the time limit after which an unused desktop is ended, also when this process was killed."""


class Watcher(Protocol):
    """Is told how a run goes."""

    def begun(self, rollout: Rollout) -> None:
        """A rollout has its place."""
        ...

    def ended(self, record: RolloutRecord) -> None:
        """A rollout is over and recorded."""
        ...


@dataclass(frozen=True, slots=True)
class Plays:
    """What a run plays: tasks, policy, and how often.

    Raises:
        BadRequest: It could never be played so.
    """

    tasks: Sequence[Chosen]
    make_policy: MakePolicy
    settings: Settings
    pace: Pace
    again: frozenset[Outcome] = frozenset()
    """Outcomes of recorded rollouts that are played once more."""

    def __post_init__(self) -> None:
        if self.settings.fork and self.pace.places < 2:
            raise refused("a fork needs two places: one for the desktop that is forked", hint="Give --concurrency 2")

    def missing(self, recorded: Mapping[str, RolloutRecord]) -> list[Rollout]:
        """The rollouts that are still to be played: first attempts first."""
        rollouts = [Rollout(task, attempt) for attempt in range(self.settings.attempts) for task in self.tasks]
        return [rollout for rollout in rollouts if self._is_missing(recorded.get(rollout.id))]

    def _is_missing(self, record: RolloutRecord | None) -> bool:
        return record is None or record["outcome"] in self.again


class Run:
    """Plays what is missing of a run.

    Args:
        client: The server; it owns the desktops.
        health: What the server said of itself.
        plays: What to play.
        results: Where it is recorded.
        watcher: Who is told.
    """

    def __init__(
        self, client: drums.aio.Client, health: Health, plays: Plays, results: Results, watcher: Watcher
    ) -> None:
        self._client = client
        self._plays = plays
        self._settings = plays.settings
        self._pace = plays.pace
        self._results = results
        self._watcher = watcher
        self._signals = "signals" in health.capabilities
        self._machine = health.machine
        self._proofs = own_proofs()
        self._largest_fork = (health.limits.fork if health.limits is not None else None) or 2**31
        self._places = Places(plays.pace.places)

    async def play(self) -> None:
        """Play every rollout that is missing. Cancelled, it closes what is open; what is recorded stays.

        Raises:
            OSError: Results or screenshots can't be written.
        """
        try:
            async with asyncio.TaskGroup() as group:
                for together in self._groups():
                    size = len(together) + (1 if self._settings.fork else 0)
                    await self._places.take(size)
                    deed = self._forked(together) if self._settings.fork else self._alone(together[0])
                    group.create_task(deed)
        except BaseExceptionGroup as faults:
            raise _first(faults) from faults

    def _groups(self) -> Iterator[list[Rollout]]:
        """The rollouts that are played together: one alone, or a task's as children of one desktop."""
        missing = self._plays.missing(self._results.rollouts)
        if not self._settings.fork:
            yield from ([rollout] for rollout in missing)
            return
        most = max(1, min(self._pace.places - 1, self._largest_fork))
        for task in self._plays.tasks:
            of_task = [rollout for rollout in missing if rollout.task is task]
            yield from (of_task[first : first + most] for first in range(0, len(of_task), most))

    # --- one desktop a rollout ----------------------------------------------------------------------------------------

    async def _alone(self, rollout: Rollout) -> None:
        try:
            self._watcher.begun(rollout)
            tape = self._tape(rollout)
            try:
                env = await self._created(rollout.task)
            except DrumsError as fault:
                self._add(tape.failed_by(fault))
                return
            async with env:
                record = await self._player(env, tape).play(self._plays.make_policy)
            self._add(record)
        finally:
            self._places.give(1)

    async def _created(self, task: Chosen) -> drums.aio.Env:
        """A desktop with the task set up.

        Raises:
            TaskUnsupported: Nothing could solve it on this server, so that a 0 would say nothing of the policy.
            DrumsError: It could not be had.
        """
        limit = self._settings.time_limit_s
        terms: dict[str, Any] = {} if limit is None else {"idle_timeout": limit + LEASE_MARGIN_S}
        proof = None if task.own else self._proofs.get(task.id)
        if proof is not None and (why := proof.why_not(self._machine)) is not None:
            hint = "`drums setup` makes a host ready for them; `drums up` then uses them"
            raise TaskUnsupported(422, why, sent="no", hint=hint)
        image = self._settings.image or (proof.image_on(self._machine) if proof is not None else None)
        if image is not None:
            terms["image"] = image
        source = dict(task.task) if task.own else task.id
        make = partial(self._client.create, task=source, **terms)
        try:
            return await admitted(make, self._pace.wait_s)
        except DaemonUnavailable as away:
            if away.sent == "maybe":  # it may have been made; its lease ends it
                raise
            await self._client.health()  # as patient as the client is
            return await admitted(make, self._pace.wait_s)

    # --- a fork -------------------------------------------------------------------------------------------------------

    async def _forked(self, rollouts: list[Rollout]) -> None:
        held = len(rollouts) + 1
        try:
            parent, children = await self._children(rollouts)
            self._places.give(1)
            held -= 1
            if children is None:
                return
            async with children, asyncio.TaskGroup() as group:
                ready = [child for child in children if child.state == "ready"]
                for rollout, child in zip(rollouts, ready, strict=False):
                    group.create_task(self._child(rollout, child, parent))
                for rollout, fault in zip(rollouts[len(ready) :], children.failed, strict=False):
                    self._add(self._tape(rollout, parent).failed_by(fault))
        finally:
            self._places.give(held)

    async def _children(self, rollouts: list[Rollout]) -> tuple[str | None, drums.aio.ForkResult | None]:
        """The parent's id and its children; None where there are none, which is recorded then."""
        parent_id: str | None = None
        try:
            async with await self._created(rollouts[0].task) as parent:
                parent_id = parent.id
                await settle(parent, self._pace.wait_s)
                fork = partial(parent.fork, len(rollouts), strict=False, keep_state=False)
                return parent_id, await admitted(fork, self._pace.wait_s)
        except DrumsError as fault:
            for rollout in rollouts:
                self._add(self._tape(rollout, parent_id).failed_by(fault))
            return parent_id, None

    async def _child(self, rollout: Rollout, child: drums.aio.Env, parent: str | None) -> None:
        self._watcher.begun(rollout)
        async with child:
            record = await self._player(child, self._tape(rollout, parent)).play(self._plays.make_policy)
        self._add(record)

    # --- parts --------------------------------------------------------------------------------------------------------

    def _tape(self, rollout: Rollout, parent: str | None = None) -> Tape:
        return Tape(rollout, self._settings.prices, parent=parent)

    def _player(self, env: drums.aio.Env, tape: Tape) -> Player:
        return Player(env, tape, self._results, self._settings, self._pace, signals=self._signals)

    def _add(self, record: RolloutRecord) -> None:
        self._results.add(record)
        self._watcher.ended(record)


def _first(fault: BaseException) -> BaseException:
    """The failure that a group of them began with."""
    inner = cast("tuple[BaseException, ...]", getattr(fault, "exceptions", ()))
    return _first(inner[0]) if inner else fault
