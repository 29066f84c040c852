from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.task import Task


T = TypeVar("T", bound="CreateSlotRequest")


@_attrs_define
class CreateSlotRequest:
    """What to start a desktop from, and for how long.

    Attributes:
        checkpoint (str): Id of an image or a saved state.
        task (None | Task | Unset): The task of the slot. Null or absent: none for an image; for a saved state, the task
            its desktop had.
        setup (bool | None | Unset): Whether the task's setup steps run, now and after every reset. Null or absent: yes
            for an image; no for a saved state, whose
            desktop is past them.
        idle_timeout_s (float | Unset): Seconds unused after which the slot is reaped; 0 never. Absent means 1800.
        ttl_s (float | Unset): Seconds after its creation after which the slot is reaped; 0 never. Absent means 0.
    """

    checkpoint: str
    task: None | Task | Unset = UNSET
    setup: bool | None | Unset = UNSET
    idle_timeout_s: float | Unset = UNSET
    ttl_s: float | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.task import Task  # noqa: PLC0415

        checkpoint = self.checkpoint

        task: dict[str, Any] | None | Unset
        if isinstance(self.task, Unset):
            task = UNSET
        elif isinstance(self.task, Task):
            task = self.task.to_dict()
        else:
            task = self.task

        setup: bool | None | Unset
        if isinstance(self.setup, Unset):
            setup = UNSET
        else:
            setup = self.setup

        idle_timeout_s = self.idle_timeout_s

        ttl_s = self.ttl_s

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "checkpoint": checkpoint,
            }
        )
        if task is not UNSET:
            field_dict["task"] = task
        if setup is not UNSET:
            field_dict["setup"] = setup
        if idle_timeout_s is not UNSET:
            field_dict["idle_timeout_s"] = idle_timeout_s
        if ttl_s is not UNSET:
            field_dict["ttl_s"] = ttl_s

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.task import Task  # noqa: PLC0415

        d = dict(src_dict)
        checkpoint = d.pop("checkpoint")

        def _parse_task(data: object) -> None | Task | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                task_type_0 = Task.from_dict(data)

                return task_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Task | Unset, data)

        task = _parse_task(d.pop("task", UNSET))

        def _parse_setup(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        setup = _parse_setup(d.pop("setup", UNSET))

        idle_timeout_s = d.pop("idle_timeout_s", UNSET)

        ttl_s = d.pop("ttl_s", UNSET)

        create_slot_request = cls(
            checkpoint=checkpoint,
            task=task,
            setup=setup,
            idle_timeout_s=idle_timeout_s,
            ttl_s=ttl_s,
        )

        create_slot_request.additional_properties = d
        return create_slot_request

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
