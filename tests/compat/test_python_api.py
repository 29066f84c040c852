"""The Python API against the last release: stubs of the source, griffe between them, old programs type-checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tools._compat import python_api
from tools._compat.baseline import PROGRAMS
from tools._compat.change import Change
from tools._compat.surface import stubs
from tools._compat.verdict import judged

ROOT = Path(__file__).parents[2]
OLD = """\
LIMIT: int
class Env:
    def fork(self, n: int, strict: bool = True, *, ttl: float | None = None) -> list[Env]: ...
    @property
    def id(self) -> str: ...
def connect(url: str | None = None) -> Env: ...
"""


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("def connect(url: str | None = None) -> Env: ...\n", "", "python-object-removed"),
        ("    @property\n    def id(self) -> str: ...\n", "", "python-object-removed"),
        ("strict: bool = True", "strict: bool", "python-parameter-changed-required"),
        ("strict: bool = True, ", "", "python-parameter-removed"),
        ("ttl: float | None = None", "ttl: float | None = None, more: int", "python-parameter-added-required"),
        ("strict: bool = True", "strict: bool = False", "python-parameter-changed-default"),
        ("n: int, strict: bool = True, *", "*, n: int, strict: bool = True", "python-parameter-changed-kind"),
    ],
)
def test_what_breaks_a_program_is_found(before: str, after: str, rule: str) -> None:
    assert before in OLD
    changes = python_api.compared({"drums": OLD}, {"drums": OLD.replace(before, after)})
    breaking = [one for one in changes if one.impact == "major"]
    assert {one.rule for one in breaking} == {rule}
    assert breaking[0].where.startswith("drums.")
    assert breaking[0].who
    assert breaking[0].todo


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("LIMIT: int\n", "LIMIT: int\nOTHER: int\n"),
        ("ttl: float | None = None", "ttl: float | None = None, idle: float | None = None"),
        ("LIMIT: int\n", "LIMIT: int\ndef more() -> int: ...\n"),
    ],
)
def test_what_only_adds_is_an_addition(before: str, after: str) -> None:
    changes = python_api.compared({"drums": OLD}, {"drums": OLD.replace(before, after)})
    assert {one.impact for one in changes} == {"minor"}


def test_a_module_that_is_gone_breaks_and_one_that_is_new_adds() -> None:
    changes = python_api.compared({"drums.aio": OLD}, {"drums.hybrid": OLD})
    assert [(one.rule, one.impact) for one in changes] == [
        ("python-module-removed", "major"),
        ("python-module-added", "minor"),
    ]


def test_the_same_api_has_no_changes() -> None:
    assert python_api.compared({"drums": OLD}, {"drums": OLD}) == []


def test_the_stubs_hold_the_public_names_with_their_signatures() -> None:
    text = stubs(ROOT)
    assert {"drums", "drums.aio", "drums.errors", "drums.records"} <= text.keys()
    env = text["drums"].partition("class Env")[2].partition("\nclass ")[0]
    assert "def fork(self, n: int, strict: bool = True" in env
    assert "async def fork(self, n: int" in text["drums.aio"]
    assert "class QuotaExceeded" in text["drums.errors"]
    assert "_session" not in text["drums"]


def test_a_draft_is_told_and_not_refused() -> None:
    gone = Change("python-object-removed", "drums.env", "gone", "major", "griffe")
    refused = judged("0.3.0", "0.3.0", [gone], [])
    assert not refused.passes
    told = python_api.draft(refused)
    assert told.passes
    assert told.allowed == ((gone, "0.3.0 is not released yet"),)
    assert not replace(refused, needed="0.3.0").passes


def test_programs_of_the_release_are_kept() -> None:
    kept = {path.name for path in (ROOT / python_api.USES).glob("*.py")}
    assert kept == {Path(program).name for program in PROGRAMS}


@pytest.mark.long
@pytest.mark.timeout(400)
def test_this_checkout_keeps_the_released_python_api() -> None:
    verdict = python_api.verdict(ROOT, [])
    assert verdict.refused == ()
    assert verdict.passes
