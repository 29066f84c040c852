"""One table gives every reply its error; every error survives a pickle with all that it knows."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from drums import errors
from drums._quote import EXCERPT_CHARS, excerpt, one_line
from drums.errors import BadRequest, DaemonUnavailable, DrumsError, EnvFailed, EnvGone
from tests.rules.error_examples import all_examples, body_for, name, status_in
from tests.strategies import Json, codes, error_bodies, facts, messages, not_ready, slots, statuses

EXAMPLES = all_examples()
NEAREST: dict[int, type[DrumsError]] = {
    0: DaemonUnavailable,
    400: BadRequest,
    401: errors.AuthError,
    403: errors.Forbidden,
    404: errors.NotFound,
    409: errors.Conflict,
    410: EnvGone,
    422: BadRequest,
    429: errors.Overloaded,
    502: errors.GuestError,
    503: DaemonUnavailable,
}
"""The contract's table without its codes; other 4xx and 5xx are the plain class."""


def nearest(status: int) -> type[DrumsError]:
    """The class of a status whose code says nothing."""
    return errors.ProtocolError if 100 <= status < 300 else NEAREST.get(status, DrumsError)


@pytest.mark.parametrize("row", errors.rows, ids=name)
def test_every_row_is_reached(row: errors.Row) -> None:
    body = body_for(row)
    assert errors.row_for(status_in(row), row.code, str(body["error"])) is row


@given(statuses)
def test_every_status_has_a_class_and_a_hint(status: int) -> None:
    row = errors.row_for(status, None, "")
    assert row in errors.rows
    assert row.cls is nearest(status)
    assert row.hint or row.cls.default_hint


@given(st.integers() | statuses, codes, messages)
def test_an_unknown_pair_gives_the_nearest_class_of_its_status(status: int, code: str | None, message: str) -> None:
    cls = errors.class_for(status, code, message)
    event(cls.__name__)
    assert issubclass(cls, nearest(status)) or (cls is EnvGone and status == 409 and "destroyed" in message.lower())


@pytest.mark.parametrize(
    ("status", "code", "cls"),
    [
        (403, "quota_exceeded", errors.QuotaExceeded),
        (403, "new_code", errors.Forbidden),
        (409, "not_quiescent", errors.NotQuiescent),
        (409, "checkpoint_stale", errors.CheckpointStale),
        (422, "task_unsupported", errors.TaskUnsupported),
        (400, "task_unsupported", BadRequest),
        (429, "quota_exceeded", errors.Overloaded),
    ],
)
def test_codes_refine_their_own_status_only(status: int, code: str, cls: type[DrumsError]) -> None:
    assert errors.class_for(status, code, "no") is cls


def test_a_destroyed_slot_is_gone_also_on_a_daemon_before_0_4_2() -> None:
    error = errors.error_from(
        409, {"error": "Slot is destroyed (idle)", "code": "conflict", "closed_reason": "idle_timeout"}
    )
    assert isinstance(error, EnvGone)
    assert error.closed_reason == "idle_timeout"


def test_the_tree_in_the_docstring_is_the_tree_of_classes() -> None:
    lines = (errors.__doc__ or "").split("\n\n")[1].splitlines()
    drawn: dict[str, str | None] = {}
    above: dict[int, str] = {}
    for line in lines:
        depth, word = line.count("|") + line.count("+--"), line.replace("|", " ").replace("+--", "").split()[0]
        above[depth] = word
        drawn[word] = above[depth - 1] if depth else None
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, DrumsError)]
    assert drawn == {kind.__name__: kind.__base__.__name__ if kind is not DrumsError else None for kind in kinds}  # type: ignore[union-attr]


def test_every_class_has_its_own_hint() -> None:
    hints = [kind.__dict__.get("default_hint") for kind in {type(error) for error in EXAMPLES.values()}]
    assert None not in hints
    assert len(set(hints)) == len(hints)


@given(statuses, error_bodies, facts)
@example(409, {"error": "no", "slot": {"id": "s1"}, "gates": {"slot": "s1", "gates": []}}, {})
def test_any_reply_gives_an_error_with_its_body(status: int, body: Any, known: errors.Facts) -> None:
    error = errors.error_from(status, body, **known)
    assert (error.status, error.body) == (status, body)
    assert error.message
    assert isinstance(error.retry_after, float | None)
    assert error.retry_after is None or 0 <= error.retry_after < math.inf
    assert isinstance(error.code, str | None)
    assert isinstance(error.request_id, str | None)
    for fact, value in known.items():
        if fact != "sent":
            assert getattr(error, fact) == value
    told = str(error)
    assert told.isprintable()
    assert told.encode()
    assert one_line(error.hint).rstrip(". ") in told


@given(statuses, error_bodies, facts)
def test_every_error_survives_pickle_and_deepcopy_with_all_it_knows(
    status: int, body: Any, known: errors.Facts
) -> None:
    assert_survives(errors.error_from(status, body, **known))


@pytest.mark.parametrize("what", EXAMPLES)
def test_every_kind_of_error_survives_pickle_and_deepcopy(what: str) -> None:
    assert_survives(EXAMPLES[what])


def assert_survives(error: DrumsError) -> None:
    """The copy is of the same class, says the same, and has the same attributes, notes included."""
    error.add_note("in rollout 7")
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error), copy.copy(error)):
        assert type(again) is type(error)
        assert (str(again), again.args, again.__notes__) == (str(error), error.args, error.__notes__)
        assert repr(again.__dict__) == repr(error.__dict__)
    del error.__notes__


def test_an_error_made_as_in_0_2_5_reads_as_there() -> None:
    error = errors.NotFound(404, "no slot s9", {"error": "no slot s9"})
    assert (error.status, error.message, error.body) == (404, "no slot s9", {"error": "no slot s9"})
    assert (error.code, error.method, error.path, error.request_id, error.retry_after) == (None,) * 5
    assert (error.record, error.gates, error.sent) == (None, None, "yes")
    assert str(error).startswith("404, no slot s9. ")
    assert repr(error) == f"<NotFound {error}>"


def test_a_subclass_of_a_user_survives_too() -> None:
    error = MineError("s104", 3)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.env_id, again.turns, str(again)) == (MineError, "s104", 3, str(error))


class MineError(DrumsError):
    """An error of a program that uses drums."""

    def __init__(self, env_id: str, turns: int) -> None:
        super().__init__(200, f"{env_id} took {turns} turns", hint="Give it more turns")
        self.env_id, self.turns = env_id, turns


@given(slots(st.just("ready")))
def test_a_ready_env_has_not_failed(record: Json) -> None:
    assert errors.failure_of(record) is None


@given(slots(not_ready))
def test_an_env_in_any_other_state_has_failed_in_its_way(record: Json) -> None:
    failure = errors.failure_of(record)
    assert isinstance(failure, EnvFailed)
    event(type(failure).__name__)
    assert isinstance(failure, errors.GateFailed) is (record["state"] == "quarantined")
    assert isinstance(failure, errors.RestoreFailed | errors.TaskSetupFailed) is (record["state"] == "down")
    assert isinstance(failure, errors.TaskSetupFailed) is (
        record["state"] == "down" and "task setup" in (record.get("last_error") or "")
    )
    assert failure.record == record
    assert record["id"] in str(failure)
    assert record["state"] in str(failure)


@given(st.lists(st.sampled_from(sorted(EXAMPLES)), max_size=5), st.lists(st.integers(), max_size=3))
def test_a_fork_and_a_batch_keep_every_env_and_every_failure(what: list[str], ok: list[int]) -> None:
    failed = [EXAMPLES[key] for key in what]
    waits = [error.retry_after for error in failed if error.retry_after is not None]
    fork, batch = errors.ForkError(ok, failed, "c7"), errors.BatchError(ok, failed)
    assert (fork.ok, fork.failed, fork.state, batch.ok, batch.failed) == (ok, failed, "c7", ok, failed)
    assert f"{len(failed)} of {len(failed) + len(ok)} " in fork.message
    assert batch.retry_after == max(waits, default=None)
    assert batch.status == (failed[0].status if failed else 200)


@pytest.mark.parametrize("wrapped", [True, False])
def test_an_action_that_failed_tells_how_it_ended(wrapped: bool) -> None:
    ended = {"returncode": 2, "output": "half", "error": "first line\nlast line"}
    error = errors.ActionFailed({"result": ended} if wrapped else ended, {"type": "execute", "command": "x"})
    assert (error.returncode, error.output, error.error) == (2, "half", "first line\nlast line")
    assert "returncode 2: first line last line." in str(error)


def test_of_a_long_traceback_the_end_is_quoted() -> None:
    error = errors.ActionFailed({"returncode": 1, "error": "Traceback\n" + "x\n" * 5000 + "NameError: pyautogi"}, "")
    assert "NameError: pyautogi" in str(error)


def test_a_lost_reply_says_whether_it_may_have_been_done() -> None:
    for method, sent, hint in (
        ("POST", "maybe", errors.UNKNOWN_OUTCOME),
        ("DELETE", "maybe", errors.UNKNOWN_OUTCOME),
        ("GET", "maybe", errors.rows[0].hint),
        ("POST", "no", errors.rows[0].hint),
    ):
        error = errors.error_from(0, message="cut", method=method, sent=sent)  # type: ignore[arg-type]
        assert (type(error), error.hint, error.sent) == (DaemonUnavailable, hint, sent)


@pytest.mark.parametrize("status", [502, 503, 504])
def test_what_a_gateway_says_leaves_open_what_the_server_did(status: int) -> None:
    assert errors.error_from(status, "<html>", method="POST", sent="yes").sent == "maybe"
    assert errors.error_from(status, "<html>", method="POST", sent="yes").hint == errors.UNKNOWN_OUTCOME
    assert errors.error_from(status, {"error": "no guest"}, method="POST", sent="yes").sent == "yes"


def test_the_callers_hint_counts_before_all_others() -> None:
    error = errors.error_from(0, message="cut", method="POST", sent="maybe", hint="Look in client.envs()")
    assert error.hint == "Look in client.envs()"
    assert str(error).endswith("cut. Look in client.envs().")


@given(st.text(max_size=20_000), st.booleans())
@example("\x1b[31mred\x1b[0m \x1b]0;title\x07", False)
def test_an_excerpt_is_one_short_printable_line(text: str, end: bool) -> None:
    words = excerpt(text, end=end)
    assert len(words) <= EXCERPT_CHARS
    assert words.isprintable()
    assert not words.endswith(".")
    assert all(left + right != "  " for left, right in pairwise(words))


def test_errors_are_cheap_to_import() -> None:
    dear = {"asyncio", "httpx", "attrs", "dataclasses", "drums.records", "importlib.metadata", "copy"}
    code = f"import sys, drums.errors; print(sorted({dear} & {{*sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
