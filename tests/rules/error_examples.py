"""One error of each kind as a user meets it: a row of the table, a record, a lost reply, a refusal of the SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums import errors
from drums.actions import action
from drums.reward import Reward
from tests.strategies import SOUND

if TYPE_CHECKING:
    from collections.abc import Mapping

CREATE = errors.Facts(tried="create()", method="POST", path="/v1/slots")
FORK = errors.Facts(tried="fork(8) of s104", method="POST", path="/v1/slots/s104/branch")
VERIFY = errors.Facts(tried="verify() of s104", method="POST", path="/v1/slots/s104/verify", request_id="7f3a")
WORDS = {"not_quiescent": "processes still starting after 30 s", "quota_exceeded": "8 more would be 40 of 32 envs"}
SLOT = {"id": "s105", "state": "down", "last_error": "restore failed: no memory for 212 processes"}
QUARANTINED = {"id": "s105", "state": "quarantined", "reason": "gate network failed: 10.0.0.1 answers"}
SETUP = {"id": "s105", "state": "down", "last_error": "task setup failed: download: no file at the address"}


def of_rows() -> dict[str, errors.DrumsError]:
    """One error a row, in the table's order."""
    return {name(row): errors.error_from(status_in(row), body_for(row), **FORK) for row in errors.rows}


def name(row: errors.Row) -> str:
    """What a row is about, in short."""
    status = f"{row.status[0]}-{row.status[-1]}" if isinstance(row.status, range) else str(row.status)
    return " ".join(word for word in (status, row.code, row.words) if word)


def status_in(row: errors.Row) -> int:
    """A status of the row that no row before it takes."""
    return row.status if isinstance(row.status, int) else row.status[18]


def body_for(row: errors.Row) -> dict[str, object]:
    """What a server sends with this row."""
    body: dict[str, object] = {"error": row.words or WORDS.get(row.code or "", "what the server says")}
    if row.code:
        body["code"] = row.code
    if status_in(row) in {429, 503}:
        body["retry_after_s"] = 2.5
    return body


def of_create(cls: type[errors.EnvFailed], record: Mapping[str, object]) -> errors.EnvFailed:
    """What create() raises of a record."""
    return cls(record, tried="create()", method="POST", path="/v1/slots")


def of_records() -> dict[str, errors.DrumsError]:
    """One error a class that no status gives."""
    invalid = Reward(
        SOUND | {"valid": False, "gates": [{"name": "network", "status": "failed"}], "state": "quarantined"}
    )
    failed: list[BaseException] = [errors.RestoreFailed(SLOT), errors.GateFailed(QUARANTINED)]
    ended = {"returncode": 1, "output": "", "error": "Traceback:\n  NameError: name 'pyautogi' is not defined"}
    return {
        "an env in a state of a newer server": of_create(errors.EnvFailed, {"id": "s105", "state": "hibernating"}),
        "an env that did not come up": of_create(errors.RestoreFailed, SLOT),
        "an env that is quarantined": of_create(errors.GateFailed, QUARANTINED),
        "a task that was not set up": of_create(errors.TaskSetupFailed, SETUP),
        "a fork that came short": errors.ForkError(["s1", "s2"], failed, "c7", **FORK),
        "a batch that came short": errors.BatchError(["s1"], [overloaded()], tried="create_many(2)"),
        "an invalid episode": errors.InvalidEpisode(invalid, **VERIFY),
        "a checker that failed": errors.CheckerError(Reward(SOUND | {"checker_error": "no such file"}), **VERIFY),
        "an action that failed": errors.ActionFailed(ended, "pyautogi.click()", tried="step() of s104"),
    }


def overloaded() -> errors.DrumsError:
    """A host that is full."""
    return errors.error_from(429, {"error": "32 of 32 envs", "code": "overloaded", "retry_after_s": 30}, **CREATE)


def of_transports() -> dict[str, errors.DrumsError]:
    """Errors without a reply, with a gateway's reply, and with one that can't be read."""
    wrong = errors.ProtocolError(200, 'expected number or null, got "1.0"', where="$.score", **VERIFY)
    page = "<html><head><title>502 Bad Gateway</title></head></html>"
    get = errors.Facts(tried="health()", method="GET", path="/v1/health", sent="maybe")
    unsent: errors.Facts = {**CREATE, "sent": "no"}
    lost: errors.Facts = {**CREATE, "sent": "maybe"}
    return {
        "nothing listens": errors.error_from(0, message="connection refused", **unsent),
        "a lost reply to a GET": errors.error_from(0, message="no reply in 900 s", **get),
        "a lost reply to a POST": errors.error_from(0, message="no reply in 900 s", **lost),
        "a gateway's page": errors.error_from(502, page, **CREATE),
        "an empty reply": errors.error_from(500, "", **CREATE),
        "a reply that is not what the spec says": wrong,
    }


def of_refusals() -> dict[str, errors.DrumsError]:
    """Actions that the SDK refuses before it sends anything."""
    given: dict[str, object] = {
        "no action": 5,
        "an unknown type": {"type": "zoom"},
        "no code": {"type": "pyautogui"},
        "no command": {"type": "execute", "command": []},
        "a shell that is no flag": {"type": "launch", "command": "ls", "shell": "yes"},
        "a negative pause": {"type": "sleep", "seconds": -1},
        "a field that is no JSON": {"type": "sleep", "seconds": 1, "note": {1}},
        "half a character": "\ud800",
    }
    return {what: refusal(wrong) for what, wrong in given.items()}


def refusal(given: object) -> errors.BadRequest:
    """The error that an action gives."""
    try:
        action(given, tried="step() of s104")  # type: ignore[arg-type]
    except errors.BadRequest as error:
        return error
    raise AssertionError(f"{given!r} was taken for an action")


def all_examples() -> dict[str, errors.DrumsError]:
    """All of them, by what happened."""
    return of_rows() | of_records() | of_transports() | of_refusals()
