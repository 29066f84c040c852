"""What the server replies, as read-only records.

Made by tools/generate.py from spec/openapi.yaml; never edited. Each class is a dict with typed attributes (see
`drums._record`). The types named after an open enum hold the values known today; a server may send others, so the
attributes are plain `str`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from drums._record import Record, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = [
    "ActionResult",
    "Audit",
    "AuditChange",
    "AuditChangeKind",
    "AuditChangeWord",
    "AuditFlag",
    "AuditRecheck",
    "AuditScope",
    "BranchChild",
    "BranchReply",
    "Capability",
    "Checkpoint",
    "CheckpointKind",
    "ChildErrorCode",
    "Cost",
    "ErrorCode",
    "ErrorReply",
    "Evaluator",
    "Gate",
    "GateReport",
    "GateStatus",
    "Health",
    "HealthLimits",
    "HealthStatus",
    "Latency",
    "MachineName",
    "Metrics",
    "MetricsWindow",
    "PreforkReply",
    "PreforkStatus",
    "QuiescentReply",
    "RecheckDesktop",
    "RewardMetrics",
    "RewardReply",
    "SetupStep",
    "Slot",
    "SlotMetrics",
    "SlotPage",
    "SlotState",
    "SlotUsage",
    "StepParameters",
    "StepReply",
    "Task",
    "TaskRef",
    "TaskScope",
    "TaskSet",
    "TaskSummary",
    "Validity",
    "Verdict",
]

AuditChangeKind = Literal["file", "process", "setting"]
"""Values known today; a server may send others."""

AuditChangeWord = Literal["added", "changed", "removed"]
"""Values known today; a server may send others."""

AuditFlag = Literal[
    "checker_crashed",
    "checker_timeout",
    "out_of_scope",
    "passed_at_start",
    "recheck_disagrees",
    "redundant_disagrees",
    "scope_unknown",
]
"""Values known today; a server may send others."""

AuditScope = Literal["within", "beyond"]
"""Values known today; a server may send others."""

Capability = Literal[
    "audit",
    "batch",
    "gates_wait",
    "leases",
    "live_fork",
    "metrics_windows",
    "paging",
    "prefork",
    "signals",
    "unicode_typing",
]
"""Values known today; a server may send others."""

CheckpointKind = Literal["image", "state"]
"""Values known today; a server may send others."""

ChildErrorCode = Literal["overloaded", "quota_exceeded", "restore_failed", "task_setup_failed", "unavailable"]
"""Values known today; a server may send others."""

ErrorCode = Literal[
    "bad_request",
    "body_too_large",
    "checkpoint_stale",
    "conflict",
    "forbidden",
    "gone",
    "guest_error",
    "internal",
    "method_not_allowed",
    "not_found",
    "not_quiescent",
    "overloaded",
    "quota_exceeded",
    "task_unsupported",
    "unauthorized",
    "unavailable",
]
"""Values known today; a server may send others."""

GateStatus = Literal["pending", "passed", "failed"]
"""Values known today; a server may send others."""

HealthStatus = Literal["ok", "starting", "draining"]
"""Values known today; a server may send others."""

MachineName = Literal["runc", "sim"]
"""Values known today; a server may send others."""

PreforkStatus = Literal["preparing", "ready", "claimed", "discarded", "failed"]
"""Values known today; a server may send others."""

RecheckDesktop = Literal["fork", "same"]
"""Values known today; a server may send others."""

SlotState = Literal["creating", "ready", "quarantined", "down", "destroyed"]
"""Values known today; a server may send others."""

Verdict = Literal["pending", "valid", "invalid"]
"""Values known today; a server may send others."""


class HealthLimits(Record):
    """Bounds of the daemon; None means none."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "fork": Shape("integer or null"),
        "max_slots": Shape("integer or null"),
        "max_states": Shape("integer or null"),
        "execute_timeout_s": Shape("number or null"),
        "prefork_max_age_s": Shape("number or null"),
        "max_body_bytes": Shape("integer or null"),
    }

    @property
    def fork(self) -> int | None:
        """The most children that one branch may have, a count."""
        value: int | None = self.get("fork")
        return value

    @property
    def max_slots(self) -> int | None:
        """The most slots that may live at once, a count."""
        value: int | None = self.get("max_slots")
        return value

    @property
    def max_states(self) -> int | None:
        """The most saved states that may exist at once, a count."""
        value: int | None = self.get("max_states")
        return value

    @property
    def execute_timeout_s(self) -> float | None:
        """The longest that a `pyautogui` or `execute` action may take, in seconds."""
        value: float | None = self.get("execute_timeout_s")
        return value

    @property
    def prefork_max_age_s(self) -> float | None:
        """How long a prefork waits for its branch, in seconds."""
        value: float | None = self.get("prefork_max_age_s")
        return value

    @property
    def max_body_bytes(self) -> int | None:
        """The largest request body, in bytes."""
        value: int | None = self.get("max_body_bytes")
        return value


class TaskSet(Record):
    """The tasks that a daemon knows by id, as one thing.

    Record its hash with every result.
    """

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "tasks": Shape("integer or null"),
        "sha256": Shape("string or null"),
    }

    @property
    def tasks(self) -> int | None:
        """How many there are, a count."""
        value: int | None = self.get("tasks")
        return value

    @property
    def sha256(self) -> str | None:
        """Hash over all of them, in hexadecimal; equal hashes are equal tasks."""
        value: str | None = self.get("sha256")
        return value


class Health(Record):
    """What the daemon is, and what it can do."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "version": Shape("string"),
        "status": Shape("string or null"),
        "uptime_s": Shape("number or null"),
        "machine": Shape("string or null"),
        "capabilities": Shape("array or null", each=Shape("string")),
        "limits": Shape("object or null", record=HealthLimits),
        "task_set": Shape("object or null", record=TaskSet),
    }
    __required__: ClassVar[tuple[str, ...]] = ("version",)

    @property
    def version(self) -> str:
        """Version of the daemon, and so of the API it speaks."""
        value: str = self["version"]
        return value

    @property
    def status(self) -> str | None:
        """Whether it takes work.

        Known today: `ok`, `starting`, `draining`; there may be others.
        """
        value: str | None = self.get("status")
        return value

    @property
    def uptime_s(self) -> float | None:
        """Time since the daemon started, in seconds."""
        value: float | None = self.get("uptime_s")
        return value

    @property
    def machine(self) -> str | None:
        """What runs the desktops: `runc` real ones, `sim` simulated ones.

        Known today: `runc`, `sim`; there may be others.
        """
        value: str | None = self.get("machine")
        return value

    @property
    def capabilities(self) -> list[str]:
        """Names of what this daemon can do beyond the oldest one.

        With `unicode_typing`, its desktops type every character that pyautogui is given. Known today: `audit`, `batch`,
        `gates_wait`, `leases`, `live_fork`, `metrics_windows`, `paging`, `prefork`, `signals`, `unicode_typing`; there
        may be others.
        """
        return list(self.get("capabilities") or ())

    @property
    def limits(self) -> HealthLimits | None:
        """The daemon's bounds; None when it does not tell."""
        value = self.get("limits")
        return None if value is None else HealthLimits(value)

    @property
    def task_set(self) -> TaskSet | None:
        """Which tasks the daemon knows by id; None when it does not tell."""
        value = self.get("task_set")
        return None if value is None else TaskSet(value)


class TaskRef(Record):
    """The task of a slot, in short."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "id": Shape("string"),
        "instruction": Shape("string or null"),
        "domain": Shape("string or null"),
    }

    @property
    def id(self) -> str | None:
        """Id of the task."""
        value: str | None = self.get("id")
        return value

    @property
    def instruction(self) -> str | None:
        """What the agent is asked to do."""
        value: str | None = self.get("instruction")
        return value

    @property
    def domain(self) -> str | None:
        """The group that the task belongs to; None for a task the daemon was sent."""
        value: str | None = self.get("domain")
        return value


class Validity(Record):
    """What an episode's gates say so far."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "verdict": Shape("string or null"),
        "gates": Shape("array or null", each=Shape("string")),
    }

    @property
    def verdict(self) -> str | None:
        """`valid` only when every gate passed and the slot was never quarantined in this episode.

        Known today: `pending`, `valid`, `invalid`; there may be others.
        """
        value: str | None = self.get("verdict")
        return value

    @property
    def gates(self) -> list[str]:
        """Names of the gates that are pending or failed."""
        return list(self.get("gates") or ())


class Slot(Record):
    """A slot's record."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "id": Shape("string"),
        "state": Shape("string"),
        "episode": Shape("integer or null"),
        "checkpoint": Shape("string or null"),
        "task": Shape("object or null", record=TaskRef),
        "validity": Shape("object or null", record=Validity),
        "last_error": Shape("string or null"),
        "reason": Shape("string or null"),
        "closed_reason": Shape("string or null"),
        "created_at": Shape("string or null"),
        "last_used_at": Shape("string or null"),
        "idle_timeout_s": Shape("number or null"),
        "ttl_s": Shape("number or null"),
        "parent": Shape("string or null"),
    }
    __required__: ClassVar[tuple[str, ...]] = ("id", "state")

    @property
    def id(self) -> str:
        """Id of the slot."""
        value: str = self["id"]
        return value

    @property
    def state(self) -> str:
        """`ready` works; `quarantined` runs but never gives a reward; `down` does not run until it is reset.

        Known today: `creating`, `ready`, `quarantined`, `down`, `destroyed`; there may be others.
        """
        value: str = self["state"]
        return value

    @property
    def episode(self) -> int | None:
        """Number of the current episode, from 1."""
        value: int | None = self.get("episode")
        return value

    @property
    def checkpoint(self) -> str | None:
        """Id of the image or saved state that the slot was made from and is reset to."""
        value: str | None = self.get("checkpoint")
        return value

    @property
    def task(self) -> TaskRef | None:
        """The slot's task; None when it has none."""
        value = self.get("task")
        return None if value is None else TaskRef(value)

    @property
    def validity(self) -> Validity | None:
        """What the current episode's gates say so far; None when there is no episode."""
        value = self.get("validity")
        return None if value is None else Validity(value)

    @property
    def last_error(self) -> str | None:
        """What last went wrong, in words; starts with `restore failed` or `task setup failed` for those."""
        value: str | None = self.get("last_error")
        return value

    @property
    def reason(self) -> str | None:
        """Why the slot is quarantined."""
        value: str | None = self.get("reason")
        return value

    @property
    def closed_reason(self) -> str | None:
        """Why the slot was destroyed."""
        value: str | None = self.get("closed_reason")
        return value

    @property
    def created_at(self) -> str | None:
        """When it was created, RFC 3339 in UTC."""
        value: str | None = self.get("created_at")
        return value

    @property
    def last_used_at(self) -> str | None:
        """When a request last named it, RFC 3339 in UTC."""
        value: str | None = self.get("last_used_at")
        return value

    @property
    def idle_timeout_s(self) -> float | None:
        """Seconds unused after which it is reaped; 0 never."""
        value: float | None = self.get("idle_timeout_s")
        return value

    @property
    def ttl_s(self) -> float | None:
        """Seconds after its creation after which it is reaped; 0 never."""
        value: float | None = self.get("ttl_s")
        return value

    @property
    def parent(self) -> str | None:
        """Id of the slot that it was branched from."""
        value: str | None = self.get("parent")
        return value


class Gate(Record):
    """One check of an episode's soundness."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "name": Shape("string"),
        "status": Shape("string"),
        "detail": Shape("string or null"),
        "seconds": Shape("number or null"),
    }
    __required__: ClassVar[tuple[str, ...]] = ("name", "status")

    @property
    def name(self) -> str:
        """Name of the check, such as `network` or `processes_alive`."""
        value: str = self["name"]
        return value

    @property
    def status(self) -> str:
        """What it found.

        Any status but `passed` makes the episode not valid. Known today: `pending`, `passed`, `failed`; there may be
        others.
        """
        value: str = self["status"]
        return value

    @property
    def detail(self) -> str | None:
        """What was seen, in a sentence; always there when it failed."""
        value: str | None = self.get("detail")
        return value

    @property
    def seconds(self) -> float | None:
        """When it was taken, in seconds after the episode began; None while pending."""
        value: float | None = self.get("seconds")
        return value


class GateReport(Record):
    """The gates of one episode."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "slot": Shape("string or null"),
        "episode": Shape("integer or null"),
        "validity": Shape("object or null", record=Validity),
        "gates": Shape("array", each=Shape("object", record=Gate)),
    }
    __required__: ClassVar[tuple[str, ...]] = ("gates",)

    @property
    def slot(self) -> str | None:
        """Id of the slot."""
        value: str | None = self.get("slot")
        return value

    @property
    def episode(self) -> int | None:
        """Number of the episode, from 1."""
        value: int | None = self.get("episode")
        return value

    @property
    def validity(self) -> Validity | None:
        """What the gates say together."""
        value = self.get("validity")
        return None if value is None else Validity(value)

    @property
    def gates(self) -> list[Gate]:
        """The checks, in the order they are taken."""
        return [Gate(item) for item in self.get("gates") or ()]


class ErrorReply(Record):
    """Why a request was not done."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "error": Shape("string"),
        "code": Shape("string or null"),
        "slot": Shape("object or null", record=Slot),
        "gates": Shape("object or null", record=GateReport),
        "closed_reason": Shape("string or null"),
        "retry_after_s": Shape("number or null"),
        "request_id": Shape("string or null"),
    }
    __required__: ClassVar[tuple[str, ...]] = ("error",)

    @property
    def error(self) -> str:
        """What happened, in words."""
        value: str = self["error"]
        return value

    @property
    def code(self) -> str | None:
        """A word for what happened.

        Known today: `bad_request`, `body_too_large`, `checkpoint_stale`, `conflict`, `forbidden`, `gone`,
        `guest_error`, `internal`, `method_not_allowed`, `not_found`, `not_quiescent`, `overloaded`, `quota_exceeded`,
        `task_unsupported`, `unauthorized`, `unavailable`; there may be others.
        """
        value: str | None = self.get("code")
        return value

    @property
    def slot(self) -> Slot | None:
        """The record of the slot that it is about."""
        value = self.get("slot")
        return None if value is None else Slot(value)

    @property
    def gates(self) -> GateReport | None:
        """The gate report of the slot that it is about."""
        value = self.get("gates")
        return None if value is None else GateReport(value)

    @property
    def closed_reason(self) -> str | None:
        """Why the slot was destroyed."""
        value: str | None = self.get("closed_reason")
        return value

    @property
    def retry_after_s(self) -> float | None:
        """Seconds to wait before the next try, as in `Retry-After`."""
        value: float | None = self.get("retry_after_s")
        return value

    @property
    def request_id(self) -> str | None:
        """Names this request in the server's log, as in `X-Request-Id`."""
        value: str | None = self.get("request_id")
        return value


class MetricsWindow(Record):
    """A span of time that figures cover."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "id": Shape("integer or null"),
        "started_at": Shape("string or null"),
        "ended_at": Shape("string or null"),
        "seconds": Shape("number or null"),
    }

    @property
    def id(self) -> int | None:
        """Number of the window, from 1."""
        value: int | None = self.get("id")
        return value

    @property
    def started_at(self) -> str | None:
        """When it was opened, RFC 3339 in UTC."""
        value: str | None = self.get("started_at")
        return value

    @property
    def ended_at(self) -> str | None:
        """When it was closed, RFC 3339 in UTC; None while it is open."""
        value: str | None = self.get("ended_at")
        return value

    @property
    def seconds(self) -> float | None:
        """How long it is so far, in seconds."""
        value: float | None = self.get("seconds")
        return value


class Latency(Record):
    """How long one operation took."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "count": Shape("integer or null"),
        "failures": Shape("integer or null"),
        "mean_s": Shape("number or null"),
        "p50_s": Shape("number or null"),
        "p95_s": Shape("number or null"),
        "max_s": Shape("number or null"),
    }

    @property
    def count(self) -> int | None:
        """How many were done, failures included, a count."""
        value: int | None = self.get("count")
        return value

    @property
    def failures(self) -> int | None:
        """How many of them failed, a count."""
        value: int | None = self.get("failures")
        return value

    @property
    def mean_s(self) -> float | None:
        """Their mean, in seconds; None when there were none."""
        value: float | None = self.get("mean_s")
        return value

    @property
    def p50_s(self) -> float | None:
        """Half took no longer, in seconds; None when there were none."""
        value: float | None = self.get("p50_s")
        return value

    @property
    def p95_s(self) -> float | None:
        """95 of 100 took no longer, in seconds; None when there were none."""
        value: float | None = self.get("p95_s")
        return value

    @property
    def max_s(self) -> float | None:
        """The longest, in seconds; None when there were none."""
        value: float | None = self.get("max_s")
        return value


class RewardMetrics(Record):
    """The rewards that were given."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "count": Shape("integer or null"),
        "verified": Shape("integer or null"),
        "mean_score": Shape("number or null"),
    }

    @property
    def count(self) -> int | None:
        """How many times verify was answered, a count."""
        value: int | None = self.get("count")
        return value

    @property
    def verified(self) -> int | None:
        """How many of those were valid and had a score, a count."""
        value: int | None = self.get("verified")
        return value

    @property
    def mean_score(self) -> float | None:
        """Mean score of the verified ones, 0 to 1; None when there were none."""
        value: float | None = self.get("mean_score")
        return value


class Cost(Record):
    """What the host cost, its price times the time."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "currency": Shape("string or null"),
        "host_price_per_hour": Shape("number or null"),
        "amount": Shape("number or null"),
        "per_valid_episode": Shape("number or null"),
        "per_verified_reward": Shape("number or null"),
    }

    @property
    def currency(self) -> str | None:
        """Currency of the amounts, an ISO 4217 code."""
        value: str | None = self.get("currency")
        return value

    @property
    def host_price_per_hour(self) -> float | None:
        """Price of the host, in `currency` per hour; None when it is not known."""
        value: float | None = self.get("host_price_per_hour")
        return value

    @property
    def amount(self) -> float | None:
        """Cost of the window, in `currency`; None when the price is not known."""
        value: float | None = self.get("amount")
        return value

    @property
    def per_valid_episode(self) -> float | None:
        """Cost for each valid episode, in `currency`; None when there were none."""
        value: float | None = self.get("per_valid_episode")
        return value

    @property
    def per_verified_reward(self) -> float | None:
        """Cost for each verified reward, in `currency`; None when there were none."""
        value: float | None = self.get("per_verified_reward")
        return value


class Metrics(Record):
    """The figures of one window, over all slots."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "window": Shape("object", record=MetricsWindow),
        "operations": Shape("object", each=Shape("object", record=Latency)),
        "episodes": Shape("object", each=Shape("integer")),
        "failures": Shape("object", each=Shape("integer")),
        "retries": Shape("object", each=Shape("integer")),
        "rewards": Shape("object", record=RewardMetrics),
        "cost": Shape("object", record=Cost),
    }
    __required__: ClassVar[tuple[str, ...]] = ("window",)

    @property
    def window(self) -> MetricsWindow:
        """The time that the figures cover."""
        return MetricsWindow(self["window"])

    @property
    def operations(self) -> dict[str, Latency]:
        """How long each operation took, by its name (`create`, `reset`, `fork`, `step`, `verify`, …)."""
        values: dict[str, Any] = self.get("operations") or {}
        return {key: Latency(value) for key, value in values.items()}

    @property
    def episodes(self) -> dict[str, int]:
        """How many episodes ended or stand with each verdict."""
        return dict(self.get("episodes") or {})

    @property
    def failures(self) -> dict[str, int]:
        """How many failures there were by cause.

        Causes are `restore`, `gate`, `task_setup`, `guest`, `checker`, `not_quiescent` and others.
        """
        return dict(self.get("failures") or {})

    @property
    def retries(self) -> dict[str, int]:
        """How many times the daemon tried again by cause, named as the failures are."""
        return dict(self.get("retries") or {})

    @property
    def rewards(self) -> RewardMetrics | None:
        """The rewards that were given."""
        value = self.get("rewards")
        return None if value is None else RewardMetrics(value)

    @property
    def cost(self) -> Cost | None:
        """What the window cost."""
        value = self.get("cost")
        return None if value is None else Cost(value)


class Checkpoint(Record):
    """An image, or a saved state."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "id": Shape("string"),
        "kind": Shape("string or null"),
        "parent": Shape("string or null"),
        "task": Shape("object or null", record=TaskRef),
        "bytes": Shape("integer or null"),
        "created_at": Shape("string or null"),
        "last_used_at": Shape("string or null"),
        "slots": Shape("integer or null"),
        "idle_timeout_s": Shape("number or null"),
        "ttl_s": Shape("number or null"),
        "delete_with_children": Shape("boolean or null"),
    }
    __required__: ClassVar[tuple[str, ...]] = ("id",)

    @property
    def id(self) -> str:
        """Id of the checkpoint."""
        value: str = self["id"]
        return value

    @property
    def kind(self) -> str | None:
        """`image`: an installed base state; `state`: a captured desktop.

        Known today: `image`, `state`; there may be others.
        """
        value: str | None = self.get("kind")
        return value

    @property
    def parent(self) -> str | None:
        """Id of the slot that it was captured from; None for an image."""
        value: str | None = self.get("parent")
        return value

    @property
    def task(self) -> TaskRef | None:
        """The task its desktop had; None when there was none."""
        value = self.get("task")
        return None if value is None else TaskRef(value)

    @property
    def bytes(self) -> int | None:
        """What it takes on the host's disk of its own, in bytes."""
        value: int | None = self.get("bytes")
        return value

    @property
    def created_at(self) -> str | None:
        """When it was captured, RFC 3339 in UTC."""
        value: str | None = self.get("created_at")
        return value

    @property
    def last_used_at(self) -> str | None:
        """When it was captured or its last slot closed, whichever is later, RFC 3339 in UTC."""
        value: str | None = self.get("last_used_at")
        return value

    @property
    def slots(self) -> int | None:
        """How many slots made from it exist, a count."""
        value: int | None = self.get("slots")
        return value

    @property
    def idle_timeout_s(self) -> float | None:
        """Seconds without a slot made from it after which it is reaped; 0 never."""
        value: float | None = self.get("idle_timeout_s")
        return value

    @property
    def ttl_s(self) -> float | None:
        """Seconds after its creation after which it is reaped; 0 never."""
        value: float | None = self.get("ttl_s")
        return value

    @property
    def delete_with_children(self) -> bool | None:
        """Whether it is deleted when its last slot is destroyed."""
        value: bool | None = self.get("delete_with_children")
        return value


class TaskSummary(Record):
    """A task that the daemon knows, in short."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "id": Shape("string"),
        "domain": Shape("string or null"),
        "instruction": Shape("string or null"),
        "related_apps": Shape("array or null", each=Shape("string")),
    }
    __required__: ClassVar[tuple[str, ...]] = ("id",)

    @property
    def id(self) -> str:
        """Id of the task."""
        value: str = self["id"]
        return value

    @property
    def domain(self) -> str | None:
        """The group that the task belongs to."""
        value: str | None = self.get("domain")
        return value

    @property
    def instruction(self) -> str | None:
        """What the agent is asked to do."""
        value: str | None = self.get("instruction")
        return value

    @property
    def related_apps(self) -> list[str]:
        """Names of the applications that the task is about."""
        return list(self.get("related_apps") or ())


class StepParameters(Record):
    """The parameters of one step; their names depend on the step's type."""

    __slots__ = ()


class SetupStep(Record):
    """One step that prepares the desktop, or closes the work before the check."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "type": Shape("string"),
        "parameters": Shape("object", record=StepParameters),
    }
    __required__: ClassVar[tuple[str, ...]] = ("type",)

    @property
    def type(self) -> str:
        """Name of the step, as in OSWorld (`launch`, `execute`, `download`, …)."""
        value: str = self["type"]
        return value

    @property
    def parameters(self) -> StepParameters | None:
        """What the step needs."""
        value = self.get("parameters")
        return None if value is None else StepParameters(value)


class Evaluator(Record):
    """A checker in OSWorld's format."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "func": Shape("string or array", each=Shape("string")),
        "conj": Shape("string"),
        "result": Shape(""),
        "expected": Shape(""),
        "options": Shape(""),
        "postconfig": Shape("array or null", each=Shape("object", record=SetupStep)),
        "redundant": Shape(""),
    }

    @property
    def func(self) -> str | list[str] | None:
        """Name of the check, or several."""
        value: str | list[str] | None = self.get("func")
        return value

    @property
    def conj(self) -> str | None:
        """How several checks combine: `and`, `or`.

        Absent means `and`.
        """
        value: str | None = self.get("conj")
        return value

    @property
    def result(self) -> object:
        """The getter of what the desktop shows, one for each check; an object, a list of them, or None."""
        return self.get("result")

    @property
    def expected(self) -> object:
        """The getter of what it is compared with, one for each check; an object, a list of them, or None."""
        return self.get("expected")

    @property
    def options(self) -> object:
        """Options of each check; an object, a list of them, or None."""
        return self.get("options")

    @property
    def postconfig(self) -> list[SetupStep]:
        """Steps before the check, in order."""
        return [SetupStep(item) for item in self.get("postconfig") or ()]

    @property
    def redundant(self) -> object:
        """An independent second checker that has to agree; an object, or None.

        It has `func`, `conj`, `result`, `expected` and `options` of its own. Not in OSWorld.
        """
        return self.get("redundant")


class TaskScope(Record):
    """What an episode of the task may touch.

    A kind that is not named is not looked at; an empty list allows nothing.
    """

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "files": Shape("array or null", each=Shape("string")),
        "settings": Shape("array or null", each=Shape("string")),
        "processes": Shape("array or null", each=Shape("string")),
    }

    @property
    def files(self) -> list[str]:
        """Globs of paths in the home folder, `~/Desktop/*`; `*` stops at a slash, `**` does not."""
        return list(self.get("files") or ())

    @property
    def settings(self) -> list[str]:
        """Globs of a setting's schema and key, `org.gnome.desktop.session.*`."""
        return list(self.get("settings") or ())

    @property
    def processes(self) -> list[str]:
        """Globs of names of programs that may have been started or ended."""
        return list(self.get("processes") or ())


class Task(Record):
    """A task in OSWorld's format.

    Fields that are not named here are kept and come back.
    """

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "id": Shape("string"),
        "instruction": Shape("string or null"),
        "snapshot": Shape("string or null"),
        "source": Shape("string or null"),
        "related_apps": Shape("array or null", each=Shape("string")),
        "config": Shape("array or null", each=Shape("object", record=SetupStep)),
        "evaluator": Shape("object or null", record=Evaluator),
        "scope": Shape("object or null", record=TaskScope),
    }
    __required__: ClassVar[tuple[str, ...]] = ("id",)

    @property
    def id(self) -> str:
        """Id of the task, a UUID in OSWorld's own."""
        value: str = self["id"]
        return value

    @property
    def instruction(self) -> str | None:
        """What the agent is asked to do.

        A slot's task needs it.
        """
        value: str | None = self.get("instruction")
        return value

    @property
    def snapshot(self) -> str | None:
        """OSWorld's name for the base state; it does not choose the image."""
        value: str | None = self.get("snapshot")
        return value

    @property
    def source(self) -> str | None:
        """Where the task comes from."""
        value: str | None = self.get("source")
        return value

    @property
    def related_apps(self) -> list[str]:
        """Names of the applications that the task is about."""
        return list(self.get("related_apps") or ())

    @property
    def config(self) -> list[SetupStep]:
        """Setup steps, in order."""
        return [SetupStep(item) for item in self.get("config") or ()]

    @property
    def evaluator(self) -> Evaluator | None:
        """How the outcome is checked.

        A slot's task needs it.
        """
        value = self.get("evaluator")
        return None if value is None else Evaluator(value)

    @property
    def scope(self) -> TaskScope | None:
        """What the episode may touch; not in OSWorld."""
        value = self.get("scope")
        return None if value is None else TaskScope(value)


class SlotPage(Record):
    """One page of slot records."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "items": Shape("array", each=Shape("object", record=Slot)),
        "next_after": Shape("string or null"),
    }
    __required__: ClassVar[tuple[str, ...]] = ("items", "next_after")

    @property
    def next_after(self) -> str | None:
        """What to send as `after` for the next page; None on the last one."""
        value: str | None = self.get("next_after")
        return value


class ActionResult(Record):
    """What an action did."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "returncode": Shape("integer or null"),
        "output": Shape("string or null"),
        "error": Shape("string or null"),
        "pid": Shape("integer or null"),
    }

    @property
    def returncode(self) -> int | None:
        """Exit status of the code or command, 0 for success; None for a launch and a sleep."""
        value: int | None = self.get("returncode")
        return value

    @property
    def output(self) -> str | None:
        """What it wrote to standard output."""
        value: str | None = self.get("output")
        return value

    @property
    def error(self) -> str | None:
        """What it wrote to standard error."""
        value: str | None = self.get("error")
        return value

    @property
    def pid(self) -> int | None:
        """Process id in the desktop that a launch started; None for other actions."""
        value: int | None = self.get("pid")
        return value


class StepReply(Record):
    """What one action did, and how the episode stands after it."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "slot": Shape("string or null"),
        "episode": Shape("integer or null"),
        "result": Shape("object", record=ActionResult),
        "results": Shape("array or null", each=Shape("object", record=ActionResult)),
        "validity": Shape("object or null", record=Validity),
        "seconds": Shape("number or null"),
        "screenshot_png_b64": Shape("string or null"),
    }
    __required__: ClassVar[tuple[str, ...]] = ("result",)

    @property
    def slot(self) -> str | None:
        """Id of the slot."""
        value: str | None = self.get("slot")
        return value

    @property
    def episode(self) -> int | None:
        """Number of the episode that the action belongs to, from 1."""
        value: int | None = self.get("episode")
        return value

    @property
    def result(self) -> ActionResult:
        """What the action did; of a batch, what the last action done did."""
        return ActionResult(self["result"])

    @property
    def results(self) -> list[ActionResult]:
        """What each action of a batch did, in order, up to the first that failed; None for other actions."""
        return [ActionResult(item) for item in self.get("results") or ()]

    @property
    def validity(self) -> Validity | None:
        """What the episode's gates say so far."""
        value = self.get("validity")
        return None if value is None else Validity(value)

    @property
    def seconds(self) -> float | None:
        """How long the action took in the daemon, in seconds."""
        value: float | None = self.get("seconds")
        return value

    @property
    def screenshot_png_b64(self) -> str | None:
        """The screen after the action as PNG in base64, 1920x1080 pixels, if it was asked for."""
        value: str | None = self.get("screenshot_png_b64")
        return value


class AuditRecheck(Record):
    """The same checker run once more, on a copy of the desktop where one can be had."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "ran": Shape("boolean or null"),
        "desktop": Shape("string or null"),
        "agrees": Shape("boolean or null"),
        "score": Shape("number or null"),
    }

    @property
    def ran(self) -> bool | None:
        """Whether it could be run."""
        value: bool | None = self.get("ran")
        return value

    @property
    def desktop(self) -> str | None:
        """Where it ran.

        `fork`: on a copy made before the first check, the task's closing steps included; `same`: after the first check.
        Known today: `fork`, `same`; there may be others.
        """
        value: str | None = self.get("desktop")
        return value

    @property
    def agrees(self) -> bool | None:
        """Whether it gave the same score."""
        value: bool | None = self.get("agrees")
        return value

    @property
    def score(self) -> float | None:
        """The score it gave, 0 to 1; None when there is none."""
        value: float | None = self.get("score")
        return value


class AuditChange(Record):
    """Something that is not as it was right after the task's setup."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "kind": Shape("string or null"),
        "name": Shape("string or null"),
        "change": Shape("string or null"),
    }

    @property
    def kind(self) -> str | None:
        """What it is.

        Known today: `file`, `process`, `setting`; there may be others.
        """
        value: str | None = self.get("kind")
        return value

    @property
    def name(self) -> str | None:
        """Path of the file, name of the process, or schema and key of the setting."""
        value: str | None = self.get("name")
        return value

    @property
    def change(self) -> str | None:
        """What happened to it.

        Known today: `added`, `changed`, `removed`; there may be others.
        """
        value: str | None = self.get("change")
        return value


class Audit(Record):
    """A second look at a reward."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "trusted": Shape("boolean or null"),
        "flags": Shape("array or null", each=Shape("string")),
        "recheck": Shape("object or null", record=AuditRecheck),
        "redundant": Shape("boolean or null"),
        "redundant_score": Shape("number or null"),
        "scope": Shape("string or null"),
        "beyond": Shape("array or null", each=Shape("object", record=AuditChange)),
        "start_score": Shape("number or null"),
        "checker_seconds": Shape("number or null"),
        "notes": Shape("array or null", each=Shape("string")),
    }

    @property
    def trusted(self) -> bool | None:
        """True only for a valid episode with a score and no flag."""
        value: bool | None = self.get("trusted")
        return value

    @property
    def flags(self) -> list[str]:
        """What is wrong with the reward.

        Known today: `checker_crashed`, `checker_timeout`, `out_of_scope`, `passed_at_start`, `recheck_disagrees`,
        `redundant_disagrees`, `scope_unknown`; there may be others.
        """
        return list(self.get("flags") or ())

    @property
    def recheck(self) -> AuditRecheck | None:
        """The same checker once more; None when it was not run again."""
        value = self.get("recheck")
        return None if value is None else AuditRecheck(value)

    @property
    def redundant(self) -> bool | None:
        """Whether an independent second checker gave the same score; None when the task has none, or it was not run."""
        value: bool | None = self.get("redundant")
        return value

    @property
    def redundant_score(self) -> float | None:
        """The score that the second checker gave, 0 to 1; None when there is none."""
        value: float | None = self.get("redundant_score")
        return value

    @property
    def scope(self) -> str | None:
        """Whether the episode changed only what the task is about; None when it was not looked at.

        A change beyond it is a sign of reward hacking. Known today: `within`, `beyond`; there may be others.
        """
        value: str | None = self.get("scope")
        return value

    @property
    def beyond(self) -> list[AuditChange]:
        """What the episode changed beyond the task's scope, the first 20; None when it was not looked at."""
        return [AuditChange(item) for item in self.get("beyond") or ()]

    @property
    def start_score(self) -> float | None:
        """What the checker gave for the desktop right after the task's setup, 0 to 1; None when that is not known."""
        value: float | None = self.get("start_score")
        return value

    @property
    def checker_seconds(self) -> float | None:
        """How long the checker ran, in seconds."""
        value: float | None = self.get("checker_seconds")
        return value

    @property
    def notes(self) -> list[str]:
        """What was out of the ordinary in the check, a sentence each; None when nothing was.

        No fault of the score.
        """
        return list(self.get("notes") or ())


class RewardReply(Record):
    """What an episode is worth.

    Only a reply with `valid` true and a score may train anything.
    """

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "slot": Shape("string"),
        "episode": Shape("integer or null"),
        "task_id": Shape("string or null"),
        "state": Shape("string or null"),
        "score": Shape("number or null"),
        "valid": Shape("boolean"),
        "validity": Shape("object or null", record=Validity),
        "checker_error": Shape("string or null"),
        "checker_skipped": Shape("string or null"),
        "gates": Shape("array or null", each=Shape("object", record=Gate)),
        "seconds": Shape("number or null"),
        "invalid_reasons": Shape("array or null", each=Shape("string")),
        "audit": Shape("object or null", record=Audit),
    }
    __required__: ClassVar[tuple[str, ...]] = ("slot", "valid")

    @property
    def slot(self) -> str:
        """Id of the slot."""
        value: str = self["slot"]
        return value

    @property
    def episode(self) -> int | None:
        """Number of the episode, from 1."""
        value: int | None = self.get("episode")
        return value

    @property
    def task_id(self) -> str | None:
        """Id of the task that was checked."""
        value: str | None = self.get("task_id")
        return value

    @property
    def state(self) -> str | None:
        """State of the slot.

        Known today: `creating`, `ready`, `quarantined`, `down`, `destroyed`; there may be others.
        """
        value: str | None = self.get("state")
        return value

    @property
    def score(self) -> float | None:
        """The checker's score, 0 to 1; None when there is none."""
        value: float | None = self.get("score")
        return value

    @property
    def valid(self) -> bool:
        """Whether the episode is valid: every gate passed, and never quarantined."""
        value: bool = self["valid"]
        return value

    @property
    def validity(self) -> Validity | None:
        """What the episode's gates say."""
        value = self.get("validity")
        return None if value is None else Validity(value)

    @property
    def checker_error(self) -> str | None:
        """What went wrong in the checker, in words; then there is no score."""
        value: str | None = self.get("checker_error")
        return value

    @property
    def checker_skipped(self) -> str | None:
        """Why the checker was not run, such as `quarantined: client`; then there is no score."""
        value: str | None = self.get("checker_skipped")
        return value

    @property
    def gates(self) -> list[Gate]:
        """The episode's checks, in the order they are taken."""
        return [Gate(item) for item in self.get("gates") or ()]

    @property
    def seconds(self) -> float | None:
        """How long verifying took in the daemon, in seconds."""
        value: float | None = self.get("seconds")
        return value

    @property
    def invalid_reasons(self) -> list[str]:
        """Why the episode is not valid, in words; empty when it is.

        None: a daemon that does not tell.
        """
        return list(self.get("invalid_reasons") or ())

    @property
    def audit(self) -> Audit | None:
        """What the audit of the reward found; None from a daemon before 0.4.2."""
        value = self.get("audit")
        return None if value is None else Audit(value)


class SlotUsage(Record):
    """What a slot took of the host."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "slot_seconds": Shape("number or null"),
        "share": Shape("number or null"),
        "cost": Shape("number or null"),
    }

    @property
    def slot_seconds(self) -> float | None:
        """How long it held a place on the host, in seconds."""
        value: float | None = self.get("slot_seconds")
        return value

    @property
    def share(self) -> float | None:
        """Its part of all slots' time on the host, 0 to 1."""
        value: float | None = self.get("share")
        return value

    @property
    def cost(self) -> float | None:
        """Its part of the host's cost, in the currency of `get_metrics`; None when the price is not known."""
        value: float | None = self.get("cost")
        return value


class SlotMetrics(Record):
    """The figures of one slot, over its whole life."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "slot": Shape("string or null"),
        "usage": Shape("object", record=SlotUsage),
        "operations": Shape("object", each=Shape("object", record=Latency)),
        "episodes": Shape("object", each=Shape("integer")),
        "failures": Shape("object", each=Shape("integer")),
        "retries": Shape("object", each=Shape("integer")),
        "rewards": Shape("object", record=RewardMetrics),
        "lifetime_s": Shape("number or null"),
    }
    __required__: ClassVar[tuple[str, ...]] = ("usage",)

    @property
    def slot(self) -> str | None:
        """Id of the slot."""
        value: str | None = self.get("slot")
        return value

    @property
    def usage(self) -> SlotUsage:
        """What the slot took of the host."""
        return SlotUsage(self["usage"])

    @property
    def operations(self) -> dict[str, Latency]:
        """How long each operation took, by its name."""
        values: dict[str, Any] = self.get("operations") or {}
        return {key: Latency(value) for key, value in values.items()}

    @property
    def episodes(self) -> dict[str, int]:
        """How many of its episodes ended or stand with each verdict."""
        return dict(self.get("episodes") or {})

    @property
    def failures(self) -> dict[str, int]:
        """How many failures there were by cause."""
        return dict(self.get("failures") or {})

    @property
    def retries(self) -> dict[str, int]:
        """How many times the daemon tried again by cause."""
        return dict(self.get("retries") or {})

    @property
    def rewards(self) -> RewardMetrics | None:
        """The rewards that were given."""
        value = self.get("rewards")
        return None if value is None else RewardMetrics(value)

    @property
    def lifetime_s(self) -> float | None:
        """Time since the slot was created, in seconds."""
        value: float | None = self.get("lifetime_s")
        return value


class QuiescentReply(Record):
    """How long it took until the desktop was still."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "slot": Shape("string or null"),
        "episode": Shape("integer or null"),
        "quiescent": Shape("boolean"),
        "seconds": Shape("number or null"),
    }
    __required__: ClassVar[tuple[str, ...]] = ("quiescent",)

    @property
    def slot(self) -> str | None:
        """Id of the slot."""
        value: str | None = self.get("slot")
        return value

    @property
    def episode(self) -> int | None:
        """Number of the episode, from 1."""
        value: int | None = self.get("episode")
        return value

    @property
    def quiescent(self) -> bool:
        """Whether the desktop is still; true in every reply with status 200."""
        value: bool = self["quiescent"]
        return value

    @property
    def seconds(self) -> float | None:
        """How long was waited, in seconds."""
        value: float | None = self.get("seconds")
        return value


class PreforkReply(Record):
    """A branch that is prepared in the background."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "slot": Shape("string"),
        "n": Shape("integer or null"),
        "delete_state_with_children": Shape("boolean or null"),
        "status": Shape("string or null"),
        "created_at": Shape("string or null"),
        "max_age_s": Shape("number or null"),
    }
    __required__: ClassVar[tuple[str, ...]] = ("slot",)

    @property
    def slot(self) -> str:
        """Id of the slot that will be the parent."""
        value: str = self["slot"]
        return value

    @property
    def n(self) -> int | None:
        """How many children are prepared, a count."""
        value: int | None = self.get("n")
        return value

    @property
    def delete_state_with_children(self) -> bool | None:
        """Whether the saved state is deleted when its last child is destroyed."""
        value: bool | None = self.get("delete_state_with_children")
        return value

    @property
    def status(self) -> str | None:
        """How far it is.

        Known today: `preparing`, `ready`, `claimed`, `discarded`, `failed`; there may be others.
        """
        value: str | None = self.get("status")
        return value

    @property
    def created_at(self) -> str | None:
        """When it was asked for, RFC 3339 in UTC."""
        value: str | None = self.get("created_at")
        return value

    @property
    def max_age_s(self) -> float | None:
        """How long it waits for its branch, in seconds."""
        value: float | None = self.get("max_age_s")
        return value


class BranchChild(Record):
    """A child's slot record, or with `error` why there is none."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "id": Shape("string or null"),
        "state": Shape("string or null"),
        "error": Shape("string or null"),
        "code": Shape("string or null"),
        "episode": Shape("integer or null"),
        "checkpoint": Shape("string or null"),
        "task": Shape("object or null", record=TaskRef),
        "validity": Shape("object or null", record=Validity),
        "last_error": Shape("string or null"),
        "reason": Shape("string or null"),
        "closed_reason": Shape("string or null"),
        "created_at": Shape("string or null"),
        "last_used_at": Shape("string or null"),
        "idle_timeout_s": Shape("number or null"),
        "ttl_s": Shape("number or null"),
        "parent": Shape("string or null"),
    }

    @property
    def id(self) -> str | None:
        """Id of the child; None when there is none."""
        value: str | None = self.get("id")
        return value

    @property
    def state(self) -> str | None:
        """State of the child; None when there is none.

        Known today: `creating`, `ready`, `quarantined`, `down`, `destroyed`; there may be others.
        """
        value: str | None = self.get("state")
        return value

    @property
    def error(self) -> str | None:
        """Why it did not come up; None when it did."""
        value: str | None = self.get("error")
        return value

    @property
    def code(self) -> str | None:
        """A word for the error.

        Known today: `overloaded`, `quota_exceeded`, `restore_failed`, `task_setup_failed`, `unavailable`; there may be
        others.
        """
        value: str | None = self.get("code")
        return value

    @property
    def episode(self) -> int | None:
        """Number of the current episode, from 1."""
        value: int | None = self.get("episode")
        return value

    @property
    def checkpoint(self) -> str | None:
        """Id of the image or saved state that the slot was made from and is reset to."""
        value: str | None = self.get("checkpoint")
        return value

    @property
    def task(self) -> TaskRef | None:
        """The slot's task; None when it has none."""
        value = self.get("task")
        return None if value is None else TaskRef(value)

    @property
    def validity(self) -> Validity | None:
        """What the current episode's gates say so far; None when there is no episode."""
        value = self.get("validity")
        return None if value is None else Validity(value)

    @property
    def last_error(self) -> str | None:
        """What last went wrong, in words; starts with `restore failed` or `task setup failed` for those."""
        value: str | None = self.get("last_error")
        return value

    @property
    def reason(self) -> str | None:
        """Why the slot is quarantined."""
        value: str | None = self.get("reason")
        return value

    @property
    def closed_reason(self) -> str | None:
        """Why the slot was destroyed."""
        value: str | None = self.get("closed_reason")
        return value

    @property
    def created_at(self) -> str | None:
        """When it was created, RFC 3339 in UTC."""
        value: str | None = self.get("created_at")
        return value

    @property
    def last_used_at(self) -> str | None:
        """When a request last named it, RFC 3339 in UTC."""
        value: str | None = self.get("last_used_at")
        return value

    @property
    def idle_timeout_s(self) -> float | None:
        """Seconds unused after which it is reaped; 0 never."""
        value: float | None = self.get("idle_timeout_s")
        return value

    @property
    def ttl_s(self) -> float | None:
        """Seconds after its creation after which it is reaped; 0 never."""
        value: float | None = self.get("ttl_s")
        return value

    @property
    def parent(self) -> str | None:
        """Id of the slot that it was branched from."""
        value: str | None = self.get("parent")
        return value


class BranchReply(Record):
    """A saved state, and the slots that were started from it."""

    __slots__ = ()

    __shapes__: ClassVar[Mapping[str, Shape]] = {
        "state": Shape("string"),
        "checkpoint": Shape("object or null", record=Checkpoint),
        "children": Shape("array", each=Shape("object", record=BranchChild)),
        "seconds": Shape("number or null"),
    }
    __required__: ClassVar[tuple[str, ...]] = ("state", "children")

    @property
    def state(self) -> str:
        """Id of the saved state, the same as `checkpoint.id`."""
        value: str = self["state"]
        return value

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The saved state's record."""
        value = self.get("checkpoint")
        return None if value is None else Checkpoint(value)

    @property
    def children(self) -> list[BranchChild]:
        """The children, in the order they were asked for."""
        return [BranchChild(item) for item in self.get("children") or ()]

    @property
    def seconds(self) -> float | None:
        """How long the branch took in the daemon, in seconds, without the wait for a still desktop."""
        value: float | None = self.get("seconds")
        return value
