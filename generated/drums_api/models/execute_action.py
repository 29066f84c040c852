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

T = TypeVar("T", bound="ExecuteAction")


@_attrs_define
class ExecuteAction:
    """Run a command as the desktop's user and wait for it, 120 s at most.

    Attributes:
        type_ (Literal['execute']): Tells this action from the others.
        command (list[str] | str): A list is a program and its arguments. A string is a shell's line when `shell` is
            true, else it is split as a shell would
            split it.
        shell (bool | Unset): Whether a shell runs the command. Absent means false.
    """

    type_: Literal["execute"]
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
        type_ = cast(Literal["execute"], d.pop("type"))
        if type_ != "execute":
            raise ValueError(f"type must match const 'execute', got '{type_}'")

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

        execute_action = cls(
            type_=type_,
            command=command,
            shell=shell,
        )

        execute_action.additional_properties = d
        return execute_action

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
