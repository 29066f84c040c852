from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="QuiescentRequest")


@_attrs_define
class QuiescentRequest:
    """How long to wait for a still desktop, and how long it must have been still.

    Attributes:
        timeout_s (float | Unset): Seconds to wait, at most. Absent means 30.
        window_s (float | Unset): Seconds without any process or thread starting or exiting. Absent means 1.
    """

    timeout_s: float | Unset = UNSET
    window_s: float | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        timeout_s = self.timeout_s

        window_s = self.window_s

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if timeout_s is not UNSET:
            field_dict["timeout_s"] = timeout_s
        if window_s is not UNSET:
            field_dict["window_s"] = window_s

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        timeout_s = d.pop("timeout_s", UNSET)

        window_s = d.pop("window_s", UNSET)

        quiescent_request = cls(
            timeout_s=timeout_s,
            window_s=window_s,
        )

        quiescent_request.additional_properties = d
        return quiescent_request

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
