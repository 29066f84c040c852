"""`drums conform`: its arguments, what it prints, its exit status.

Invariant: the status is 0 only for a daemon that conforms; 1: it does not, 2: it could not be asked.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from drums.conform.outcome import Report

ABOUT = (
    "Check any Drums daemon against the API. Desktops that the run did not make are never touched, and what it "
    "makes is closed. The token is taken from DRUMS_TOKEN, or from the file that DRUMS_TOKEN_FILE names."
)


def add_command(commands: Any) -> None:
    """Add `conform` to the subcommands of a parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "conform", help="check a daemon against the API", description=ABOUT
    )
    parser.set_defaults(act=run)
    parser.add_argument("url", nargs="?", help="where the daemon is (default: DRUMS_URL, else the one on this machine)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="a scenario or a group; may be repeated"
    )
    parser.add_argument("--list", action="store_true", help="list the scenarios and run none")
    parser.add_argument("--image", default="osworld-ubuntu", help="what desktops are made from (default: %(default)s)")
    parser.add_argument("--workers", type=int, metavar="N", help="scenarios at a time (8 simulated, 2 real desktops)")
    parser.add_argument(
        "--patience", type=float, default=30.0, metavar="S", help="seconds to wait for what the daemon does by itself"
    )
    parser.add_argument(
        "--exclusive", action="store_true", help="nobody else uses the daemon: check metrics windows too"
    )
    parser.add_argument(
        "--fuzz",
        type=int,
        default=0,
        metavar="N",
        help="send N requests made from the spec to each operation too (needs schemathesis)",
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the report as Markdown")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write the report as JUnit XML")


def run(parsed: argparse.Namespace) -> int:
    """Do what was parsed and give the exit status."""
    from drums.conform.scenarios import all_scenarios  # noqa: PLC0415 -- `drums --help` needs none of it

    if parsed.list:
        sys.stdout.write("".join(f"{one.group:12}{one.name:45}{one.rule}\n" for one in all_scenarios()))
        return 0
    return _checked(parsed)


def _checked(parsed: argparse.Namespace) -> int:
    from drums._core.settings import resolve  # noqa: PLC0415 -- as above
    from drums.conform.fuzzing import Unfuzzable  # noqa: PLC0415 -- as above
    from drums.conform.outcome import Broken  # noqa: PLC0415 -- as above
    from drums.errors import DrumsError  # noqa: PLC0415 -- as above

    try:
        settings = resolve(parsed.url)
        if settings.is_local:
            return _say("conform checks a daemon over HTTP; start one with `drums up` and name its URL")
        report = _report(parsed, settings)
    except KeyError as unknown:
        return _say(f"no scenario or group is called {unknown.args[0]}; `drums conform --list` names them")
    except (Broken, DrumsError, Unfuzzable) as broken:
        return _say(str(broken))
    _tell(parsed, report)
    return 0 if report.conforms else 1


def _report(parsed: argparse.Namespace, settings: Any) -> Report:
    from drums.conform.fuzzing import with_fuzzing  # noqa: PLC0415 -- as above
    from drums.conform.run import Options, Wire, conform  # noqa: PLC0415 -- as above

    options = Options(
        image=parsed.image,
        only=tuple(parsed.only),
        workers=parsed.workers,
        patience_s=parsed.patience,
        exclusive=parsed.exclusive,
    )
    report = conform(Wire(settings), settings.url, options)
    return with_fuzzing(report, settings, options, parsed.fuzz) if parsed.fuzz else report


def _tell(parsed: argparse.Namespace, report: Report) -> None:
    from drums.conform.report import junit, markdown, terminal  # noqa: PLC0415 -- as above

    sys.stdout.write(terminal(report))
    for path, form in ((parsed.markdown, markdown), (parsed.junit, junit)):
        if path is not None:
            path.write_text(form(report), encoding="utf-8")


def _say(words: str) -> int:
    sys.stderr.write(f"drums: {words}\n")
    return 2
