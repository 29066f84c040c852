"""Being an older daemon: what `--emulate 0.3` and `--emulate 0.4.1` change in how the handlers answer.

It lets a client be tested against servers that no longer exist. It wraps handlers, so neither these nor the domain know
of it. What an old daemon could not do (a prefork, say) is not taken away, only what it said is said again; but signals
and batches, which a client must be ready to do without, are refused.
Invariant: without emulation nothing in here runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from drums.local.answers import HttpRefusal
from drums.local.domain.episodes import QUARANTINE
from drums.local.domain.refusals import Refusal
from drums.local.errors import UnknownVersionError
from drums.local.handlers import Call, Json, Png

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums.local.domain.host import Host
    from drums.local.handlers import Handler

    Change = Callable[[Handler], Handler]
    Record = dict[str, Any]


def older(version: str, handlers: Mapping[str, Handler]) -> Mapping[str, Handler]:
    """The handlers as a daemon of that version had them.

    Raises:
        UnknownVersionError: It is not one of `VERSIONS`.
    """
    if version not in VERSIONS:
        message = f"{version} can't be emulated; known are {', '.join(VERSIONS)}"
        raise UnknownVersionError(message)
    changes = VERSIONS[version]
    changed = {name: changes[name](handler) if name in changes else handler for name, handler in handlers.items()}
    return {name: _destroyed_is_a_conflict(_quarantine_is_no_gate(handler)) for name, handler in changed.items()}


def _destroyed_is_a_conflict(handler: Handler) -> Handler:
    """A destroyed slot was a 409, to be told from others by its words only; why it was closed was not said."""

    async def old(host: Host, call: Call) -> Json | Png:
        try:
            return await handler(host, call)
        except Refusal as refusal:
            if refusal.kind != "gone":
                raise
            raise HttpRefusal(409, None, "slot is destroyed") from refusal

    return old


def _of_version(version: str) -> Change:
    """Health told little more than the version."""

    def change(record: Record) -> Record:
        return {"version": version, "status": record["status"], "uptime_s": record["uptime_s"]}

    return _replying(change)


def _every_slot(handler: Handler) -> Handler:
    """Whatever the query: a bare list of all slots, destroyed ones included."""

    async def old(host: Host, _call: Call) -> Json:
        found: list[Record] = []
        after: str | None = None
        while True:
            query = {"limit": 1000, "include_destroyed": True, **({"after": after} if after else {})}
            page = _record(await handler(host, Call(query=query)))
            found += page["items"]
            after = page["next_after"]
            if after is None:
                return Json(200, found)

    return old


def _without_query(handler: Handler) -> Handler:
    """The query was not read."""

    async def old(host: Host, call: Call) -> Json | Png:
        return await handler(host, Call(path=call.path))

    return old


def _without_signals(handler: Handler) -> Handler:
    """There were neither signals nor batches."""

    async def old(host: Host, call: Call) -> Json | Png:
        kind = call.body["action"]["type"]
        if kind in {"signal", "batch"}:
            raise Refusal("bad_request", f"the body is not what the spec says: $.action.type: {kind} is not known")
        return await handler(host, call)

    return old


def _without_audit(record: Record) -> Record:
    """Neither audit nor reasons."""
    return {name: value for name, value in record.items() if name not in {"audit", "invalid_reasons"}}


def _quarantine_is_no_gate(handler: Handler) -> Handler:
    """A quarantine was no gate: verdicts told the other gates only, so a quarantined slot's might still be `valid`."""

    async def old(host: Host, call: Call) -> Json | Png:
        reply = await handler(host, call)
        return reply if isinstance(reply, Png) else Json(reply.status, _without_quarantine(reply.content))

    return old


def _without_quarantine(content: object) -> Any:
    if isinstance(content, list):
        return [_without_quarantine(each) for each in cast("list[object]", content) if not _is_quarantine(each)]
    if not isinstance(content, dict):
        return content
    changed = {name: _without_quarantine(value) for name, value in cast("Record", content).items()}
    if changed.get("verdict") == "invalid" and not changed.get("gates"):
        changed["verdict"] = "valid"
    return changed


def _is_quarantine(gate: object) -> bool:
    name = cast("Record", gate).get("name") if isinstance(gate, dict) else gate
    return name == QUARANTINE


def _replying(change: Callable[[Record], Record]) -> Change:
    def wrap(handler: Handler) -> Handler:
        async def old(host: Host, call: Call) -> Json:
            return Json(200, change(_record(await handler(host, call))))

        return old

    return wrap


def _record(reply: Json | Png) -> Record:
    return cast("Record", cast("Json", reply).content)


VERSIONS: Mapping[str, Mapping[str, Change]] = {
    "0.3": {
        "get_health": _of_version("0.3.0"),
        "list_slots": _every_slot,
        "step_slot": _without_signals,
        "get_gates": _without_query,
        "verify_slot": _replying(_without_audit),
    },
    "0.4.1": {
        "get_health": _of_version("0.4.1"),
        "step_slot": _without_signals,
        "get_gates": _without_query,
        "verify_slot": _replying(_without_audit),
    },
}
"""By version, what was different. Lists became pages in 0.4; audit, reasons and 410 came with 0.4.2, `wait_s` later."""
