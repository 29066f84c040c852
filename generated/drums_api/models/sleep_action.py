from __future__ import annotations

from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="SleepAction")


@_attrs_define
class SleepAction:
    """Let the desktop run for a while.

    Attributes:
        type_ (Literal['sleep']): Tells this action from the others.
        seconds (float): How long, in seconds.
    """

    type_: Literal["sleep"]
    seconds: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_

        seconds = self.seconds

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "seconds": seconds,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        type_ = cast(Literal["sleep"], d.pop("type"))
        if type_ != "sleep":
            raise ValueError(f"type must match const 'sleep', got '{type_}'")

        seconds = d.pop("seconds")

        sleep_action = cls(
            type_=type_,
            seconds=seconds,
        )

        sleep_action.additional_properties = d
        return sleep_action

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
