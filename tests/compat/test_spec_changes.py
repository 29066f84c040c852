"""The compatibility check against the table of changes: every breaking one found, no harmless one called breaking."""

from __future__ import annotations

import copy
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.compat.spec_changes import BREAKING, HARMLESS, Spec, base, fields, schema
from tools import check_compat
from tools._compat import redocly, rules
from tools._compat.change import RULES, Change, highest
from tools._compat.report import as_json, change_log, readable
from tools._compat.verdict import ListError, Verdict, judged, needed, read_list

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ADDED = Change("path-added", "/v1/x", "the path is new", "minor", "drums")
BROKEN = Change("path-removed", "/v1/x", "the path is gone", "major", "drums")
REWORDED = Change("words-changed", "GET /v1/x", "another summary", "patch", "drums")
NEEDS_NODE = pytest.mark.skipif(shutil.which("npm") is None, reason="redocly needs Node.js with npm, not on PATH")


def changed(change: Callable[[Spec], None]) -> tuple[Spec, Spec]:
    """The base, and a copy with one change."""
    old = base()
    new = copy.deepcopy(old)
    change(new)
    return old, new


def majors(found: list[Change]) -> list[Change]:
    return [one for one in found if one.impact == "major"]


def test_the_table_has_39_changes() -> None:
    assert (len(BREAKING), len(HARMLESS)) == (27, 12)


@pytest.mark.parametrize("name", BREAKING)
def test_our_own_rules_find_every_breaking_change(name: str) -> None:
    found = majors(rules.changes(*changed(BREAKING[name])))
    assert found
    assert all(one.who and one.todo and one.where and one.what for one in found)
    assert {one.rule for one in found} <= RULES.keys()


@pytest.mark.parametrize("name", HARMLESS)
def test_our_own_rules_raise_no_false_alarm(name: str) -> None:
    assert majors(rules.changes(*changed(HARMLESS[name]))) == []


def test_the_same_document_has_no_changes() -> None:
    assert rules.changes(base(), base()) == []


def written(folder: Path, old: Spec, new: Spec) -> tuple[Path, Path]:
    paths = folder / "old.json", folder / "new.json"
    for path, document in zip(paths, (old, new), strict=True):
        path.write_text(json.dumps(document))
    return paths


@NEEDS_NODE
@pytest.mark.long
@pytest.mark.timeout(400)
def test_with_redocly_all_that_breaks_is_found_and_nothing_else(tmp_path: Path) -> None:
    def of_both(name: str) -> tuple[str, list[Change], list[Change]]:
        folder = tmp_path / name
        folder.mkdir()
        old, new = changed((BREAKING | HARMLESS)[name])
        return name, majors(rules.changes(old, new)), majors(redocly.changes(*written(folder, old, new)))

    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(of_both, [*BREAKING, *HARMLESS]))
    assert {name for name, ours, theirs in found if ours or theirs} == BREAKING.keys()
    missed = sorted(name for name, _, theirs in found if name in BREAKING and not theirs)
    assert missed == ["reply_enum_value_removed", "request_field_removed"]


def test_without_node_our_rules_alone_are_applied_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    verdict = check_compat.http_verdict(*written(tmp_path, *changed(BREAKING["path_removed"])))
    assert [one.rule for one in verdict.refused] == ["path-removed"]
    assert "Only this repository's own rules" in readable(verdict, "HTTP API")


def _drop_open_value(spec: Spec) -> None:
    fields(spec, "Gate")["status"]["x-extensible-enum"].remove("failed")


def _drop_code(spec: Spec) -> None:
    fields(spec, "ErrorReply")["code"]["x-extensible-enum"].remove("gone")


def _close_enum(spec: Spec) -> None:
    field = fields(spec, "Gate")["status"]
    field["enum"] = field.pop("x-extensible-enum")


def _loosen_reply_bound(spec: Spec) -> None:
    fields(spec, "RewardReply")["score"]["maximum"] = 1


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (_drop_open_value, "open-enum-value-removed"),
        (_drop_code, "error-code-removed"),
        (_close_enum, "open-enum-closed"),
    ],
)
def test_open_enums_and_error_codes_may_only_grow(change: Callable[[Spec], None], rule: str) -> None:
    assert [one.rule for one in majors(rules.changes(*changed(change)))] == [rule]


def test_a_new_word_of_an_open_enum_is_an_addition() -> None:
    def add(spec: Spec) -> None:
        fields(spec, "Gate")["status"]["x-extensible-enum"].append("skipped")

    (found,) = rules.changes(*changed(add))
    assert (found.rule, found.impact, found.where) == ("open-enum-value-added", "minor", "Gate.status")


def test_a_reply_that_promises_more_breaks_nobody() -> None:
    assert majors(rules.changes(*changed(_loosen_reply_bound))) == []


def test_a_change_inside_a_schema_is_told_once_by_its_name() -> None:
    found = majors(rules.changes(*changed(BREAKING["field_of_a_nested_list_removed"])))
    assert [(one.where, one.rule) for one in found] == [("Gate.name", "response-property-removed")]


def test_a_schema_may_refer_to_itself() -> None:
    def recurse(spec: Spec) -> None:
        fields(spec, "Gate")["parts"] = {"type": "array", "items": {"$ref": "#/components/schemas/Gate"}}

    old = base()
    recurse(old)
    new = copy.deepcopy(old)
    schema(new, "Gate")["required"].remove("status")
    assert [one.where for one in rules.changes(old, new)] == ["Gate.status"]


@pytest.mark.parametrize(
    ("old", "impact", "lowest"),
    [
        ("0.5.0", "major", "0.6.0"),
        ("0.5.3", "minor", "0.5.4"),
        ("0.5.3", "patch", "0.5.3"),
        ("1.2.3", "major", "2.0.0"),
        ("1.2.3", "minor", "1.3.0"),
        ("1.2.3", "patch", "1.2.4"),
        ("1.2.3", None, "1.2.3"),
    ],
)
def test_the_version_moves_as_the_changes_demand(old: str, impact: Any, lowest: str) -> None:
    assert needed(old, impact) == lowest


def test_a_breaking_change_needs_an_entry_with_a_reason_and_the_version() -> None:
    entry = {"rule": "path-removed", "where": "/v1/*", "reason": "no server ever had it"}
    assert not judged("0.5.0", "0.6.0", [BROKEN], []).passes
    assert not judged("0.5.0", "0.5.1", [BROKEN], read_list([entry])).passes
    verdict = judged("0.5.0", "0.6.0", [BROKEN], read_list([entry]))
    assert verdict.passes
    assert "no server ever had it" in readable(verdict, "HTTP API")


def test_an_entry_that_nothing_needs_is_refused() -> None:
    entry = {"rule": "path-removed", "where": "/v1/y", "reason": "old"}
    verdict = judged("0.5.0", "0.5.0", [], read_list([entry]))
    assert not verdict.passes
    assert "take it out" in readable(verdict, "HTTP API")


@pytest.mark.parametrize(
    "entries", [[{"rule": "a", "where": "b"}], [{"rule": "a", "where": "b", "reason": " "}], ["a"]]
)
def test_an_entry_without_a_reason_is_no_entry(entries: Any) -> None:
    with pytest.raises(ListError, match="entry 1"):
        read_list(entries)


def test_an_addition_without_a_new_version_is_refused_and_says_which() -> None:
    verdict = judged("0.5.0", "0.5.0", [ADDED], [])
    assert not verdict.passes
    assert "0.5.0 must become 0.5.1" in readable(verdict, "HTTP API")


def test_a_person_is_told_what_where_who_and_what_to_do() -> None:
    text = readable(judged("0.5.0", "0.6.0", [BROKEN], []), "HTTP API")
    assert all(word in text for word in ("BREAKS  /v1/x", "what: the path is gone", "who:", "do:", "REFUSED"))


def test_a_program_is_told_the_same() -> None:
    facts = json.loads(as_json(judged("0.5.0", "0.5.0", [BROKEN, ADDED], [])))
    assert facts["passes"] is False
    assert facts["needed"] == "0.6.0"
    assert [one["where"] for one in facts["refused"]] == ["/v1/x"]
    assert facts["refused"][0]["who"]


def test_the_change_log_tells_what_broke_and_what_came() -> None:
    text = change_log(judged("0.5.0", "0.6.0", [BROKEN, ADDED, REWORDED], []))
    assert text.startswith("### API 0.6.0")
    assert (
        text.index("Breaking:") < text.index("the path is gone") < text.index("Added") < text.index("the path is new")
    )
    assert "another summary" not in text
    assert "No change" in change_log(judged("0.5.0", "0.5.0", [REWORDED], []))


def test_the_greatest_impact_counts() -> None:
    assert highest([REWORDED, ADDED]) == "minor"
    assert highest([]) is None


def test_the_command_prints_json_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = written(tmp_path, *changed(BREAKING["path_removed"]))
    assert check_compat.main([str(old), str(new), "--own", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["refused"][0]["rule"] == "path-removed"
    assert check_compat.main([str(old), str(old), "--own", "--change-log"]) == 0
    assert "No change since" in capsys.readouterr().out


def test_this_checkout_keeps_the_released_api() -> None:
    verdict: Verdict = check_compat.http_verdict(own_only=True)
    assert verdict.refused == ()
    assert not verdict.version_is_too_low
    assert yaml.safe_load(check_compat.ALLOWED.read_bytes()) is not None
