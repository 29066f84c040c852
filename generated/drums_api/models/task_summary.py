from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="TaskSummary")


@_attrs_define
class TaskSummary:
    """A task that the daemon knows, in short.

    Attributes:
        id (str): Id of the task.
        domain (None | str | Unset): The group that the task belongs to.
        instruction (None | str | Unset): What the agent is asked to do.
        related_apps (list[str] | None | Unset): Names of the applications that the task is about.
    """

    id: str
    domain: None | str | Unset = UNSET
    instruction: None | str | Unset = UNSET
    related_apps: list[str] | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        domain: None | str | Unset
        if isinstance(self.domain, Unset):
            domain = UNSET
        else:
            domain = self.domain

        instruction: None | str | Unset
        if isinstance(self.instruction, Unset):
            instruction = UNSET
        else:
            instruction = self.instruction

        related_apps: list[str] | None | Unset
        if isinstance(self.related_apps, Unset):
            related_apps = UNSET
        elif isinstance(self.related_apps, list):
            related_apps = self.related_apps

        else:
            related_apps = self.related_apps

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
            }
        )
        if domain is not UNSET:
            field_dict["domain"] = domain
        if instruction is not UNSET:
            field_dict["instruction"] = instruction
        if related_apps is not UNSET:
            field_dict["related_apps"] = related_apps

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        def _parse_domain(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        domain = _parse_domain(d.pop("domain", UNSET))

        def _parse_instruction(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        instruction = _parse_instruction(d.pop("instruction", UNSET))

        def _parse_related_apps(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                related_apps_type_0 = cast(list[str], data)

                return related_apps_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        related_apps = _parse_related_apps(d.pop("related_apps", UNSET))

        task_summary = cls(
            id=id,
            domain=domain,
            instruction=instruction,
            related_apps=related_apps,
        )

        task_summary.additional_properties = d
        return task_summary

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
