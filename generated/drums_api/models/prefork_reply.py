from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="PreforkReply")


@_attrs_define
class PreforkReply:
    """A branch that is prepared in the background.

    Attributes:
        slot (str): Id of the slot that will be the parent.
        n (int | None | Unset): How many children are prepared, a count.
        delete_state_with_children (bool | None | Unset): Whether the saved state is deleted when its last child is
            destroyed.
        status (None | str | Unset): How far it is.
        created_at (datetime.datetime | None | Unset): When it was asked for, RFC 3339 in UTC.
        max_age_s (float | None | Unset): How long it waits for its branch, in seconds.
    """

    slot: str
    n: int | None | Unset = UNSET
    delete_state_with_children: bool | None | Unset = UNSET
    status: None | str | Unset = UNSET
    created_at: datetime.datetime | None | Unset = UNSET
    max_age_s: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        slot = self.slot

        n: int | None | Unset
        if isinstance(self.n, Unset):
            n = UNSET
        else:
            n = self.n

        delete_state_with_children: bool | None | Unset
        if isinstance(self.delete_state_with_children, Unset):
            delete_state_with_children = UNSET
        else:
            delete_state_with_children = self.delete_state_with_children

        status: None | str | Unset
        if isinstance(self.status, Unset):
            status = UNSET
        else:
            status = self.status

        created_at: None | str | Unset
        if isinstance(self.created_at, Unset):
            created_at = UNSET
        elif isinstance(self.created_at, datetime.datetime):
            created_at = self.created_at.isoformat()
        else:
            created_at = self.created_at

        max_age_s: float | None | Unset
        if isinstance(self.max_age_s, Unset):
            max_age_s = UNSET
        else:
            max_age_s = self.max_age_s

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "slot": slot,
            }
        )
        if n is not UNSET:
            field_dict["n"] = n
        if delete_state_with_children is not UNSET:
            field_dict["delete_state_with_children"] = delete_state_with_children
        if status is not UNSET:
            field_dict["status"] = status
        if created_at is not UNSET:
            field_dict["created_at"] = created_at
        if max_age_s is not UNSET:
            field_dict["max_age_s"] = max_age_s

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        slot = d.pop("slot")

        def _parse_n(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        n = _parse_n(d.pop("n", UNSET))

        def _parse_delete_state_with_children(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        delete_state_with_children = _parse_delete_state_with_children(
            d.pop("delete_state_with_children", UNSET)
        )

        def _parse_status(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        status = _parse_status(d.pop("status", UNSET))

        def _parse_created_at(data: object) -> datetime.datetime | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                created_at_type_0 = datetime.datetime.fromisoformat(data)

                return created_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None | Unset, data)

        created_at = _parse_created_at(d.pop("created_at", UNSET))

        def _parse_max_age_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        max_age_s = _parse_max_age_s(d.pop("max_age_s", UNSET))

        prefork_reply = cls(
            slot=slot,
            n=n,
            delete_state_with_children=delete_state_with_children,
            status=status,
            created_at=created_at,
            max_age_s=max_age_s,
        )

        prefork_reply.additional_properties = d
        return prefork_reply

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
