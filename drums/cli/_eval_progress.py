"""How a run of `drums eval` goes, on standard error: bars with live counts on a terminal, else a line a rollout.

Invariant: what a policy, a task or a desktop said is made safe before it is printed.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from drums.cli._output import safe
from drums.evaluation.summary import Counts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

    from rich.progress import Progress, TaskID

    from drums.evaluation.records import RolloutRecord
    from drums.evaluation.tape import Rollout

MOST_NAMES = 3


class Lines:
    """A line for each rollout that is over.

    Args:
        planned: Rollouts of the whole run.
        missing: Of these, how many are played now.
    """

    def __init__(self, planned: int, missing: int) -> None:
        self._planned = planned
        self._over = planned - missing
        self._counts = Counts()
        if self._over:
            _say(f"{self._over} of {planned} rollouts are recorded already")

    def begun(self, rollout: Rollout) -> None:
        """Nothing is told of a beginning."""

    def ended(self, record: RolloutRecord) -> None:
        """Tell of one that is over."""
        self._over += 1
        self._counts.add(record)
        _say(f"{self._over}/{self._planned} {record['id']} {what_came(record)} | {counted(self._counts)}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """There is nothing to clear away."""


class Bars:
    """A bar with the counts beside it, and a line for each rollout that gave no score.

    Args:
        planned: Rollouts of the whole run.
        missing: Of these, how many are played now.
    """

    def __init__(self, planned: int, missing: int) -> None:
        from rich.console import Console  # noqa: PLC0415 -- only for a terminal
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        counts = TextColumn("{task.fields[counts]}", markup=False)
        columns = (BarColumn(24), MofNCompleteColumn(), counts, TimeElapsedColumn())
        self._bars: Progress = Progress(*columns, console=Console(stderr=True), transient=False)
        self._bar: TaskID = self._bars.add_task("", total=planned, completed=planned - missing, counts="")
        self._counts = Counts()
        self._running = 0

    def begun(self, rollout: Rollout) -> None:
        """Count one more that runs."""
        del rollout
        self._running += 1
        self._show()

    def ended(self, record: RolloutRecord) -> None:
        """Count one that is over."""
        self._running -= 1
        self._counts.add(record)
        if record["outcome"] != "scored":
            self._bars.console.print(f"{safe(record['id'])} {what_came(record)}", markup=False, highlight=False)
        self._show(advance=1)

    def _show(self, advance: int = 0) -> None:
        told = f"{counted(self._counts)}, running {max(self._running, 0)}"
        self._bars.update(self._bar, advance=advance, counts=told)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()


class Watching:
    """Makes what tells how a run goes, as suits standard error; at its end what is on the screen is left in order.

    Args:
        plain: Whether lines are wanted although it is a terminal.
    """

    def __init__(self, *, plain: bool) -> None:
        self._make: type[Lines | Bars] = Bars if sys.stderr.isatty() and not plain else Lines
        self._open = ExitStack()

    def __call__(self, planned: int, missing: int) -> Lines | Bars:
        """Begin to tell of a run of so many rollouts, of which so many are played now."""
        progress = self._make(planned, missing)
        self._open.enter_context(progress)
        return progress

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()


def what_came(record: RolloutRecord) -> str:
    """What came of a rollout, in a few words."""
    if record["outcome"] == "scored":
        flags = f" ({', '.join(record['audit_flags'])})" if record["audit_flags"] else ""
        return safe(f"score {record['score']:g}{flags}")
    if record["outcome"] == "invalid":
        return safe(f"invalid: {'; '.join(record['reasons'])}")
    error = record["error"]
    return safe("error" if error is None else f"error, {error['kind']}: {error['message']}")


def counted(counts: Counts) -> str:
    """The counts in one line: valid with their mean score, invalid by gate, errors by kind."""
    mean = "" if counts.mean_score is None else f" (mean {counts.mean_score:.2f})"
    invalid = f"invalid {counts.invalid}{_most(counts.by_gate)}"
    return f"valid {counts.scored}{mean}, {invalid}, errors {counts.errors}{_most(counts.by_kind)}"


def _most(counter: Mapping[str, int]) -> str:
    ordered = sorted(counter.items(), key=lambda pair: -pair[1])[:MOST_NAMES]
    return f" ({', '.join(f'{safe(name)} {n}' for name, n in ordered)})" if ordered else ""


def _say(line: str) -> None:
    sys.stderr.write(safe(line) + "\n")
    sys.stderr.flush()
