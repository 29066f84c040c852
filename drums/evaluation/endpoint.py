"""The policy of a model behind an endpoint: the conversation of one rollout, with screenshots and computer tools.

What is said over HTTP is `chat.py`'s, what a tool does `computer.py`'s. Invariant: the history is only changed by
leaving out old screenshots, several at a time; every tool call is answered before the model is asked again.
"""

from __future__ import annotations

import asyncio
import base64
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

from drums._extras import needing
from drums.evaluation.computer import Screen, actions_of, tools_for
from drums.evaluation.policy import Decision, PolicyError, Usage
from drums.screen import ArgumentError, scaled

if TYPE_CHECKING:
    from drums.actions import Action
    from drums.evaluation.chat import Endpoint
    from drums.evaluation.policy import MakePolicy, Seen, Turn
    from drums.evaluation.settings import Settings

Message = dict[str, Any]

SYSTEM: Final = (
    "You use a Linux desktop by the tools that you are given. After every call you are shown the screen. "
    "Do what the user asks; then call computer_done. If it can't be done, call computer_fail."
)
OMITTED: Final = "[an earlier screenshot]"
"""What stands where a screenshot was."""
LONGEST_OUTPUT: Final = 500
"""Characters of a failed action's words that the model is told."""


class EndpointPolicy:
    """Plays one rollout.

    Args:
        endpoint: Where the model is.
        settings: Size of what it sees, and how many screenshots stay.
    """

    def __init__(self, endpoint: Endpoint, settings: Settings) -> None:
        self.usage: Usage = Usage()
        self.trouble: str | None = None
        self._endpoint = endpoint
        self._keep = settings.images_to_keep
        self._screen = Screen(*settings.size)
        self._tools = tools_for(self._screen)
        self._messages: list[Message] = [{"role": "system", "content": SYSTEM}]
        self._calls: list[tuple[str, str | None]] = []
        """The last message's calls: their ids, and what is wrong with those that were not made."""

    async def __call__(self, seen: Seen) -> Decision:
        """Show the screen to the model and read what it calls.

        Raises:
            PolicyError: The endpoint gave no answer.
        """
        await self._show(seen)
        said = await self._endpoint.complete(self._messages, self._tools, self.usage, self._heard)
        self._messages.append({name: value for name, value in said.items() if value is not None})
        calls: object = said.get("tool_calls")
        words = _text(said.get("content"))
        told = self._endpoint.told(words) if words else None
        if not calls:
            return Decision(["DONE"], told)
        return Decision(self._read(calls), told)

    def _heard(self, trouble: str | None) -> None:
        self.trouble = trouble

    def _read(self, calls: object) -> list[Action]:
        """The actions of all calls in turn, up to the first that can't be made or that ends the rollout."""
        if not isinstance(calls, list) or not all(isinstance(call, dict) for call in cast("list[object]", calls)):
            raise PolicyError("the endpoint gave tool calls that are no list of objects")
        actions: list[Action] = []
        self._calls = []
        wrong: str | None = None
        for call in cast("list[Message]", calls):
            call_id = str(call.get("id") or "")
            if wrong is not None or "DONE" in actions or "FAIL" in actions:
                self._calls.append((call_id, "not done, because of what came before"))
                continue
            function = cast("Message", call.get("function") if isinstance(call.get("function"), dict) else {})
            try:
                actions += actions_of(str(function.get("name")), function.get("arguments") or "{}", self._screen)
            except ArgumentError as fault:
                wrong = str(fault)
            self._calls.append((call_id, wrong))
        return actions

    async def _show(self, seen: Seen) -> None:
        """Append what the calls came to, and the screen."""
        opening = not seen.history
        if not opening:
            came_to = _came_to(seen.history[-1])
            self._messages += [
                {"role": "tool", "tool_call_id": call_id, "content": f"error: {wrong}" if wrong else came_to}
                for call_id, wrong in self._calls
            ]
        png = await asyncio.to_thread(scaled, seen.png, self._screen.width, self._screen.height)
        url = f"data:image/png;base64,{base64.b64encode(png).decode()}"
        text = seen.instruction if opening else "The screen now:"
        parts = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": url}}]
        self._messages.append({"role": "user", "content": parts})
        leave_out_screenshots(self._messages, self._keep)


def policy_of(endpoint: Endpoint, settings: Settings) -> MakePolicy:
    """The policy of a model, made anew for every rollout.

    Raises:
        PackageMissing: Screenshots can't be made smaller here.
    """
    with needing("a model's view of the screen", "local"):
        import_module("PIL")  # better missed now than in every rollout
    return lambda: EndpointPolicy(endpoint, settings)


def leave_out_screenshots(messages: list[Message], keep: int) -> None:
    """Replace old screenshots by a few words once there are more than `keep`; then the newest half, rounded up, stays.

    So the beginning of the conversation stays the same for several turns, which endpoints that cache it reward.

    Args:
        messages: The history; changed in place.
        keep: Screenshots that a model may see.
    """
    shown = [part for message in messages for part in _images(message)]
    if len(shown) > keep:
        for part in shown[: len(shown) - (keep + 1) // 2]:
            part.clear()
            part.update(type="text", text=OMITTED)


def _images(message: Message) -> list[Message]:
    content: object = message.get("content")
    parts = cast("list[Message]", content) if isinstance(content, list) else []
    return [part for part in parts if part.get("type") == "image_url"]


def _came_to(turn: Turn) -> str:
    failed = next((taken for taken in turn.taken if taken.returncode not in {None, 0}), None)
    if failed is None:
        return "ok"
    words = (failed.error or failed.output).strip()[-LONGEST_OUTPUT:]
    return f"error: {words or f'returncode {failed.returncode}'}"


def _text(content: object) -> str | None:
    """The text of a message, given as text or as parts."""
    if isinstance(content, list):
        parts = cast("list[object]", content)
        texts = [str(cast("Message", part).get("text") or "") for part in parts if isinstance(part, dict)]
        content = "\n".join(text for text in texts if text)
    return content if isinstance(content, str) and content else None
