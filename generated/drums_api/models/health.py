from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.health_limits import HealthLimits
    from ..models.task_set import TaskSet


T = TypeVar("T", bound="Health")


@_attrs_define
class Health:
    """What the daemon is, and what it can do.

    Attributes:
        version (str): Version of the daemon, and so of the API it speaks.
        status (None | str | Unset): Whether it takes work.
        uptime_s (float | None | Unset): Time since the daemon started, in seconds.
        machine (None | str | Unset): What runs the desktops: `runc` real ones, `sim` simulated ones.
        capabilities (list[str] | None | Unset): Names of what this daemon can do beyond the oldest one. With
            `unicode_typing`, its desktops type every character that pyautogui is given.
        limits (HealthLimits | None | Unset): The daemon's bounds; null when it does not tell.
        task_set (None | TaskSet | Unset): Which tasks the daemon knows by id; null when it does not tell.
    """

    version: str
    status: None | str | Unset = UNSET
    uptime_s: float | None | Unset = UNSET
    machine: None | str | Unset = UNSET
    capabilities: list[str] | None | Unset = UNSET
    limits: HealthLimits | None | Unset = UNSET
    task_set: None | TaskSet | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.health_limits import HealthLimits  # noqa: PLC0415
        from ..models.task_set import TaskSet  # noqa: PLC0415

        version = self.version

        status: None | str | Unset
        if isinstance(self.status, Unset):
            status = UNSET
        else:
            status = self.status

        uptime_s: float | None | Unset
        if isinstance(self.uptime_s, Unset):
            uptime_s = UNSET
        else:
            uptime_s = self.uptime_s

        machine: None | str | Unset
        if isinstance(self.machine, Unset):
            machine = UNSET
        else:
            machine = self.machine

        capabilities: list[str] | None | Unset
        if isinstance(self.capabilities, Unset):
            capabilities = UNSET
        elif isinstance(self.capabilities, list):
            capabilities = self.capabilities

        else:
            capabilities = self.capabilities

        limits: dict[str, Any] | None | Unset
        if isinstance(self.limits, Unset):
            limits = UNSET
        elif isinstance(self.limits, HealthLimits):
            limits = self.limits.to_dict()
        else:
            limits = self.limits

        task_set: dict[str, Any] | None | Unset
        if isinstance(self.task_set, Unset):
            task_set = UNSET
        elif isinstance(self.task_set, TaskSet):
            task_set = self.task_set.to_dict()
        else:
            task_set = self.task_set

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "version": version,
            }
        )
        if status is not UNSET:
            field_dict["status"] = status
        if uptime_s is not UNSET:
            field_dict["uptime_s"] = uptime_s
        if machine is not UNSET:
            field_dict["machine"] = machine
        if capabilities is not UNSET:
            field_dict["capabilities"] = capabilities
        if limits is not UNSET:
            field_dict["limits"] = limits
        if task_set is not UNSET:
            field_dict["task_set"] = task_set

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.health_limits import HealthLimits  # noqa: PLC0415
        from ..models.task_set import TaskSet  # noqa: PLC0415

        d = dict(src_dict)
        version = d.pop("version")

        def _parse_status(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        status = _parse_status(d.pop("status", UNSET))

        def _parse_uptime_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        uptime_s = _parse_uptime_s(d.pop("uptime_s", UNSET))

        def _parse_machine(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        machine = _parse_machine(d.pop("machine", UNSET))

        def _parse_capabilities(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                capabilities_type_0 = cast(list[str], data)

                return capabilities_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        capabilities = _parse_capabilities(d.pop("capabilities", UNSET))

        def _parse_limits(data: object) -> HealthLimits | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                limits_type_0 = HealthLimits.from_dict(data)

                return limits_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(HealthLimits | None | Unset, data)

        limits = _parse_limits(d.pop("limits", UNSET))

        def _parse_task_set(data: object) -> None | TaskSet | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                task_set_type_0 = TaskSet.from_dict(data)

                return task_set_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | TaskSet | Unset, data)

        task_set = _parse_task_set(d.pop("task_set", UNSET))

        health = cls(
            version=version,
            status=status,
            uptime_s=uptime_s,
            machine=machine,
            capabilities=capabilities,
            limits=limits,
            task_set=task_set,
        )

        health.additional_properties = d
        return health

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
