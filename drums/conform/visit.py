"""One scenario's requests to the daemon: checked against the spec as they come, and confined to what the scenario made.

Invariant: a request that names a slot or a checkpoint is sent only if this visit made it, or made its name up; so
whatever a scenario or a wrong daemon does, nobody else's desktop is touched. `close` ends what is left.
"""

from __future__ import annotations

import copy
import json
import secrets
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast
from urllib.parse import quote, urlencode

from drums._core.wire import Reply, Request, TransportError
from drums.conform.operations import fault, operations
from drums.conform.outcome import Broken, hold, part

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums.conform.operations import Operation


class Sender(Protocol):
    """Sends requests to one daemon with its token."""

    def send(self, request: Request) -> Reply:
        """Do one request."""
        ...

    def as_somebody(self, token: str | None) -> Sender:
        """The same daemon, asked with another token, or none."""
        ...


class Trespass(RuntimeError):
    """A scenario was about to touch what it did not make: a fault of the scenario, never sent."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply."""

    status: int
    headers: Mapping[str, str]
    content: Any
    """JSON already parsed, or the bytes of a picture."""

    def __getitem__(self, name: str) -> Any:
        return self.content.get(name)


class Visit:
    """What one scenario does at a daemon.

    Args:
        sender: How requests get there.
        image: The image that desktops are made from.
        timeout_s: The longest that one request may take.
        patience_s: How long to wait for what the daemon does by itself, and for a place.
        others: Ids of slots and checkpoints that were there before the run; they are never ours.
    """

    def __init__(
        self, sender: Sender, image: str, *, timeout_s: float, patience_s: float, others: frozenset[str] = frozenset()
    ) -> None:
        self.image = image
        self.timeout_s = timeout_s
        self.patience_s = patience_s
        self.requests: deque[str] = deque(maxlen=12)
        """The last ones, in short."""
        self._sender = sender
        self._others = others
        self._slots: list[str] = []
        self._states: list[str] = []
        self._made_up: set[str] = set()

    # What a scenario asks

    def ask(
        self,
        operation: str,
        id: str = "",
        body: Any = None,
        *,
        query: Mapping[str, object] | None = None,
        status: int = 200,
        raw: bytes | None = None,
    ) -> Answer:
        """Do one request and hold the reply to the spec and to the status that is due.

        Args:
            operation: Its `operationId`.
            id: The slot, checkpoint or task that it names.
            body: JSON to send; None sends none.
            query: The query.
            status: The status that is due.
            raw: Bytes to send instead of `body`.

        Raises:
            Broken: The reply is not as the spec says, or has another status.
            Trespass: It names what the visit did not make.
        """
        asked = operations()[operation]
        answer = self.try_ask(asked, id, body, query=query, raw=raw)
        if answer.status != status:
            said = "" if answer.status == 200 else answer["error"]
            raise Broken(f"{operation} must answer {status}; it answered {answer.status} {said}".rstrip())
        return answer

    def try_ask(
        self,
        asked: Operation,
        id: str = "",
        body: Any = None,
        *,
        query: Mapping[str, object] | None = None,
        raw: bytes | None = None,
    ) -> Answer:
        """The same for any status that the spec has."""
        self._confine(asked, id)
        target = asked.path.replace("{id}", quote(id, safe=""))
        target += f"?{urlencode(_words(query))}" if query else ""
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        reply = self._send(Request(asked.method, target, data, self.timeout_s))
        content = _content(reply)
        self._remember(asked, content)
        wrong = fault(asked, reply, content, paged=bool(query))
        if wrong:
            raise Broken(f"{asked.id} answered {reply.status} against the spec: {wrong}")
        return Answer(reply.status, reply.headers, content)

    def make(self, task: object = None, *, image: str | None = None, **more: object) -> Any:
        """A desktop that came up: its slot record."""
        body = {"checkpoint": image or self.image, "task": task, "idle_timeout_s": 600} | more
        answer = self.admitted("create_slot", "", body)
        hold(answer["state"] == "ready", "a desktop that came up is ready", answer.content)
        return answer.content

    def branch(self, slot: str, n: int = 2, **more: object) -> Any:
        """A fork whose children came up: the branch reply."""
        body = {"n": n, "idle_timeout_s": 600, "state_idle_timeout_s": 600} | more
        answer = self.admitted("branch_slot", slot, body)
        states = [child.get("state") for child in answer["children"]]
        hold(states == ["ready"] * n, f"a fork of {n} has {n} children, each ready", answer["children"])
        return answer.content

    def admitted(self, operation: str, id: str, body: Any) -> Answer:
        """An answer 200, waiting while the daemon says that it has no place now."""
        until = time.monotonic() + self.patience_s
        while True:
            answer = self.try_ask(operations()[operation], id, body)
            if answer.status == 200:
                return answer
            if answer.status != 429 or time.monotonic() > until:
                raise Broken(f"{operation} must answer 200; it answered {answer.status} {answer['error']}")
            time.sleep(min(5.0, float(answer.headers.get("retry-after", "1"))))

    def run(self, slot: str, command: str) -> str:
        """What a shell's line writes in a desktop; it must succeed."""
        action = {"type": "execute", "command": command, "shell": True}
        result = self.ask("step_slot", slot, {"action": action})["result"]
        hold(result.get("returncode") == 0, f"the command {command!r} succeeds in the desktop", result)
        return str(result.get("output"))

    def settled(self, slot: str) -> Any:
        """The gate report of a slot's episode once its verdict is known."""

        def report() -> Any:
            found = self.ask("get_gates", slot, query={"wait_s": 10}).content
            return found if found["validity"]["verdict"] != "pending" else None

        return self.wait(report, "the verdict of an episode is known in time")

    def wait(self, look: Callable[[], Any], rule: str) -> Any:
        """Look again until there is something to see.

        Raises:
            Broken: Nothing was there in `patience_s`.
        """
        until = time.monotonic() + self.patience_s
        while not (seen := look()):
            if time.monotonic() > until:
                raise Broken(f"{rule}; waited {self.patience_s:g} s")
            time.sleep(0.05)
        return seen

    def records(self, *, destroyed: bool = False) -> dict[str, Any]:
        """The records of this visit's slots as the list shows them; to look at the list uses no slot."""
        found: dict[str, Any] = {}
        after: dict[str, object] = {}
        while True:
            page = self.ask("list_slots", query={"limit": 500, "include_destroyed": destroyed, **after})
            found |= {record["id"]: record for record in page["items"] if record["id"] in self._slots}
            if page["next_after"] is None:
                return found
            hold(page["next_after"] != after.get("after"), "each page goes on from the one before", page["next_after"])
            after = {"after": page["next_after"]}

    def children_of(self, parent: str) -> list[str]:
        """Ids of the live slots that name this visit's slot as their parent."""
        page = self.ask("list_slots", query={"limit": 1000})
        return [record["id"] for record in page["items"] if record.get("parent") == parent]

    def checkpoint(self, id: str) -> Any:
        """A checkpoint's record as the list shows it; None if it is not there."""
        return next((one for one in self.ask("list_checkpoints").content if one["id"] == id), None)

    def capture(self, slot: str, **body: object) -> Any:
        """A saved state of a slot: its checkpoint record."""
        self._made_up.discard(str(body.get("id")))
        return self.admitted("capture_slot", slot, {"idle_timeout_s": 600} | body).content

    def try_ask_slot(self, slot: str) -> int:
        """The status that a slot's record has now."""
        return self.try_ask(operations()["get_slot"], slot).status

    def with_token(self, token: str | None) -> Visit:
        """The same visit by somebody with another token, or none."""
        other = copy.copy(self)
        other._sender = self._sender.as_somebody(token)  # noqa: SLF001 -- a copy of this visit
        return other

    def made_up(self, tail: str = "") -> str:
        """An id that nothing has."""
        nothing = f"conform-{secrets.token_hex(8)}{tail}"
        self._made_up.add(nothing)
        return nothing

    def owns(self, slot: str) -> bool:
        """Whether this visit made a slot."""
        return slot in self._slots

    def note_made(self, operation: str, status: int, body: bytes) -> None:
        """Note what a request made that was not sent by `ask`, so that it is ours."""
        if status == 200 and operation in {"create_slot", "capture_slot", "branch_slot"}:
            self._remember(operations()[operation], json.loads(body))

    # The end

    def close(self) -> list[str]:
        """Close every slot and delete every state that the visit made; what could not be, in words."""
        left: list[str] = []
        ends = [("delete_slot", one) for one in reversed(self._slots)]
        ends += [("delete_checkpoint", one) for one in reversed(self._states)]
        for operation, one in ends:
            asked = operations()[operation]
            try:
                reply = self._send(Request(asked.method, asked.path.replace("{id}", quote(one, safe="")), None, 60))
            except Broken as broken:
                left.append(f"{one}: {broken}")
                continue
            if reply.status not in {200, 404, 410}:
                left.append(f"{one}: {operation} answered {reply.status}")
        return left

    # Inside

    def _send(self, request: Request) -> Reply:
        short = f"{request.method} {request.target} {(request.body or b'')[:200].decode(errors='replace')}".rstrip()
        try:
            reply = self._sender.send(request)
        except TransportError as broken:
            self.requests.append(f"{short} -> {broken}")
            raise Broken(f"{request.method} {request.target} got no reply: {broken}") from broken
        self.requests.append(f"{short} -> {reply.status}")
        return reply

    def _confine(self, asked: Operation, id: str) -> None:
        if id in self._made_up or id == "":
            return
        ours = {"slot": (asked.names_a_slot, self._slots), "checkpoint": (asked.names_a_checkpoint, self._states)}
        for kind, (named, made) in ours.items():
            if named and id not in made:
                raise Trespass(f"{asked.id} would touch the {kind} {id}, which this run did not make")

    def _remember(self, asked: Operation, content: Any) -> None:
        """Note what a reply says was made, before anything else of it is believed."""
        if not isinstance(content, dict):
            return
        said = cast("dict[str, Any]", content)
        if asked.id == "create_slot":
            self._note(self._slots, said.get("id"))
        elif asked.id == "capture_slot":
            self._note(self._states, said.get("id"))
        elif asked.id == "branch_slot":
            self._note(self._states, said.get("state"))
            for child in cast("list[Any]", said.get("children") or []):
                self._note(self._slots, part({"it": child}, "it").get("id"))

    def _note(self, made: list[str], id: object) -> None:
        if id in self._others:
            raise Broken(f"what a request makes has an id of its own; {id} was there before")
        if isinstance(id, str) and id and id not in made and id not in self._made_up:
            made.append(id)


def _content(reply: Reply) -> Any:
    if reply.headers.get("content-type", "").startswith("image/"):
        return reply.body
    try:
        return json.loads(reply.body)
    except ValueError:
        return reply.body


def _words(query: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in query.items()}
