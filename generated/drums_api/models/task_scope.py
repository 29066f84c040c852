from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="TaskScope")


@_attrs_define
class TaskScope:
    """What an episode of the task may touch. A kind that is not named is not looked at; an empty list allows nothing.

    Attributes:
        files (list[str] | None | Unset): Globs of paths in the home folder, `~/Desktop/*`; `*` stops at a slash, `**`
            does not.
        settings (list[str] | None | Unset): Globs of a setting's schema and key, `org.gnome.desktop.session.*`.
        processes (list[str] | None | Unset): Globs of names of programs that may have been started or ended.
    """

    files: list[str] | None | Unset = UNSET
    settings: list[str] | None | Unset = UNSET
    processes: list[str] | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        files: list[str] | None | Unset
        if isinstance(self.files, Unset):
            files = UNSET
        elif isinstance(self.files, list):
            files = self.files

        else:
            files = self.files

        settings: list[str] | None | Unset
        if isinstance(self.settings, Unset):
            settings = UNSET
        elif isinstance(self.settings, list):
            settings = self.settings

        else:
            settings = self.settings

        processes: list[str] | None | Unset
        if isinstance(self.processes, Unset):
            processes = UNSET
        elif isinstance(self.processes, list):
            processes = self.processes

        else:
            processes = self.processes

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if files is not UNSET:
            field_dict["files"] = files
        if settings is not UNSET:
            field_dict["settings"] = settings
        if processes is not UNSET:
            field_dict["processes"] = processes

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_files(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                files_type_0 = cast(list[str], data)

                return files_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        files = _parse_files(d.pop("files", UNSET))

        def _parse_settings(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                settings_type_0 = cast(list[str], data)

                return settings_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        settings = _parse_settings(d.pop("settings", UNSET))

        def _parse_processes(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                processes_type_0 = cast(list[str], data)

                return processes_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        processes = _parse_processes(d.pop("processes", UNSET))

        task_scope = cls(
            files=files,
            settings=settings,
            processes=processes,
        )

        task_scope.additional_properties = d
        return task_scope

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
