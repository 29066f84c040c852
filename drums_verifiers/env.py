"""The environment as verifiers runs it: its keys, what all episodes share, one episode.

It makes no desktop itself; `episode.py` does. The invariant: when the env stops, no desktop that it made is left open.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any, cast

import verifiers.v1 as vf  # pyright: ignore[reportMissingTypeStubs]
from pydantic import AfterValidator, Field

import drums.aio
from drums.actions import action
from drums.errors import BadRequest, DrumsError
from drums.evaluation.admission import Places, admitted, to_the_end
from drums_verifiers.data import ID, DrumsTasksetConfig, Seconds
from drums_verifiers.episode import Episode, Host, Run
from drums_verifiers.harness import DrumsHarnessConfig
from drums_verifiers.taskset import DrumsTask

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

ANY_FORK = 2**31
"""Children that one fork may have on a server that names no limit."""

LOOKUPS = 8
"""Tasks that are looked up at a time."""


def _checked(given: str | dict[str, Any]) -> str | dict[str, Any]:
    """An action of a prefix, refused before anything starts if it is none."""
    try:
        action(given)
    except BadRequest as fault:
        raise ValueError(f"{fault.message}. {fault.hint}") from None
    return given


Action = Annotated[str | dict[str, Any], AfterValidator(_checked)]
"""pyautogui code, or an action as `env.step` takes it."""


# The id is written out: verifiers sends only what is set, and takes another harness where it finds none. So is the
# runtime, where nothing of ours runs: verifiers' own is a machine to pay for.
AGENT = vf.AgentConfig.model_validate(
    {"runtime": vf.SubprocessConfig(), "harness": DrumsHarnessConfig.model_validate({"id": ID})}
)


class DrumsEnvConfig(vf.EnvConfig):
    """`env.*`."""

    agent: vf.AgentConfig = AGENT
    """Plays each rollout."""
    fork_n: int = Field(default=0, ge=0)
    """0: one desktop per episode. N: one parent, the prefix, then N forked children, each played and scored."""
    prefix: list[Action] = Field(default_factory=list[Action])
    """Actions on the parent before the fork."""
    child_prefix: list[Action] = Field(default_factory=list[Action])
    """Actions on each child after the fork."""
    settle_s: Seconds = 3.0
    """Seconds between the last action of the prefix and the fork."""
    max_concurrent_agents: int | None = Field(default=8, ge=1)
    """Rollouts at once, and desktops at once, of all episodes of one env worker."""
    admission_wait_s: Seconds = 900.0
    """Seconds to go on asking while the host answers 429, after 2 s and then ever less often, at most every 30 s."""


class DrumsEnv(vf.Env[DrumsEnvConfig]):
    """Drums desktops for verifiers and prime-rl."""

    host: Host | None = None
    """The server, while the env is serving."""

    async def start(self) -> None:
        """Connect to `$DRUMS_URL`, and look up every task.

        Raises:
            DrumsError: The server can't be reached, or refuses the token.
            ValueError: It does not know a task of `env.taskset.task_ids`.
        """
        client = await drums.aio.connect()
        try:
            self.host = await self._host(client)
        except BaseException:
            await to_the_end(client.close())
            raise

    async def stop(self) -> None:
        """Close what episodes could not close, and the connection."""
        host, self.host = self.host, None
        if host is not None:
            await to_the_end(host.client.close())

    async def run(self, task: vf.Task[Any, Any, Any], agents: vf.Agents) -> None:
        """One episode; verifiers collects the traces.

        Raises:
            DrumsError: There was no room, or the desktop did not come up.
            DesktopError: The prefix or the fork failed.
        """
        if self.host is None or not isinstance(task, DrumsTask):
            raise TypeError(f"{ID} plays its own tasks, inside serving(); got a {type(task).__name__}")
        run = agents.agent.run  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        await Episode(self.host, self.config, task, cast("Run", run)).play()

    @asynccontextmanager
    async def shared_tools(self) -> AsyncGenerator[dict[str, Any]]:
        """The tool server, for a harness that is a program of its own; ours calls the tools itself."""
        if isinstance(self.config.agent.harness, DrumsHarnessConfig | None):
            yield {}
            return
        async with super().shared_tools() as shared:
            yield shared

    async def _host(self, client: drums.aio.Client) -> Host:
        config = self.config
        taskset = config.taskset
        if not isinstance(taskset, DrumsTasksetConfig):
            raise TypeError(f"the env {ID} plays the taskset {ID}, not {taskset.id}")
        limits = (await admitted(client.health, config.admission_wait_s)).limits
        bounds = [] if limits is None else [limits.fork, None if limits.max_slots is None else limits.max_slots - 1]
        return Host(
            client=client,
            tasks=await _tasks(client, taskset.task_ids, config.admission_wait_s),
            places=Places(config.max_concurrent_agents),
            size=config.max_concurrent_agents,
            image=taskset.image,
            wait_s=config.admission_wait_s,
            largest_fork=min((bound for bound in bounds if bound is not None), default=ANY_FORK),
        )


async def _tasks(client: drums.aio.Client, ids: list[str], wait_s: float) -> Mapping[str, Mapping[str, Any]]:
    """Each task by the id that the configuration gives.

    Raises:
        ValueError: The server does not know one.
    """

    async def one(task_id: str) -> Mapping[str, Any]:
        return await admitted(lambda: client.task(task_id), wait_s)

    found = await client.map(one, ids, workers=LOOKUPS)
    tasks: dict[str, Mapping[str, Any]] = {}
    for task_id, task in zip(ids, found, strict=True):
        if isinstance(task, DrumsError):
            raise ValueError(f"env.taskset.task_ids: {task}") from task  # noqa: TRY004 - of the key's value
        if isinstance(task, BaseException):
            raise task
        tasks[task_id] = task
    return tasks
