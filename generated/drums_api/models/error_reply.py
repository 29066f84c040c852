from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.gate_report import GateReport
    from ..models.slot import Slot


T = TypeVar("T", bound="ErrorReply")


@_attrs_define
class ErrorReply:
    """Why a request was not done.

    Attributes:
        error (str): What happened, in words.
        code (None | str | Unset): A word for what happened.
        slot (None | Slot | Unset): The record of the slot that it is about.
        gates (GateReport | None | Unset): The gate report of the slot that it is about.
        closed_reason (None | str | Unset): Why the slot was destroyed.
        retry_after_s (float | None | Unset): Seconds to wait before the next try, as in `Retry-After`.
        request_id (None | str | Unset): Names this request in the server's log, as in `X-Request-Id`.
    """

    error: str
    code: None | str | Unset = UNSET
    slot: None | Slot | Unset = UNSET
    gates: GateReport | None | Unset = UNSET
    closed_reason: None | str | Unset = UNSET
    retry_after_s: float | None | Unset = UNSET
    request_id: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.gate_report import GateReport  # noqa: PLC0415
        from ..models.slot import Slot  # noqa: PLC0415

        error = self.error

        code: None | str | Unset
        if isinstance(self.code, Unset):
            code = UNSET
        else:
            code = self.code

        slot: dict[str, Any] | None | Unset
        if isinstance(self.slot, Unset):
            slot = UNSET
        elif isinstance(self.slot, Slot):
            slot = self.slot.to_dict()
        else:
            slot = self.slot

        gates: dict[str, Any] | None | Unset
        if isinstance(self.gates, Unset):
            gates = UNSET
        elif isinstance(self.gates, GateReport):
            gates = self.gates.to_dict()
        else:
            gates = self.gates

        closed_reason: None | str | Unset
        if isinstance(self.closed_reason, Unset):
            closed_reason = UNSET
        else:
            closed_reason = self.closed_reason

        retry_after_s: float | None | Unset
        if isinstance(self.retry_after_s, Unset):
            retry_after_s = UNSET
        else:
            retry_after_s = self.retry_after_s

        request_id: None | str | Unset
        if isinstance(self.request_id, Unset):
            request_id = UNSET
        else:
            request_id = self.request_id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "error": error,
            }
        )
        if code is not UNSET:
            field_dict["code"] = code
        if slot is not UNSET:
            field_dict["slot"] = slot
        if gates is not UNSET:
            field_dict["gates"] = gates
        if closed_reason is not UNSET:
            field_dict["closed_reason"] = closed_reason
        if retry_after_s is not UNSET:
            field_dict["retry_after_s"] = retry_after_s
        if request_id is not UNSET:
            field_dict["request_id"] = request_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.gate_report import GateReport  # noqa: PLC0415
        from ..models.slot import Slot  # noqa: PLC0415

        d = dict(src_dict)
        error = d.pop("error")

        def _parse_code(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        code = _parse_code(d.pop("code", UNSET))

        def _parse_slot(data: object) -> None | Slot | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                slot_type_0 = Slot.from_dict(data)

                return slot_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Slot | Unset, data)

        slot = _parse_slot(d.pop("slot", UNSET))

        def _parse_gates(data: object) -> GateReport | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                gates_type_0 = GateReport.from_dict(data)

                return gates_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(GateReport | None | Unset, data)

        gates = _parse_gates(d.pop("gates", UNSET))

        def _parse_closed_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        closed_reason = _parse_closed_reason(d.pop("closed_reason", UNSET))

        def _parse_retry_after_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        retry_after_s = _parse_retry_after_s(d.pop("retry_after_s", UNSET))

        def _parse_request_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        request_id = _parse_request_id(d.pop("request_id", UNSET))

        error_reply = cls(
            error=error,
            code=code,
            slot=slot,
            gates=gates,
            closed_reason=closed_reason,
            retry_after_s=retry_after_s,
            request_id=request_id,
        )

        error_reply.additional_properties = d
        return error_reply

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
