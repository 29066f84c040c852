"""`drums conform` passes a sound daemon, finds every wrong one, and touches nothing that it did not make."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

import drums.local
from drums._core.wire import Request
from drums.cli import main
from drums.conform.outcome import Broken, NotHere, Outcome, Report, hold
from drums.conform.report import junit, markdown, summary, terminal
from drums.conform.run import Options, conform
from drums.conform.scenarios import all_scenarios
from drums.conform.visit import Trespass, Visit
from drums.local.embedded import InProcess, serving
from tests.compat.more_mutations import MUTATIONS
from tests.compat.wrong_daemon import TOKEN, InProcessSender, Mutation, WrongDaemon

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.compat.wrong_daemon import Asked, Memory, Said, Sound


async def unchanged(asked: Asked, sound: Sound, memory: Memory) -> Said:
    return await sound(asked)


def report_of(mutation: Mutation, *only: str, patience_s: float = 10.0) -> Report:
    with InProcess(lambda: WrongDaemon(mutation)) as daemon:
        options = Options(only=only, patience_s=patience_s, exclusive=True)
        return conform(InProcessSender(daemon), "a daemon of the tests", options)


@pytest.fixture
def daemon() -> Iterator[InProcess]:
    with drums.local.serving() as running:
        yield running


@pytest.fixture
def environment(daemon: InProcess, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DRUMS_TOKEN", daemon.token)
    assert daemon.url is not None
    return daemon.url


def asked(daemon: InProcess, method: str, target: str, body: object = None) -> Any:
    headers = {"authorization": f"Bearer {daemon.token}"}
    _, _, said = daemon.submit(method, target, headers, None if body is None else json.dumps(body).encode()).result(30)
    return json.loads(said)


def test_a_sound_daemon_conforms() -> None:
    report = report_of(unchanged)
    assert [(one.name, one.detail) for one in report.outcomes if one.status == "failed"] == []
    assert report.conforms
    assert report.count("passed") == len(all_scenarios()) - 1
    assert report.notes == ()


@pytest.mark.long
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_wrong_daemon_is_found(name: str) -> None:
    mutation, scenario = MUTATIONS[name]
    report = report_of(mutation, scenario, patience_s=2.5)
    (outcome,) = report.outcomes
    assert outcome.status == "failed", outcome
    assert outcome.detail
    assert outcome.requests
    assert not report.conforms


def test_every_scenario_is_shown_to_be_able_to_fail() -> None:
    assert {wrong.scenario for wrong in MUTATIONS.values()} == {one.name for one in all_scenarios()}
    assert len(MUTATIONS) >= 20


@pytest.mark.long
def test_nothing_is_touched_that_the_run_did_not_make(environment: str, daemon: InProcess) -> None:
    mine = asked(daemon, "POST", "/v1/slots", {"checkpoint": "osworld-ubuntu"})["id"]
    kept = asked(daemon, "POST", f"/v1/slots/{mine}/capture", {"id": "kept"})
    assert asked(daemon, "GET", f"/v1/slots/{mine}/gates?wait_s=30")["validity"]["verdict"] == "valid"
    before = asked(daemon, "GET", "/v1/slots?limit=9")["items"]
    assert main(["conform", environment, "--fuzz", "3"]) == 0
    assert asked(daemon, "GET", "/v1/slots?limit=9")["items"] == before
    assert asked(daemon, "GET", "/v1/checkpoints")[1:] == [kept]


def test_a_scenario_can_not_name_what_it_did_not_make(daemon: InProcess) -> None:
    mine = asked(daemon, "POST", "/v1/slots", {"checkpoint": "osworld-ubuntu"})["id"]
    visit = Visit(InProcessSender(daemon, daemon.token), "osworld-ubuntu", timeout_s=5, patience_s=1)
    for operation in ("get_slot", "delete_slot", "reset_slot"):
        with pytest.raises(Trespass, match=mine):
            visit.ask(operation, mine)
    with pytest.raises(Trespass, match="osworld-ubuntu"):
        visit.ask("delete_checkpoint", "osworld-ubuntu")


def test_an_id_that_was_there_before_is_never_taken_for_ours(daemon: InProcess) -> None:
    sender = InProcessSender(daemon, daemon.token)
    visit = Visit(sender, "osworld-ubuntu", timeout_s=5, patience_s=1, others=frozenset({"s1"}))
    with pytest.raises(Broken, match="was there before"):
        visit.make()
    assert visit.close() == []
    assert sender.send(Request("GET", "/v1/slots/s1")).status == 200


def test_the_command_writes_its_reports(environment: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, xml = tmp_path / "report.md", tmp_path / "report.xml"
    status = main(["conform", environment, "--only", "access", "--markdown", str(page), "--junit", str(xml)])
    said = capsys.readouterr().out
    assert status == 0
    assert "conforms: 5 passed, 0 failed, 0 skipped" in said
    assert page.read_text().count("| access |") == 5
    assert len(ElementTree.parse(xml).getroot().findall("testsuite/testcase")) == 5


def test_a_daemon_that_can_not_be_asked_is_said_so(
    environment: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRUMS_TOKEN", "wrong")
    assert main(["conform", environment]) == 2
    assert "401" in capsys.readouterr().err
    assert main(["conform", environment, "--only", "nothing_like_it"]) == 2
    assert "--list" in capsys.readouterr().err
    assert main(["conform", "local"]) == 2
    assert "drums up" in capsys.readouterr().err


def test_the_list_names_every_scenario_with_its_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(all_scenarios())
    assert all(one.rule and one.name in line for one, line in zip(all_scenarios(), lines, strict=True))


def test_three_reports_tell_the_same() -> None:
    outcomes = (
        Outcome("fork", "copies", "Copies are copies", "passed", seconds=0.1),
        Outcome(
            "fork", "others", "Others | are others", "failed", "saw <this> & \x00", 0.2, ("GET /v1/health -> 500",)
        ),
        Outcome("leases", "ends", "Leases end", "skipped", "no leases here"),
    )
    report = Report("http://x", "0.5.0", "sim", outcomes, ("one left s1",), 0.3)
    assert not report.conforms
    assert "1 passed, 1 failed, 1 skipped" in summary(report)
    for text in (terminal(report), markdown(report)):
        assert all(
            word in text for word in ("Copies are copies", "saw <this>", "no leases here", "one left s1", "-> 500")
        )
    root = ElementTree.fromstring(junit(report))
    assert [suite.get("failures") for suite in root] == ["1", "0"]
    assert [suite.get("skipped") for suite in root] == ["0", "1"]


def test_a_run_in_which_nothing_was_tried_does_not_conform() -> None:
    skipped = Outcome("leases", "ends", "Leases end", "skipped", "no leases here")
    assert not Report("http://x", "0.5.0", "sim", (skipped,)).conforms
    assert not Report("http://x", "0.5.0", "sim", ()).conforms


def test_hold_says_the_rule_and_what_was_seen() -> None:
    hold(True, "fine")
    with pytest.raises(Broken, match="the score is 1; saw 0"):
        hold(False, "the score is 1", 0)
    assert issubclass(NotHere, Exception)


@pytest.mark.long
def test_requests_made_from_the_spec_find_a_wrong_reply(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mutation, _ = MUTATIONS["sends_a_number_as_text"]
    monkeypatch.setenv("DRUMS_TOKEN", TOKEN)
    with serving(lambda: WrongDaemon(mutation), "127.0.0.1", 0) as daemon:
        assert main(["conform", str(daemon.url), "--only", "the_daemon_tells_what_it_can_do", "--fuzz", "5"]) == 1
    said = capsys.readouterr().out
    assert "FAILED  Whatever is sent to create_slot" in said
    assert "ok      Whatever is sent to get_health" in said


def test_without_schemathesis_that_is_said(
    environment: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "schemathesis", None)
    assert main(["conform", environment, "--only", "the_daemon_tells_what_it_can_do", "--fuzz", "5"]) == 2
    assert "pip install schemathesis" in capsys.readouterr().err
