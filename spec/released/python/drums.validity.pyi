class Judgement:
    audit_flags: tuple[str, ...]
    bad_gates: tuple[str, ...]
    reasons: tuple[str, ...]
    score: float | None
    trusted: bool | None
    valid: bool
    verdict: str
Verdict: object
def judge(reply: Mapping[str, object]) -> Judgement: ...
def verdict_of(gates: Iterable[tuple[str, str]]) -> Verdict: ...
