"""One server as a user holds it: what it has, what it makes, and what of that is still to be closed.

A method sends one `Call`, or a few. The invariant: every env that this client made is in `owned_envs()` until the
server said that it is gone.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from drums._core import calls
from drums._core.arguments import count, refused, some_seconds
from drums._core.state import State
from drums._io import aio as io
from drums.aio._env import Env
from drums.aio._session import CLOSE_S, Session, facts_of, tell_left_behind
from drums.errors import BatchError, DrumsError, ProtocolError, failure_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from types import TracebackType

    from drums._core.call import Call
    from drums._core.task_source import TaskSource
    from drums.records import Checkpoint, Health, Metrics, Slot, Task, TaskSummary

DEFAULT_IMAGE = "osworld-ubuntu"
"""The image that an env is made from when none is named."""


class Client(io.Mapped):
    """A connection to one server, made by `connect()`; entered with `async with`, it closes every env that it made.

    It may be pickled to another process: the copy there has no token, reads its own from the environment, and owns
    nothing.

    Args:
        session: What sends.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    # --- the connection -----------------------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """Base URL of the server, or `local`."""
        return self._session.settings.url

    @property
    def timeout(self) -> float:
        """Seconds that one request may take."""
        return self._session.settings.timeout_s

    @property
    def retry_s(self) -> float:
        """Seconds to go on trying a GET while the server can't be reached."""
        return self._session.settings.retry_s

    def owned_envs(self) -> list[Env]:
        """The envs that this client made and that are not known to be gone, oldest first."""
        return list(self._session.owned().values())

    async def close(self, timeout: float = CLOSE_S) -> list[tuple[str, DrumsError | None]]:
        """End every env that this client made, at once, and let go of its connections.

        Args:
            timeout: Seconds for all of them together.

        Returns:
            Each env's id, with the error that stopped it or None. One that could not be ended stays owned, and a second
            `close()` tries again.

        Server: delete_slot
        """
        told = await self._session.end_all(self._session.owned(), some_seconds(timeout, "timeout"))
        await self._session.close()
        return told

    @overload
    async def call(
        self, method: str, path: str, body: Any = None, raw: Literal[False] = False, timeout: float | None = None
    ) -> Any: ...
    @overload
    async def call(
        self, method: str, path: str, body: Any = None, *, raw: Literal[True], timeout: float | None = None
    ) -> bytes: ...
    async def call(
        self, method: str, path: str, body: Any = None, raw: bool = False, timeout: float | None = None
    ) -> Any:
        """Send any request to the server, with this client's token, retries and errors.

        Args:
            method: `GET`, `POST`, …
            path: Percent-encoded, with or without `/v1` before it: `/tasks?domain=os`.
            body: What is sent as JSON; None: nothing.
            raw: Whether the reply's body is returned as bytes; else it is parsed as JSON.
            timeout: Seconds for the request; None: the client's.
        """
        limit = None if timeout is None else some_seconds(timeout, "timeout")
        return await self._session.send(calls.raw_call(method, path, body, raw=raw), limit)

    # --- what the server has ------------------------------------------------------------------------------------------

    async def health(self) -> Health:
        """Read what the server is, can do and is bounded by; touches no desktop.

        Server: get_health
        """
        return await self._session.send(calls.get_health())

    async def metrics(self) -> Metrics:
        """Read the figures of the current window: latencies, episodes by verdict, failures, rewards, cost.

        Server: get_metrics
        """
        return await self._session.send(calls.get_metrics())

    async def reset_metrics(self) -> Metrics:
        """Close the window of figures and open the next.

        Returns:
            The closed window.

        Server: reset_metrics
        """
        return await self._session.send(calls.reset_metrics())

    async def images(self) -> list[Checkpoint]:
        """List what an env can be made from: the images, then the saved states; `.kind` tells them apart.

        Server: list_checkpoints
        """
        return await self._session.send(calls.list_checkpoints())

    async def delete_state(self, state: str) -> Checkpoint:
        """Delete a saved state, its disk and its memory.

        Args:
            state: Its id.

        Returns:
            The record of what was deleted.

        Raises:
            Conflict: An env that was made from it still lives; or it is an image.

        Server: delete_checkpoint
        """
        return await self._session.send(calls.delete_checkpoint(state))

    async def tasks(self, domain: str | None = None) -> list[TaskSummary]:
        """List the tasks that the server knows.

        Args:
            domain: Only those of this domain; None: all.

        Server: list_tasks
        """
        return await self._session.send(calls.list_tasks(domain))

    async def task(self, task_id: str) -> Task:
        """Read one task in OSWorld's format.

        Args:
            task_id: Its id, or a prefix of 8 characters or more that no other task has.

        Raises:
            NotFound: There is none.
            Conflict: Several tasks begin like this.

        Server: get_task
        """
        return await self._session.send(calls.get_task(task_id))

    async def envs(self) -> list[Env]:
        """List the live envs of the server, whoever made them; the handles own nothing.

        Server: list_slots
        """
        return [Env(self, self._session, record) async for record in self.env_records()]

    async def env_records(self, include_destroyed: bool = False, page_size: int = 500) -> AsyncIterator[Slot]:
        """Go through the records of the server's envs, oldest first, page by page.

        Args:
            include_destroyed: Whether those that are gone are among them.
            page_size: Records that one request asks for.

        Server: list_slots
        """
        seen: set[str] = set()
        after: str | None = None
        while True:
            call = calls.list_slots(page_size, after, include_destroyed=include_destroyed)
            page = await self._session.send(call)
            for record in page.records:
                if include_destroyed or record.state != "destroyed":
                    yield record
            after = page.next_after
            if after is None:
                return
            if after in seen:
                raise ProtocolError(
                    200, "expected the next page, got one before", where="$.next_after", **facts_of(call)
                )
            seen.add(after)

    # --- what it makes ------------------------------------------------------------------------------------------------

    async def create(
        self,
        image: str = DEFAULT_IMAGE,
        task: TaskSource | None = None,
        *,
        from_state: str | None = None,
        setup: bool | None = None,
        idle_timeout: float | None = None,
        ttl: float | None = None,
    ) -> Env:
        """Start a desktop and its episode 1, and set its task up. Cancelled halfway, it ends what it made.

        Args:
            image: The installed image to start from.
            task: An OSWorld task, the path of a JSON file with one, or the id of one that the server knows.
            from_state: The saved state to start from, instead of an image.
            setup: Whether the task's setup runs, now and after every reset; None: yes for an image, no for a state.
            idle_timeout: Seconds unused after which the env is ended; None: the server's 30 minutes; 0: never.
            ttl: Seconds after which it is ended in any case; 0 or None: never.

        Returns:
            The env, ready; its last gates may still be pending.

        Raises:
            RestoreFailed: The desktop did not come up. Nothing is left of it.
            TaskSetupFailed: A setup step of the task did not happen. Nothing is left of the desktop.
            NotFound: There is no such image, state or task.
            QuotaExceeded: There is no room for it; nothing was started.
            Overloaded: The same, for now.

        Server: create_slot, get_task
        """
        if from_state is not None and image != DEFAULT_IMAGE:
            raise refused("create() takes an image or a saved state, not both")
        call = calls.create_slot(
            image if from_state is None else from_state,
            None if task is None else await self._session.task(task),
            setup=setup,
            idle_timeout=idle_timeout,
            ttl=ttl,
        )
        state = None if from_state is None else State(from_state)
        env = await io.made(partial(self._create, call, state), self._uncreate, self._session.grace_s)
        failure = failure_of(env.record)
        if failure is not None:
            await self._uncreate(env)
            raise type(failure)(env.record, **facts_of(call))
        return env

    async def create_many(
        self,
        n: int,
        image: str = DEFAULT_IMAGE,
        task: TaskSource | None = None,
        *,
        from_state: str | None = None,
        workers: int = 8,
        idle_timeout: float | None = None,
        ttl: float | None = None,
    ) -> list[Env]:
        """Start `n` desktops of one kind, as `create()` does, several at a time.

        Cancelled halfway, it ends what it made.

        Args:
            n: How many.
            image: The installed image to start from.
            task: As for `create()`.
            from_state: The saved state to start from, instead of an image.
            workers: How many to start at a time.
            idle_timeout: Seconds unused after which each is ended; 0: never.
            ttl: Seconds after which each is ended in any case; 0: never.

        Raises:
            BatchError: Some were not made; `.ok` holds the others, which live on, `.failed` says why not.

        Server: create_slot, get_task
        """
        wanted = None if task is None else await self._session.task(task)
        made: list[Env] = []

        async def one(_: int) -> Env:
            env = await self.create(image, wanted, from_state=from_state, idle_timeout=idle_timeout, ttl=ttl)
            made.append(env)
            return env

        try:
            outcomes = await io.run_each(one, range(count(n, "n")), count(workers, "workers"))
        except io.INTERRUPTED:
            await self._session.end_quietly([env.id for env in made])
            raise
        failed = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        ok = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
        if failed:
            raise BatchError(ok, failed, tried=f"create_many({n})")
        return ok

    async def _create(self, call: Call[Slot], state: State | None) -> Env:
        env = Env(self, self._session, await self._session.send_making(call), from_state=state)
        self._session.own(env)
        return env

    async def _uncreate(self, env: Env) -> None:
        await self._session.end_quietly([env.id])

    # --- its end ------------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        tell_left_behind(await io.finish(self.close))

    def __repr__(self) -> str:
        return f"<Client of {self.url}, owns {len(self._session.owned())} envs>"
