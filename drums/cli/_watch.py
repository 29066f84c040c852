"""`drums watch`: the desktops, their episodes and verdicts, as they are now, in the terminal.

Each frame is made of one list call; no desktop is named by it, so that watching keeps none alive. Invariant: a frame
fits the terminal: columns are left out where it is narrow, rows where it is low, and what is left out is counted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from time import sleep
from typing import TYPE_CHECKING, Annotated

import typer

from drums.cli._options import Json, TokenFile, Url, examples
from drums.cli._output import Misused, Output, rich_table, safe
from drums.cli._server import connected
from drums.cli._status import Status
from drums.cli._words import NOTHING, count, since, task_of, verdict_of
from drums.errors import DaemonUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console, Group

    from drums.cli._server import Server
    from drums.records import Slot

INTERVAL_S = 2.0
LEAST_INTERVAL_S = 0.2
"""A shorter one costs the daemon more than a person can see."""
HEAD_ROWS = 4
"""Lines of a frame that are no desktop: two of summary, one empty, one of headings."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column, and how wide the terminal must be for it to be shown."""

    name: str
    from_width: int
    of: Callable[[Slot], object]


COLUMNS = (
    Column("id", 0, lambda record: record.id),
    Column("state", 0, lambda record: record.state),
    Column("ep", 30, lambda record: record.episode),
    Column("verdict", 0, verdict_of),
    Column("task", 50, task_of),
    Column("age", 60, lambda record: since(record.created_at)),
    Column("unused", 70, lambda record: since(record.last_used_at)),
    Column("made from", 90, lambda record: record.checkpoint),
    Column("instruction", 110, lambda record: NOTHING if record.task is None else record.task.instruction),
)
STYLES = {"valid": "green", "invalid": "red", "pending": "yellow"}


@dataclass(frozen=True, slots=True)
class Frame:
    """What is shown at one moment."""

    url: str
    records: Sequence[Slot]
    at: datetime
    trouble: str | None = None
    """Why the list is not of now."""


def register(app: typer.Typer) -> None:
    """Add `watch`."""
    app.command("watch", epilog=examples("drums watch --once", "drums watch --once --json", "drums watch"))(watch)


def watch(
    *,
    interval: Annotated[
        float, typer.Option("--interval", "-n", metavar="S", min=LEAST_INTERVAL_S, help="Seconds from look to look.")
    ] = INTERVAL_S,
    once: Annotated[bool, typer.Option("--once", help="Print one frame and end.")] = False,
    everything: Annotated[bool, typer.Option("--all", "-a", help="Also desktops that are gone.")] = False,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> int:
    """Watch the desktops, their episodes and verdicts, until Ctrl-C."""
    if as_json and not once:
        raise Misused("--json prints one document: add --once")
    with connected(url, token_file) as server:
        frame = _look(server, everything)
        if as_json:
            Output(as_json).document(frame.records)
            return Status.OK
        from rich.console import Console  # noqa: PLC0415 -- the JSON needs no Rich

        console = Console(highlight=False, markup=False, emoji=False)
        if once:
            console.print(drawn(frame, console.width, None))
            return Status.OK
        _go_on(server, console, frame, interval, everything)
    return Status.OK


def drawn(frame: Frame, width: int, height: int | None) -> Group:
    """The frame as Rich draws it, for a terminal of so many columns and rows; height None: as long as it is."""
    from rich.console import Group  # noqa: PLC0415 -- only who watches needs Rich
    from rich.text import Text  # noqa: PLC0415 -- as above

    room = len(frame.records) if height is None else max(height - HEAD_ROWS - 1, 1)
    shown = frame.records if len(frame.records) <= room else frame.records[-room:]
    columns = [column for column in COLUMNS if width >= column.from_width]
    table = rich_table([column.name for column in columns], [])
    for column, shown_as in zip(columns, table.columns, strict=True):
        shown_as.no_wrap, shown_as.overflow = True, "ellipsis"
        if column.name == "instruction":  # it gets what the others leave, or Rich would cut all of them alike
            table.expand, shown_as.ratio = True, 1
    for record in shown:
        cells = [safe(column.of(record)) for column in columns]
        styles = [STYLES.get(_verdict(record), "") if column.name == "verdict" else "" for column in columns]
        table.add_row(*(Text(cell, style) for cell, style in zip(cells, styles, strict=True)))
    hidden = len(frame.records) - len(shown)
    more = [Text(f"and {hidden} older", "dim", overflow="ellipsis", no_wrap=True)] if hidden else []
    heads = [Text(line, style, overflow="ellipsis", no_wrap=True) for line, style in _summary(frame)]
    return Group(*heads, Text(), table, *more)


def _summary(frame: Frame) -> list[tuple[str, str]]:
    """The lines above the table, each with its style."""
    states = Counter(record.state for record in frame.records)
    verdicts = Counter(verdict for record in frame.records if (verdict := _verdict(record)))
    counts = [f"{number} {word}" for found in (states, verdicts) for word, number in sorted(found.items())]
    told = count(len(frame.records), "desktop") + (f": {', '.join(counts)}" if counts else "")
    where = f"{frame.url}  {frame.at:%H:%M:%S}"
    if frame.trouble is not None:
        return [(safe(f"{where}  {frame.trouble}"), "bold red"), (safe(told), "")]
    return [(safe(where), "bold"), (safe(told), "")]


def _verdict(record: Slot) -> str:
    return (record.validity.verdict or "") if record.validity is not None else ""


def _look(server: Server, everything: bool) -> Frame:
    records = list(server.client.env_records(include_destroyed=everything))
    return Frame(server.client.url, records, datetime.now().astimezone())


def _go_on(server: Server, console: Console, frame: Frame, interval_s: float, everything: bool) -> None:
    """Show frame after frame until the user has seen enough; a daemon that is away is waited for."""
    from rich.live import Live  # noqa: PLC0415 -- as above

    with Live(console=console, screen=console.is_terminal, auto_refresh=False) as live:
        try:
            while True:
                live.update(drawn(frame, console.width, console.height), refresh=True)
                sleep(interval_s)
                try:
                    frame = _look(server, everything)
                except DaemonUnavailable as error:
                    frame = replace(frame, trouble=error.message)
        except KeyboardInterrupt:
            return
