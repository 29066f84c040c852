"""A report for a person at a terminal, for a page (Markdown), and for a CI system (JUnit).

Pure. Invariant: all three tell the same outcomes, and what was not checked.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.conform.outcome import Outcome, Report

_MARKS = {"passed": "ok", "failed": "FAILED", "skipped": "skipped"}


def terminal(report: Report) -> str:
    """Lines for a terminal: one for each scenario, more for one that failed."""
    return "\n".join(_terminal_lines(report)) + "\n"


def markdown(report: Report) -> str:
    """A page: the verdict, a table, and what failed."""
    return "\n".join(_markdown_lines(report)) + "\n"


def junit(report: Report) -> str:
    """JUnit's XML, one suite for each group."""
    root = Element("testsuites", name="drums conform", tests=str(len(report.outcomes)), time=f"{report.seconds:.3f}")
    for group, outcomes in groupby(report.outcomes, key=lambda outcome: outcome.group):
        _add_suite(root, group, list(outcomes))
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def summary(report: Report) -> str:
    """One line: the verdict and the counts."""
    verdict = "conforms" if report.conforms else "does NOT conform"
    counts = f"{report.count('passed')} passed, {report.count('failed')} failed, {report.count('skipped')} skipped"
    return (
        f"{report.url} (Drums {report.version}, machine {report.machine}) {verdict}: {counts}, {report.seconds:.1f} s"
    )


def _terminal_lines(report: Report) -> Iterator[str]:
    for group, outcomes in groupby(report.outcomes, key=lambda outcome: outcome.group):
        yield f"{group}"
        for outcome in outcomes:
            yield f"  {_MARKS[outcome.status]:8}{outcome.rule}"
            if outcome.detail:
                yield f"          {outcome.detail}"
            yield from (f"            {request}" for request in outcome.requests)
    yield from (f"note: {note}" for note in report.notes)
    yield summary(report)


def _markdown_lines(report: Report) -> Iterator[str]:
    yield "# Conformance"
    yield ""
    yield summary(report)
    yield ""
    yield "| group | rule | outcome | s |"
    yield "|---|---|---|---|"
    for outcome in report.outcomes:
        told = f"{outcome.status}: {outcome.detail}" if outcome.detail else outcome.status
        yield f"| {outcome.group} | {_cell(outcome.rule)} | {_cell(told)} | {outcome.seconds:.1f} |"
    for outcome in report.outcomes:
        if outcome.requests:
            yield from ("", f"## {outcome.name}", "", outcome.detail, "", "```text", *outcome.requests, "```")
    if report.notes:
        yield from ("", "## Notes", "", *(f"- {note}" for note in report.notes))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _add_suite(root: Element, group: str, outcomes: list[Outcome]) -> None:
    failed = sum(outcome.status == "failed" for outcome in outcomes)
    skipped = sum(outcome.status == "skipped" for outcome in outcomes)
    counts = {"name": group, "tests": str(len(outcomes)), "failures": str(failed), "skipped": str(skipped)}
    suite = SubElement(root, "testsuite", counts)
    for outcome in outcomes:
        case = SubElement(
            suite, "testcase", classname=f"drums.conform.{group}", name=outcome.name, time=f"{outcome.seconds:.3f}"
        )
        if outcome.status == "failed":
            SubElement(case, "failure", message=_printable(outcome.detail)).text = _printable(
                "\n".join(outcome.requests)
            )
        if outcome.status == "skipped":
            SubElement(case, "skipped", message=_printable(outcome.detail))


def _printable(text: str) -> str:
    """Without the characters that XML can't hold."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
