from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.audit import Audit
    from ..models.gate import Gate
    from ..models.validity import Validity


T = TypeVar("T", bound="RewardReply")


@_attrs_define
class RewardReply:
    """What an episode is worth. Only a reply with `valid` true and a score may train anything.

    Attributes:
        slot (str): Id of the slot.
        valid (bool): Whether the episode is valid: every gate passed, and never quarantined.
        episode (int | None | Unset): Number of the episode, from 1.
        task_id (None | str | Unset): Id of the task that was checked.
        state (None | str | Unset): State of the slot.
        score (float | None | Unset): The checker's score, 0 to 1; null when there is none.
        validity (None | Unset | Validity): What the episode's gates say.
        checker_error (None | str | Unset): What went wrong in the checker, in words; then there is no score.
        checker_skipped (None | str | Unset): Why the checker was not run, such as `quarantined: client`; then there is
            no score.
        gates (list[Gate] | None | Unset): The episode's checks, in the order they are taken.
        seconds (float | None | Unset): How long verifying took in the daemon, in seconds.
        invalid_reasons (list[str] | None | Unset): Why the episode is not valid, in words; empty when it is. Null or
            absent: a daemon that does not tell.
        audit (Audit | None | Unset): What the audit of the reward found; null or absent from a daemon before 0.4.2.
    """

    slot: str
    valid: bool
    episode: int | None | Unset = UNSET
    task_id: None | str | Unset = UNSET
    state: None | str | Unset = UNSET
    score: float | None | Unset = UNSET
    validity: None | Unset | Validity = UNSET
    checker_error: None | str | Unset = UNSET
    checker_skipped: None | str | Unset = UNSET
    gates: list[Gate] | None | Unset = UNSET
    seconds: float | None | Unset = UNSET
    invalid_reasons: list[str] | None | Unset = UNSET
    audit: Audit | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.audit import Audit  # noqa: PLC0415
        from ..models.validity import Validity  # noqa: PLC0415

        slot = self.slot

        valid = self.valid

        episode: int | None | Unset
        if isinstance(self.episode, Unset):
            episode = UNSET
        else:
            episode = self.episode

        task_id: None | str | Unset
        if isinstance(self.task_id, Unset):
            task_id = UNSET
        else:
            task_id = self.task_id

        state: None | str | Unset
        if isinstance(self.state, Unset):
            state = UNSET
        else:
            state = self.state

        score: float | None | Unset
        if isinstance(self.score, Unset):
            score = UNSET
        else:
            score = self.score

        validity: dict[str, Any] | None | Unset
        if isinstance(self.validity, Unset):
            validity = UNSET
        elif isinstance(self.validity, Validity):
            validity = self.validity.to_dict()
        else:
            validity = self.validity

        checker_error: None | str | Unset
        if isinstance(self.checker_error, Unset):
            checker_error = UNSET
        else:
            checker_error = self.checker_error

        checker_skipped: None | str | Unset
        if isinstance(self.checker_skipped, Unset):
            checker_skipped = UNSET
        else:
            checker_skipped = self.checker_skipped

        gates: list[dict[str, Any]] | None | Unset
        if isinstance(self.gates, Unset):
            gates = UNSET
        elif isinstance(self.gates, list):
            gates = []
            for gates_type_0_item_data in self.gates:
                gates_type_0_item = gates_type_0_item_data.to_dict()
                gates.append(gates_type_0_item)

        else:
            gates = self.gates

        seconds: float | None | Unset
        if isinstance(self.seconds, Unset):
            seconds = UNSET
        else:
            seconds = self.seconds

        invalid_reasons: list[str] | None | Unset
        if isinstance(self.invalid_reasons, Unset):
            invalid_reasons = UNSET
        elif isinstance(self.invalid_reasons, list):
            invalid_reasons = self.invalid_reasons

        else:
            invalid_reasons = self.invalid_reasons

        audit: dict[str, Any] | None | Unset
        if isinstance(self.audit, Unset):
            audit = UNSET
        elif isinstance(self.audit, Audit):
            audit = self.audit.to_dict()
        else:
            audit = self.audit

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "slot": slot,
                "valid": valid,
            }
        )
        if episode is not UNSET:
            field_dict["episode"] = episode
        if task_id is not UNSET:
            field_dict["task_id"] = task_id
        if state is not UNSET:
            field_dict["state"] = state
        if score is not UNSET:
            field_dict["score"] = score
        if validity is not UNSET:
            field_dict["validity"] = validity
        if checker_error is not UNSET:
            field_dict["checker_error"] = checker_error
        if checker_skipped is not UNSET:
            field_dict["checker_skipped"] = checker_skipped
        if gates is not UNSET:
            field_dict["gates"] = gates
        if seconds is not UNSET:
            field_dict["seconds"] = seconds
        if invalid_reasons is not UNSET:
            field_dict["invalid_reasons"] = invalid_reasons
        if audit is not UNSET:
            field_dict["audit"] = audit

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.audit import Audit  # noqa: PLC0415
        from ..models.gate import Gate  # noqa: PLC0415
        from ..models.validity import Validity  # noqa: PLC0415

        d = dict(src_dict)
        slot = d.pop("slot")

        valid = d.pop("valid")

        def _parse_episode(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        episode = _parse_episode(d.pop("episode", UNSET))

        def _parse_task_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        task_id = _parse_task_id(d.pop("task_id", UNSET))

        def _parse_state(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        state = _parse_state(d.pop("state", UNSET))

        def _parse_score(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        score = _parse_score(d.pop("score", UNSET))

        def _parse_validity(data: object) -> None | Unset | Validity:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                validity_type_0 = Validity.from_dict(data)

                return validity_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Unset | Validity, data)

        validity = _parse_validity(d.pop("validity", UNSET))

        def _parse_checker_error(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        checker_error = _parse_checker_error(d.pop("checker_error", UNSET))

        def _parse_checker_skipped(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        checker_skipped = _parse_checker_skipped(d.pop("checker_skipped", UNSET))

        def _parse_gates(data: object) -> list[Gate] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                gates_type_0 = []
                _gates_type_0 = data
                for gates_type_0_item_data in _gates_type_0:
                    gates_type_0_item = Gate.from_dict(gates_type_0_item_data)

                    gates_type_0.append(gates_type_0_item)

                return gates_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[Gate] | None | Unset, data)

        gates = _parse_gates(d.pop("gates", UNSET))

        def _parse_seconds(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        seconds = _parse_seconds(d.pop("seconds", UNSET))

        def _parse_invalid_reasons(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                invalid_reasons_type_0 = cast(list[str], data)

                return invalid_reasons_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        invalid_reasons = _parse_invalid_reasons(d.pop("invalid_reasons", UNSET))

        def _parse_audit(data: object) -> Audit | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                audit_type_0 = Audit.from_dict(data)

                return audit_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Audit | None | Unset, data)

        audit = _parse_audit(d.pop("audit", UNSET))

        reward_reply = cls(
            slot=slot,
            valid=valid,
            episode=episode,
            task_id=task_id,
            state=state,
            score=score,
            validity=validity,
            checker_error=checker_error,
            checker_skipped=checker_skipped,
            gates=gates,
            seconds=seconds,
            invalid_reasons=invalid_reasons,
            audit=audit,
        )

        reward_reply.additional_properties = d
        return reward_reply

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
