from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.step_parameters import StepParameters


T = TypeVar("T", bound="SetupStep")


@_attrs_define
class SetupStep:
    """One step that prepares the desktop, or closes the work before the check.

    Attributes:
        type_ (str): Name of the step, as in OSWorld (`launch`, `execute`, `download`, …).
        parameters (StepParameters | Unset): The parameters of one step; their names depend on the step's type.
    """

    type_: str
    parameters: StepParameters | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_

        parameters: dict[str, Any] | Unset = UNSET
        if not isinstance(self.parameters, Unset):
            parameters = self.parameters.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
            }
        )
        if parameters is not UNSET:
            field_dict["parameters"] = parameters

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.step_parameters import StepParameters  # noqa: PLC0415

        d = dict(src_dict)
        type_ = d.pop("type")

        _parameters = d.pop("parameters", UNSET)
        parameters: StepParameters | Unset
        if isinstance(_parameters, Unset):
            parameters = UNSET
        else:
            parameters = StepParameters.from_dict(_parameters)

        setup_step = cls(
            type_=type_,
            parameters=parameters,
        )

        setup_step.additional_properties = d
        return setup_step

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
