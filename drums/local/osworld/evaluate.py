"""The evaluator: OSWorld's algorithm over getters and checkers, from a desktop to a verdict.

It does not decide what a score is worth: gates and episodes are the domain's. Invariant: fail safe. Whatever goes
wrong in fetching or judging is a `checker_error` with no score; the score 0 is only ever a checker's own answer.
Source: desktop_env.py of OSWorld (Apache-2.0), for the semantics.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, cast

from drums.local.machines.machine import DesktopGone, MachineError

from .checkers import CHECKERS, CheckerFault, CheckerSpec, CheckerTimeout
from .errors import SetupFailed, TaskMalformed, TaskUnsupported
from .fields import Fields, Json, kind
from .getters import Getter, read_getter
from .sandbox import SANDBOX
from .stage import Stage
from .steps import Step, read_steps, run_closing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from drums.local.machines.machine import Desktop

    from .reading import Reading

CHECK_TIMEOUT_S = 300.0
"""The longest that a check may take, fetching included."""

ErrorKind = Literal["timeout", "crashed"]
Signal = Literal["FAIL", "DONE", "WAIT"]
"""What an agent can say of its task instead of acting."""
INFEASIBLE = "infeasible"
"""The `func` of a task that can't be done: to say so is to solve it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found. Exactly one of `score` and `checker_error` is None."""

    score: float | None
    checker_error: str | None
    seconds: float
    error_kind: ErrorKind | None = None
    """How the check failed: out of time, or an exception; None where it did not."""
    notes: tuple[str, ...] = ()
    """What the task's closing steps found otherwise than its author thought, such as a window that is not there."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One checker with what it looks at."""

    name: str
    checker: CheckerSpec
    result: Getter
    expected: Getter | None
    options: Mapping[str, object]

    async def score(self, stage: Stage) -> float:
        """Fetch and judge."""
        result = await self.result.fetch(stage)
        expected = await self.expected.fetch(stage) if self.expected else None
        return await SANDBOX.run(self.name, result, expected, self.options)


@dataclass(frozen=True, slots=True)
class Evaluator:
    """How a task is scored."""

    metrics: tuple[Metric, ...]
    """What is looked at; nothing where the task is infeasible."""
    conj: Literal["and", "or"]
    postconfig: tuple[Step, ...]
    redundant: Evaluator | None = None
    """An independent second evaluator that has to agree: our addition to the format."""

    @property
    def infeasible(self) -> bool:
        """Whether the task can't be done, and giving up is what it asks for."""
        return not self.metrics

    def score_of_signal(self, last: Signal | None) -> float | None:
        """What the agent's last action alone decides, whatever the desktop is like; None where the desktop decides."""
        if self.infeasible:
            return 1.0 if last == "FAIL" else 0.0
        return 0.0 if last == "FAIL" else None

    async def score(self, stage: Stage) -> float:
        """The score of all metrics: `and` is their mean, 0 once one is 0; `or` is their best."""
        scores: list[float] = []
        for metric in self.metrics:
            scores.append(await metric.score(stage))
            if self.conj == "and" and scores[-1] == 0.0:
                return 0.0
            if self.conj == "or" and scores[-1] == 1.0:
                return 1.0
        return sum(scores) / len(scores) if self.conj == "and" else max(scores)


async def judge(
    evaluator: Evaluator,
    desktop: Desktop,
    *,
    last_signal: Signal | None,
    postconfig: bool,
    timeout_s: float,
    sleep: Callable[[float], Awaitable[None]],
) -> Verdict:
    """Run an evaluator on a desktop; only the loss of the desktop is raised.

    What the agent's last action decides alone is not looked for on the desktop, and no step of the task is run for it.

    Raises:
        DesktopGone: There is no desktop to check any more.
    """
    began = time.monotonic()
    decided = evaluator.score_of_signal(last_signal)
    if decided is not None:
        return Verdict(decided, None, 0.0)

    def failed(why: str, error_kind: ErrorKind) -> Verdict:
        return Verdict(None, why, time.monotonic() - began, error_kind, tuple(stage.notes))

    stage = Stage(desktop, sleep, closing=True)

    async def run() -> float:
        # A step that only keeps what a command prints belongs to the looking: a second look asks again.
        steps = evaluator.postconfig if postconfig else [step for step in evaluator.postconfig if step.observes]
        await run_closing(steps, stage)
        return await evaluator.score(stage)

    try:
        score = await asyncio.wait_for(run(), timeout_s)
    except TimeoutError:
        return failed(f"the check took longer than {timeout_s:g} s", "timeout")
    except DesktopGone:
        raise
    except CheckerTimeout as error:
        return failed(str(error), "timeout")
    except (MachineError, SetupFailed, CheckerFault) as error:
        return failed(str(error), "crashed")
    except Exception as error:  # noqa: BLE001  whatever a checker raises must become a checker_error, never a score
        return failed(f"{type(error).__name__}: {error}", "crashed")
    return Verdict(score, None, time.monotonic() - began, notes=tuple(stage.notes))


def read_evaluator(value: Json, reading: Reading, where: str = "task.evaluator") -> Evaluator:
    """A task's evaluator.

    Raises:
        TaskMalformed: It is not what OSWorld's format says.
        TaskUnsupported: A checker, getter, step or option in it is not built here.
    """
    fields = Fields.of(value, where)
    conj = fields.get("conj") or "and"
    if conj not in {"and", "or"}:
        raise TaskMalformed(fields.at("conj"), f'expected "and" or "or", got {kind(conj)}')
    return Evaluator(
        # First the steps: a getter may name what one of them keeps.
        postconfig=read_steps(fields.items("postconfig"), fields.at("postconfig"), reading),
        metrics=_read_metrics(fields, reading),
        conj="or" if conj == "or" else "and",
        redundant=_read_redundant(fields.get("redundant"), fields.at("redundant"), reading),
    )


def _read_redundant(value: Json, where: str, reading: Reading) -> Evaluator | None:
    """The second evaluator: it looks at what the first one left, so it has no steps and no second one of its own."""
    if value is None:
        return None
    fields = Fields.of(value, where)
    fields.only("func", "result", "expected", "options", "conj")
    if fields.get("func") == INFEASIBLE:
        raise TaskMalformed(fields.at("func"), "expected a checker that looks at the desktop, got 'infeasible'")
    return read_evaluator(value, replace(reading, kept=set[str]()), where)


def _read_metrics(fields: Fields, reading: Reading) -> tuple[Metric, ...]:
    names = fields.get("func")
    if names == INFEASIBLE:
        return ()
    if not isinstance(names, list):
        return (_read_metric(fields.text("func"), fields, fields.get, reading),)
    listed = cast("list[Json]", names)
    if not listed:
        raise TaskMalformed(fields.at("func"), "expected at least one checker, got an empty list")
    return tuple(_read_listed_metric(name, index, len(listed), fields, reading) for index, name in enumerate(listed))


def _read_listed_metric(name: Json, index: int, count: int, fields: Fields, reading: Reading) -> Metric:
    """One metric of an evaluator whose func, result, expected and options are parallel lists."""
    if not isinstance(name, str):
        raise TaskMalformed(f"{fields.at('func')}[{index}]", f"expected a checker's name, got {kind(name)}")

    def get(field: str) -> Json:
        values = fields.items(field)
        if values and len(values) != count:
            raise TaskMalformed(fields.at(field), f"expected {count} entries, one for each func, got {len(values)}")
        return values[index] if values else None

    return _read_metric(name, fields, get, reading, f"[{index}]")


def _read_metric(name: str, fields: Fields, get: Callable[[str], Json], reading: Reading, suffix: str = "") -> Metric:
    if name == INFEASIBLE:
        raise TaskMalformed(fields.at("func") + suffix, "expected a checker, got 'infeasible', which stands alone")
    if name not in CHECKERS:
        what = f"the checker {name!r}"
        raise TaskUnsupported(f"{fields.at('func')}: {what} is not supported", what)
    checker = CHECKERS[name]
    expected = get("expected")
    if expected in (None, {}) and checker.expected:
        raise TaskMalformed(fields.at("expected") + suffix, f"is missing; {name} compares with it")
    for library in checker.libraries:
        if find_spec(library) is None:
            what = f"needs the library {library!r}: pip install 'drums-sdk[checkers]'"
            raise TaskUnsupported(f"{fields.at('func')}: {name} {what}", f"the library {library!r}")

    def read_side(side: str) -> Getter:
        value = _with_all_files(get(side)) if checker.all_files else get(side)
        return read_getter(value, fields.at(side) + suffix, reading)

    return Metric(
        name=name,
        checker=checker,
        result=read_side("result"),
        expected=None if expected in (None, {}) else read_side("expected"),
        options=_read_options(name, checker, get("options"), fields.at("options") + suffix),
    )


def _with_all_files(getter: Json) -> Json:
    """A getter of several files that says which of them the checker gets: all, where the task does not say it."""
    if not isinstance(getter, dict):
        return getter
    values = cast("dict[str, Json]", getter)
    paths = values.get("path")
    if not values.get("multi") or values.get("gives") is not None or not isinstance(paths, list):
        return values
    return values | {"gives": list(range(len(cast("list[Json]", paths))))}


def _read_options(name: str, checker: CheckerSpec, value: Json, where: str) -> Mapping[str, object]:
    options: Mapping[str, object] = {} if value is None else Fields.of(value, where).values
    unknown = sorted(set(options) - checker.options)
    if unknown:
        what = f"the option {unknown[0]!r} of {name}"
        raise TaskUnsupported(f"{where}: {what} is not supported", what)
    refusal = checker.refuse(options) if checker.refuse else None
    if refusal is not None:
        raise TaskUnsupported(f"{where}: {refusal}", f"{name}: {refusal}")
    return options
