"""`drums metrics`, `health`: what a daemon or one desktop did, how fast, and at what cost; what a daemon is.

Invariant: a figure that is not known is shown as `-`, never as 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

import typer

from drums.cli._complete import env_ids
from drums.cli._options import Json, TokenFile, Url, examples
from drums.cli._output import Misused, Output
from drums.cli._server import connected
from drums.cli._words import span

OPERATIONS = ("operation", "count", "failures", "mean s", "p50 s", "p95 s", "max s")
FIGURES = ("mean_s", "p50_s", "p95_s", "max_s")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("health", epilog=examples("drums health", "drums health --json"))(health)
    app.command("metrics", epilog=examples("drums metrics", "drums metrics $id", "drums metrics --reset --json"))(
        metrics
    )


def health(*, url: Url = None, token_file: TokenFile = None, as_json: Json = False) -> None:
    """Tell what a daemon is, what it can do and what it is bounded by."""
    with connected(url, token_file) as server:
        found = server.client.health()
    out = Output(as_json)
    if as_json:
        out.document(found)
        return
    capabilities = ", ".join(map(str, found.capabilities or [])) or None
    limits = ", ".join(f"{name} {_figure(value)}" for name, value in _part(found, "limits").items()) or None
    out.pairs(
        (
            ("url", server.client.url),
            ("version", found.version),
            ("status", found.status),
            ("up for", span(found.uptime_s)),
            ("machine", found.machine),
            ("capabilities", capabilities),
            ("limits", limits),
        )
    )


def metrics(
    env_id: Annotated[
        str | None, typer.Argument(metavar="ID", help="Only this desktop's.", autocompletion=env_ids)
    ] = None,
    *,
    reset: Annotated[
        bool, typer.Option("--reset", help="Close the daemon's window, show it, and begin a new one.")
    ] = False,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Show the figures of the current window, or of one desktop: times, episodes, failures, rewards, cost."""
    if env_id is not None and reset:
        raise Misused("--reset is for the whole daemon, not for one desktop")
    with connected(url, token_file) as server:
        found: Mapping[str, Any]
        if env_id is not None:
            found = server.env(env_id).metrics()
        else:
            found = server.client.reset_metrics() if reset else server.client.metrics()
    out = Output(as_json)
    if as_json:
        out.document(found)
        return
    out.table(OPERATIONS, _operations(found))
    out.line()
    out.pairs(_facts(found))


def _operations(found: Mapping[str, Any]) -> list[tuple[object, ...]]:
    return [
        (name, figures.get("count"), figures.get("failures"), *(_figure(figures.get(one)) for one in FIGURES))
        for name, figures in _part(found, "operations").items()
    ]


def _facts(found: Mapping[str, Any]) -> list[tuple[str, object]]:
    """The other figures, each group on a line; a group that is empty is left out."""
    groups = ("window", "usage", "episodes", "failures", "retries", "rewards", "cost")
    told = [
        (name, ", ".join(f"{key} {_figure(value)}" for key, value in _part(found, name).items())) for name in groups
    ]
    return [(name, words or None) for name, words in told]


def _part(of: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = of.get(name)
    return cast("Mapping[str, Any]", part) if isinstance(part, Mapping) else {}


def _figure(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
