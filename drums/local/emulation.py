"""Being an older daemon: what `--emulate 0.3` and `--emulate 0.4.1` change in what is asked and what is replied.

It lets a client be tested against servers that no longer exist. It works on finished calls and replies, so neither the
domain nor the handlers know of it; what an old daemon could not do (a prefork, say) is not taken away, only the shape
of what it said is restored.
Invariant: without emulation nothing in here runs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from drums.local.errors import UnknownVersionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums.local.answers import Reply
    from drums.local.handlers import Call

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Emulation:
    """One older version, as rows of what is to be changed.

    Args:
        version: What `get_health` reports.
        queries: By operationId, the query that is used instead of the one that was sent.
        replies: By operationId, what becomes of a reply's content.
        refusals: By the code of an error, what becomes of its status and content.
    """

    version: str
    queries: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]
    replies: Mapping[str, Callable[[Any], Any]]
    refusals: Mapping[str, Callable[[Json], tuple[int, Json]]]

    def asked(self, operation: str, call: Call) -> Call:
        """What the older server would have understood."""
        change = self.queries.get(operation)
        return replace(call, query=change(call.query)) if change else call

    def answered(self, operation: str, reply: Reply) -> Reply:
        """What the older server would have said."""
        if operation == "get_health":
            return replace(reply, content=_health(self.version, reply.content))
        change = self.replies.get(operation)
        return replace(reply, content=change(reply.content)) if change else reply

    def refused(self, reply: Reply) -> Reply:
        """The older server's words for an error."""
        change = self.refusals.get(reply.content.get("code"))
        if change is None:
            return reply
        status, content = change(reply.content)
        return replace(reply, status=status, content=content)


def emulation_of(version: str) -> Emulation:
    """The emulation of one version.

    Raises:
        UnknownVersionError: It is not one of `VERSIONS`.
    """
    if version not in VERSIONS:
        raise UnknownVersionError(f"{version} can't be emulated; known are {', '.join(VERSIONS)}")
    return VERSIONS[version]


def _health(version: str, content: Json) -> Json:
    return {"version": version, "status": content.get("status", "ok"), "uptime_s": content.get("uptime_s")}


def _nothing(_query: Mapping[str, Any]) -> Mapping[str, Any]:
    return {}


def _every_slot(_query: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"include_destroyed": True, "limit": 2**31}


def _bare(content: Any) -> list[Json]:
    """The page's records alone."""
    return cast("list[Json]", content["items"])


def _without_audit(content: Json) -> Json:
    """Neither audit nor reasons; the verdict tells the gates only, so a quarantined slot's may still be `valid`."""
    kept = {name: value for name, value in content.items() if name not in {"audit", "invalid_reasons"}}
    gates = cast("list[Json]", kept.get("gates") or [])
    if kept.get("state") == "quarantined" and all(gate["status"] == "passed" for gate in gates):
        kept["validity"] = {"verdict": "valid", "gates": []}
    return kept


def _conflict(content: Json) -> tuple[int, Json]:
    """A destroyed slot was a conflict, told apart by its words only, and why it was closed was not told."""
    return 409, {
        "error": "slot is destroyed",
        **({"request_id": content["request_id"]} if "request_id" in content else {}),
    }


_BEFORE_0_4_2_REPLIES: Mapping[str, Callable[[Any], Any]] = {"verify_slot": _without_audit}
_BEFORE_0_4_2_REFUSALS: Mapping[str, Callable[[Json], tuple[int, Json]]] = {"gone": _conflict}

VERSIONS: Mapping[str, Emulation] = {
    "0.3": Emulation(
        version="0.3.0",
        queries={"list_slots": _every_slot, "get_gates": _nothing},
        replies={**_BEFORE_0_4_2_REPLIES, "list_slots": _bare},
        refusals=_BEFORE_0_4_2_REFUSALS,
    ),
    "0.4.1": Emulation(
        version="0.4.1",
        queries={"get_gates": _nothing},
        replies=_BEFORE_0_4_2_REPLIES,
        refusals=_BEFORE_0_4_2_REFUSALS,
    ),
}
"""Lists became pages in 0.4; audit, reasons and 410 came with 0.4.2; `wait_s` is newer than both."""
