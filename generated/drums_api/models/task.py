from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.evaluator import Evaluator
    from ..models.setup_step import SetupStep
    from ..models.task_scope import TaskScope


T = TypeVar("T", bound="Task")


@_attrs_define
class Task:
    """A task in OSWorld's format. Fields that are not named here are kept and come back.

    Attributes:
        id (str): Id of the task, a UUID in OSWorld's own.
        instruction (None | str | Unset): What the agent is asked to do. A slot's task needs it.
        snapshot (None | str | Unset): OSWorld's name for the base state; it does not choose the image.
        source (None | str | Unset): Where the task comes from.
        related_apps (list[str] | None | Unset): Names of the applications that the task is about.
        config (list[SetupStep] | None | Unset): Setup steps, in order.
        evaluator (Evaluator | None | Unset): How the outcome is checked. A slot's task needs it.
        scope (None | TaskScope | Unset): What the episode may touch; not in OSWorld.
    """

    id: str
    instruction: None | str | Unset = UNSET
    snapshot: None | str | Unset = UNSET
    source: None | str | Unset = UNSET
    related_apps: list[str] | None | Unset = UNSET
    config: list[SetupStep] | None | Unset = UNSET
    evaluator: Evaluator | None | Unset = UNSET
    scope: None | TaskScope | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.evaluator import Evaluator  # noqa: PLC0415
        from ..models.task_scope import TaskScope  # noqa: PLC0415

        id = self.id

        instruction: None | str | Unset
        if isinstance(self.instruction, Unset):
            instruction = UNSET
        else:
            instruction = self.instruction

        snapshot: None | str | Unset
        if isinstance(self.snapshot, Unset):
            snapshot = UNSET
        else:
            snapshot = self.snapshot

        source: None | str | Unset
        if isinstance(self.source, Unset):
            source = UNSET
        else:
            source = self.source

        related_apps: list[str] | None | Unset
        if isinstance(self.related_apps, Unset):
            related_apps = UNSET
        elif isinstance(self.related_apps, list):
            related_apps = self.related_apps

        else:
            related_apps = self.related_apps

        config: list[dict[str, Any]] | None | Unset
        if isinstance(self.config, Unset):
            config = UNSET
        elif isinstance(self.config, list):
            config = []
            for config_type_0_item_data in self.config:
                config_type_0_item = config_type_0_item_data.to_dict()
                config.append(config_type_0_item)

        else:
            config = self.config

        evaluator: dict[str, Any] | None | Unset
        if isinstance(self.evaluator, Unset):
            evaluator = UNSET
        elif isinstance(self.evaluator, Evaluator):
            evaluator = self.evaluator.to_dict()
        else:
            evaluator = self.evaluator

        scope: dict[str, Any] | None | Unset
        if isinstance(self.scope, Unset):
            scope = UNSET
        elif isinstance(self.scope, TaskScope):
            scope = self.scope.to_dict()
        else:
            scope = self.scope

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
            }
        )
        if instruction is not UNSET:
            field_dict["instruction"] = instruction
        if snapshot is not UNSET:
            field_dict["snapshot"] = snapshot
        if source is not UNSET:
            field_dict["source"] = source
        if related_apps is not UNSET:
            field_dict["related_apps"] = related_apps
        if config is not UNSET:
            field_dict["config"] = config
        if evaluator is not UNSET:
            field_dict["evaluator"] = evaluator
        if scope is not UNSET:
            field_dict["scope"] = scope

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.evaluator import Evaluator  # noqa: PLC0415
        from ..models.setup_step import SetupStep  # noqa: PLC0415
        from ..models.task_scope import TaskScope  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        def _parse_instruction(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        instruction = _parse_instruction(d.pop("instruction", UNSET))

        def _parse_snapshot(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        snapshot = _parse_snapshot(d.pop("snapshot", UNSET))

        def _parse_source(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        source = _parse_source(d.pop("source", UNSET))

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

        def _parse_config(data: object) -> list[SetupStep] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                config_type_0 = []
                _config_type_0 = data
                for config_type_0_item_data in _config_type_0:
                    config_type_0_item = SetupStep.from_dict(config_type_0_item_data)

                    config_type_0.append(config_type_0_item)

                return config_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[SetupStep] | None | Unset, data)

        config = _parse_config(d.pop("config", UNSET))

        def _parse_evaluator(data: object) -> Evaluator | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                evaluator_type_0 = Evaluator.from_dict(data)

                return evaluator_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Evaluator | None | Unset, data)

        evaluator = _parse_evaluator(d.pop("evaluator", UNSET))

        def _parse_scope(data: object) -> None | TaskScope | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                scope_type_0 = TaskScope.from_dict(data)

                return scope_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | TaskScope | Unset, data)

        scope = _parse_scope(d.pop("scope", UNSET))

        task = cls(
            id=id,
            instruction=instruction,
            snapshot=snapshot,
            source=source,
            related_apps=related_apps,
            config=config,
            evaluator=evaluator,
            scope=scope,
        )

        task.additional_properties = d
        return task

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
