"""What the plays of an audit say of a task: every way in which one may fail to be sound."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from drums.task_audit import Outcome, Play, TaskAudit, finding, passes, verdict_of

KINDS = ("start", "no_op", "fail", "oracle", "near_miss", "recheck")

plays = st.builds(
    Play,
    kind=st.sampled_from(KINDS),
    actions=st.just(()),
    expected=st.sampled_from([0.0, 1.0]),
    why=st.text(min_size=1, max_size=10),
)
good = plays.map(lambda play: Outcome(play, play.expected))
reasons = st.lists(st.text(min_size=1, max_size=10), min_size=1, max_size=2).map(tuple)


@st.composite
def bad(draw: st.DrawFn) -> Outcome:
    """An outcome with something wrong."""
    outcome = draw(good)
    kind = draw(st.sampled_from(["score", "error", "invalid", "failed"]))
    if kind == "score":
        others = st.floats(0, 1).filter(lambda score: score != outcome.play.expected)
        return replace(outcome, score=draw(others))
    if kind == "error":
        return replace(outcome, score=None, checker_error="it crashed")
    if kind == "invalid":
        # A server may send a score with an invalid episode; it must count for nothing.
        return replace(outcome, invalid=draw(reasons))
    return replace(outcome, score=None, failed="the desktop is gone")


@given(st.lists(good, min_size=1, max_size=6))
def test_a_task_whose_plays_are_all_as_expected_is_sound_with_a_proof_and_unproven_without(made: list[Outcome]) -> None:
    assert verdict_of(made, proven=True) == ("sound", ())
    assert verdict_of(made, proven=False) == ("unproven", ())


@given(st.lists(good, max_size=4), bad(), st.lists(good, max_size=4))
def test_one_bad_play_is_enough_and_is_named(before: list[Outcome], wrong: Outcome, after: list[Outcome]) -> None:
    verdict, findings = verdict_of([*before, wrong, *after], proven=True)
    assert verdict == ("unsound" if wrong.usable else "undecided")
    assert findings == (finding(wrong),)


@given(bad())
def test_a_score_that_cannot_be_used_never_makes_a_task_sound_or_unsound(wrong: Outcome) -> None:
    assert wrong.as_expected is False
    if wrong.invalid or wrong.failed:
        assert verdict_of([wrong], proven=True)[0] == "undecided"


def test_an_oracle_that_the_audit_flags_makes_a_task_unsound() -> None:
    oracle = Outcome(Play("oracle", (), 1.0, "the oracle"), 1.0, flags=("out_of_scope",))
    assert verdict_of([oracle], proven=True) == (
        "unsound",
        ("oracle (the oracle) was right and is not trusted: out_of_scope",),
    )


def test_a_near_miss_may_be_flagged() -> None:
    miss = Outcome(Play("near_miss", (), 0.0, "everything deleted"), 0.0, flags=("out_of_scope",))
    assert verdict_of([miss], proven=True) == ("sound", ())


def test_nothing_played_decides_nothing() -> None:
    assert verdict_of([], proven=True)[0] == "undecided"


def audit(verdict: str) -> TaskAudit:
    return TaskAudit("t", "files", None, verdict, ())  # type: ignore[arg-type]


@given(st.lists(st.sampled_from(["sound", "unproven", "skipped"]), max_size=4))
def test_an_audit_passes_only_if_something_was_played(words: list[str]) -> None:
    assert passes(map(audit, words)) == any(word != "skipped" for word in words)


@given(
    st.lists(st.sampled_from(["sound", "unproven", "skipped"]), max_size=4), st.sampled_from(["unsound", "undecided"])
)
def test_an_audit_with_one_unsound_or_undecided_task_does_not_pass(words: list[str], bad_word: str) -> None:
    assert not passes([*map(audit, words), audit(bad_word)])


def test_where_a_proof_is_required_an_unproven_task_does_not_pass() -> None:
    assert passes([audit("unproven")])
    assert not passes([audit("unproven"), audit("sound")], require_proof=True)
