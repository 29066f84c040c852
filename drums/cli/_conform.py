"""`drums conform`: its arguments, what it prints, its exit status.

It parses and prints; what is checked is in `drums.conform`.
Invariant: the status is 0 only for a daemon that conforms; 1: it does not, 2: it could not be asked.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drums.cli._options import Json, TokenFile, examples
from drums.cli._output import Output, note
from drums.errors import DrumsError

if TYPE_CHECKING:
    from drums.conform.outcome import Report

DOES_NOT, NOT_ASKED = 1, 2

HELP = examples("drums conform --only lifecycle", "drums conform --list", "drums conform --only access --json")


def register(app: typer.Typer) -> None:
    """Add `conform`."""
    app.command("conform", epilog=HELP)(conform)


def conform(
    url: Annotated[
        str | None,
        typer.Argument(
            metavar="URL",
            show_default=False,
            help="Where the daemon is. Default: DRUMS_URL, else the one on this machine.",
        ),
    ] = None,
    *,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A scenario or a group; may be repeated.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the scenarios and run none.")] = False,
    image: Annotated[str, typer.Option(metavar="NAME", help="What desktops are made from.")] = "osworld-ubuntu",
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Scenarios at a time (8 simulated, 2 real desktops).")
    ] = None,
    patience: Annotated[
        float, typer.Option(metavar="S", help="Seconds to wait for what the daemon does by itself.")
    ] = 30.0,
    exclusive: Annotated[
        bool, typer.Option("--exclusive", help="Nobody else uses the daemon: check metrics windows too.")
    ] = False,
    fuzz: Annotated[
        int,
        typer.Option(
            metavar="N", help="Send N requests made from the spec to each operation too (needs schemathesis)."
        ),
    ] = 0,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report as Markdown.")] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report as JUnit XML.")] = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> int:
    """Check any Drums daemon against the API.

    Desktops that the run did not make are never touched, and what it makes is closed. The status is 0 when it conforms,
    1 when it does not, 2 when it could not be asked.
    """
    from drums.cli._server import settings_for  # noqa: PLC0415 -- `drums --help` needs none of it
    from drums.conform.fuzzing import Unfuzzable, with_fuzzing  # noqa: PLC0415 -- as above
    from drums.conform.outcome import Broken  # noqa: PLC0415 -- as above
    from drums.conform.run import Options, Wire  # noqa: PLC0415 -- as above
    from drums.conform.run import conform as checked  # noqa: PLC0415 -- as above

    if listing:
        _list(as_json)
        return 0
    options = Options(image, tuple(only or ()), workers, patience_s=patience, exclusive=exclusive)
    try:
        settings = settings_for(url, token_file)
        report = checked(Wire(settings), settings.url, options)
        report = with_fuzzing(report, settings, options, fuzz) if fuzz else report
    except KeyError as unknown:
        return _could_not(f"no scenario or group is called {unknown.args[0]}; `drums conform --list` names them")
    except (Broken, DrumsError, Unfuzzable) as broken:
        return _could_not(broken)
    _tell(report, as_json, markdown, junit)
    return 0 if report.conforms else DOES_NOT


def _could_not(why: object) -> int:
    note(why)
    return NOT_ASKED


def _list(as_json: bool) -> None:
    from drums.conform.scenarios import all_scenarios  # noqa: PLC0415 -- `drums --help` needs none of it

    scenarios = all_scenarios()
    out = Output(as_json)
    if as_json:
        out.document([{"group": one.group, "name": one.name, "rule": one.rule} for one in scenarios])
    else:
        out.lines(f"{one.group:12}{one.name:45}{one.rule}" for one in scenarios)


def _tell(report: Report, as_json: bool, to_markdown: Path | None, to_junit: Path | None) -> None:
    from drums.conform import report as form  # noqa: PLC0415 -- as above

    out = Output(as_json)
    if as_json:
        out.document({**asdict(report), "conforms": report.conforms})
    else:
        out.lines(form.terminal(report).splitlines())
    for path, told in ((to_markdown, form.markdown), (to_junit, form.junit)):
        if path is not None:
            path.write_text(told(report), encoding="utf-8")
