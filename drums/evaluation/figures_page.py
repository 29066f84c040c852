"""The figures of a report as HTML: the run's header, its cards, the table by domain.

Pure. Invariant: every text that comes from outside goes through `escape`; a figure that there is not is a dash.
"""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drums.evaluation.settings import Header
    from drums.evaluation.summary import Row, Summary

DASH: Final = "\N{EN DASH}"
NONE: Final = f'<span class="none">{DASH}</span>'


def percent(share: float | None) -> str:
    """A share in percent; a dash for none."""
    return DASH if share is None else f"{100 * share:.1f} %"


def figure(value: float | None, digits: int = 3) -> str:
    """A number; a dash for none."""
    return DASH if value is None else f"{value:.{digits}f}".rstrip("0").rstrip(".") or "0"


def span(seconds: float | None) -> str:
    """Seconds, for people."""
    return DASH if seconds is None else f"{seconds:.1f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


def header_html(header: Header, notes: Sequence[str]) -> str:
    """What the run is."""
    settings, server = header["settings"], header["server"]
    began = datetime.fromtimestamp(header["started_at"], UTC)
    limits = [f"at most {settings.get('max_turns')} turns"]
    if settings.get("time_limit_s") is not None:
        limits.append(f"{settings['time_limit_s']:g} s")
    attempts = int(settings["attempts"])
    facts = [
        escape(f"{_counted(header['task_set']['tasks'], 'task')}, {_counted(attempts, 'attempt')} each"),
        escape(f"{', '.join(limits)} a rollout"),
        *(["attempts forked from one desktop"] if settings.get("fork") else []),
        f"began {began:%Y-%m-%d %H:%M} UTC",
        escape(f"server {server.get('version')} on {server.get('machine') or 'an unknown machine'}"),
        f"task set <code>{escape(header['task_set']['hash'][:19])}</code>",
    ]
    listed = "".join(f"<li>{fact}</li>" for fact in facts)
    told = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    title = f'<h1>{escape(str(settings.get("policy")))}</h1>\n<ul class="facts">{listed}</ul>'
    return f'<header class="top">\n<div class="eyebrow">drums eval</div>\n{title}\n{told}</header>'


def figures_html(summary: Summary) -> str:
    """The cards, and the table by domain where there are several."""
    total = summary.total
    cards = [_score(total), _mean(total), _outcomes(total), _pass_at(total), _time(total)]
    if (cost := _cost(total)) is not None:
        cards.append(cost)
    table = _domains(summary) if len(summary.domains) > 1 or total.counts.by_gate else ""
    return f'<section class="cards" aria-label="Figures">{"".join(cards)}</section>\n{table}'


def _card(title: str, big: str, small: Iterable[str] = (), *, hero: bool = False, between: str = "") -> str:
    lines = "".join(f'<div class="small">{line}</div>' for line in small)
    return (
        f'<div class="card{" hero" if hero else ""}"><h3>{title}</h3><div class="big">{big}</div>{between}{lines}</div>'
    )


def _score(row: Row) -> str:
    counts = row.counts
    if row.interval is None or row.success_rate is None:
        return _card("Success rate", NONE, ["No episode is valid and scored: there is no number."], hero=True)
    low, high = row.interval
    drawing = (
        '<svg class="interval" viewBox="0 0 100 26" preserveAspectRatio="none" role="img" '
        f'aria-label="95 % interval from {percent(low)} to {percent(high)}">'
        '<rect class="track" x="0" y="8" width="100" height="8" rx="1"/>'
        f'<rect class="range" x="{100 * low:.2f}" y="8" width="{100 * (high - low):.2f}" height="8"/>'
        f'<rect class="point" x="{max(0.0, 100 * row.success_rate - 0.4):.2f}" y="5" width="0.8" height="14"/></svg>'
    )
    told = [
        f"Wilson 95 %: {percent(low)} to {percent(high)}",
        f"{counts.successes} of {counts.scored} valid episodes scored 1",
    ]
    return _card("Success rate", percent(row.success_rate), told, hero=True, between=drawing)


def _mean(row: Row) -> str:
    return _card("Mean score", figure(row.counts.mean_score), ["of valid episodes, 0 to 1"])


def _outcomes(row: Row) -> str:
    counts = row.counts
    fails = counts.scored - counts.successes
    parts = [("success", counts.successes), ("fail", fails), ("invalid", counts.invalid), ("error", counts.errors)]
    bars: list[str] = []
    begin = 0.0
    for name, n in parts:
        width = 100 * n / counts.total if counts.total else 0.0
        bars.append(f'<rect class="fill-{name}" x="{begin:.2f}" y="0" width="{width:.2f}" height="10"/>')
        begin += width
    drawing = (
        f'<svg class="split" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{"".join(bars)}</svg>'
    )
    small = [
        f"{counts.successes} succeeded, {fails} failed",
        f"{counts.invalid} invalid{_listed(counts.by_gate)}",
        f"{_counted(counts.errors, 'error')}{_listed(counts.by_kind)}",
    ]
    if counts.flagged:
        small.append(f"{counts.flagged} flagged by the audit{_listed(counts.by_flag)}")
    return _card("Valid episodes", f"{counts.scored} of {counts.total}", small, between=drawing)


def _pass_at(row: Row) -> str:
    if not row.pass_at:
        return _card("pass@k", NONE, ["No task has a valid attempt."])
    most = max(row.pass_at)
    small = [f"pass@{k}: {percent(value)}" for k, value in row.pass_at.items() if k != most]
    return _card(
        f"pass@{most}", percent(row.pass_at[most]), [*small, f"over {_counted(row.pass_at_tasks[most], 'task')}"]
    )


def _time(row: Row) -> str:
    return _card("Time of a rollout", span(row.seconds_p50), ["median", f"95th percentile {span(row.seconds_p95)}"])


def _cost(row: Row) -> str | None:
    known = [(name, cost) for name, cost in (("model", row.model_cost), ("host", row.host_cost)) if cost is not None]
    if not known:
        return None
    return _card(
        "Cost", figure(sum(cost for _, cost in known), 4), [f"{name} {figure(cost, 4)}" for name, cost in known]
    )


def _counted(n: int, word: str) -> str:
    return f"{n} {word}{'' if n == 1 else 's'}"


def _listed(counter: Any) -> str:
    named = ", ".join(f"{escape(str(name))} {n}" for name, n in counter.most_common(4))
    return f": {named}" if named else ""


def _domains(summary: Summary) -> str:
    rows = [*summary.domains, summary.total] if len(summary.domains) > 1 else summary.domains
    lines = "".join(_domain(row, is_total=row is summary.total) for row in rows)
    names = ("Domain", "Tasks", "Valid", "Success", "Wilson 95 %", "Mean", "pass@k", "Invalid", "Errors", "p50", "p95")
    head = "".join(f'<th class="{"num" if place else ""}">{name}</th>' for place, name in enumerate(names))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
    return f'<h2>By domain</h2>\n<div class="scroll">{table}</div>'


def _domain(row: Row, *, is_total: bool) -> str:
    counts = row.counts
    most = max(row.pass_at, default=None)
    cells = [
        str(row.tasks),
        f"{counts.scored} of {counts.total}",
        percent(row.success_rate),
        DASH if row.interval is None else f"{percent(row.interval[0])} to {percent(row.interval[1])}",
        figure(counts.mean_score),
        DASH if most is None else f"@{most} {percent(row.pass_at[most])}",
        f"{percent(row.invalid_rate)}{_listed(counts.by_gate)}" if counts.invalid else "0",
        f"{counts.errors}{_listed(counts.by_kind)}",
        span(row.seconds_p50),
        span(row.seconds_p95),
    ]
    told = "".join(f'<td class="{"num long" if ":" in cell else "num"}">{cell}</td>' for cell in cells)
    return f"<tr{' class=all' if is_total else ''}><td>{escape(row.name)}</td>{told}</tr>"
