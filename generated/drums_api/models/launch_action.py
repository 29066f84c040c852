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

from ..types import UNSET, Unset

T = TypeVar("T", bound="LaunchAction")


@_attrs_define
class LaunchAction:
    """Start a command as the desktop's user and do not wait for it.

    Attributes:
        type_ (Literal['launch']): Tells this action from the others.
        command (list[str] | str): A list is a program and its arguments. A string is a shell's line when `shell` is
            true, else it is split as a shell would
            split it.
        shell (bool | Unset): Whether a shell runs the command. Absent means false.
    """

    type_: Literal["launch"]
    command: list[str] | str
    shell: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_

        command: list[str] | str
        if isinstance(self.command, list):
            command = self.command

        else:
            command = self.command

        shell = self.shell

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "command": command,
            }
        )
        if shell is not UNSET:
            field_dict["shell"] = shell

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        type_ = cast(Literal["launch"], d.pop("type"))
        if type_ != "launch":
            raise ValueError(f"type must match const 'launch', got '{type_}'")

        def _parse_command(data: object) -> list[str] | str:
            try:
                if not isinstance(data, list):
                    raise TypeError()
                command_type_1 = cast(list[str], data)

                return command_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | str, data)

        command = _parse_command(d.pop("command"))

        shell = d.pop("shell", UNSET)

        launch_action = cls(
            type_=type_,
            command=command,
            shell=shell,
        )

        launch_action.additional_properties = d
        return launch_action

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
