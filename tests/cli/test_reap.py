"""`drums reap` ends what is due and nothing else."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import drums
import drums.local
from drums.cli._reap import Terms
from drums.cli._words import age_s, seconds_of, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local import InProcess
    from tests.cli.conftest import Drums


@pytest.fixture
def daemon() -> Iterator[InProcess]:
    """A daemon for one test: what is reaped here is everybody's."""
    with drums.local.serving() as running:
        yield running


def ago(seconds: float) -> str:
    return (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat()


def ids(documents: list[dict[str, Any]]) -> set[str]:
    return {one["id"] for one in documents}


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(1, 1e6))
def test_what_was_used_or_made_long_enough_ago_is_due_and_nothing_else(
    unused_s: float, more_s: float, limit_s: float
) -> None:
    made, used = ago(unused_s + more_s), ago(unused_s)
    # A moment passes between the two looks at the clock.
    if abs(unused_s - limit_s) > 1:
        assert Terms(idle_s=limit_s).met_by(made, used) == (unused_s > limit_s)
    if abs(unused_s + more_s - limit_s) > 1:
        assert Terms(age_s=limit_s).met_by(made, used) == (unused_s + more_s > limit_s)


@pytest.mark.parametrize("moment", [None, "", "yesterday", "2026-01-01T00:00:00"])
def test_a_moment_that_is_not_known_is_never_due(moment: str | None) -> None:
    assert age_s(moment) is None
    assert not Terms(idle_s=0, age_s=0).met_by(moment, moment)
    assert Terms(everything=True).met_by(moment, moment)


@given(st.integers(0, 10**6), st.sampled_from(["", "s", "m", "h", "d"]))
def test_spans_are_read_as_they_are_written(number: int, unit: str) -> None:
    assert seconds_of(f"{number}{unit}") == number * {"m": 60, "h": 3600, "d": 86400}.get(unit, 1)
    assert seconds_of(span(number)) == pytest.approx(number, rel=0.35, abs=1)


def test_nothing_is_ended_without_terms_nor_where_nobody_can_be_asked(
    there: InProcess, run: Drums, client: drums.Client
) -> None:
    env = client.create()
    assert run("reap").status == run("reap", "--all").status == run("reap", "--all", "--json").status == 2
    assert run("reap", "--idle", "soon", "--yes").status == 2
    assert run("reap", "--idle", "1h", "--age", "1d", "--yes").out == ""
    assert ids(run("reap", "--all", "--dry-run", "--json").document) == {env.id}
    assert env.refresh().state == "ready"


def test_a_person_is_asked_and_no_answer_is_no(
    there: InProcess, run: Drums, client: drums.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = client.create()

    class Person:
        def __init__(self, answer: str) -> None:
            self.answer = answer

        def isatty(self) -> bool:
            return True

        def readline(self, _limit: int = -1) -> str:
            return self.answer

    monkeypatch.setattr(sys, "stdin", Person("n\n"))
    asked = run("reap", "--all")
    assert asked.status == 1
    assert "End 1 desktop and 0 saved states?" in asked.stderr
    assert env.refresh().state == "ready"
    monkeypatch.setattr(sys, "stdin", Person("y\n"))
    assert run("reap", "--all").status == 0
    assert [record.id for record in client.env_records()] == []


def test_what_was_made_while_a_person_was_asked_or_is_in_use_again_stays(
    there: InProcess, run: Drums, client: drums.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = client.create()
    state = env.save()
    env.close()
    made: list[drums.Env] = []

    class Person:
        def isatty(self) -> bool:
            return True

        def readline(self, _limit: int = -1) -> str:
            made.append(client.create(from_state=state))
            return "y\n"

    monkeypatch.setattr(sys, "stdin", Person())
    assert run("reap", "--all").status == 0
    assert [record.id for record in client.env_records()] == [made[0].id]
    monkeypatch.undo()
    made[0].close()


def test_states_go_after_the_desktops_that_were_made_from_them_and_images_stay(
    there: InProcess, run: Drums, client: drums.Client
) -> None:
    env = client.create()
    child = env.fork(1)[0]
    kept = run("reap", "--all", "--only", "states", "--yes", "--json")
    assert (kept.status, kept.document) == (0, [])
    images = [image.id for image in client.images() if image.kind == "image"]

    ended = run("reap", "--all", "--yes", "--json")

    assert ended.status == 0
    assert [(one["id"], one["kind"], one["error"]) for one in ended.document] == [
        (env.id, "env", None),
        (child.id, "env", None),
        (child.from_state, "state", None),
    ]
    assert [image.id for image in client.images()] == images


def test_a_state_that_goes_with_its_last_desktop_is_no_error(
    there: InProcess, run: Drums, client: drums.Client
) -> None:
    client.create().fork(2, keep_state=False)
    ended = run("reap", "--all", "--yes", "--json")
    assert (ended.status, {one["error"] for one in ended.document}) == (0, {None})
    assert all(image.kind == "image" for image in client.images())
