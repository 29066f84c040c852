from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.execute_action import ExecuteAction
    from ..models.launch_action import LaunchAction
    from ..models.pyautogui_action import PyautoguiAction
    from ..models.signal_action import SignalAction
    from ..models.sleep_action import SleepAction


T = TypeVar("T", bound="BatchAction")


@_attrs_define
class BatchAction:
    """Do several actions in one turn, in order, up to the first that fails (its `returncode` is neither 0 nor null). The
    reply's
    `result` is that of the last one done, `results` has them all, and a screenshot is taken once, at the end. Needs the
    capability
    `batch`.

        Attributes:
            type_ (Literal['batch']): Tells this action from the others.
            actions (list[ExecuteAction | LaunchAction | PyautoguiAction | SignalAction | SleepAction]): What to do, in
                order.
    """

    type_: Literal["batch"]
    actions: list[
        ExecuteAction | LaunchAction | PyautoguiAction | SignalAction | SleepAction
    ]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.execute_action import ExecuteAction  # noqa: PLC0415
        from ..models.launch_action import LaunchAction  # noqa: PLC0415
        from ..models.pyautogui_action import PyautoguiAction  # noqa: PLC0415
        from ..models.sleep_action import SleepAction  # noqa: PLC0415

        type_ = self.type_

        actions = []
        for actions_item_data in self.actions:
            actions_item: dict[str, Any]
            if isinstance(actions_item_data, PyautoguiAction):
                actions_item = actions_item_data.to_dict()
            elif isinstance(actions_item_data, ExecuteAction):
                actions_item = actions_item_data.to_dict()
            elif isinstance(actions_item_data, LaunchAction):
                actions_item = actions_item_data.to_dict()
            elif isinstance(actions_item_data, SleepAction):
                actions_item = actions_item_data.to_dict()
            else:
                actions_item = actions_item_data.to_dict()

            actions.append(actions_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "actions": actions,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.execute_action import ExecuteAction  # noqa: PLC0415
        from ..models.launch_action import LaunchAction  # noqa: PLC0415
        from ..models.pyautogui_action import PyautoguiAction  # noqa: PLC0415
        from ..models.signal_action import SignalAction  # noqa: PLC0415
        from ..models.sleep_action import SleepAction  # noqa: PLC0415

        d = dict(src_dict)
        type_ = cast(Literal["batch"], d.pop("type"))
        if type_ != "batch":
            raise ValueError(f"type must match const 'batch', got '{type_}'")

        actions = []
        _actions = d.pop("actions")
        for actions_item_data in _actions:

            def _parse_actions_item(
                data: object,
            ) -> (
                ExecuteAction
                | LaunchAction
                | PyautoguiAction
                | SignalAction
                | SleepAction
            ):
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    componentsschemas_single_action_type_0 = PyautoguiAction.from_dict(
                        data
                    )

                    return componentsschemas_single_action_type_0
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    componentsschemas_single_action_type_1 = ExecuteAction.from_dict(
                        data
                    )

                    return componentsschemas_single_action_type_1
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    componentsschemas_single_action_type_2 = LaunchAction.from_dict(
                        data
                    )

                    return componentsschemas_single_action_type_2
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    componentsschemas_single_action_type_3 = SleepAction.from_dict(data)

                    return componentsschemas_single_action_type_3
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_single_action_type_4 = SignalAction.from_dict(data)

                return componentsschemas_single_action_type_4

            actions_item = _parse_actions_item(actions_item_data)

            actions.append(actions_item)

        batch_action = cls(
            type_=type_,
            actions=actions,
        )

        batch_action.additional_properties = d
        return batch_action

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
