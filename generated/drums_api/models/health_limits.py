from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="HealthLimits")


@_attrs_define
class HealthLimits:
    """Bounds of the daemon; null or absent means none.

    Attributes:
        fork (int | None | Unset): The most children that one branch may have, a count.
        max_slots (int | None | Unset): The most slots that may live at once, a count.
        max_states (int | None | Unset): The most saved states that may exist at once, a count.
        execute_timeout_s (float | None | Unset): The longest that a `pyautogui` or `execute` action may take, in
            seconds.
        prefork_max_age_s (float | None | Unset): How long a prefork waits for its branch, in seconds.
        max_body_bytes (int | None | Unset): The largest request body, in bytes.
    """

    fork: int | None | Unset = UNSET
    max_slots: int | None | Unset = UNSET
    max_states: int | None | Unset = UNSET
    execute_timeout_s: float | None | Unset = UNSET
    prefork_max_age_s: float | None | Unset = UNSET
    max_body_bytes: int | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        fork: int | None | Unset
        if isinstance(self.fork, Unset):
            fork = UNSET
        else:
            fork = self.fork

        max_slots: int | None | Unset
        if isinstance(self.max_slots, Unset):
            max_slots = UNSET
        else:
            max_slots = self.max_slots

        max_states: int | None | Unset
        if isinstance(self.max_states, Unset):
            max_states = UNSET
        else:
            max_states = self.max_states

        execute_timeout_s: float | None | Unset
        if isinstance(self.execute_timeout_s, Unset):
            execute_timeout_s = UNSET
        else:
            execute_timeout_s = self.execute_timeout_s

        prefork_max_age_s: float | None | Unset
        if isinstance(self.prefork_max_age_s, Unset):
            prefork_max_age_s = UNSET
        else:
            prefork_max_age_s = self.prefork_max_age_s

        max_body_bytes: int | None | Unset
        if isinstance(self.max_body_bytes, Unset):
            max_body_bytes = UNSET
        else:
            max_body_bytes = self.max_body_bytes

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if fork is not UNSET:
            field_dict["fork"] = fork
        if max_slots is not UNSET:
            field_dict["max_slots"] = max_slots
        if max_states is not UNSET:
            field_dict["max_states"] = max_states
        if execute_timeout_s is not UNSET:
            field_dict["execute_timeout_s"] = execute_timeout_s
        if prefork_max_age_s is not UNSET:
            field_dict["prefork_max_age_s"] = prefork_max_age_s
        if max_body_bytes is not UNSET:
            field_dict["max_body_bytes"] = max_body_bytes

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_fork(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        fork = _parse_fork(d.pop("fork", UNSET))

        def _parse_max_slots(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        max_slots = _parse_max_slots(d.pop("max_slots", UNSET))

        def _parse_max_states(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        max_states = _parse_max_states(d.pop("max_states", UNSET))

        def _parse_execute_timeout_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        execute_timeout_s = _parse_execute_timeout_s(d.pop("execute_timeout_s", UNSET))

        def _parse_prefork_max_age_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        prefork_max_age_s = _parse_prefork_max_age_s(d.pop("prefork_max_age_s", UNSET))

        def _parse_max_body_bytes(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        max_body_bytes = _parse_max_body_bytes(d.pop("max_body_bytes", UNSET))

        health_limits = cls(
            fork=fork,
            max_slots=max_slots,
            max_states=max_states,
            execute_timeout_s=execute_timeout_s,
            prefork_max_age_s=prefork_max_age_s,
            max_body_bytes=max_body_bytes,
        )

        health_limits.additional_properties = d
        return health_limits

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
