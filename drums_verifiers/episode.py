"""One episode as desktops: opened, forked, played, closed.

What a rollout is worth is its task's (`taskset.py`). Invariants: every desktop that an episode makes is closed when it
ends, however it ends; the desktops of all episodes together are never more than the env's places; what is wrong with
one child is on its own trace only.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from drums.errors import BadRequest, DrumsError, EnvFailed, GateFailed, failure_of
from drums.evaluation.admission import FULL, Hold, Places, admitted, ended, to_the_end
from drums_verifiers.desktop import Desktop, DesktopError, InvalidEpisodeError, reason_of_failure
from drums_verifiers.taskset import DrumsTask, Start
from drums_verifiers.verdict import NOT_ADMITTED, drop_reason

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence

    import drums.aio
    from drums_verifiers.env import DrumsEnvConfig

Came: TypeAlias = "drums.aio.Env | EnvFailed | None"
"""A child as the fork left it: up, not up, or yet to be made from the saved state."""


@dataclass
class Host:
    """The server, as all episodes of an env share it."""

    client: drums.aio.Client
    tasks: Mapping[str, Mapping[str, Any]]
    """Each OSWorld task by the id that the configuration gives."""
    places: Places
    size: int | None
    """How many places there are; None: no limit."""
    image: str
    wait_s: float
    """Seconds to go on while the host is full."""
    largest_fork: int
    """Children that one fork may have there."""
    idle_timeout_s: float | None = None
    """After so many seconds unused a desktop is ended, also when this process was killed; None: the server's 30 min."""

    async def create(self, task_id: str, from_state: str | None = None) -> drums.aio.Env:
        """A desktop with a task, as soon as the host has room for it."""
        make = partial(self.client.create, task=self.tasks[task_id], idle_timeout=self.idle_timeout_s)
        source = {"image": self.image} if from_state is None else {"from_state": from_state}
        return await admitted(partial(make, **source), self.wait_s)


Run: TypeAlias = "Callable[[DrumsTask], Awaitable[object]]"
"""Lets the agent play one rollout."""


class Episode:
    """Plays one task once, or N forked children of one desktop.

    Args:
        host: The server.
        config: The env's.
        task: What to play.
        run: Lets the agent play one rollout.
    """

    def __init__(self, host: Host, config: DrumsEnvConfig, task: DrumsTask, run: Run) -> None:
        self._host = host
        self._config = config
        self._task = task
        self._run_agent = run
        wanted = 1 + config.fork_n
        self._size = wanted if host.size is None else min(wanted, host.size)
        self._hold = Hold(host.places, self._size, wanted)
        self._open: dict[str, drums.aio.Env] = {}
        """Desktops of this episode that are not closed yet, by id."""
        self._parent: str | None = None
        self._state: str | None = None
        """The saved state that later children are made from, to be deleted at the end."""

    async def play(self) -> None:
        """From the first desktop to the last that is closed.

        Raises:
            DrumsError: There was no room, or the desktop did not come up.
            DesktopError: The prefix or the fork failed.
        """
        await self._host.places.take(self._size)
        try:
            await (self._forked() if self._config.fork_n else self._alone())
        finally:
            try:
                await to_the_end(self._cleared())
            finally:
                self._hold.end()

    # --- one desktop --------------------------------------------------------------------------------------------------

    async def _alone(self) -> None:
        await self._hold.take()
        try:
            env = await self._created()
        except InvalidEpisodeError as invalid:
            await self._run(Start(invalid=str(invalid), why=invalid.why, env_id=invalid.env_id))
            return
        await self._run(Start(Desktop(env, wait_s=self._host.wait_s)))

    async def _created(self) -> drums.aio.Env:
        """The episode's first desktop."""
        try:
            env = await self._host.create(self._task.data.task_id)
        except GateFailed as fault:
            raise InvalidEpisodeError(reason_of_failure(fault), fault.message, fault.record.get("id")) from fault
        self._open[env.id] = env
        return env

    async def _run(self, start: Start, child: int | None = None) -> None:
        instruction = str(self._host.tasks[self._task.data.task_id].get("instruction", ""))
        await self._run_agent(self._task.begun(start, prompt=instruction, child=child))

    # --- a fork -------------------------------------------------------------------------------------------------------

    async def _forked(self) -> None:
        try:
            children = await self._children()
        except InvalidEpisodeError as invalid:
            await self._run(Start(invalid=str(invalid), why=invalid.why, env_id=invalid.env_id or self._parent))
            return
        async with asyncio.TaskGroup() as group:
            for index, came in enumerate(children):
                group.create_task(self._child(index, came))

    async def _children(self) -> Sequence[Came]:
        """Open the parent, act, fork, and close it; what came of each child, in order."""
        await self._hold.take()
        try:
            parent = await self._created()
            self._parent = parent.id
            async with self._closing(parent.id):
                desktop = Desktop(parent, wait_s=self._host.wait_s)
                await desktop.settle()
                await _prefixed(desktop, "prefix", self._config.prefix)
                await asyncio.sleep(self._config.settle_s)
                return await self._fork(desktop)
        finally:
            self._hold.give()

    async def _fork(self, parent: Desktop) -> Sequence[Came]:
        """As many children as have room beside the parent, at once; the state is kept for the others."""
        count = self._config.fork_n
        first = min(count, self._size - 1, self._host.largest_fork)
        came: list[Came] = []
        if first > 0:
            came = await self._first_wave(parent, first, keep_state=first < count)
        if not came:
            self._state = await parent.asked(parent.env.save)
        return [*came, *[None] * (count - len(came))]

    async def _first_wave(self, parent: Desktop, count: int, *, keep_state: bool) -> list[Came]:
        """Fork; nothing when the host has no room for so many at once."""
        await self._hold.take(count)
        try:
            lease = self._host.idle_timeout_s
            forked = await parent.env.fork(count, strict=False, keep_state=keep_state, idle_timeout=lease)
        except FULL:
            self._hold.give(count, again=True)
            return []
        except DrumsError as fault:
            self._hold.give(count)
            raise await parent.told(fault) from fault
        self._open |= {child.id: child for child in forked}
        self._state = forked.state if keep_state else None
        known = {child.id for child in forked}
        nameless = [failure for failure in forked.failed if failure.record.get("id") not in known]
        came: list[Came] = [*forked, *nameless]
        self._hold.give(count - len(came))
        return came

    async def _child(self, index: int, came: Came) -> None:
        """One child, from its place to its end; what fails is on its trace, and the others go on."""
        if came is None:
            await self._hold.take()
        try:
            start = await self._started(came)
            async with self._closing(start.id):
                await self._run(start, index)
        finally:
            self._hold.give()

    async def _started(self, came: Came) -> Start:
        child = came
        if child is None:
            try:
                child = await self._host.create(self._task.data.task_id, self._state)
            except EnvFailed as fault:
                child = fault
            except FULL:
                reason = drop_reason("pending", [NOT_ADMITTED])
                return Start(invalid=reason, why="the host stayed full", parent=self._parent)
            except DrumsError as fault:
                return Start(fault=str(fault), parent=self._parent)
            else:
                self._open[child.id] = child
        failure = child if isinstance(child, EnvFailed) else failure_of(child.record)
        if failure is not None:
            env_id = failure.record.get("id")
            reason = reason_of_failure(failure)
            return Start(invalid=reason, why=failure.message, parent=self._parent, env_id=env_id)
        assert not isinstance(child, EnvFailed)  # noqa: S101 - a failure was returned above
        return await self._prepared(Desktop(child, parent=self._parent, wait_s=self._host.wait_s))

    async def _prepared(self, desktop: Desktop) -> Start:
        """A child that came up, after its own prefix."""
        invalid = why = fault = None
        try:
            desktop.require_valid()
            await _prefixed(desktop, "child_prefix", self._config.child_prefix)
        except InvalidEpisodeError as reason:
            invalid, why = str(reason), reason.why
        except DesktopError as failed:
            fault = str(failed)
        return Start(desktop, invalid=invalid, why=why, fault=fault, parent=self._parent)

    # --- its end ------------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _closing(self, env_id: str | None) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            await to_the_end(self._closed(env_id))

    async def _closed(self, env_id: str | None) -> None:
        env = self._open.get(env_id or "")
        if env is not None and await ended(env.id, env.close):
            self._open.pop(env.id, None)

    async def _cleared(self) -> None:
        """Close what is still open, and delete the state."""
        await asyncio.gather(*(self._closed(env_id) for env_id in list(self._open)))
        if self._state is not None:
            await ended(f"the state {self._state}", partial(self._host.client.delete_state, self._state))


async def _prefixed(desktop: Desktop, key: str, actions: Sequence[str | dict[str, Any]]) -> None:
    """Do a prefix; each action must succeed.

    Raises:
        DesktopError: One did not, and which.
    """
    for index, action in enumerate(actions):
        try:
            await desktop.act(action, check=True)
        except (DesktopError, BadRequest) as fault:
            raise DesktopError(f"env.{key}[{index}]: {fault}") from fault
