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

from ..models.signal_action_signal_name import SignalActionSignalName

T = TypeVar("T", bound="SignalAction")


@_attrs_define
class SignalAction:
    """Say something of the task instead of acting. `FAIL`: it can't be done. `DONE`: it is done. `WAIT`: let the desktop
    run for 2 s.
    FAIL and DONE touch nothing and end nothing; they count at verify while they are the episode's last action: a task
    that can't be
    done scores 1 exactly when that is FAIL, every other one scores 0 then. A new episode begins without a last action:
    after a
    reset, and in a branch's children. Needs the capability `signals`.

        Attributes:
            type_ (Literal['signal']): Tells this action from the others.
            name (SignalActionSignalName): What is said.
    """

    type_: Literal["signal"]
    name: SignalActionSignalName
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_

        name = self.name.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "name": name,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        type_ = cast(Literal["signal"], d.pop("type"))
        if type_ != "signal":
            raise ValueError(f"type must match const 'signal', got '{type_}'")

        name = SignalActionSignalName(d.pop("name"))

        signal_action = cls(
            type_=type_,
            name=name,
        )

        signal_action.additional_properties = d
        return signal_action

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
