"""What an episode's verdict means for its trace: dropped, and under which reason.

Pure. The one invariant: a reason is `drums_invalid:<verdict>:<gates>`, with the gates that failed, joined by commas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

STOP = "drums_invalid"
"""The stop condition of a rollout whose episode turned out invalid, and the first word of its reason."""

NOT_ADMITTED = "admission"
"""Stands in for a gate when a forked child never found room."""


def drop_reason(verdict: str | None, gates: Iterable[str]) -> str:
    """Why a trace is dropped. A verdict `valid`, or none, reads as `invalid`: something else spoke against it."""
    told = verdict if verdict not in {None, "", "valid"} else "invalid"
    return f"{STOP}:{told}:{','.join(gates)}"


def failed_gates(gates: Sequence[Mapping[str, object]], bad: Sequence[str]) -> list[str]:
    """Names of the gates that failed; where no report tells, of all that are not known to have passed."""
    failed = [str(gate.get("name")) for gate in gates if gate.get("status") not in {"passed", "pending"}]
    return failed or list(bad)


def reason_of_record(record: Mapping[str, object]) -> str | None:
    """Why the episode of an env with this record must be dropped, None while nothing speaks against it."""
    validity = cast("Mapping[str, Any]", record.get("validity") or {})
    verdict, gates = validity.get("verdict"), [str(name) for name in validity.get("gates") or ()]
    if record.get("state") == "ready" and verdict in {None, "valid", "pending"}:
        return None
    return drop_reason("invalid" if verdict == "pending" else verdict, gates)
