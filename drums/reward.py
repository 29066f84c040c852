"""What `env.verify()` returns: the checker's score together with whether the episode may be trained on.

It decides nothing itself; `validity.judge` does, once, when a reply becomes a `Reward`. The one invariant: a reward
with `valid` true and a `score` is one that may be trained on, and no other is.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, NoReturn, Self

from drums._quote import excerpt, scrubbed
from drums.errors import CheckerError, InvalidEpisode
from drums.records import RewardReply
from drums.validity import Judgement, judge

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from drums.errors import Facts
    from drums.records import Audit, Gate, Validity


class Reward:
    """A verified episode; read-only. Its truth value says nothing (it is always true): read `valid` and `score`.

    Args:
        raw: The reply of verify, as it came.
    """

    __slots__ = ("_judged", "_raw")

    _raw: RewardReply
    _judged: Judgement

    def __init__(self, raw: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_raw", RewardReply(deepcopy(dict(raw))))
        object.__setattr__(self, "_judged", judge(self._raw))

    @property
    def raw(self) -> RewardReply:
        """The reply as it came, with the fields that the spec does not name."""
        return self._raw

    @property
    def env_id(self) -> str:
        """Id of the env."""
        return str(self._raw.get("slot", ""))

    @property
    def episode(self) -> int | None:
        """Number of the episode, from 1."""
        return self._raw.episode

    @property
    def task_id(self) -> str | None:
        """Id of the task whose checker ran; None without a task."""
        return self._raw.task_id

    @property
    def score(self) -> float | None:
        """The checker's score, 0 to 1; None when the checker failed or was not run. It counts only with `valid`."""
        return self._judged.score

    @property
    def valid(self) -> bool:
        """Whether every gate passed, the env was never quarantined and nothing in the reply says otherwise."""
        return self._judged.valid

    @property
    def validity(self) -> Validity | None:
        """What the server says of the gates; `verdict` and `bad_gates` are what came of it."""
        return self._raw.validity

    @property
    def verdict(self) -> str:
        """`valid` exactly when `valid`; else `invalid`, `pending`, or a word of a newer server."""
        return self._judged.verdict

    @property
    def bad_gates(self) -> list[str]:
        """Names of the gates that failed or are pending."""
        return list(self._judged.bad_gates)

    @property
    def checker_error(self) -> str | None:
        """What went wrong in the checker; then there is no score."""
        return self._raw.checker_error or None

    @property
    def checker_skipped(self) -> str | None:
        """Why the checker was not run, `quarantined: client`; then there is no score."""
        return self._raw.checker_skipped

    @property
    def gates(self) -> list[Gate]:
        """The episode's gates, in the order they were taken."""
        return self._raw.gates or []

    @property
    def seconds(self) -> float | None:
        """How long the server took, in seconds."""
        return self._raw.seconds

    @property
    def audit(self) -> Audit | None:
        """The server's second look at the score; None from a server that makes none (before 0.4.2)."""
        return self._raw.audit

    @property
    def audit_flags(self) -> list[str]:
        """The audit's words against the score."""
        return list(self._judged.audit_flags)

    @property
    def trusted(self) -> bool | None:
        """Whether a valid episode's score passed the audit; None when the server made none, which is not trust."""
        return self._judged.trusted

    @property
    def invalid_reasons(self) -> list[str]:
        """Why the episode is not valid; empty exactly when it is."""
        return list(self._judged.reasons)

    def required(self, **facts: Unpack[Facts]) -> Self:
        """This reward, if it may be used; what `verify(strict=True)` does.

        A valid episode whose checker was skipped (an env without a task) is returned with `score` None.

        Args:
            facts: What the error should know of the call.

        Raises:
            InvalidEpisode: The episode is not valid.
            CheckerError: The checker failed, or gave neither a score nor a reason.
        """
        if not self.valid:
            raise InvalidEpisode(self, **facts)
        if self.checker_error or (self.score is None and self.checker_skipped is None):
            raise CheckerError(self, **facts)
        return self

    def __eq__(self, other: object) -> bool:
        return self._raw == other._raw if isinstance(other, Reward) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._raw.get("slot"), self._raw.get("episode")))

    def __repr__(self) -> str:
        told = f"score {self.score}, valid {self.valid}, trusted {self.trusted}"
        return f"<Reward of {excerpt(self.env_id)}, episode {self.episode}: {told}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (scrubbed(dict(self._raw)),)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Reward is read-only: {name} stays as it is")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Reward is read-only: {name} stays as it is")
