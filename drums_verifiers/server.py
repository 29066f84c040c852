"""The computer tools over MCP, for harnesses that are programs of their own (`--env.agent.harness.id null`).

A process of its own for each env worker, started by verifiers; it finds a rollout's desktop by its id and has a client
of its own, that owns nothing. Our harness needs none of this. Invariant: what ends a rollout is written into its state
and answered as text, since verifiers does not carry the state of a call that raises.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

import verifiers.v1 as vf  # pyright: ignore[reportMissingTypeStubs]

import drums.aio
from drums.errors import BadRequest, DrumsError
from drums.screen import ArgumentError
from drums_verifiers.data import DrumsState, DrumsToolsConfig
from drums_verifiers.desktop import Desktop, DesktopError, InvalidEpisodeError
from drums_verifiers.tools import Answer, Hands, hands_for, names_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp.server.mcpserver import MCPServer

WAIT_S = 60.0
"""Seconds to go on while the server says 429."""


class DrumsToolset(vf.Toolset[DrumsToolsConfig, DrumsState]):
    """The tools of the configured style, without a prefix to their names."""

    TOOL_PREFIX = None

    def __init__(self, config: DrumsToolsConfig) -> None:
        super().__init__(config)
        self._client: drums.aio.Client | None = None
        self._desktops: dict[str, Desktop] = {}

    async def setup(self) -> None:
        """Connect."""
        self._client = await self._exit_stack.enter_async_context(drums.aio.connect(close_on_exit=False))

    def register(self, mcp: MCPServer) -> None:
        """Offer the tools."""
        from mcp.server.mcpserver import Image  # noqa: PLC0415 - only the server process needs mcp

        def content(answer: Answer) -> list[Any]:
            picture = [] if answer.png is None else [Image(data=answer.png, format="png")]
            return [answer.text, *picture]

        for name, method in names_of(hands_for(self.config)).items():
            with_state: Callable[..., Any] = self._with_state  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            tool = with_state(self._call(name, method, content))
            mcp.add_tool(tool, name=name, description=inspect.cleandoc(method.__doc__ or ""))

    def _call(
        self, name: str, method: Callable[..., Awaitable[Answer]], content: Callable[[Answer], list[Any]]
    ) -> Callable[..., Awaitable[list[Any]]]:
        """The tool as a function with the method's signature, for the rollout whose state is in place."""

        @functools.wraps(method)
        async def call(**arguments: Any) -> list[Any]:
            return content(await self._answer(name, arguments))

        signature = inspect.signature(method, eval_str=True)
        parameters = [one for one in signature.parameters.values() if one.name != "self"]
        call.__signature__ = signature.replace(parameters=parameters, return_annotation=list)  # type: ignore[attr-defined]
        return call

    async def _answer(self, name: str, arguments: dict[str, Any]) -> Answer:
        state = self.state
        try:
            hands: Hands = hands_for(self.config)(await self._desktop(state.desktop), self.config)
            answer: Answer = await getattr(hands, name)(**arguments)
        except InvalidEpisodeError as invalid:
            state.invalid = str(invalid)
            return Answer("the desktop can't be used any more")
        except DesktopError as fault:
            state.fault = str(fault)
            return Answer("the desktop failed")
        except (ArgumentError, BadRequest) as fault:
            return Answer(f"error: {fault}")
        state.ended = answer.ended
        return answer

    async def _desktop(self, env_id: str | None) -> Desktop:
        if env_id is None or self._client is None:
            raise DesktopError("there is no desktop")
        if env_id not in self._desktops:
            try:
                found = [env for env in await self._client.envs() if env.id == env_id]
            except DrumsError as fault:
                raise DesktopError(str(fault)) from fault
            if not found:
                raise DesktopError(f"the desktop {env_id} is gone")
            self._desktops[env_id] = Desktop(found[0], wait_s=WAIT_S)
        return self._desktops[env_id]


if __name__ == "__main__":
    DrumsToolset.run()
