"""From a reply to a value, or to the one error that fits: the only place that interprets what a server sent.

Whatever the status, the headers and the body are, `value_of` returns what the call's reader makes of it or raises a
`DrumsError` that keeps the body. A reader sees 2xx replies only and raises nothing but `MisreadError`. The shape of a
record is checked here once, against the spec; what a record means is for `drums.validity`, `drums.errors` and the
callers.
"""

from __future__ import annotations

from binascii import a2b_base64
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from drums._core.bodies import body_of, content_type, json_of, retry_after_of
from drums._core.call import Call, MisreadError
from drums._quote import excerpt
from drums._record import Record, ShapeFault, items_fault, shape_fault
from drums.errors import (
    DrumsError,
    EnvFailed,
    Facts,
    GateFailed,
    ProtocolError,
    RestoreFailed,
    TaskSetupFailed,
    error_from,
    failure_of,
)
from drums.observation import png_size
from drums.records import BranchChild, BranchReply, Checkpoint, GateReport, RewardReply, Slot, SlotPage, StepReply
from drums.reward import Reward

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums._core.wire import Reply, TransportError

T = TypeVar("T")
R = TypeVar("R", bound=Record)


class Page(NamedTuple):
    """Some records of `list_slots`."""

    records: list[Slot]
    next_after: str | None


class Forked(NamedTuple):
    """What a branch made."""

    raw: BranchReply
    state: str
    checkpoint: Checkpoint
    children: list[BranchChild]
    seconds: float | None


class Stepped(NamedTuple):
    """What an action did."""

    raw: StepReply
    png: bytes | None


# --- a whole reply ----------------------------------------------------------------------------------------------------


def value_of(call: Call[T], reply: Reply) -> T:
    """What the call is for.

    Raises:
        DrumsError: The server refused it, or its reply is not what the spec says.
    """
    if not 200 <= reply.status < 300:
        raise _refusal(call, reply)
    try:
        return call.read(reply)
    except MisreadError as fault:
        facts = _facts(call, reply.headers)
        raise ProtocolError(reply.status, fault.what, body_of(reply), where=fault.where, **facts) from fault


def unanswered(call: Call[Any], fault: TransportError) -> DrumsError:
    """The error for a call without a complete reply."""
    facts: Facts = {"method": call.method, "path": call.target, "tried": call.tried, "sent": fault.sent}
    return _with_advice(error_from(0, None, message=fault.what, **facts), call)


def _refusal(call: Call[Any], reply: Reply) -> DrumsError:
    body = body_of(reply)
    facts = _facts(call, reply.headers)
    wait = retry_after_of(reply.headers)
    if wait is not None:
        facts["retry_after"] = wait
    message: str | None = None
    if 300 <= reply.status < 400:
        message = f"it redirects to {excerpt(reply.headers.get('location', 'nowhere'))}"
    return _with_advice(error_from(reply.status, body, message=message, **facts), call)


def _with_advice(error: DrumsError, call: Call[Any]) -> DrumsError:
    """The error, with the call's own advice where nobody knows what the server did, or where an older one refuses."""
    if error.sent == "maybe" and call.if_lost is not None:
        error.hint = call.if_lost
    if error.status in {400, 422} and call.if_refused is not None:
        error.hint = call.if_refused
    return error


def _facts(call: Call[Any], headers: Mapping[str, str]) -> Facts:
    facts: Facts = {"method": call.method, "path": call.target, "tried": call.tried, "sent": "yes"}
    if request_id := headers.get("x-request-id"):
        facts["request_id"] = request_id
    return facts


# --- readers ----------------------------------------------------------------------------------------------------------


def one(cls: type[R]) -> Callable[[Reply], R]:
    """A reader of one record."""
    return lambda reply: _record(cls, json_of(reply))


def many(cls: type[R]) -> Callable[[Reply], list[R]]:
    """A reader of an array of records."""
    return lambda reply: _records(cls, json_of(reply))


def the_slot(slot_id: str, episode: int | None = None) -> Callable[[Reply], Slot]:
    """A reader of the record of this slot and no other, in this episode where one is asked for."""

    def read(reply: Reply) -> Slot:
        record = _record(Slot, json_of(reply))
        _same(record, "id", slot_id)
        _same(record, "episode", episode)
        return record

    return read


def about(cls: type[R], slot_id: str, episode: int | None = None) -> Callable[[Reply], R]:
    """A reader of a record that names its slot, and its episode where that is known."""

    def read(reply: Reply) -> R:
        record = _record(cls, json_of(reply))
        _of(record, slot_id, episode)
        return record

    return read


def the_gates(slot_id: str, episode: int | None) -> Callable[[Reply], GateReport]:
    """A reader of the gate report of this episode."""
    return about(GateReport, slot_id, episode)


def the_step(slot_id: str, episode: int | None, *, screenshot: bool) -> Callable[[Reply], Stepped]:
    """A reader of what an action did, with the screen if it was asked for."""
    read_reply = about(StepReply, slot_id, episode)

    def read(reply: Reply) -> Stepped:
        record = read_reply(reply)
        return Stepped(record, _png_in(record) if screenshot else None)

    return read


def the_reward(slot_id: str, episode: int | None, task_id: str | None) -> Callable[[Reply], Reward]:
    """A reader of the reward of this episode of this task. A reply without `valid` is one that is not valid."""

    def read(reply: Reply) -> Reward:
        raw = json_of(reply)
        record = _record(RewardReply, {"valid": False, **cast("dict[str, Any]", raw)} if isinstance(raw, dict) else raw)
        _of(record, slot_id, episode, task_id)
        return Reward(cast("dict[str, Any]", raw))

    return read


def a_page(reply: Reply) -> Page:
    """A page of slots; daemons before 0.4 send all of them as a bare array, destroyed ones included."""
    raw = json_of(reply)
    if isinstance(raw, list):
        return Page(_records(Slot, cast("object", raw)), None)
    page = _record(SlotPage, raw)
    return Page([Slot(item) for item in page["items"]], page.next_after or None)


def a_state(slot_id: str, state_id: str | None) -> Callable[[Reply], Checkpoint]:
    """A reader of the state that was saved of this slot, under the name that was asked for."""

    def read(reply: Reply) -> Checkpoint:
        record = _record(Checkpoint, json_of(reply))
        _same(record, "parent", slot_id)
        _same(record, "id", state_id)
        return record

    return read


def a_fork(slot_id: str, n: int) -> Callable[[Reply], Forked]:
    """A reader of what a branch of this slot made: n children, each up or not."""

    def read(reply: Reply) -> Forked:
        record = _record(BranchReply, json_of(reply))
        children = [BranchChild(child) for child in record["children"]]
        if len(children) != n:
            raise MisreadError(f"expected {n} children, got {len(children)}", "$.children")
        checkpoint = record.checkpoint or Checkpoint({"id": record.state})
        _same(checkpoint, "id", record.state, "$.checkpoint")
        _same(checkpoint, "parent", slot_id, "$.checkpoint")
        return Forked(record, record.state, checkpoint, children, record.seconds)

    return read


def a_png(reply: Reply) -> bytes:
    """A screenshot."""
    kind = content_type(reply)
    if kind not in {"", "image/png", "application/octet-stream"}:
        raise MisreadError(f"expected image/png, got {excerpt(kind)}")
    return _png(reply.body)


def anything(reply: Reply) -> Any:
    """A reader for `Client.call`: whatever JSON it is; None for an empty body."""
    return json_of(reply) if reply.body else None


def the_bytes(reply: Reply) -> bytes:
    """A reader for `Client.call(raw=True)`: the body as it came."""
    return reply.body


# --- what a fork's reply tells ----------------------------------------------------------------------------------------


def child_failure(child: Mapping[str, object]) -> EnvFailed | None:
    """Why this child of a fork can't be used, None for one that is ready."""
    error = child.get("error")
    if not isinstance(error, str) or not error:
        return failure_of(child) if child.get("id") else EnvFailed(child, "the server tells neither an id nor an error")
    if child.get("state") == "quarantined":
        return GateFailed(child, error)
    setup = child.get("code") == "task_setup_failed" or "task setup" in error.lower()
    return TaskSetupFailed(child, error) if setup else RestoreFailed(child, error)


def ids_made(body: object) -> list[str]:
    """The slots that a create or a branch made, from a reply that could not be read, so that they can be ended."""
    if not isinstance(body, dict):
        return []
    made = cast("dict[str, object]", body)
    children = made.get("children")
    found = [made, *(cast("list[object]", children) if isinstance(children, list) else [])]
    ids = [cast("dict[str, object]", one).get("id") for one in found if isinstance(one, dict)]
    return [i for i in ids if isinstance(i, str) and i]


# --- parts ------------------------------------------------------------------------------------------------------------


def _png(body: bytes, where: str | None = None) -> bytes:
    try:
        png_size(body)
    except ProtocolError as fault:
        raise MisreadError(fault.message, where) from fault
    return body


def _png_in(record: StepReply) -> bytes:
    where = "$.screenshot_png_b64"
    text = record.screenshot_png_b64
    if text is None:
        raise MisreadError("expected the screenshot that was asked for, got null", where)
    try:
        return _png(a2b_base64(text, strict_mode=True), where)
    except ValueError as fault:
        raise MisreadError(f"expected base64, got something else: {fault}", where) from fault


def _record(cls: type[R], raw: object) -> R:
    _check(shape_fault(cls, raw))
    return cls(cast("dict[str, Any]", raw))


def _records(cls: type[R], raw: object) -> list[R]:
    _check(items_fault(cls, raw))
    return [cls(item) for item in cast("list[dict[str, Any]]", raw)]


def _check(fault: ShapeFault | None) -> None:
    if fault is not None:
        raise MisreadError(f"expected {fault.expected}, got {fault.got}", fault.path)


def _of(record: Mapping[str, object], slot_id: str, episode: int | None, task_id: str | None = None) -> None:
    """A reply about something else than was asked for must not pass for an answer."""
    for name, asked in (("slot", slot_id), ("episode", episode), ("task_id", task_id)):
        _same(record, name, asked)


def _same(record: Mapping[str, object], name: str, asked: object, where: str = "$") -> None:
    """The same for one field; a record that does not tell is taken as it is."""
    found = record.get(name)
    if asked is not None and found is not None and found != asked:
        raise MisreadError(f"expected {asked}, got {excerpt(str(found))}", f"{where}.{name}")
