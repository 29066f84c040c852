from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="SlotUsage")


@_attrs_define
class SlotUsage:
    """What a slot took of the host.

    Attributes:
        slot_seconds (float | None | Unset): How long it held a place on the host, in seconds.
        share (float | None | Unset): Its part of all slots' time on the host, 0 to 1.
        cost (float | None | Unset): Its part of the host's cost, in the currency of `get_metrics`; null when the price
            is not known.
    """

    slot_seconds: float | None | Unset = UNSET
    share: float | None | Unset = UNSET
    cost: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        slot_seconds: float | None | Unset
        if isinstance(self.slot_seconds, Unset):
            slot_seconds = UNSET
        else:
            slot_seconds = self.slot_seconds

        share: float | None | Unset
        if isinstance(self.share, Unset):
            share = UNSET
        else:
            share = self.share

        cost: float | None | Unset
        if isinstance(self.cost, Unset):
            cost = UNSET
        else:
            cost = self.cost

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if slot_seconds is not UNSET:
            field_dict["slot_seconds"] = slot_seconds
        if share is not UNSET:
            field_dict["share"] = share
        if cost is not UNSET:
            field_dict["cost"] = cost

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_slot_seconds(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        slot_seconds = _parse_slot_seconds(d.pop("slot_seconds", UNSET))

        def _parse_share(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        share = _parse_share(d.pop("share", UNSET))

        def _parse_cost(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        cost = _parse_cost(d.pop("cost", UNSET))

        slot_usage = cls(
            slot_seconds=slot_seconds,
            share=share,
            cost=cost,
        )

        slot_usage.additional_properties = d
        return slot_usage

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
