"""A stand-in for a model: an OpenAI-compatible server that plays two fixed plans, to try drums_verifiers without a GPU.

Each new conversation gets the next plan: first the probe, which looks around and scores 0.0, then the scripted solution
of the default task, which scores 1.0, and so on in turn. A plan ends with the tool for it.

    python examples/mock_policy.py --port 8011

It needs nothing but aiohttp. `docs/verifiers.md` has the commands that use it.
"""

import argparse
import itertools
import json
import socket
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aiohttp import web

Call = tuple[str, dict[str, Any] | str]
"""A tool and its arguments; a text is sent as it is."""
Plan = Mapping[str, Sequence[Call]]
"""What a conversation does, turn by turn, for each style of tools."""

RENAME = "cd ~/Desktop && mv todo_list_Jan_1 todo_list_Jan_2"

PROBE: Plan = {
    "drums": [
        ("computer_screenshot", {}),
        ("computer_move", {"x": 0, "y": 0}),
        ("computer_click", {"x": 1279, "y": 719}),
        ("computer_done", {}),
    ],
    "scalecua": [
        ("computer", {"action": "screenshot"}),
        ("computer", {"action": "moveTo", "coordinate": [0, 0]}),
        ("computer", {"action": "click", "coordinate": [1000, 1000]}),
        ("computer", {"action": "terminate", "status": "failure"}),
    ],
}
SOLVE: Plan = {
    "drums": [
        ("computer_key", {"keys": "ctrl+alt+t"}),
        ("computer_type_text", {"text": RENAME}),
        ("computer_key", {"keys": "enter"}),
        ("computer_done", {}),
    ],
    "scalecua": [
        ("computer", {"action": "hotkey", "keys": ["ctrl", "alt", "t"]}),
        ("computer", {"action": "write", "text": RENAME}),
        ("computer", {"action": "press", "keys": "enter"}),
        ("computer", {"action": "terminate", "status": "success"}),
    ],
}
ORDERS: dict[str, Sequence[Plan]] = {"alternate": (PROBE, SOLVE), "probe": (PROBE,), "solve": (SOLVE,)}


class Policy:
    """Which plan each conversation plays. A conversation is known by the id of its first tool call.

    Args:
        plans: One for each conversation, from the first again after the last.
    """

    def __init__(self, plans: Sequence[Plan]) -> None:
        self._next = itertools.cycle(plans)
        self._playing: dict[str, Plan] = {}

    def says(self, messages: Sequence[dict[str, Any]], tools: Sequence[str]) -> dict[str, Any]:
        """The next message of a conversation."""
        said = [message for message in messages if message["role"] == "assistant"]
        plan = self._playing[said[0]["tool_calls"][0]["id"]] if said else next(self._next)
        turns = plan["scalecua" if "computer" in tools else "drums"]
        if len(said) >= len(turns):
            return {"role": "assistant", "content": "nothing more to do"}
        tool, arguments = turns[len(said)]
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        call_id = f"call_{uuid.uuid4().hex}"
        if not said:
            self._playing[call_id] = plan
        call = {"id": call_id, "type": "function", "function": {"name": tool, "arguments": text}}
        return {"role": "assistant", "content": f"step {len(said) + 1}", "tool_calls": [call]}


def completion(body: dict[str, Any], message: dict[str, Any], kind: str) -> dict[str, Any]:
    """A whole completion; its token counts mean nothing."""
    prompt = 100 * len(body["messages"])
    reason = "tool_calls" if "tool_calls" in message else "stop"
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "object": kind,
        "created": int(time.time()),
        "model": body.get("model", "mock"),
        "usage": {"prompt_tokens": prompt, "completion_tokens": 10, "total_tokens": prompt + 10},
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
    }


def chunks(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A completion as a stream: the message, why it ends, what it cost."""
    choice = whole["choices"][0]
    delta: dict[str, Any] = dict(choice["message"])
    if "tool_calls" in delta:
        delta["tool_calls"] = [{"index": index, **call} for index, call in enumerate(delta["tool_calls"])]
    head = {name: value for name, value in whole.items() if name not in {"choices", "usage"}}
    yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    yield {**head, "choices": [], "usage": whole["usage"]}


def application(plans: Sequence[Plan] = ORDERS["alternate"]) -> web.Application:
    """The server's two addresses: chat completions, and the list of models."""
    policy = Policy(plans)

    async def complete(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        offered: list[dict[str, Any]] = body.get("tools") or []
        tools = [tool["function"]["name"] for tool in offered]
        message = policy.says(body["messages"], tools)
        if not body.get("stream"):
            return web.json_response(completion(body, message, "chat.completion"))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for chunk in chunks(completion(body, message, "chat.completion.chunk")):
            await response.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        await response.write(b"data: [DONE]\n\n")
        return response

    async def models(_: web.Request) -> web.Response:
        model = {"id": "mock", "object": "model", "created": 0, "owned_by": "drums"}
        return web.json_response({"object": "list", "data": [model]})

    made = web.Application(client_max_size=2**30)  # a conversation carries its screenshots
    made.add_routes([web.post("/v1/chat/completions", complete), web.get("/v1/models", models)])
    return made


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="An OpenAI-compatible server that plays fixed plans on a desktop.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8011, help="0 takes a free one")
    parser.add_argument("--plan", choices=ORDERS, default="alternate", help="which plan each conversation plays")
    options = parser.parse_args()
    listener = socket.create_server((options.host, options.port))
    url = f"http://{options.host}:{listener.getsockname()[1]}/v1"
    web.run_app(
        application(ORDERS[options.plan]),
        sock=listener,
        print=lambda *_: print(f"playing {options.plan} on {url}", flush=True),
    )


if __name__ == "__main__":
    main()
