"""`drums eval`: run a policy over tasks, and tell what it is worth.

It parses, ends on signals and prints; what is played and what the figures mean is `drums.evaluation`'s. Invariant:
whatever ends the command, the desktops that it made are closed and what is recorded stays.
"""

from __future__ import annotations

import asyncio
import json as json_module
import os
import re
import signal
import sys
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from drums.cli._async_client import async_client
from drums.cli._eval_progress import Watching
from drums.cli._options import Image, Json, TokenFile, Url, examples
from drums.cli._output import Output, note
from drums.cli._status import Status
from drums.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from contextlib import AbstractAsyncContextManager
    from types import TracebackType
    from typing import Self

    from drums.aio import Client
    from drums.evaluation.evaluate import Evaluated, Evaluation
    from drums.evaluation.policy import MakePolicy
    from drums.evaluation.records import Outcome
    from drums.evaluation.settings import Prices, Settings
    from drums.evaluation.summary import Row

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
SIZE = re.compile(r"(\d{2,4})x(\d{2,4})")
AGAIN = ("error", "invalid")
"""What `--again` plays once more."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "eval",
        epilog=examples(
            "drums eval --policy drums.evaluation.policies:noop --tasks e0df059f --url local",
            "drums eval --policy drums.evaluation.policies:scripted --tasks scheduling --url local --out scripted",
        ),
    )(evaluate)


def evaluate(
    *,
    policy: Annotated[
        str | None, typer.Option(metavar="MODULE:NAME", help="A function or class that decides; see docs/eval.md.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="An OpenAI-compatible endpoint: http://127.0.0.1:8000/v1")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="The model's name there.")] = None,
    api_key_env: Annotated[
        str, typer.Option(metavar="NAME", help="The environment variable that holds its key, where it needs one.")
    ] = "OPENAI_API_KEY",
    body: Annotated[
        str, typer.Option(metavar="JSON", help="Fields added to every request to it: '{\"temperature\": 0.7}'")
    ] = "{}",
    screen: Annotated[str, typer.Option(metavar="WxH", help="Size of the screenshots that it sees.")] = "1280x720",
    images_to_keep: Annotated[int, typer.Option(metavar="N", min=1, help="Screenshots kept in its context.")] = 5,
    price_in: Annotated[
        float | None, typer.Option(metavar="P", min=0, help="Price of a million prompt tokens.")
    ] = None,
    price_out: Annotated[
        float | None, typer.Option(metavar="P", min=0, help="Price of a million completion tokens.")
    ] = None,
    tasks: Annotated[
        list[str] | None,
        typer.Option(metavar="TASK", help="Ids (8 characters do), domains, `all` or files; may be repeated."),
    ] = None,
    attempts: Annotated[int, typer.Option("--attempts", "-n", metavar="N", min=1, help="Rollouts of each task.")] = 1,
    image: Image = None,
    fork: Annotated[bool, typer.Option("--fork", help="Fork a task's attempts from one desktop.")] = False,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-c", metavar="N", min=1, help="Desktops at a time.")
    ] = 4,
    max_turns: Annotated[int, typer.Option(metavar="N", min=1, help="Turns of a rollout at most.")] = 15,
    time_limit: Annotated[
        float | None, typer.Option(metavar="S", min=0, help="Seconds that the policy has for a rollout.")
    ] = None,
    pause: Annotated[float, typer.Option(metavar="S", min=0, help="Seconds between acting and looking.")] = 1.0,
    wait: Annotated[float, typer.Option(metavar="S", min=0, help="Seconds to go on asking a host that is full.")] = 900,
    verify_timeout: Annotated[
        float, typer.Option(metavar="S", min=1, help="Seconds that the last gate and the checker may take.")
    ] = 600,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where results, screenshots and report go. Default: a new one.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run that is in --out.")] = False,
    again: Annotated[
        list[str] | None,
        typer.Option(metavar="error|invalid", help="With --resume: play rollouts that ended so once more."),
    ] = None,
    at_least: Annotated[
        float | None, typer.Option(metavar="SCORE", help="Fail with 8 where the mean score is below.")
    ] = None,
    url: Url = None,
    token_file: TokenFile = None,
    json: Json = False,
) -> int:
    """Run a policy over tasks and tell what it is worth: score with its interval, pass@k, invalid episodes, cost.

    Every rollout is a line in DIR/results.jsonl; DIR/report.html shows all of them and opens without a server. An
    episode that is not valid is counted and shown, and never is a score. A run that was ended goes on with --resume.
    """
    from drums.evaluation.evaluate import Evaluation, summed_up  # noqa: PLC0415 -- only this command needs it
    from drums.evaluation.results import NAME  # noqa: PLC0415 -- as above
    from drums.evaluation.settings import Pace, Settings  # noqa: PLC0415 -- as above

    width, height = _size(screen)
    settings = Settings(
        policy=policy or f"{model} at {base_url}",
        attempts=attempts,
        max_turns=max_turns,
        time_limit_s=time_limit,
        pause_s=pause,
        image=image,
        fork=fork,
        width=width,
        height=height,
        images_to_keep=images_to_keep,
        body=json_module.dumps(_fields(body), sort_keys=True),
        prices=_prices(price_in, price_out),
    )
    if resume and out is None:
        raise wrong("--resume needs --out", "Name the folder of the run")
    key = os.environ.get(api_key_env) or None
    folder = out or _new_folder()
    asked = Evaluation(
        settings=settings,
        folder=folder,
        words=tasks or ["all"],
        pace=Pace(places=concurrency, wait_s=wait, verify_s=verify_timeout),
        resume=resume,
        again=_again(again or [], resume=resume),
        secrets=[key] if key else [],
    )
    if policy is not None and base_url is None:
        source = _from_module(policy)
    elif policy is None and base_url is not None and model is not None:
        source = _from_endpoint(base_url, model, key, settings)
    else:
        raise wrong("the policy is --policy, or --base-url with --model", "Give one: --policy my_agent:policy")
    number = asyncio.run(_played(asked, source, async_client(url, token_file), plain=json))
    if number and not (folder / NAME).exists():
        return 128 + number
    done = summed_up(folder)
    if number:
        note(f"stopped; {done.recorded} of {done.planned} rollouts are recorded, --resume --out {folder} goes on")
    _print(done, Output(json), folder)
    mean = done.summary.total.counts.mean_score
    if number:
        return 128 + number
    if at_least is not None and (mean is None or mean < at_least):
        return Status.BELOW
    return Status.FAILED if mean is None else Status.OK


async def _played(
    asked: Evaluation,
    source: AbstractAsyncContextManager[MakePolicy],
    connection: AbstractAsyncContextManager[Client],
    *,
    plain: bool,
) -> int:
    """Play what is missing; the number of the signal that ended it, 0 for none."""
    from drums.evaluation.evaluate import evaluate as play  # noqa: PLC0415 -- as above

    with Stop() as stop:
        try:
            async with source as make_policy, connection as client:
                with Watching(plain=plain) as watching:
                    await play(client, asked, make_policy, watching)
        except asyncio.CancelledError:
            if not stop.number:
                raise
    return stop.number


class Stop:
    """Ends the task that enters it on Ctrl-C, SIGTERM and SIGHUP: it is cancelled, so that it closes its desktops.

    A second signal ends the process without waiting for that; the SDK closes what is left on the way out.
    """

    def __init__(self) -> None:
        self.number = 0
        """Of the signal that came; 0 for none."""
        ignored = [number for number in SIGNALS if signal.getsignal(number) is signal.SIG_IGN]  # under nohup
        self._taken = [] if sys.platform == "win32" else [number for number in SIGNALS if number not in ignored]

    def __enter__(self) -> Self:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        for number in self._taken:
            self._loop.add_signal_handler(number, self._on_signal, number)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number in self._taken:
            self._loop.remove_signal_handler(number)

    def _on_signal(self, number: int) -> None:
        if self.number or self._task is None:
            raise SystemExit(128 + number)
        self.number = number
        note("stopping: closing the desktops; once more leaves at once")
        self._task.cancel()


@asynccontextmanager
async def _from_module(spec: str) -> AsyncGenerator[MakePolicy]:
    """A policy of the user's own."""
    from drums.evaluation.policy import PolicyError, load_policy  # noqa: PLC0415 -- as above

    try:
        make_policy = load_policy(spec)
    except PolicyError as error:
        raise wrong(str(error), "Give --policy module:name of a function or class") from error
    yield make_policy


@asynccontextmanager
async def _from_endpoint(base_url: str, model: str, key: str | None, settings: Settings) -> AsyncGenerator[MakePolicy]:
    """The policy of a model behind an endpoint."""
    from drums.evaluation.chat import Endpoint  # noqa: PLC0415 -- as above
    from drums.evaluation.endpoint import policy_of  # noqa: PLC0415 -- as above

    endpoint = Endpoint(base_url, model, key, body=json_module.loads(settings.body))
    try:
        yield policy_of(endpoint, settings)
    finally:
        await endpoint.close()


# --- arguments --------------------------------------------------------------------------------------------------------


def wrong(what: str, todo: str) -> BadRequest:
    """The error for options that do not go together."""
    return BadRequest(400, what, sent="no", hint=todo)


def _size(text: str) -> tuple[int, int]:
    found = SIZE.fullmatch(text)
    if found is None:
        raise wrong(f"--screen is {text!r}", "Give width and height in pixels, such as 1280x720")
    return int(found[1]), int(found[2])


def _fields(text: str) -> dict[str, Any]:
    try:
        fields: object = json_module.loads(text)
    except (ValueError, RecursionError) as error:
        raise wrong(f"--body is not JSON: {error}", "Give an object, such as '{\"temperature\": 0}'") from error
    if not isinstance(fields, dict):
        raise wrong("--body is no JSON object", "Give an object, such as '{\"temperature\": 0}'")
    return cast("dict[str, Any]", fields)


def _prices(price_in: float | None, price_out: float | None) -> Prices | None:
    from drums.evaluation.settings import Prices  # noqa: PLC0415 -- as above

    return None if price_in is None and price_out is None else Prices(price_in or 0.0, price_out or 0.0)


def _again(words: Sequence[str], *, resume: bool) -> frozenset[Outcome]:
    if words and not resume:
        raise wrong("--again needs --resume", "Give both, and the run's --out")
    unknown = [word for word in words if word not in AGAIN]
    if unknown:
        raise wrong(f"--again is {unknown[0]!r}", f"Give {' or '.join(AGAIN)}")
    return frozenset(cast("Sequence[Outcome]", words))


def _new_folder() -> Path:
    return Path("drums-eval") / datetime.now(UTC).strftime("%Y%m%d-%H%M%S")


# --- the answer -------------------------------------------------------------------------------------------------------


def _print(done: Evaluated, output: Output, folder: Path) -> None:
    report = done.report
    if output.as_json:
        facts = {"planned": done.planned, "recorded": done.recorded, "complete": done.recorded >= done.planned}
        paths = {"folder": str(folder), "report": str(report.path), "report_left_out": report.pictures_left_out}
        output.document({**facts, **done.summary.told(), **paths})
        return
    domains, total_row = done.summary.domains, done.summary.total
    rows = [*domains, total_row] if len(domains) != 1 else domains
    k = max(total_row.pass_at, default=1)
    columns = ["domain", "tasks", "valid", "success %", "95 %", "mean", f"pass@{k} %", "invalid", "errors", "p50/p95 s"]
    with_cost = any(cost is not None for cost in (total_row.model_cost, total_row.host_cost))
    output.table([*columns, "cost"] if with_cost else columns, [_cells(row, k, with_cost=with_cost) for row in rows])
    total = total_row.counts
    if (rate := total_row.invalid_rate) is not None and total.invalid:
        output.line(f"invalid episodes: {percent(rate)} % of those that came to a verdict")
    for what, counter in (("invalid", total.by_gate), ("errors", total.by_kind), ("flagged", total.by_flag)):
        if counter:
            output.line(f"{what}: {', '.join(f'{name} {n}' for name, n in counter.most_common())}")
    if total.mean_score is None:
        output.line("no episode is valid and scored: there is no score")
    left = f", {report.pictures_left_out} screenshots left out" if report.pictures_left_out else ""
    output.line(f"report: {report.path} ({report.size_bytes / 2**20:.1f} MB{left})")


def _cells(row: Row, k: int, *, with_cost: bool) -> list[object]:
    counts, interval = row.counts, row.interval
    costs = [cost for cost in (row.model_cost, row.host_cost) if cost is not None]
    cells: list[object] = [
        row.name,
        row.tasks,
        f"{counts.scored}/{counts.total}",
        percent(row.success_rate),
        "-" if interval is None else f"{100 * interval[0]:.0f}-{100 * interval[1]:.0f}",
        "-" if counts.mean_score is None else f"{counts.mean_score:.3f}",
        percent(row.pass_at.get(k)),
        counts.invalid,
        counts.errors,
        "-" if row.seconds_p50 is None else f"{row.seconds_p50:.1f}/{row.seconds_p95:.1f}",
    ]
    return [*cells, f"{sum(costs):.4f}" if costs else "-"] if with_cost else cells


def percent(share: float | None) -> str:
    """A share in percent, `-` for none."""
    return "-" if share is None else f"{100 * share:.1f}"
