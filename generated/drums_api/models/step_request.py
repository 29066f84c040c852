from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.batch_action import BatchAction
    from ..models.execute_action import ExecuteAction
    from ..models.launch_action import LaunchAction
    from ..models.pyautogui_action import PyautoguiAction
    from ..models.signal_action import SignalAction
    from ..models.sleep_action import SleepAction


T = TypeVar("T", bound="StepRequest")


@_attrs_define
class StepRequest:
    """One action, and whether to look at the screen after it.

    Attributes:
        action (BatchAction | ExecuteAction | LaunchAction | PyautoguiAction | SignalAction | SleepAction): What to do
            on the desktop; `type` tells which.
        screenshot (bool | Unset): Whether the reply carries a screenshot taken right after the action. Absent means
            false.
    """

    action: (
        BatchAction
        | ExecuteAction
        | LaunchAction
        | PyautoguiAction
        | SignalAction
        | SleepAction
    )
    screenshot: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.execute_action import ExecuteAction  # noqa: PLC0415
        from ..models.launch_action import LaunchAction  # noqa: PLC0415
        from ..models.pyautogui_action import PyautoguiAction  # noqa: PLC0415
        from ..models.signal_action import SignalAction  # noqa: PLC0415
        from ..models.sleep_action import SleepAction  # noqa: PLC0415

        action: dict[str, Any]
        if isinstance(self.action, PyautoguiAction):
            action = self.action.to_dict()
        elif isinstance(self.action, ExecuteAction):
            action = self.action.to_dict()
        elif isinstance(self.action, LaunchAction):
            action = self.action.to_dict()
        elif isinstance(self.action, SleepAction):
            action = self.action.to_dict()
        elif isinstance(self.action, SignalAction):
            action = self.action.to_dict()
        else:
            action = self.action.to_dict()

        screenshot = self.screenshot

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "action": action,
            }
        )
        if screenshot is not UNSET:
            field_dict["screenshot"] = screenshot

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.batch_action import BatchAction  # noqa: PLC0415
        from ..models.execute_action import ExecuteAction  # noqa: PLC0415
        from ..models.launch_action import LaunchAction  # noqa: PLC0415
        from ..models.pyautogui_action import PyautoguiAction  # noqa: PLC0415
        from ..models.signal_action import SignalAction  # noqa: PLC0415
        from ..models.sleep_action import SleepAction  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_action(
            data: object,
        ) -> (
            BatchAction
            | ExecuteAction
            | LaunchAction
            | PyautoguiAction
            | SignalAction
            | SleepAction
        ):
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_action_type_0 = PyautoguiAction.from_dict(data)

                return componentsschemas_action_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_action_type_1 = ExecuteAction.from_dict(data)

                return componentsschemas_action_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_action_type_2 = LaunchAction.from_dict(data)

                return componentsschemas_action_type_2
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_action_type_3 = SleepAction.from_dict(data)

                return componentsschemas_action_type_3
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_action_type_4 = SignalAction.from_dict(data)

                return componentsschemas_action_type_4
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_action_type_5 = BatchAction.from_dict(data)

            return componentsschemas_action_type_5

        action = _parse_action(d.pop("action"))

        screenshot = d.pop("screenshot", UNSET)

        step_request = cls(
            action=action,
            screenshot=screenshot,
        )

        step_request.additional_properties = d
        return step_request

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
