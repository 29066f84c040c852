"""`drums verify`, `gates`: what an episode is worth, and why.

Invariant: `valid` and `score`, printed and in the JSON, are what the SDK made of the reply, whatever that claims.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from drums.cli._options import EnvId, Json, TokenFile, Url, examples
from drums.cli._output import Output, note
from drums.cli._server import connected
from drums.cli._status import Status

if TYPE_CHECKING:
    from drums.records import GateReport
    from drums.reward import Reward


def register(app: typer.Typer) -> None:
    """Add the commands."""
    verified = examples("drums verify $id", "drums verify $id --strict --json", "drums verify $id --at-least 0")
    app.command("verify", epilog=verified)(verify)
    app.command("gates", epilog=examples("drums gates $id", "drums gates $id --wait 30 --json"))(gates)


def verify(
    env_id: EnvId,
    *,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail unless the reward may be used: 7 not valid, 9 no score.")
    ] = False,
    at_least: Annotated[
        float | None, typer.Option(metavar="SCORE", help="Fail with 8 below this score; implies --strict.")
    ] = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> int:
    """Run the task's checker and tell what the episode is worth; the exit status is 0 whatever came of it."""
    with connected(url, token_file) as server:
        reward = server.env(env_id).verify(strict=False)
    out = Output(as_json)
    if as_json:
        out.document(document_of(reward))
    else:
        _tell(reward, out)
    if strict or at_least is not None:
        reward.required(tried=f"verify of {env_id}")
    if at_least is not None and (reward.score is None or reward.score < at_least):
        note(f"the score is {'missing' if reward.score is None else f'{reward.score:g}'}, not {at_least:g} or more")
        return Status.BELOW
    return Status.OK


def gates(
    env_id: EnvId,
    *,
    wait: Annotated[
        float | None,
        typer.Option(metavar="S", min=0, help="Wait so long for a verdict; fail with 7 unless it is valid then."),
    ] = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> int:
    """List the gates of a desktop's episode, and what each saw."""
    with connected(url, token_file) as server:
        env = server.env(env_id)
        valid = wait is None or env.valid(wait)
        report = env.gates()
    out = Output(as_json)
    if as_json:
        out.document(report)
    else:
        _tell_gates(report, out)
    if not valid:
        note(f"{env_id} is not valid: {report.validity.verdict if report.validity else 'no verdict'}")
    return Status.OK if valid else Status.INVALID


def document_of(reward: Reward) -> dict[str, Any]:
    """The reward record, with what the SDK made of it in place of what the daemon claims."""
    return {
        **reward.raw,
        "valid": reward.valid,
        "score": reward.score,
        "verdict": reward.verdict,
        "trusted": reward.trusted,
        "invalid_reasons": reward.invalid_reasons,
    }


def _tell(reward: Reward, out: Output) -> None:
    trusted = {True: "yes", False: "no", None: "unknown"}[reward.trusted]
    out.pairs(
        (
            ("score", "none" if reward.score is None else f"{reward.score:g}"),
            ("valid", "yes" if reward.valid else f"no: {', '.join(reward.invalid_reasons)}"),
            ("trusted", trusted),
            ("audit", ", ".join(reward.audit_flags) or None),
            ("checker error", reward.checker_error),
            ("checker skipped", reward.checker_skipped),
            ("task", reward.task_id),
            ("episode", reward.episode),
        )
    )


def _tell_gates(report: GateReport, out: Output) -> None:
    rows = [
        (gate.name, gate.status, "-" if gate.seconds is None else f"{gate.seconds:.2f}", gate.detail)
        for gate in report.gates or []
    ]
    out.table(("gate", "status", "s", "saw"), rows)
