from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.branch_child import BranchChild
    from ..models.checkpoint import Checkpoint


T = TypeVar("T", bound="BranchReply")


@_attrs_define
class BranchReply:
    """A saved state, and the slots that were started from it.

    Attributes:
        state (str): Id of the saved state, the same as `checkpoint.id`.
        children (list[BranchChild]): The children, in the order they were asked for.
        checkpoint (Checkpoint | None | Unset): The saved state's record.
        seconds (float | None | Unset): How long the branch took in the daemon, in seconds, without the wait for a still
            desktop.
    """

    state: str
    children: list[BranchChild]
    checkpoint: Checkpoint | None | Unset = UNSET
    seconds: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.checkpoint import Checkpoint  # noqa: PLC0415

        state = self.state

        children = []
        for children_item_data in self.children:
            children_item = children_item_data.to_dict()
            children.append(children_item)

        checkpoint: dict[str, Any] | None | Unset
        if isinstance(self.checkpoint, Unset):
            checkpoint = UNSET
        elif isinstance(self.checkpoint, Checkpoint):
            checkpoint = self.checkpoint.to_dict()
        else:
            checkpoint = self.checkpoint

        seconds: float | None | Unset
        if isinstance(self.seconds, Unset):
            seconds = UNSET
        else:
            seconds = self.seconds

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "state": state,
                "children": children,
            }
        )
        if checkpoint is not UNSET:
            field_dict["checkpoint"] = checkpoint
        if seconds is not UNSET:
            field_dict["seconds"] = seconds

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.branch_child import BranchChild  # noqa: PLC0415
        from ..models.checkpoint import Checkpoint  # noqa: PLC0415

        d = dict(src_dict)
        state = d.pop("state")

        children = []
        _children = d.pop("children")
        for children_item_data in _children:
            children_item = BranchChild.from_dict(children_item_data)

            children.append(children_item)

        def _parse_checkpoint(data: object) -> Checkpoint | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                checkpoint_type_0 = Checkpoint.from_dict(data)

                return checkpoint_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Checkpoint | None | Unset, data)

        checkpoint = _parse_checkpoint(d.pop("checkpoint", UNSET))

        def _parse_seconds(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        seconds = _parse_seconds(d.pop("seconds", UNSET))

        branch_reply = cls(
            state=state,
            children=children,
            checkpoint=checkpoint,
            seconds=seconds,
        )

        branch_reply.additional_properties = d
        return branch_reply

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
