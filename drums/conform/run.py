"""Runs scenarios at one daemon, several at a time, each in a visit of its own, and tells what came of them.

Invariant: what a visit made is closed before its scenario's outcome is told, also when the run is interrupted.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from drums._io.sync import Transport
from drums.conform.outcome import Broken, NotHere, Outcome, Report, Status
from drums.conform.scenarios import Scenario, all_scenarios
from drums.conform.visit import Visit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drums._core.settings import Settings
    from drums._core.wire import Reply, Request
    from drums.conform.visit import Sender


@dataclass(frozen=True, slots=True)
class Options:
    """How to run."""

    image: str = "osworld-ubuntu"
    """The image that desktops are made from."""
    only: tuple[str, ...] = ()
    """Names of scenarios or groups; empty for all."""
    workers: int | None = None
    """Scenarios at a time; None: many where desktops are simulated, two where they are real."""
    timeout_s: float = 150.0
    """The longest that one request may take."""
    patience_s: float = 30.0
    """How long to wait for what the daemon does by itself, and for a place."""
    exclusive: bool = False
    """Whether nobody else uses the daemon, so that what all clients share may be changed."""


class Wire:
    """Requests to one daemon over kept connections.

    Args:
        settings: Where, and with which token.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._transport = Transport(settings)

    def send(self, request: Request) -> Reply:
        """Do one request.

        Raises:
            TransportError: There is no complete reply.
        """
        return self._transport.send(request)

    def as_somebody(self, token: str | None) -> Wire:
        """The same daemon, asked with another token, or none."""
        return Wire(replace(self._settings, token=token))


def chosen(options: Options) -> list[Scenario]:
    """The scenarios that the options name.

    Raises:
        KeyError: A name that is neither a scenario's nor a group's.
    """
    scenarios = all_scenarios()
    unknown = set(options.only) - {one.name for one in scenarios} - {one.group for one in scenarios}
    if unknown:
        raise KeyError(", ".join(sorted(unknown)))
    return [one for one in scenarios if not options.only or {one.name, one.group} & set(options.only)]


def conform(wire: Sender, url: str, options: Options) -> Report:
    """Run the scenarios at a daemon.

    Args:
        wire: How requests get there.
        url: Where that is, for the report.
        options: How to run.

    Raises:
        Broken: It does not even tell its health, as the spec has it.
        KeyError: `options.only` names no scenario.
    """
    scenarios = chosen(options)
    first = Visit(wire, options.image, timeout_s=options.timeout_s, patience_s=options.patience_s)
    health = first.ask("get_health").content
    others = _present(first)
    began = time.monotonic()
    notes: list[str] = []

    def run(one: Scenario) -> Outcome:
        visit = Visit(wire, options.image, timeout_s=options.timeout_s, patience_s=options.patience_s, others=others)
        outcome, left = _ran(one, visit, options)
        notes.extend(f"{one.name} left {what}" for what in left)
        return outcome

    with ThreadPoolExecutor(options.workers or _workers(health)) as threads:
        outcomes = _in_order(threads, run, scenarios)
    return Report(
        url,
        str(health["version"]),
        str(health.get("machine")),
        tuple(outcomes),
        tuple(notes),
        time.monotonic() - began,
    )


def _in_order(threads: ThreadPoolExecutor, run: Any, scenarios: Sequence[Scenario]) -> list[Outcome]:
    """Those that many may run first, then those that want the daemon for themselves, one by one."""
    shared = [one for one in scenarios if not one.exclusive]
    try:
        outcomes = dict(zip((one.name for one in shared), threads.map(run, shared), strict=True))
    except BaseException:
        threads.shutdown(wait=True, cancel_futures=True)
        raise
    outcomes |= {one.name: run(one) for one in scenarios if one.exclusive}
    return [outcomes[one.name] for one in scenarios]


def _ran(one: Scenario, visit: Visit, options: Options) -> tuple[Outcome, list[str]]:
    """One scenario's outcome, and what of it could not be cleaned up."""
    began = time.monotonic()
    status: Status = "passed"
    detail = ""
    left: list[str] = []
    try:
        if one.exclusive and not options.exclusive:
            raise NotHere("it changes what all clients of the daemon share; --exclusive runs it")
        one.act(visit)
    except NotHere as reason:
        status, detail = "skipped", str(reason)
    except Broken as broken:
        status, detail = "failed", str(broken)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as missing:
        status = "failed"
        detail = f"a reply lacks what the scenario reads: {type(missing).__name__}: {missing}"
    finally:
        seen = tuple(visit.requests) if status == "failed" else ()
        left = visit.close()
    seconds = time.monotonic() - began
    return Outcome(one.group, one.name, one.rule, status, detail, seconds, seen), left


def _present(visit: Visit) -> frozenset[str]:
    """Ids of every slot and checkpoint that is there before the run."""
    ids = {record["id"] for record in visit.ask("list_checkpoints").content}
    after: dict[str, object] = {}
    while True:
        page = visit.ask("list_slots", query={"limit": 1000, "include_destroyed": True, **after})
        ids |= {record["id"] for record in page["items"]}
        if page["next_after"] is None or page["next_after"] == after.get("after"):
            return frozenset(ids)
        after = {"after": page["next_after"]}


def _workers(health: Any) -> int:
    return 8 if health.get("machine") == "sim" else 2
