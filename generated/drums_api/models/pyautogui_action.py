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

T = TypeVar("T", bound="PyautoguiAction")


@_attrs_define
class PyautoguiAction:
    """Run Python with `import pyautogui, time` before it, as the desktop's user, and wait for it, 120 s at most.

    Attributes:
        type_ (Literal['pyautogui']): Tells this action from the others.
        code (str): Python source. Coordinates are screen pixels from the top left.
    """

    type_: Literal["pyautogui"]
    code: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_

        code = self.code

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "code": code,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        type_ = cast(Literal["pyautogui"], d.pop("type"))
        if type_ != "pyautogui":
            raise ValueError(f"type must match const 'pyautogui', got '{type_}'")

        code = d.pop("code")

        pyautogui_action = cls(
            type_=type_,
            code=code,
        )

        pyautogui_action.additional_properties = d
        return pyautogui_action

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
