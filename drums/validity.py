"""The rule that decides whether an episode may be trained on: from gates for the daemon, from a reply for the SDK.

It is pure: it raises nothing, asks nobody and does not check a reply's shape (`records` does). The one invariant:
`judge` says valid only when the server says `true` and nothing else in the reply speaks against it; what it can't
read speaks against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Verdict = Literal["pending", "valid", "invalid"]


class Judgement(NamedTuple):
    """What a verify reply is worth."""

    valid: bool
    """Whether every gate passed and nothing speaks against it."""
    verdict: str
    """`valid` exactly when `valid`; else `invalid`, `pending`, or a newer server's word."""
    reasons: tuple[str, ...]
    """Why it is not valid; empty exactly when it is."""
    bad_gates: tuple[str, ...]
    """Names of the gates that are not known to have passed, in the reply's order."""
    trusted: bool | None
    """Whether the audit found nothing against the score; None when the server made no audit."""
    audit_flags: tuple[str, ...]
    """The audit's words against the score."""
    score: float | None
    """The checker's score; None when it gave none that counts."""


def verdict_of(gates: Iterable[tuple[str, str]]) -> Verdict:
    """The verdict of an episode with these gates, (name, status); an unknown status is a failure, no gates: pending."""
    statuses = {status for _, status in gates}
    if statuses - {"passed", "pending"}:
        return "invalid"
    return "valid" if statuses == {"passed"} else "pending"


def judge(reply: Mapping[str, object]) -> Judgement:
    """Read a verify reply: is the episode valid, why not, which score counts, and is it trusted."""
    bad = _bad_gates(reply)
    told = _words(reply.get("invalid_reasons"))
    against = tuple(_objections(reply, bad))
    valid = reply.get("valid") is True and not told and not against
    flags = _words(_at(reply, "audit", "flags"))
    score = _score(reply)
    return Judgement(
        valid=valid,
        verdict="valid" if valid else _verdict(reply, bad),
        reasons=() if valid else told or against or ("the server does not say that it is valid",),
        bad_gates=tuple(bad),
        trusted=_trusted(reply.get("audit"), sound=valid and score is not None and not flags),
        audit_flags=flags,
        score=score,
    )


def _objections(reply: Mapping[str, object], bad: Mapping[str, str]) -> Iterator[str]:
    """What in the reply speaks against a valid episode, in words, beside the server's own reasons."""
    state = reply.get("state")
    if state is not None and state != "ready":
        yield f"env is {state}"
    for name, status in bad.items():
        yield f"gate {name} {status}"
    yield from _quarantine(reply)
    verdict = _stated_verdict(reply)
    if verdict != "valid" and not bad:
        yield "no verdict" if verdict is None else f"the verdict is {verdict}"
    if reply.get("score") is not None and reply.get("checker_skipped") is not None:
        yield "there is a score although the checker was skipped"
    if not isinstance(reply.get("validity"), Mapping | None):
        yield "validity is not an object"
    for path in (("gates",), ("validity", "gates")):
        if not isinstance(_at(reply, *path), list | None):
            yield f"{'.'.join(path)} is not a list"


def _bad_gates(reply: Mapping[str, object]) -> dict[str, str]:
    """Name and status, `failed` or `pending`, of each gate not known to have passed; an unknown status is a failure."""
    bad: dict[str, str] = {}
    for gate in _items(reply.get("gates")):
        status = _at(gate, "status")
        if status != "passed":
            name = _gate_name(_at(gate, "name"))
            bad[name] = "pending" if status == "pending" and bad.get(name) != "failed" else "failed"
    pending = _at(reply, "validity", "verdict") == "pending"
    for gate in _items(_at(reply, "validity", "gates")):
        bad.setdefault(_gate_name(gate), "pending" if pending else "failed")
    return bad


def _gate_name(name: object) -> str:
    return name if isinstance(name, str) and name else "without a name"


def _quarantine(reply: Mapping[str, object]) -> tuple[str, ...]:
    """The words with which a reply tells of a quarantine, beside its state."""
    skipped = reply.get("checker_skipped")
    if isinstance(skipped, str) and "quarantine" in skipped.lower():
        return (skipped,)
    return () if reply.get("quarantined") in (None, False) else ("quarantined",)


def _stated_verdict(reply: Mapping[str, object]) -> object:
    """The reply's verdict; where it states none, that of its gates; None where it has no gates either."""
    verdict = _at(reply, "validity", "verdict")
    gates = _items(reply.get("gates"))
    if verdict is not None or not gates:
        return verdict
    return verdict_of(("", str(_at(gate, "status"))) for gate in gates)


def _verdict(reply: Mapping[str, object], bad: Mapping[str, str]) -> str:
    """The verdict of an episode that is not valid: the server's word, save `valid`, and `pending` where all is lost."""
    verdict = _stated_verdict(reply)
    lost = reply.get("state") not in (None, "ready") or "failed" in bad.values() or bool(_quarantine(reply))
    if not isinstance(verdict, str) or verdict in {"", "valid"} or (verdict == "pending" and lost):
        return "invalid"
    return verdict


def _score(reply: Mapping[str, object]) -> float | None:
    """The score that counts: one from 0 to 1, of a checker that ran and did not fail, in an env not quarantined."""
    score = reply.get("score")
    ran = reply.get("checker_error") in (None, "") and reply.get("checker_skipped") is None
    counts = ran and _is_score(score) and reply.get("state") != "quarantined" and not _quarantine(reply)
    return cast("float", score) if counts else None


def _is_score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _trusted(audit: object, *, sound: bool) -> bool | None:
    """Whether the audit stands behind the score; each part of it that does not agree, or can't be read, counts."""
    if audit is None:
        return None
    return sound and _at(audit, "trusted") is True and not any(_doubts(audit))


def _doubts(audit: object) -> Iterator[bool]:
    recheck, agrees, redundant = _at(audit, "recheck"), _at(audit, "recheck", "agrees"), _at(audit, "redundant")
    yield not isinstance(recheck, Mapping | None)
    yield agrees is not True and not (agrees is None and _at(recheck, "ran") is not True)
    yield redundant is not True and redundant is not None
    yield _at(audit, "scope") not in ("within", None)
    yield _at(audit, "beyond") not in ([], None)


def _at(value: object, *path: str) -> object:
    """What is at a path of names in a JSON value; None where there is nothing."""
    for name in path:
        value = cast("Mapping[str, object]", value).get(name) if isinstance(value, Mapping) else None
    return value


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _words(value: object) -> tuple[str, ...]:
    """The words of a list of words; whatever else is there is a word too, so that nothing said is lost."""
    if value is None:
        return ()
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    return tuple(str(item).strip() or "a reason without words" for item in items)
