from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.task_ref import TaskRef
    from ..models.validity import Validity


T = TypeVar("T", bound="SlotFields")


@_attrs_define
class SlotFields:
    """The other fields of a slot's record.

    Attributes:
        episode (int | None | Unset): Number of the current episode, from 1.
        checkpoint (None | str | Unset): Id of the image or saved state that the slot was made from and is reset to.
        task (None | TaskRef | Unset): The slot's task; null when it has none.
        validity (None | Unset | Validity): What the current episode's gates say so far; null when there is no episode.
        last_error (None | str | Unset): What last went wrong, in words; starts with `restore failed` or `task setup
            failed` for those.
        reason (None | str | Unset): Why the slot is quarantined.
        closed_reason (None | str | Unset): Why the slot was destroyed.
        created_at (datetime.datetime | None | Unset): When it was created, RFC 3339 in UTC.
        last_used_at (datetime.datetime | None | Unset): When a request last named it, RFC 3339 in UTC.
        idle_timeout_s (float | None | Unset): Seconds unused after which it is reaped; 0 never.
        ttl_s (float | None | Unset): Seconds after its creation after which it is reaped; 0 never.
        parent (None | str | Unset): Id of the slot that it was branched from.
    """

    episode: int | None | Unset = UNSET
    checkpoint: None | str | Unset = UNSET
    task: None | TaskRef | Unset = UNSET
    validity: None | Unset | Validity = UNSET
    last_error: None | str | Unset = UNSET
    reason: None | str | Unset = UNSET
    closed_reason: None | str | Unset = UNSET
    created_at: datetime.datetime | None | Unset = UNSET
    last_used_at: datetime.datetime | None | Unset = UNSET
    idle_timeout_s: float | None | Unset = UNSET
    ttl_s: float | None | Unset = UNSET
    parent: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.task_ref import TaskRef  # noqa: PLC0415
        from ..models.validity import Validity  # noqa: PLC0415

        episode: int | None | Unset
        if isinstance(self.episode, Unset):
            episode = UNSET
        else:
            episode = self.episode

        checkpoint: None | str | Unset
        if isinstance(self.checkpoint, Unset):
            checkpoint = UNSET
        else:
            checkpoint = self.checkpoint

        task: dict[str, Any] | None | Unset
        if isinstance(self.task, Unset):
            task = UNSET
        elif isinstance(self.task, TaskRef):
            task = self.task.to_dict()
        else:
            task = self.task

        validity: dict[str, Any] | None | Unset
        if isinstance(self.validity, Unset):
            validity = UNSET
        elif isinstance(self.validity, Validity):
            validity = self.validity.to_dict()
        else:
            validity = self.validity

        last_error: None | str | Unset
        if isinstance(self.last_error, Unset):
            last_error = UNSET
        else:
            last_error = self.last_error

        reason: None | str | Unset
        if isinstance(self.reason, Unset):
            reason = UNSET
        else:
            reason = self.reason

        closed_reason: None | str | Unset
        if isinstance(self.closed_reason, Unset):
            closed_reason = UNSET
        else:
            closed_reason = self.closed_reason

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

        parent: None | str | Unset
        if isinstance(self.parent, Unset):
            parent = UNSET
        else:
            parent = self.parent

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if episode is not UNSET:
            field_dict["episode"] = episode
        if checkpoint is not UNSET:
            field_dict["checkpoint"] = checkpoint
        if task is not UNSET:
            field_dict["task"] = task
        if validity is not UNSET:
            field_dict["validity"] = validity
        if last_error is not UNSET:
            field_dict["last_error"] = last_error
        if reason is not UNSET:
            field_dict["reason"] = reason
        if closed_reason is not UNSET:
            field_dict["closed_reason"] = closed_reason
        if created_at is not UNSET:
            field_dict["created_at"] = created_at
        if last_used_at is not UNSET:
            field_dict["last_used_at"] = last_used_at
        if idle_timeout_s is not UNSET:
            field_dict["idle_timeout_s"] = idle_timeout_s
        if ttl_s is not UNSET:
            field_dict["ttl_s"] = ttl_s
        if parent is not UNSET:
            field_dict["parent"] = parent

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.task_ref import TaskRef  # noqa: PLC0415
        from ..models.validity import Validity  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_episode(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        episode = _parse_episode(d.pop("episode", UNSET))

        def _parse_checkpoint(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        checkpoint = _parse_checkpoint(d.pop("checkpoint", UNSET))

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

        def _parse_validity(data: object) -> None | Unset | Validity:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                validity_type_0 = Validity.from_dict(data)

                return validity_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Unset | Validity, data)

        validity = _parse_validity(d.pop("validity", UNSET))

        def _parse_last_error(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        last_error = _parse_last_error(d.pop("last_error", UNSET))

        def _parse_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        reason = _parse_reason(d.pop("reason", UNSET))

        def _parse_closed_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        closed_reason = _parse_closed_reason(d.pop("closed_reason", UNSET))

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

        def _parse_parent(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        parent = _parse_parent(d.pop("parent", UNSET))

        slot_fields = cls(
            episode=episode,
            checkpoint=checkpoint,
            task=task,
            validity=validity,
            last_error=last_error,
            reason=reason,
            closed_reason=closed_reason,
            created_at=created_at,
            last_used_at=last_used_at,
            idle_timeout_s=idle_timeout_s,
            ttl_s=ttl_s,
            parent=parent,
        )

        slot_fields.additional_properties = d
        return slot_fields

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
