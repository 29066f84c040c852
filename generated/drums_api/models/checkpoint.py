from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.task_ref import TaskRef


T = TypeVar("T", bound="Checkpoint")


@_attrs_define
class Checkpoint:
    """An image, or a saved state.

    Attributes:
        id (str): Id of the checkpoint.
        kind (None | str | Unset): `image`: an installed base state; `state`: a captured desktop.
        parent (None | str | Unset): Id of the slot that it was captured from; null for an image.
        task (None | TaskRef | Unset): The task its desktop had; null when there was none.
        bytes_ (int | None | Unset): What it takes on the host's disk of its own, in bytes.
        created_at (datetime.datetime | None | Unset): When it was captured, RFC 3339 in UTC.
        last_used_at (datetime.datetime | None | Unset): When it was captured or its last slot closed, whichever is
            later, RFC 3339 in UTC.
        slots (int | None | Unset): How many slots made from it exist, a count.
        idle_timeout_s (float | None | Unset): Seconds without a slot made from it after which it is reaped; 0 never.
        ttl_s (float | None | Unset): Seconds after its creation after which it is reaped; 0 never.
        delete_with_children (bool | None | Unset): Whether it is deleted when its last slot is destroyed.
    """

    id: str
    kind: None | str | Unset = UNSET
    parent: None | str | Unset = UNSET
    task: None | TaskRef | Unset = UNSET
    bytes_: int | None | Unset = UNSET
    created_at: datetime.datetime | None | Unset = UNSET
    last_used_at: datetime.datetime | None | Unset = UNSET
    slots: int | None | Unset = UNSET
    idle_timeout_s: float | None | Unset = UNSET
    ttl_s: float | None | Unset = UNSET
    delete_with_children: bool | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.task_ref import TaskRef  # noqa: PLC0415

        id = self.id

        kind: None | str | Unset
        if isinstance(self.kind, Unset):
            kind = UNSET
        else:
            kind = self.kind

        parent: None | str | Unset
        if isinstance(self.parent, Unset):
            parent = UNSET
        else:
            parent = self.parent

        task: dict[str, Any] | None | Unset
        if isinstance(self.task, Unset):
            task = UNSET
        elif isinstance(self.task, TaskRef):
            task = self.task.to_dict()
        else:
            task = self.task

        bytes_: int | None | Unset
        if isinstance(self.bytes_, Unset):
            bytes_ = UNSET
        else:
            bytes_ = self.bytes_

        created_at: None | str | Unset
        if isinstance(self.created_at, Unset):
            created_at = UNSET
        elif isinstance(self.created_at, datetime.datetime):
            created_at = self.created_at.isoformat()
        else:
            created_at = self.created_at

        last_used_at: None | str | Unset
        if isinstance(self.last_used_at, Unset):
            last_used_at = UNSET
        elif isinstance(self.last_used_at, datetime.datetime):
            last_used_at = self.last_used_at.isoformat()
        else:
            last_used_at = self.last_used_at

        slots: int | None | Unset
        if isinstance(self.slots, Unset):
            slots = UNSET
        else:
            slots = self.slots

        idle_timeout_s: float | None | Unset
        if isinstance(self.idle_timeout_s, Unset):
            idle_timeout_s = UNSET
        else:
            idle_timeout_s = self.idle_timeout_s

        ttl_s: float | None | Unset
        if isinstance(self.ttl_s, Unset):
            ttl_s = UNSET
        else:
            ttl_s = self.ttl_s

        delete_with_children: bool | None | Unset
        if isinstance(self.delete_with_children, Unset):
            delete_with_children = UNSET
        else:
            delete_with_children = self.delete_with_children

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
            }
        )
        if kind is not UNSET:
            field_dict["kind"] = kind
        if parent is not UNSET:
            field_dict["parent"] = parent
        if task is not UNSET:
            field_dict["task"] = task
        if bytes_ is not UNSET:
            field_dict["bytes"] = bytes_
        if created_at is not UNSET:
            field_dict["created_at"] = created_at
        if last_used_at is not UNSET:
            field_dict["last_used_at"] = last_used_at
        if slots is not UNSET:
            field_dict["slots"] = slots
        if idle_timeout_s is not UNSET:
            field_dict["idle_timeout_s"] = idle_timeout_s
        if ttl_s is not UNSET:
            field_dict["ttl_s"] = ttl_s
        if delete_with_children is not UNSET:
            field_dict["delete_with_children"] = delete_with_children

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.task_ref import TaskRef  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        def _parse_kind(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        kind = _parse_kind(d.pop("kind", UNSET))

        def _parse_parent(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        parent = _parse_parent(d.pop("parent", UNSET))

        def _parse_task(data: object) -> None | TaskRef | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                task_type_0 = TaskRef.from_dict(data)

                return task_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | TaskRef | Unset, data)

        task = _parse_task(d.pop("task", UNSET))

        def _parse_bytes_(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        bytes_ = _parse_bytes_(d.pop("bytes", UNSET))

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

        def _parse_last_used_at(data: object) -> datetime.datetime | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_used_at_type_0 = datetime.datetime.fromisoformat(data)

                return last_used_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None | Unset, data)

        last_used_at = _parse_last_used_at(d.pop("last_used_at", UNSET))

        def _parse_slots(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        slots = _parse_slots(d.pop("slots", UNSET))

        def _parse_idle_timeout_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        idle_timeout_s = _parse_idle_timeout_s(d.pop("idle_timeout_s", UNSET))

        def _parse_ttl_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        ttl_s = _parse_ttl_s(d.pop("ttl_s", UNSET))

        def _parse_delete_with_children(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        delete_with_children = _parse_delete_with_children(
            d.pop("delete_with_children", UNSET)
        )

        checkpoint = cls(
            id=id,
            kind=kind,
            parent=parent,
            task=task,
            bytes_=bytes_,
            created_at=created_at,
            last_used_at=last_used_at,
            slots=slots,
            idle_timeout_s=idle_timeout_s,
            ttl_s=ttl_s,
            delete_with_children=delete_with_children,
        )

        checkpoint.additional_properties = d
        return checkpoint

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
