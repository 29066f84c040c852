"""One function per operationId of the spec: takes a validated call, asks the domain, gives the reply.

It parses no HTTP (app.py did, by the spec) and decides nothing (the domain does). Refusals pass through as exceptions.
Invariant: `HANDLERS` has exactly the spec's operationIds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from drums_api import models

from drums.local import replies
from drums.local.domain import (
    acting,
    branching,
    figures,
    lifecycle,
    looking,
    prefork,
    quiescence,
    rewards,
    saving,
    tasks,
)
from drums.local.domain.forking import Fork
from drums.local.domain.host import DAEMON_VERSION, Host
from drums.local.domain.leases import DEFAULT_IDLE_TIMEOUT_S, DEFAULT_TTL_S, Lease

if TYPE_CHECKING:
    from drums.local.store import SlotRow

CAPABILITIES = (
    "audit",
    "batch",
    "gates_wait",
    "leases",
    "metrics_windows",
    "paging",
    "prefork",
    "signals",
    "unicode_typing",
)
"""What every machine can do beyond the oldest daemon; `live_fork` is the machine's."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request, checked and coerced by the spec."""

    path: Mapping[str, str] = field(default_factory=dict[str, str])
    """Path parameters by name, percent-decoded."""
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Query parameters that were given, coerced to the spec's types."""
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The JSON object, or an empty one where there was no body."""

    @property
    def id(self) -> str:
        """The slot, checkpoint or task that the path names."""
        return self.path["id"]


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON reply."""

    status: int
    content: dict[str, Any] | list[Any]


@dataclass(frozen=True, slots=True)
class Png:
    """A picture."""

    content: bytes


Handler = Callable[[Host, Call], Awaitable[Json | Png]]


class _Model(Protocol):
    def to_dict(self) -> dict[str, Any]: ...


def _ok(model: _Model) -> Json:
    return Json(200, model.to_dict())


def _slot(row: SlotRow) -> Json:
    return _ok(replies.slot_of(row))


async def get_health(host: Host, _call: Call) -> Json:
    """What the daemon is, and what it can do."""
    limits = host.limits
    health = models.Health(
        version=DAEMON_VERSION,
        status=host.status,
        uptime_s=host.clock.monotonic() - host.started,
        machine=host.machine.name,
        capabilities=[*CAPABILITIES, *(["live_fork"] if host.machine.live_fork else [])],
        limits=models.HealthLimits(
            fork=limits.fork,
            max_slots=limits.max_slots,
            max_states=limits.max_states,
            execute_timeout_s=limits.execute_timeout_s,
            prefork_max_age_s=limits.prefork_max_age_s,
            max_body_bytes=limits.max_body_bytes,
        ),
        task_set=models.TaskSet(tasks=host.tasks.task_set.tasks, sha256=host.tasks.task_set.digest),
    )
    return _ok(health)


async def get_metrics(host: Host, _call: Call) -> Json:
    """The open window's figures."""
    return _ok(replies.metrics_of(figures.current(host)))


async def reset_metrics(host: Host, _call: Call) -> Json:
    """The figures of the window that this closes."""
    return _ok(replies.metrics_of(figures.close_window(host)))


async def list_checkpoints(host: Host, _call: Call) -> Json:
    """Images, then saved states."""
    images, states = saving.listed(host)
    standing = saving.slots_on(host)
    records = [replies.image_of(image, standing[image.id]) for image in images]
    records += [replies.state_of(state, standing[state.id]) for state in states]
    return Json(200, [record.to_dict() for record in records])


async def delete_checkpoint(host: Host, call: Call) -> Json:
    """The record of the state that this deletes."""
    return _ok(replies.state_of(await saving.delete(host, call.id), slots=0))


async def list_tasks(host: Host, call: Call) -> Json:
    """The known tasks, in short."""
    return Json(200, [replies.summary_of(task).to_dict() for task in tasks.listed(host, call.query.get("domain"))])


async def get_task(host: Host, call: Call) -> Json:
    """One task's JSON."""
    return Json(200, dict(tasks.known(host, call.id)))


async def list_slots(host: Host, call: Call) -> Json:
    """A page of slots; without a query the bare list of those that live."""
    if not call.query:
        return Json(200, [replies.slot_of(row).to_dict() for row in looking.live_slots(host)])
    page = looking.page(
        host,
        call.query.get("limit", looking.LARGEST_PAGE),
        call.query.get("after"),
        include_destroyed=call.query.get("include_destroyed", False),
    )
    return _ok(models.SlotPage([replies.slot_of(row) for row in page.rows], page.next_after))


async def create_slot(host: Host, call: Call) -> Json:
    """The new slot's record, whether it came up or not."""
    body = call.body
    return _slot(await lifecycle.create(host, body["checkpoint"], body.get("task"), body.get("setup"), _lease(body)))


async def get_slot(host: Host, call: Call) -> Json:
    """A slot's record."""
    return _slot(looking.slot(host, call.id))


async def delete_slot(host: Host, call: Call) -> Json:
    """The last record of the slot that this ends."""
    return _slot(await lifecycle.delete(host, call.id))


async def reset_slot(host: Host, call: Call) -> Json:
    """The slot's record in its new episode."""
    return _slot(await lifecycle.reset(host, call.id))


async def step_slot(host: Host, call: Call) -> Json:
    """What the action did."""
    action = _action(call.body["action"])
    screenshot = call.body.get("screenshot", False)
    return _ok(replies.step_of(await acting.step(host, call.id, action, screenshot=screenshot)))


async def get_screenshot(host: Host, call: Call) -> Png:
    """The screen."""
    return Png(await acting.screenshot(host, call.id))


async def get_gates(host: Host, call: Call) -> Json:
    """The gate report, once the verdict is known or the time is over."""
    return _ok(replies.gate_report_of(await looking.gates(host, call.id, call.query.get("wait_s", 0.0))))


async def verify_slot(host: Host, call: Call) -> Json:
    """What the episode is worth."""
    return _ok(replies.reward_of(await rewards.verify(host, call.id)))


async def set_task(host: Host, call: Call) -> Json:
    """The slot's record with its task."""
    return _slot(await acting.set_task(host, call.id, call.body["task"]))


async def get_slot_metrics(host: Host, call: Call) -> Json:
    """The slot's figures."""
    return _ok(replies.slot_metrics_of(figures.of_slot(host, call.id)))


async def wait_quiescent(host: Host, call: Call) -> Json:
    """How long it took until the desktop was still."""
    timeout_s = call.body.get("timeout_s", quiescence.DEFAULT_TIMEOUT_S)
    window_s = call.body.get("window_s", quiescence.DEFAULT_WINDOW_S)
    episode, seconds = await saving.wait_quiescent(host, call.id, timeout_s, window_s)
    return _ok(models.QuiescentReply(quiescent=True, slot=call.id, episode=episode, seconds=seconds))


async def capture_slot(host: Host, call: Call) -> Json:
    """The saved state's record."""
    body = call.body
    state = await saving.capture(host, call.id, body.get("id"), _quiesce_timeout_s(body), _lease(body))
    return _ok(replies.state_of(state, slots=0))


async def prefork_slot(host: Host, call: Call) -> Json:
    """What is being prepared."""
    prepared = await prefork.prefork(host, call.id, _fork(call.body))
    return _ok(replies.prefork_of(call.id, prepared, host.limits.prefork_max_age_s))


async def branch_slot(host: Host, call: Call) -> Json:
    """The saved state and the children."""
    return _ok(replies.branch_of(await branching.branch(host, call.id, _fork(call.body))))


async def quarantine_slot(host: Host, call: Call) -> Json:
    """The record of the quarantined slot."""
    return _slot(await lifecycle.quarantine(host, call.id, call.body["reason"]))


async def release_slot(host: Host, call: Call) -> Json:
    """The record of the slot, now down."""
    return _slot(await lifecycle.release(host, call.id))


def _lease(body: Mapping[str, Any], prefix: str = "") -> Lease:
    return Lease(
        body.get(f"{prefix}idle_timeout_s", DEFAULT_IDLE_TIMEOUT_S),
        body.get(f"{prefix}ttl_s", DEFAULT_TTL_S),
    )


def _quiesce_timeout_s(body: Mapping[str, Any]) -> float:
    seconds: float = body.get("quiesce_timeout_s", quiescence.DEFAULT_TIMEOUT_S)
    return seconds


def _fork(body: Mapping[str, Any]) -> Fork:
    return Fork(
        n=body["n"],
        quiesce_timeout_s=_quiesce_timeout_s(body),
        delete_state_with_children=body.get("delete_state_with_children", False),
        lease=_lease(body),
        state_lease=_lease(body, "state_"),
    )


def _action(action: Mapping[str, Any]) -> acting.Action:
    if action["type"] == "batch":
        return acting.Batch(tuple(_single_action(single) for single in action["actions"]))
    return _single_action(action)


def _single_action(action: Mapping[str, Any]) -> acting.SingleAction:
    match action["type"]:
        case "pyautogui":
            return acting.Pyautogui(action["code"])
        case "sleep":
            return acting.Sleep(action["seconds"])
        case "signal":
            return acting.Signal(action["name"])
        case type:
            return acting.Run(type, action["command"], action.get("shell", False))


HANDLERS: Mapping[str, Handler] = {
    handler.__name__: handler
    for handler in (
        get_health,
        get_metrics,
        reset_metrics,
        list_checkpoints,
        delete_checkpoint,
        list_tasks,
        get_task,
        list_slots,
        create_slot,
        get_slot,
        delete_slot,
        reset_slot,
        step_slot,
        get_screenshot,
        get_gates,
        verify_slot,
        set_task,
        get_slot_metrics,
        wait_quiescent,
        capture_slot,
        prefork_slot,
        branch_slot,
        quarantine_slot,
        release_slot,
    )
}
