"""From the arguments of a public method to a `Call`: here the SDK's words (env, image, save, fork) become the wire's.

Pure: each function checks what its caller gave, builds the request with the models and paths that are generated from
the spec, and names the reader of its reply. Nothing is sent. The invariant: a `Call` that exists holds only values
that the spec allows, so that wrong input is a `BadRequest` before any request.
"""

# The generator keeps what builds a request in one function a module, and calls it `_get_kwargs`.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlencode

from drums_api import models
from drums_api.api.checkpoints.delete_checkpoint import _get_kwargs as _delete_checkpoint
from drums_api.api.checkpoints.list_checkpoints import _get_kwargs as _list_checkpoints
from drums_api.api.daemon.get_health import _get_kwargs as _get_health
from drums_api.api.daemon.get_metrics import _get_kwargs as _get_metrics
from drums_api.api.daemon.reset_metrics import _get_kwargs as _reset_metrics
from drums_api.api.slots.branch_slot import _get_kwargs as _branch_slot
from drums_api.api.slots.capture_slot import _get_kwargs as _capture_slot
from drums_api.api.slots.create_slot import _get_kwargs as _create_slot
from drums_api.api.slots.delete_slot import _get_kwargs as _delete_slot
from drums_api.api.slots.get_gates import _get_kwargs as _get_gates
from drums_api.api.slots.get_screenshot import _get_kwargs as _get_screenshot
from drums_api.api.slots.get_slot import _get_kwargs as _get_slot
from drums_api.api.slots.get_slot_metrics import _get_kwargs as _get_slot_metrics
from drums_api.api.slots.list_slots import _get_kwargs as _list_slots
from drums_api.api.slots.prefork_slot import _get_kwargs as _prefork_slot
from drums_api.api.slots.quarantine_slot import _get_kwargs as _quarantine_slot
from drums_api.api.slots.release_slot import _get_kwargs as _release_slot
from drums_api.api.slots.reset_slot import _get_kwargs as _reset_slot
from drums_api.api.slots.set_task import _get_kwargs as _set_task
from drums_api.api.slots.step_slot import _get_kwargs as _step_slot
from drums_api.api.slots.verify_slot import _get_kwargs as _verify_slot
from drums_api.api.slots.wait_quiescent import _get_kwargs as _wait_quiescent
from drums_api.api.tasks.get_task import _get_kwargs as _get_task
from drums_api.api.tasks.list_tasks import _get_kwargs as _list_tasks
from drums_api.types import UNSET

from drums._core.action_models import NOT_KNOWN, model_of, pause_s
from drums._core.arguments import LONGEST_WAIT_S, count, flag, identifier, new_name, refused, seconds, shown, text
from drums._core.call import Call
from drums._core.replies import (
    Forked,
    Page,
    Stepped,
    a_fork,
    a_page,
    a_png,
    a_state,
    about,
    anything,
    many,
    one,
    the_bytes,
    the_gates,
    the_reward,
    the_slot,
    the_step,
)
from drums._record import shape_fault
from drums.records import (
    Checkpoint,
    GateReport,
    Health,
    Metrics,
    PreforkReply,
    QuiescentReply,
    Slot,
    SlotMetrics,
    Task,
    TaskSummary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums._core.wire import Reply
    from drums.reward import Reward

T = TypeVar("T")

LONGEST_GATE_WAIT_S: Final = 60.0
"""The spec's bound of `wait_s`."""

MARGIN_S: Final = 30.0
"""What a request may take beyond the time that it asks the server to wait."""

METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})

# --- the server -------------------------------------------------------------------------------------------------------


def get_health() -> Call[Health]:
    """What the server is and can do."""
    return _call(_get_health(), one(Health), "health()")


def get_metrics() -> Call[Metrics]:
    """The figures of the current window."""
    return _call(_get_metrics(), one(Metrics), "metrics()")


def reset_metrics() -> Call[Metrics]:
    """Close the window; its figures."""
    lost = "The window may have been closed; metrics() tells."
    return _call(_reset_metrics(body=models.EmptyRequest()), one(Metrics), "reset_metrics()", lost)


def list_checkpoints() -> Call[list[Checkpoint]]:
    """Images and saved states."""
    return _call(_list_checkpoints(), many(Checkpoint), "images()")


def delete_checkpoint(state: object) -> Call[Checkpoint]:
    """Delete a saved state."""
    state_id = identifier(state, "state")
    lost = "It may be gone; images() tells."
    return _call(_delete_checkpoint(state_id), one(Checkpoint), f"delete_state({state_id!r})", lost)


def list_tasks(domain: object) -> Call[list[TaskSummary]]:
    """The tasks that the server knows."""
    wanted = UNSET if domain is None else text(domain, "domain")
    return _call(_list_tasks(domain=wanted), many(TaskSummary), "tasks()")


def get_task(task_id: object) -> Call[Task]:
    """One task, by its id or a prefix of it."""
    asked = identifier(task_id, "task_id")
    return _call(_get_task(asked), one(Task), f"task({asked!r})")


def list_slots(limit: object, after: str | None, *, include_destroyed: object = False) -> Call[Page]:
    """One page of envs."""
    kwargs = _list_slots(
        limit=count(limit, "page_size"),
        after=UNSET if after is None else after,
        include_destroyed=True if flag(include_destroyed, "include_destroyed") else UNSET,
    )
    return _call(kwargs, a_page, "envs()")


def try_server() -> Call[Page]:
    """The cheapest request that needs a good token, also on servers whose health needs none."""
    return _call(_list_slots(limit=1), a_page, "connect()")


def raw_call(method: object, path: object, body: object, *, raw: bool) -> Call[Any]:
    """Any request; a path without `/v1` is taken below it."""
    verb = text(method, "method").upper()
    if verb not in METHODS:
        raise refused(f"method must be one of {', '.join(sorted(METHODS))}, not {shown(method)}")
    target = text(path, "path")
    if not target.startswith("/") or not target.isascii() or any(c <= " " or c in "\x7f#\\" for c in target):
        raise refused("path must begin with /, and hold only what a path holds, percent-encoded")
    if any(part in {".", ".."} for part in target.partition("?")[0].split("/")):
        raise refused("path must not hold . or .. as a part")
    if target != "/v1" and not target.startswith("/v1/"):
        target = f"/v1{target}"
    sent = None if body is None else _json(body)
    return Call(verb, target, the_bytes if raw else anything, f"call({verb!r})", sent)


# --- one env ----------------------------------------------------------------------------------------------------------


def create_slot(
    checkpoint: object,
    task: dict[str, Any] | None,
    *,
    setup: object = None,
    idle_timeout: object = None,
    ttl: object = None,
) -> Call[Slot]:
    """Start an env from an image or a saved state."""
    origin = identifier(checkpoint, "image")
    lease = seconds(idle_timeout, "idle_timeout")
    request = models.CreateSlotRequest(
        checkpoint=origin,
        task=None if task is None else _task(task),
        setup=UNSET if setup is None else flag(setup, "setup"),
        idle_timeout_s=_or_unset(lease),
        ttl_s=_or_unset(seconds(ttl, "ttl")),
    )
    lost = f"The env may exist; look in client.envs(). {_lease(lease)}"
    return _call(_create_slot(body=request), one(Slot), f"create({origin!r})", lost)


def get_slot(slot_id: str, episode: int | None = None) -> Call[Slot]:
    """The env's record; in this episode and no other, where one is given."""
    return _call(_get_slot(identifier(slot_id, "id")), the_slot(slot_id, episode), f"refresh() of {slot_id}")


def delete_slot(slot_id: str) -> Call[Slot]:
    """End the env."""
    lost = "It may be gone; close() again tells."
    return _call(_delete_slot(identifier(slot_id, "id")), the_slot(slot_id), f"close() of {slot_id}", lost)


def reset_slot(slot_id: str) -> Call[Slot]:
    """Begin the next episode."""
    kwargs = _reset_slot(identifier(slot_id, "id"), body=models.EmptyRequest())
    return _call(kwargs, the_slot(slot_id), f"reset() of {slot_id}", "It may be in its next episode; refresh() tells.")


def step_slot(slot_id: str, episode: int | None, action: Mapping[str, Any], *, screenshot: object) -> Call[Stepped]:
    """Do one action, already checked by `drums.actions`."""
    wants_screenshot = flag(screenshot, "screenshot")
    kind = action["type"]
    request = models.StepRequest(model_of(action), wants_screenshot)
    return _call(
        _step_slot(identifier(slot_id, "id"), body=request),
        the_step(slot_id, episode, screenshot=wants_screenshot),
        f"step({kind}) of {slot_id}",
        "The action may have been done; look at env.screenshot() before you repeat it.",
        if_refused=NOT_KNOWN.get(kind),
        least_timeout_s=0.0 if (pause := pause_s(action)) is None else pause + MARGIN_S,
    )


def get_screenshot(slot_id: str) -> Call[bytes]:
    """What the screen shows, as PNG."""
    return _call(_get_screenshot(identifier(slot_id, "id")), a_png, f"screenshot() of {slot_id}")


def get_gates(slot_id: str, episode: int | None, *, wait_s: float | None = None) -> Call[GateReport]:
    """The gate report of the episode, at once or when its verdict is known."""
    wait = UNSET if wait_s is None else min(wait_s, LONGEST_GATE_WAIT_S)
    kwargs = _get_gates(identifier(slot_id, "id"), wait_s=wait)
    least = 0.0 if wait is UNSET else wait + MARGIN_S
    return _call(kwargs, the_gates(slot_id, episode), f"gates() of {slot_id}", least_timeout_s=least)


def verify_slot(slot_id: str, episode: int | None, task_id: str | None) -> Call[Reward]:
    """Run the checker."""
    kwargs = _verify_slot(identifier(slot_id, "id"), body=models.VerifyRequest())
    lost = "The checker may have run; verify() again tells."
    return _call(kwargs, the_reward(slot_id, episode, task_id), f"verify() of {slot_id}", lost)


def set_task(slot_id: str, task: dict[str, Any]) -> Call[Slot]:
    """Give the env another task."""
    kwargs = _set_task(identifier(slot_id, "id"), body=models.TaskRequest(task=_task(task)))
    return _call(kwargs, the_slot(slot_id), f"load_task() of {slot_id}", "It may have the task; refresh() tells.")


def get_slot_metrics(slot_id: str) -> Call[SlotMetrics]:
    """The env's figures."""
    return _call(_get_slot_metrics(identifier(slot_id, "id")), about(SlotMetrics, slot_id), f"metrics() of {slot_id}")


def wait_quiescent(slot_id: str, episode: int | None, timeout: object, window: object) -> Call[QuiescentReply]:
    """Wait until no process starts or ends."""
    limit = seconds(timeout, "timeout", LONGEST_WAIT_S)
    request = models.QuiescentRequest(
        timeout_s=_or_unset(limit), window_s=_or_unset(seconds(window, "window", LONGEST_WAIT_S))
    )
    return _call(
        _wait_quiescent(identifier(slot_id, "id"), body=request),
        about(QuiescentReply, slot_id, episode),
        f"wait_quiescent() of {slot_id}",
        "It only waits; ask again.",
        least_timeout_s=_beyond(limit),
    )


def capture_slot(
    slot_id: str, name: object, quiesce_timeout: object, idle_timeout: object, ttl: object
) -> Call[Checkpoint]:
    """Save the env as a state."""
    state_id = None if name is None else new_name(name, "name")
    limit = seconds(quiesce_timeout, "quiesce_timeout", LONGEST_WAIT_S)
    request = models.CaptureRequest(
        id=_or_unset(state_id),
        quiesce_timeout_s=_or_unset(limit),
        idle_timeout_s=_or_unset(seconds(idle_timeout, "idle_timeout")),
        ttl_s=_or_unset(seconds(ttl, "ttl")),
    )
    return _call(
        _capture_slot(identifier(slot_id, "id"), body=request),
        a_state(slot_id, state_id),
        f"save() of {slot_id}",
        f"The state may exist; client.images() lists those whose parent is {slot_id}.",
        least_timeout_s=_beyond(limit),
    )


def fork_request(  # what a fork and its preparation have in common
    n: object,
    quiesce_timeout: object,
    *,
    keep_state: object,
    idle_timeout: object,
    ttl: object,
    state_idle_timeout: object,
    state_ttl: object,
) -> models.BranchRequest:
    """How many children, and how long they and their state live."""
    return models.BranchRequest(
        n=count(n, "n"),
        quiesce_timeout_s=_or_unset(seconds(quiesce_timeout, "quiesce_timeout", LONGEST_WAIT_S)),
        delete_state_with_children=UNSET if flag(keep_state, "keep_state") else True,
        idle_timeout_s=_or_unset(seconds(idle_timeout, "idle_timeout")),
        ttl_s=_or_unset(seconds(ttl, "ttl")),
        state_idle_timeout_s=_or_unset(seconds(state_idle_timeout, "state_idle_timeout")),
        state_ttl_s=_or_unset(seconds(state_ttl, "state_ttl")),
    )


def prefork_slot(slot_id: str, request: models.BranchRequest) -> Call[PreforkReply]:
    """Prepare a fork."""
    lost = "It may be under way; the next fork() takes it or makes its own."
    kwargs = _prefork_slot(identifier(slot_id, "id"), body=request)
    return _call(kwargs, about(PreforkReply, slot_id), f"prefork({request.n}) of {slot_id}", lost)


def branch_slot(slot_id: str, request: models.BranchRequest) -> Call[Forked]:
    """Save the env and start copies of it."""
    limit = request.quiesce_timeout_s
    lease = None if request.idle_timeout_s is UNSET else request.idle_timeout_s
    return _call(
        _branch_slot(identifier(slot_id, "id"), body=request),
        a_fork(slot_id, request.n),
        f"fork({request.n}) of {slot_id}",
        f"Children may exist; client.envs() lists those whose parent is {slot_id}. {_lease(lease)}",
        least_timeout_s=_beyond(None if limit is UNSET else limit),
    )


def quarantine_slot(slot_id: str, reason: object) -> Call[Slot]:
    """Bar the env from rewards."""
    request = models.QuarantineRequest(reason=text(reason, "reason", 1000))
    lost = "It may be quarantined; refresh() tells."
    kwargs = _quarantine_slot(identifier(slot_id, "id"), body=request)
    return _call(kwargs, the_slot(slot_id), f"quarantine() of {slot_id}", lost)


def release_slot(slot_id: str) -> Call[Slot]:
    """End a quarantine."""
    kwargs = _release_slot(identifier(slot_id, "id"), body=models.EmptyRequest())
    return _call(kwargs, the_slot(slot_id), f"release() of {slot_id}", "It may be released; refresh() tells.")


# --- parts ------------------------------------------------------------------------------------------------------------

_as_json: Final = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


def _call(
    kwargs: dict[str, Any],
    read: Callable[[Reply], T],
    tried: str,
    if_lost: str | None = None,
    *,
    if_refused: str | None = None,
    least_timeout_s: float = 0.0,
) -> Call[T]:
    """The call for what the generated code says of a request."""
    query = urlencode({k: str(v).lower() if isinstance(v, bool) else v for k, v in kwargs.get("params", {}).items()})
    target: str = f"{kwargs['url']}?{query}" if query else kwargs["url"]
    body = _json(kwargs["json"]) if "json" in kwargs else None
    return Call(kwargs["method"].upper(), target, read, tried, body, if_lost, if_refused, least_timeout_s)


def _json(body: object) -> bytes:
    try:
        return _as_json(body).encode()
    except (TypeError, ValueError, RecursionError) as fault:
        raise refused(f"the body can't be sent as JSON: {fault}") from fault


def _task(task: dict[str, Any]) -> models.Task:
    fault = shape_fault(Task, task)
    if fault is not None:
        raise refused(f"task: expected {fault.expected} at {fault.path}, not {fault.got}")
    return models.Task.from_dict(task)


def _or_unset(value: T | None) -> T | Any:
    return UNSET if value is None else value


def _beyond(limit_s: float | None) -> float:
    return 0.0 if limit_s is None else limit_s + MARGIN_S


def _lease(idle_timeout_s: float | None) -> str:
    if idle_timeout_s == 0:
        return "No lease ends it."
    return "Its lease ends it." if idle_timeout_s is None else f"Its lease ends it after {idle_timeout_s:g} s unused."
