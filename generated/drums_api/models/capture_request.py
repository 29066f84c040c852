from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="CaptureRequest")


@_attrs_define
class CaptureRequest:
    """What the saved state is called, how long to wait for a still desktop, and the state's lease.

    Attributes:
        id (str | Unset): Id of the saved state. Absent means that the daemon chooses one.
        quiesce_timeout_s (float | Unset): Seconds to wait for a still desktop, at most. Absent means 30.
        idle_timeout_s (float | Unset): Seconds without a slot made from it after which the state is reaped; 0 never.
            Absent means 1800.
        ttl_s (float | Unset): Seconds after its creation after which the state is reaped; 0 never. Absent means 0.
    """

    id: str | Unset = UNSET
    quiesce_timeout_s: float | Unset = UNSET
    idle_timeout_s: float | Unset = UNSET
    ttl_s: float | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        quiesce_timeout_s = self.quiesce_timeout_s

        idle_timeout_s = self.idle_timeout_s

        ttl_s = self.ttl_s

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if id is not UNSET:
            field_dict["id"] = id
        if quiesce_timeout_s is not UNSET:
            field_dict["quiesce_timeout_s"] = quiesce_timeout_s
        if idle_timeout_s is not UNSET:
            field_dict["idle_timeout_s"] = idle_timeout_s
        if ttl_s is not UNSET:
            field_dict["ttl_s"] = ttl_s

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id", UNSET)

        quiesce_timeout_s = d.pop("quiesce_timeout_s", UNSET)

        idle_timeout_s = d.pop("idle_timeout_s", UNSET)

        ttl_s = d.pop("ttl_s", UNSET)

        capture_request = cls(
            id=id,
            quiesce_timeout_s=quiesce_timeout_s,
            idle_timeout_s=idle_timeout_s,
            ttl_s=ttl_s,
        )

        capture_request.additional_properties = d
        return capture_request

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
