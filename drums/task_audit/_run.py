"""Auditing a task on desktops: set up once, forked once for every play, and the oracle's end state forked again.

It uses the public SDK only, so any server can be asked. Invariants: every desktop made here is closed when the audit of
its task ends, however it ends; what goes wrong with one play is that play's outcome and stops no other.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, cast

from drums.errors import DrumsError, GateFailed, InvalidEpisode, NotFound, TaskUnsupported
from drums.evaluation.admission import admitted
from drums.task_audit._plays import SIGNALS, Play, last_signal, plays_of
from drums.task_audit._verdict import Outcome, TaskAudit, verdict_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from drums.aio import Client, Env
    from drums.records import Health
    from drums.reward import Reward
    from drums.task_audit._pack import Subject

RECHECKS = 3
FORK = 8
"""Children of one fork, where the server tells no limit."""
TRIES = 2
"""How often a play is tried while its episode is not valid: a bad gate is the host's doing, not the task's."""
ROOM_S = 120.0
"""Seconds to wait for a server that has no room."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How tasks are audited."""

    rechecks: int = RECHECKS
    """Forks of the oracle's end state that are checked again."""
    concurrency: int = 2
    """Tasks at a time."""
    image: str | None = None
    """Where every task runs; None: where its proof says, else the default."""


async def audit_tasks(
    client: Client, subjects: Sequence[Subject], terms: Terms | None = None
) -> AsyncIterator[TaskAudit]:
    """Audit tasks, several at a time; gives each verdict as it is reached.

    Args:
        client: Connected to the server whose desktops are used.
        subjects: The tasks.
        terms: How.
    """
    terms = terms or Terms()
    health = await client.health()
    places = asyncio.Semaphore(terms.concurrency)

    async def one(subject: Subject) -> TaskAudit:
        async with places:
            reason = subject.why_not(health.machine)
            if reason is not None:
                return _skipped(subject, reason)
            return await audit_task(client, subject, terms, health)

    tasks = [asyncio.create_task(one(subject)) for subject in subjects]
    try:
        for done in asyncio.as_completed(tasks):
            yield await done
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def audit_task(client: Client, subject: Subject, terms: Terms, health: Health) -> TaskAudit:
    """Audit one task.

    Args:
        client: Connected to the server.
        subject: The task.
        terms: How.
        health: What the server can do.
    """
    began = monotonic()
    audit = _Audit(client, subject, terms, health)
    try:
        outcomes = await audit.outcomes()
    except TaskUnsupported as error:
        return _skipped(subject, error.message)
    except _MissingError as missing:
        return _skipped(subject, str(missing))
    except DrumsError as error:
        failed = (f"it could not be set up: {error.message}",)
        return replace(_skipped(subject, ""), verdict="undecided", findings=failed, seconds=monotonic() - began)
    verdict, findings = verdict_of(outcomes, proven=subject.proof is not None)
    return TaskAudit(
        subject.id, subject.domain, subject.difficulty, verdict, findings, tuple(outcomes), monotonic() - began
    )


def _skipped(subject: Subject, reason: str) -> TaskAudit:
    return TaskAudit(subject.id, subject.domain, subject.difficulty, "skipped", (reason,))


class _MissingError(Exception):
    """The server lacks what a task needs; the message says what, and what to do."""


class _Audit:
    """One task's plays."""

    def __init__(self, client: Client, subject: Subject, terms: Terms, health: Health) -> None:
        self.client, self.subject, self.terms = client, subject, terms
        self.signals = SIGNALS in (health.capabilities or [])
        limit = None if health.limits is None else health.limits.fork
        self.most_children: int = limit or FORK
        self.image = terms.image or subject.image_on(health.machine)

    async def outcomes(self) -> list[Outcome]:
        """Every play's outcome; an invalid one is played again."""
        waiting = list(plays_of(await self._task(), self.subject.proof, signals=self.signals))
        order, found = list(waiting), dict[int, list[Outcome]]()
        for attempt in range(1, TRIES + 1):
            played = await self._on_forks(waiting)
            for play, outcomes in zip(waiting, played, strict=True):
                found[order.index(play)] = outcomes
            invalid = [play for play, made in zip(waiting, played, strict=True) if any(one.invalid for one in made)]
            if not invalid or attempt == TRIES:
                break
            waiting = invalid
        return [outcome for index in sorted(found) for outcome in found[index]]

    async def _on_forks(self, plays: Sequence[Play]) -> list[list[Outcome]]:
        """Play each on a fork of one desktop that was just set up."""
        outcomes: list[list[Outcome]] = []
        async with await admitted(self._created, ROOM_S) as env:
            await env.wait_valid()
            for first in range(0, len(plays), self.most_children):
                part = plays[first : first + self.most_children]
                async with await admitted(partial(env.fork, len(part), keep_state=False), ROOM_S) as children:
                    pairs = zip(children, part, strict=True)
                    outcomes += await asyncio.gather(*(self._played(child, play) for child, play in pairs))
        return outcomes

    async def _task(self) -> Mapping[str, object]:
        if self.subject.task is not None:
            return self.subject.task
        try:
            return cast("Mapping[str, object]", await self.client.task(self.subject.id))
        except NotFound as error:
            message = f"{error.message}; a daemon knows a pack of yours by `drums up --tasks DIR`"
            raise _MissingError(message) from error

    async def _created(self) -> Env:
        task = self.subject.id if self.subject.task is None else self.subject.task
        if self.image is None:
            return await self.client.create(task=task)
        try:
            return await self.client.create(self.image, task)
        except NotFound as error:
            message = f"{error.message}; `drums image build {self.image}` makes an image"
            raise _MissingError(message) from error

    async def _played(self, env: Env, play: Play) -> list[Outcome]:
        """One play's outcome, and after the oracle those of the forks of its end state."""
        began = monotonic()
        try:
            await env.wait_valid()
            for action in play.actions:
                await env.step(action, check=play.kind != "near_miss")
            rechecks = await self._rechecks(env, play) if play.kind == "oracle" else []
            reward = await env.verify(strict=False)
        except DrumsError as error:
            return [_failed(play, error, monotonic() - began)]
        return [_outcome(play, reward, monotonic() - began), *rechecks]

    async def _rechecks(self, env: Env, oracle: Play) -> list[Outcome]:
        """The outcomes of forks of the oracle's end state."""
        count = min(self.terms.rechecks, self.most_children)
        play = Play("recheck", oracle.actions, oracle.expected, "the oracle's end state, forked")
        if count == 0:
            return []
        try:
            async with await admitted(partial(env.fork, count, keep_state=False), ROOM_S) as children:
                return list(await asyncio.gather(*(_rechecked(child, play) for child in children)))
        except DrumsError as error:
            return [_failed(play, error, 0.0)]


async def _rechecked(env: Env, play: Play) -> Outcome:
    began = monotonic()
    try:
        await env.wait_valid()
        signal = last_signal(play.actions)
        if signal is not None:
            await env.step(signal)
        reward = await env.verify(strict=False)
    except DrumsError as error:
        return _failed(play, error, monotonic() - began)
    return _outcome(play, reward, monotonic() - began)


def _outcome(play: Play, reward: Reward, seconds: float) -> Outcome:
    if not reward.valid:
        return Outcome(play, None, invalid=tuple(reward.invalid_reasons), seconds=seconds)
    error = reward.checker_error or (None if reward.score is not None else "it gave no score")
    return Outcome(play, reward.score, tuple(reward.audit_flags), checker_error=error, seconds=seconds)


def _failed(play: Play, error: DrumsError, seconds: float) -> Outcome:
    invalid = tuple(error.invalid_reasons) if isinstance(error, InvalidEpisode) else ()
    if isinstance(error, GateFailed):
        invalid = (error.message,)
    return Outcome(play, None, invalid=invalid, failed=None if invalid else error.message, seconds=seconds)
