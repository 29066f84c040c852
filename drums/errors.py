"""Every failure of drums is a `DrumsError`: which class a reply gives, what its message says, what to do about it.

    DrumsError                    status message body code method path request_id retry_after sent hint record gates
     +-- BadRequest               400, 422, or refused by the SDK before sending (sent == "no")
     |    +-- TaskUnsupported     422 task_unsupported
     +-- AuthError                401
     +-- Forbidden                403
     |    +-- QuotaExceeded       403 quota_exceeded
     +-- NotFound                 404
     +-- Conflict                 409
     |    +-- NotQuiescent        409 not_quiescent
     |    +-- CheckpointStale     409 checkpoint_stale
     +-- EnvGone                  410, or 409 "slot is destroyed"; closed_reason
     +-- Overloaded               429; retry_after
     +-- GuestError               502
     +-- DaemonUnavailable        503, or no reply at all (status 0)
     +-- ProtocolError            a reply that is not what the spec says; where
     +-- EnvFailed                from records: an env that is not ready; record
     |    +-- RestoreFailed       it did not come up
     |    +-- GateFailed          it is quarantined, or its episode is invalid
     |    +-- TaskSetupFailed     its task's setup did not happen
     +-- ForkError                from records: children that did not come up; ok, failed, state
     +-- BatchError               from records: envs of create_many() that were not made; ok, failed
     +-- InvalidEpisode           from records: verify() of an episode that is not valid; reward, invalid_reasons
     +-- CheckerError             from records: verify() whose checker failed; reward
     +-- ActionFailed             from records: a returncode that is not 0; result, action, returncode, output, error

`rows` is the one table from (status, code, words) to class and hint. Nothing here parses JSON, sends or retries.
The one invariant: neither `str`, `repr` nor a pickle of an error holds a bearer token, a `drums_sk_` key or a URL's
user name and password; `.body` alone is raw, and it is cleaned when it is pickled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, TypedDict, cast

from drums._quote import excerpt, mapping_at, one_line, redacted, scrubbed, seconds_at, text_at, words_of

if TYPE_CHECKING:
    from typing import Unpack

    from drums.records import GateReport, Slot
    from drums.reward import Reward

Sent = Literal["no", "maybe", "yes"]
"""What the server may have done: `no` it never saw the request, `maybe` it can't be known, `yes` it replied."""


class Facts(TypedDict, total=False):
    """What an error may know beside status, message and body; all optional."""

    code: str | None
    method: str | None
    path: str | None
    request_id: str | None
    retry_after: float | None
    sent: Sent
    tried: str | None
    hint: str | None
    record: Slot | None
    gates: GateReport | None


class DrumsError(Exception):
    """Something that was asked of drums did not happen; `str(e)` is `<tried>: <happened>. <do>`.

    Args:
        status: HTTP status of the reply; 0 when there was none; 200 for an error that a record tells.
        message: What happened, in the server's words or the SDK's.
        body: The reply's body as it came: parsed JSON, else text.
        code: The server's word for the error.
        method: Of the request.
        path: Of the request, with its query.
        request_id: The server's name for the request.
        retry_after: Seconds to wait before trying again, where the server says so.
        sent: What the server may have done.
        tried: The call as the caller wrote it, with the id: `fork(8) of s104`.
        hint: What to do, instead of the class's own.
        record: The env's record, where the error is about one.
        gates: The episode's gate report, where the server sent one.
    """

    default_hint: ClassVar[str] = "Look at client.health()"
    """What to do about an error of this class, where neither the table nor the caller knows better."""
    _composed: ClassVar[bool] = False
    """Whether the message is the SDK's, with excerpts in it, and the status says nothing; else it is the server's."""

    def __init__(
        self,
        status: int,
        message: str,
        body: object = None,
        *,
        code: str | None = None,
        method: str | None = None,
        path: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        sent: Sent = "yes",
        tried: str | None = None,
        hint: str | None = None,
        record: Slot | None = None,
        gates: GateReport | None = None,
    ) -> None:
        self.status = status
        self.message: str = redacted(message)
        self.body = body
        self.code = code
        self.method = method
        self.path = path
        self.request_id = request_id
        self.retry_after = retry_after
        self.sent: Sent = sent
        self.tried = tried
        self.hint: str = hint if hint is not None else self.default_hint
        self.record = record
        self.gates = gates
        super().__init__(status, self.message)

    def __str__(self) -> str:
        tried = _tried(self.tried, self.method, self.path)
        told = f"{self._happened()}. {self.hint.rstrip('.')}." if self.hint else f"{self._happened()}."
        return one_line(f"{tried}: {told}" if tried else told)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args, scrubbed(self.__dict__))

    def _happened(self) -> str:
        told = self.message if self._composed else excerpt(self.message)
        told = told or ("no reply" if self.status == 0 else "nothing more is known")
        if not self._composed and self.status and self.sent != "no":
            told = f"{self.status} {excerpt(self.code)}, {told}" if self.code else f"{self.status}, {told}"
        if self.retry_after is not None:
            told += f", retry after {self.retry_after:g} s"
        return told if self.request_id is None else f"{told} (request id {excerpt(self.request_id)})"


class BadRequest(DrumsError):
    """The request is wrong as it stands. With `sent == "no"` the SDK refused it and the server never saw it."""

    default_hint = "Correct what the message names; the same request is refused again"


class TaskUnsupported(BadRequest):
    """The task needs a setup step or a checker that the server does not have; the message names it."""

    default_hint = "Take a task that this server knows: client.tasks()"


class AuthError(DrumsError):
    """The token is missing, or not one of this server's."""

    default_hint = "Give connect(token=...) this server's token, or set DRUMS_TOKEN or DRUMS_TOKEN_FILE"


class Forbidden(DrumsError):
    """The token is good, but may not do this."""

    default_hint = "Use a token that may do this: connect(token=...)"


class QuotaExceeded(Forbidden):
    """It would exceed what the workspace may hold; refused before anything started."""

    default_hint = "Nothing was started; ask for fewer, or close envs with env.close()"


class NotFound(DrumsError):
    """No env, image, state or task has this id."""

    default_hint = "See what there is with client.envs(), client.images() or client.tasks()"


class Conflict(DrumsError):
    """What it is about is in no state to do this now."""

    default_hint = "Look at env.refresh(); release() and then reset() bring a quarantined env back"


class NotQuiescent(Conflict):
    """The desktop's processes did not come to rest in time; nothing was captured."""

    default_hint = "Nothing was captured; wait_quiescent(60) first, or raise quiesce_timeout"


class CheckpointStale(Conflict):
    """The saved state or image can no longer be restored on this server."""

    default_hint = "Make it anew with env.save(), or create() from an image"


class EnvGone(DrumsError):
    """The env was destroyed: closed, or reaped by its lease."""

    default_hint = "Make another with client.create(); idle_timeout and ttl say how long it lives"

    @property
    def closed_reason(self) -> str | None:
        """Why the server destroyed it, where it says so."""
        return next((why for why in (text_at(told, "closed_reason") for told in (self.body, self.record)) if why), None)


class Overloaded(DrumsError):
    """The host is full; refused before anything started. `retry_after` is in seconds, or None."""

    default_hint = "Nothing was started; wait and try again, or close envs with env.close()"


class GuestError(DrumsError):
    """The desktop runs, but what is inside did not answer, or not in time."""

    default_hint = "Look at env.screenshot() and env.gates(); reset() gives a fresh desktop"


class DaemonUnavailable(DrumsError):
    """Nothing answers at the URL, or it says that it can't work now. `sent` tells what it may have done."""

    default_hint = "Wait and try again; client.health() tells when it is back"


class ProtocolError(DrumsError):
    """The server replied, but not what the spec says.

    Args:
        status: HTTP status of the reply.
        message: What was expected and what came.
        body: The reply's body as it came.
        where: JSON path of the field, `$.score`; None for the reply as a whole.
        facts: As for every `DrumsError`.
    """

    default_hint = "Report it to whoever runs the server; client.health() tells its version"
    _composed = True

    def __init__(
        self, status: int, message: str, body: object = None, *, where: str | None = None, **facts: Unpack[Facts]
    ) -> None:
        told = excerpt(message)
        super().__init__(status, f"{told} at {excerpt(where)}" if where else told, body, **facts)
        self.where = where

    def _happened(self) -> str:
        return f"the server's reply is not what the spec says: {super()._happened()}"


class EnvFailed(DrumsError):
    """An env is not ready; `.record` says what it is.

    Args:
        record: The env's record.
        message: What happened; None: read from the record.
        facts: As for every `DrumsError`.
    """

    default_hint = "Look at env.record; reset() may bring it back, close() ends it"
    _composed = True
    record: Slot

    def __init__(self, record: Mapping[str, object], /, message: str | None = None, **facts: Unpack[Facts]) -> None:
        facts["record"] = cast("Slot", record)
        super().__init__(200, _what_failed(record) if message is None else excerpt(message), record, **facts)


class RestoreFailed(EnvFailed):
    """The desktop did not come up from its image or state."""

    default_hint = "Try again; where it stays so, the server's log says why"


class GateFailed(EnvFailed):
    """The env is quarantined, or a gate of its episode failed: nothing done in it may be trained on."""

    default_hint = "Leave it out of training; release() and then reset() start anew, close() ends it"


class TaskSetupFailed(EnvFailed):
    """The desktop came up, but a setup step of its task did not happen."""

    default_hint = "Correct the step that the message names; client.task(id) shows it"


class ForkError(DrumsError):
    """Some children of a fork did not come up.

    Args:
        ok: The children that did; they are live.
        failed: One error a child that did not.
        state: Id of the saved state that they were made from.
        facts: As for every `DrumsError`.
    """

    default_hint = "Use or close the envs in .ok; fork(n, strict=False) returns them all"
    _composed = True

    def __init__(
        self, ok: Sequence[Any], failed: Sequence[BaseException], state: str | None = None, **facts: Unpack[Facts]
    ) -> None:
        message = f"{_count(failed, ok, 'child', 'children')} did not come up: {_first(failed)}"
        super().__init__(200, message, None, **facts)
        self.ok: list[Any] = list(ok)
        self.failed: list[BaseException] = list(failed)
        self.state = state


class BatchError(DrumsError):
    """Some envs of a `create_many` were not made. `status` and `retry_after` are those of the failures.

    Args:
        ok: The envs that were made; they are live.
        failed: One error an env that was not.
        facts: As for every `DrumsError`.
    """

    default_hint = "Use or close the envs in .ok; .failed says why of the others"
    _composed = True

    def __init__(self, ok: Sequence[Any], failed: Sequence[BaseException], **facts: Unpack[Facts]) -> None:
        known = [error for error in failed if isinstance(error, DrumsError)]
        waits = [error.retry_after for error in known if error.retry_after is not None]
        facts.setdefault("retry_after", max(waits, default=None))
        message = f"{_count(failed, ok, 'env', 'envs')} not made: {_first(failed)}"
        super().__init__(known[0].status if known else 200, message, None, **facts)
        self.ok: list[Any] = list(ok)
        self.failed: list[BaseException] = list(failed)


class InvalidEpisode(DrumsError):
    """The episode is not valid: whatever its score, it must not be trained on.

    Args:
        reward: What verify() read; `.invalid_reasons` says why.
        facts: As for every `DrumsError`.
    """

    default_hint = "Leave it out of training; verify(strict=False) returns it, reset() starts a new episode"
    _composed = True

    def __init__(self, reward: Reward, **facts: Unpack[Facts]) -> None:
        episode = excerpt(f"episode {reward.episode} of {reward.env_id} is {reward.verdict}")
        super().__init__(200, f"{episode}: {excerpt(', '.join(reward.invalid_reasons))}", reward.raw, **facts)
        self.reward = reward

    @property
    def invalid_reasons(self) -> list[str]:
        """Why the episode is not valid; never empty."""
        return self.reward.invalid_reasons


class CheckerError(DrumsError):
    """The task's checker gave no score: it failed. That is not a score of 0.

    Args:
        reward: What verify() read; `.checker_error` says what failed.
        facts: As for every `DrumsError`.
    """

    default_hint = "Leave it out of training, it is no 0; verify(strict=False) returns it"
    _composed = True

    def __init__(self, reward: Reward, **facts: Unpack[Facts]) -> None:
        what = excerpt(str(reward.checker_error or "it gave neither a score nor a reason"))
        super().__init__(200, f"{excerpt(f'the checker of task {reward.task_id} failed')}: {what}", reward.raw, **facts)
        self.reward = reward


class ActionFailed(DrumsError):
    """An action ran in the desktop and ended with another returncode than 0.

    Args:
        result: The step's reply, or its `result` alone.
        action: The action as it was sent.
        facts: As for every `DrumsError`.
    """

    default_hint = "Read .output and .error; step(action, check=False) returns it"
    _composed = True

    def __init__(self, result: Mapping[str, Any], action: Mapping[str, object] | str, **facts: Unpack[Facts]) -> None:
        inner = result.get("result")
        outcome: Mapping[str, Any] = cast("Mapping[str, Any]", inner) if isinstance(inner, Mapping) else result
        self.result = result
        self.action = action
        self.returncode: int | None = outcome.get("returncode")
        self.output: str | None = outcome.get("output")
        self.error: str | None = outcome.get("error")
        words = excerpt(str(self.error or self.output or ""), end=True) or "it printed nothing"
        super().__init__(200, f"the action ended with returncode {self.returncode}: {words}", result, **facts)


class Row(NamedTuple):
    """One line of the table: a reply with this status, this code and these words gives this class and this hint."""

    status: int | range
    code: str | None
    """None: any, or none."""
    words: str | None
    """What the message must contain, in lower case; None: anything."""
    cls: type[DrumsError]
    hint: str | None = None
    """What to do; None: the class's `default_hint`."""

    def matches(self, status: int, code: str | None, message: str) -> bool:
        """Whether a reply falls under this row; the first row that matches counts."""
        right_status = status in self.status if isinstance(self.status, range) else status == self.status
        right_code = self.code is None or self.code == code
        return right_status and right_code and (self.words is None or self.words in message.lower())


_UNREACHABLE = "Check the URL given to connect() or in DRUMS_URL; `drums up` starts a daemon on this machine"
_REDIRECT = "Give connect() the address it points to; redirects are not followed, they would carry the token along"
UNKNOWN_OUTCOME: Final = "The server may have done it; look with client.envs() or env.refresh() before you repeat it"
"""The hint when a request that changes something may have been done and no reply says so."""

rows: Final = (
    Row(0, None, None, DaemonUnavailable, _UNREACHABLE),
    Row(400, None, None, BadRequest),
    Row(401, None, None, AuthError),
    Row(403, "quota_exceeded", None, QuotaExceeded),
    Row(403, None, None, Forbidden),
    Row(404, None, None, NotFound),
    Row(409, None, "slot is destroyed", EnvGone),
    Row(409, "not_quiescent", None, NotQuiescent),
    Row(409, "checkpoint_stale", None, CheckpointStale),
    Row(409, None, None, Conflict),
    Row(410, None, None, EnvGone),
    Row(422, "task_unsupported", None, TaskUnsupported),
    Row(422, None, None, BadRequest),
    Row(429, None, None, Overloaded),
    Row(502, None, None, GuestError),
    Row(503, None, None, DaemonUnavailable),
    Row(504, None, None, DrumsError, UNKNOWN_OUTCOME),
    Row(range(300, 400), None, None, DrumsError, _REDIRECT),
    Row(range(400, 500), None, None, DrumsError, "Compare client.health().version with what this call needs"),
    Row(range(500, 600), None, None, DrumsError, "Look at the server's log; client.health() tells if it still works"),
    Row(range(100, 300), None, None, ProtocolError),
)
"""From a reply to its class and hint: the first row that matches."""

_GATEWAY_SPEAKS: Final = frozenset({502, 503, 504})
"""Statuses that a gateway gives too, without the server's words: then nobody knows what the server did."""


def row_for(status: int, code: str | None, message: str) -> Row:
    """The first row that matches; for a status outside 100 to 599 and 0 a row of the plain class."""
    matching = (row for row in rows if row.matches(status, code, message))
    return next(matching, Row(status, None, None, DrumsError))


def class_for(status: int, code: str | None, message: str) -> type[DrumsError]:
    """The class of a reply; total over all statuses."""
    return row_for(status, code, message).cls


def error_from(status: int, body: object = None, *, message: str | None = None, **facts: Unpack[Facts]) -> DrumsError:
    """The error that a reply is, or that stands for no reply (status 0).

    Args:
        status: HTTP status; 0 when no reply came.
        body: Parsed JSON, else the text; kept as it is.
        message: What happened, where the body does not say it (a transport's words).
        facts: What the caller knows; what it leaves out is read from the body.
    """
    words = message if message is not None else words_of(body)
    code = facts.setdefault("code", text_at(body, "code"))
    facts.setdefault("retry_after", seconds_at(body, "retry_after_s"))
    facts.setdefault("request_id", text_at(body, "request_id"))
    facts.setdefault("record", cast("Slot | None", _slot_in(body)))
    facts.setdefault("gates", cast("GateReport | None", mapping_at(body, "gates")))
    if status in _GATEWAY_SPEAKS and text_at(body, "error") is None:
        facts["sent"] = "maybe"
    row = row_for(status, code, words)
    if facts.get("hint") is None:
        unknown = facts.get("sent") == "maybe" and facts.get("method") != "GET"
        facts["hint"] = UNKNOWN_OUTCOME if unknown else row.hint
    return row.cls(status, words, body, **facts)


def conceal(error: BaseException, *secrets: str) -> None:
    """Take the secrets out of an error, its body and its causes: what a server repeats of the client's own token."""
    link: BaseException | None = error
    done: set[int] = set()
    while link is not None and id(link) not in done:
        done.add(id(link))
        link.__dict__.update(scrubbed(link.__dict__, *secrets))
        link.args = scrubbed(link.args, *secrets)
        link = link.__cause__ or link.__context__


def failure_of(record: Mapping[str, object]) -> EnvFailed | None:
    """The failure that an env's record tells, None for one that is ready; a state that is not known is a failure."""
    state = record.get("state")
    if state == "ready":
        return None
    if state == "quarantined":
        return GateFailed(record)
    if state != "down":
        return EnvFailed(record)
    setup = "task setup" in str(record.get("last_error")).lower()
    return TaskSetupFailed(record) if setup else RestoreFailed(record)


def _rebuild(cls: type[DrumsError], args: tuple[Any, ...], attributes: dict[str, Any]) -> DrumsError:
    """An error from its pickle: without `__init__`, whose arguments differ from class to class."""
    error = cls.__new__(cls, *args)
    error.__dict__.update(attributes)
    return error


def _tried(tried: str | None, method: str | None, path: str | None) -> str:
    request = f"{method or ''} {path or ''}".strip()
    return f"{tried} ({request})" if tried and request else tried or request


def _what_failed(record: Mapping[str, object]) -> str:
    why = next((word for name in ("last_error", "reason", "closed_reason") if (word := text_at(record, name))), None)
    told = excerpt(f"{record.get('id', 'the env')} is {record.get('state', 'in an unknown state')}")
    return f"{told}: {excerpt(why)}" if why else told


def _count(failed: Sequence[object], ok: Sequence[object], one: str, many: str) -> str:
    total = len(failed) + len(ok)
    return f"{len(failed)} of {total} {one if total == 1 else many}"


def _first(failed: Sequence[BaseException]) -> str:
    if not failed:
        return "no reason is known"
    first = failed[0]
    return excerpt((first.message if isinstance(first, DrumsError) else str(first)) or type(first).__name__)


def _slot_in(body: object) -> Mapping[str, object] | None:
    slot = mapping_at(body, "slot")
    if slot is None and text_at(body, "id") and text_at(body, "state"):
        return cast("Mapping[str, object]", body)  # an old daemon sends the record's fields beside `error`
    return slot
