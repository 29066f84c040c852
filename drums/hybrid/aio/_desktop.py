"""What all tools over one env share: how a script or a gesture gets there and back.

The invariant: nothing but `env.step` is used, so the tools work with every server that has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from drums._io import aio as io
from drums.hybrid._refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drums.actions import Action
    from drums.aio._env import Env
    from drums.observation import StepResult

T = TypeVar("T")
R = TypeVar("R")


class Ran(NamedTuple):
    """What a script did."""

    status: int
    output: str
    complaint: str


class Desktop:
    """One env, as the tools use it.

    Args:
        env: The env.
    """

    def __init__(self, env: Env) -> None:
        self.env = env
        self._capabilities: frozenset[str] | None = None

    async def capabilities(self) -> frozenset[str]:
        """What the server says that it can do; asked once."""
        if self._capabilities is None:
            health = await self.env.client.health()
            self._capabilities = frozenset(health.capabilities or ())
        return self._capabilities

    async def gesture(self, action: Action) -> StepResult:
        """Do one action of mouse or keyboard."""
        return await self.env.step(action)

    async def script(self, script: str, *arguments: str) -> Ran:
        """Run a script of ours in the desktop.

        Args:
            script: A constant.
            arguments: Words of `_names`, numbers and constants.
        """
        command = ["sh", "-c", script, "drums", *arguments]
        done = await self.env.step({"type": "execute", "command": command, "shell": False}, check=False)
        result = done.result
        status = result.returncode
        return Ran(-1 if status is None else status, result.output or "", result.error or "")

    async def about(self, path: str, tried: str, script: str, *arguments: str) -> str:
        """Run a script about a file; what it printed.

        Args:
            path: What it is about, for the error.
            tried: The call, for the error.
            script: A constant.
            arguments: As for `script`.

        Raises:
            FileError: It ended with another status than 0.
            Unsupported: The desktop lacks a program that it needs.
        """
        ran = await self.script(script, *arguments)
        if ran.status != 0:
            raise refusal(path, ran.status, ran.complaint, self.tried(tried))
        return ran.output

    async def each(self, fn: io.Fn[T, R], items: Sequence[T], workers: int) -> list[R]:
        """Call `fn` with each item, some at a time; the first that fails keeps those after it from beginning.

        Args:
            fn: What to call.
            items: What to call it with.
            workers: Calls at a time.

        Returns:
            What each call returned, in the order of the items.
        """
        failed: list[BaseException] = []
        results: dict[int, R] = {}

        async def call(index: int) -> None:
            if failed:
                return
            try:
                results[index] = await fn(items[index])
            except BaseException as fault:
                failed.append(fault)
                raise

        await io.run_each(call, range(len(items)), workers)
        if failed:
            raise failed[0]
        return [results[index] for index in range(len(items))]

    def tried(self, call: str) -> str:
        """A call as its error names it."""
        return f"{call} of {self.env.id}"
