from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="RewardMetrics")


@_attrs_define
class RewardMetrics:
    """The rewards that were given.

    Attributes:
        count (int | None | Unset): How many times verify was answered, a count.
        verified (int | None | Unset): How many of those were valid and had a score, a count.
        mean_score (float | None | Unset): Mean score of the verified ones, 0 to 1; null when there were none.
    """

    count: int | None | Unset = UNSET
    verified: int | None | Unset = UNSET
    mean_score: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        count: int | None | Unset
        if isinstance(self.count, Unset):
            count = UNSET
        else:
            count = self.count

        verified: int | None | Unset
        if isinstance(self.verified, Unset):
            verified = UNSET
        else:
            verified = self.verified

        mean_score: float | None | Unset
        if isinstance(self.mean_score, Unset):
            mean_score = UNSET
        else:
            mean_score = self.mean_score

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if count is not UNSET:
            field_dict["count"] = count
        if verified is not UNSET:
            field_dict["verified"] = verified
        if mean_score is not UNSET:
            field_dict["mean_score"] = mean_score

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_count(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        count = _parse_count(d.pop("count", UNSET))

        def _parse_verified(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        verified = _parse_verified(d.pop("verified", UNSET))

        def _parse_mean_score(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        mean_score = _parse_mean_score(d.pop("mean_score", UNSET))

        reward_metrics = cls(
            count=count,
            verified=verified,
            mean_score=mean_score,
        )

        reward_metrics.additional_properties = d
        return reward_metrics

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
