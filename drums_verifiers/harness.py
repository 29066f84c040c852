"""The loop of a rollout, in the evaluator's own process: ask the model, call its tools, show it the screen.

Nothing is installed and no program is started; every model call goes through verifiers' interception, which records it
and enforces the limits. Invariant: the history is only changed by leaving out old screenshots, several at a time.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import verifiers.v1 as vf  # pyright: ignore[reportMissingTypeStubs]
from openai import APIStatusError, AsyncOpenAI
from pydantic import Field

from drums.errors import BadRequest
from drums.evaluation.endpoint import leave_out_screenshots
from drums.screen import ArgumentError
from drums_verifiers.data import ID, state_of
from drums_verifiers.desktop import Desktop, DesktopError, InvalidEpisodeError, playing
from drums_verifiers.tools import Answer, tools_for
from drums_verifiers.verdict import STOP

if TYPE_CHECKING:
    from drums_verifiers.data import DrumsToolsConfig, Trace
    from drums_verifiers.schema import Tool

Message = dict[str, Any]

FAULT_STOP = "desktop_fault"
FINE = vf.ProgramResult(0, "", "")


class DrumsHarnessConfig(vf.HarnessConfig):
    """`env.agent.harness.*`."""

    id: str = ID
    images_to_keep: int = Field(default=5, ge=1)
    """Screenshots kept in the model's context. Once there are more, all but about half of them are left out at once, so
    that the history is rewritten, and the trace branches, every few turns and not at each."""


class DrumsHarness(vf.Harness[DrumsHarnessConfig]):
    """Plays the tasks of this package, and only those: its tools act on the desktop that the episode has opened."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_MCP = False
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(  # noqa: PLR0917 - verifiers' signature
        self,
        ctx: vf.ModelContext,
        trace: Trace,
        runtime: vf.Runtime,  # noqa: ARG002 - as above
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],  # noqa: ARG002 - as above
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Play one rollout.

        Raises:
            RuntimeError: The trace is of no task of this package.
            APIStatusError: The model did not answer.
        """
        desktop = playing.get(trace.id)
        if desktop is None:
            raise RuntimeError(f"the harness {ID} plays only the taskset {ID}")
        tools = tools_for(desktop, tools_config(trace, desktop))
        messages = self._opening(data)
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, timeout=None) as client:
            while (said := await _said(client, ctx.model, messages, tools, trace)) is not None:
                messages.append(said)
                if not await _done(said.get("tool_calls") or [], tools, trace, messages):
                    break
                leave_out_screenshots(messages, self.config.images_to_keep)
        return FINE

    def _opening(self, data: vf.TaskData) -> list[Message]:
        system, prompt = self.resolve_text_prompt(data)
        opening = [] if system is None else [{"role": "system", "content": system}]
        return [*opening, {"role": "user", "content": prompt or ""}]


def tools_config(trace: Trace, desktop: Desktop) -> DrumsToolsConfig:
    """How the task's tools are configured; the episode has put it beside the desktop."""
    config = desktop.tools
    if config is None:
        raise RuntimeError(f"trace {trace.id} has a desktop without a task")
    return config


async def _said(
    client: AsyncOpenAI, model: str, messages: list[Message], tools: dict[str, Tool[Answer]], trace: Trace
) -> Message | None:
    """The model's next message as it came; None when a limit or a stop ended the rollout."""
    body: dict[str, Any] = {"model": model, "messages": messages, "tools": [tool.function() for tool in tools.values()]}
    try:
        reply = await client.post("/chat/completions", body=body, cast_to=dict[str, Any])
    except APIStatusError:
        if trace.stop_condition is not None:
            return None
        raise
    message = reply["choices"][0]["message"]
    return {name: value for name, value in message.items() if value is not None}


async def _done(
    calls: list[dict[str, Any]], tools: dict[str, Tool[Answer]], trace: Trace, messages: list[Message]
) -> bool:
    """Call the tools that a message asks for, in turn, and append what they answer; whether the rollout goes on."""
    for call in calls:
        try:
            answer = await answered(tools, call)
        except InvalidEpisodeError as invalid:
            state_of(trace).invalid = str(invalid)
            trace.stop(STOP)
            return False
        except DesktopError as fault:
            state_of(trace).fault = str(fault)
            trace.stop(FAULT_STOP)
            return False
        messages.append(tool_message(call, answer))
        if answer.ended is not None:
            state_of(trace).ended = answer.ended
            return False
    return bool(calls)


async def answered(tools: dict[str, Tool[Answer]], call: Message) -> Answer:
    """What a tool says; a call that can't be made is told to the model.

    Raises:
        InvalidEpisodeError: The episode is over: it is not valid.
        DesktopError: The desktop or the server failed.
    """
    function: Message = call.get("function") or {}
    name = str(function.get("name"))
    try:
        if name not in tools:
            raise ArgumentError(f"there is no tool {name[:80]!r}; there are {', '.join(tools)}")
        return await tools[name](function.get("arguments") or "")
    except (ArgumentError, BadRequest) as fault:
        return Answer(f"error: {fault}")


def tool_message(call: dict[str, Any], answer: Answer) -> Message:
    """An answer as a message of chat completions."""
    parts: list[Message] = [{"type": "text", "text": answer.text}]
    if answer.png is not None:
        url = f"data:image/png;base64,{base64.b64encode(answer.png).decode()}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return {"role": "tool", "tool_call_id": call.get("id", ""), "content": parts}
