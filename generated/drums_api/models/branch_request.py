from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="BranchRequest")


@_attrs_define
class BranchRequest:
    """How many children, how long to wait for a still desktop, and the leases of the children and of their state.

    Attributes:
        n (int): How many children to start; the daemon's `limits.fork` at most.
        quiesce_timeout_s (float | Unset): Seconds to wait for a still desktop, at most. Absent means 30.
        delete_state_with_children (bool | Unset): Whether the saved state is deleted when its last child is destroyed.
            Absent means false.
        idle_timeout_s (float | Unset): Seconds unused after which a child is reaped; 0 never. Absent means 1800.
        ttl_s (float | Unset): Seconds after its creation after which a child is reaped; 0 never. Absent means 0.
        state_idle_timeout_s (float | Unset): Seconds without a slot made from it after which the state is reaped; 0
            never. Absent means 1800.
        state_ttl_s (float | Unset): Seconds after its creation after which the state is reaped; 0 never. Absent means
            0.
    """

    n: int
    quiesce_timeout_s: float | Unset = UNSET
    delete_state_with_children: bool | Unset = UNSET
    idle_timeout_s: float | Unset = UNSET
    ttl_s: float | Unset = UNSET
    state_idle_timeout_s: float | Unset = UNSET
    state_ttl_s: float | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        n = self.n

        quiesce_timeout_s = self.quiesce_timeout_s

        delete_state_with_children = self.delete_state_with_children

        idle_timeout_s = self.idle_timeout_s

        ttl_s = self.ttl_s

        state_idle_timeout_s = self.state_idle_timeout_s

        state_ttl_s = self.state_ttl_s

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "n": n,
            }
        )
        if quiesce_timeout_s is not UNSET:
            field_dict["quiesce_timeout_s"] = quiesce_timeout_s
        if delete_state_with_children is not UNSET:
            field_dict["delete_state_with_children"] = delete_state_with_children
        if idle_timeout_s is not UNSET:
            field_dict["idle_timeout_s"] = idle_timeout_s
        if ttl_s is not UNSET:
            field_dict["ttl_s"] = ttl_s
        if state_idle_timeout_s is not UNSET:
            field_dict["state_idle_timeout_s"] = state_idle_timeout_s
        if state_ttl_s is not UNSET:
            field_dict["state_ttl_s"] = state_ttl_s

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        n = d.pop("n")

        quiesce_timeout_s = d.pop("quiesce_timeout_s", UNSET)

        delete_state_with_children = d.pop("delete_state_with_children", UNSET)

        idle_timeout_s = d.pop("idle_timeout_s", UNSET)

        ttl_s = d.pop("ttl_s", UNSET)

        state_idle_timeout_s = d.pop("state_idle_timeout_s", UNSET)

        state_ttl_s = d.pop("state_ttl_s", UNSET)

        branch_request = cls(
            n=n,
            quiesce_timeout_s=quiesce_timeout_s,
            delete_state_with_children=delete_state_with_children,
            idle_timeout_s=idle_timeout_s,
            ttl_s=ttl_s,
            state_idle_timeout_s=state_idle_timeout_s,
            state_ttl_s=state_ttl_s,
        )

        branch_request.additional_properties = d
        return branch_request

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
