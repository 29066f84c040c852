from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="Latency")


@_attrs_define
class Latency:
    """How long one operation took.

    Attributes:
        count (int | None | Unset): How many were done, failures included, a count.
        failures (int | None | Unset): How many of them failed, a count.
        mean_s (float | None | Unset): Their mean, in seconds; null when there were none.
        p50_s (float | None | Unset): Half took no longer, in seconds; null when there were none.
        p95_s (float | None | Unset): 95 of 100 took no longer, in seconds; null when there were none.
        max_s (float | None | Unset): The longest, in seconds; null when there were none.
    """

    count: int | None | Unset = UNSET
    failures: int | None | Unset = UNSET
    mean_s: float | None | Unset = UNSET
    p50_s: float | None | Unset = UNSET
    p95_s: float | None | Unset = UNSET
    max_s: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        count: int | None | Unset
        if isinstance(self.count, Unset):
            count = UNSET
        else:
            count = self.count

        failures: int | None | Unset
        if isinstance(self.failures, Unset):
            failures = UNSET
        else:
            failures = self.failures

        mean_s: float | None | Unset
        if isinstance(self.mean_s, Unset):
            mean_s = UNSET
        else:
            mean_s = self.mean_s

        p50_s: float | None | Unset
        if isinstance(self.p50_s, Unset):
            p50_s = UNSET
        else:
            p50_s = self.p50_s

        p95_s: float | None | Unset
        if isinstance(self.p95_s, Unset):
            p95_s = UNSET
        else:
            p95_s = self.p95_s

        max_s: float | None | Unset
        if isinstance(self.max_s, Unset):
            max_s = UNSET
        else:
            max_s = self.max_s

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if count is not UNSET:
            field_dict["count"] = count
        if failures is not UNSET:
            field_dict["failures"] = failures
        if mean_s is not UNSET:
            field_dict["mean_s"] = mean_s
        if p50_s is not UNSET:
            field_dict["p50_s"] = p50_s
        if p95_s is not UNSET:
            field_dict["p95_s"] = p95_s
        if max_s is not UNSET:
            field_dict["max_s"] = max_s

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

        def _parse_failures(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        failures = _parse_failures(d.pop("failures", UNSET))

        def _parse_mean_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        mean_s = _parse_mean_s(d.pop("mean_s", UNSET))

        def _parse_p50_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        p50_s = _parse_p50_s(d.pop("p50_s", UNSET))

        def _parse_p95_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        p95_s = _parse_p95_s(d.pop("p95_s", UNSET))

        def _parse_max_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        max_s = _parse_max_s(d.pop("max_s", UNSET))

        latency = cls(
            count=count,
            failures=failures,
            mean_s=mean_s,
            p50_s=p50_s,
            p95_s=p95_s,
            max_s=max_s,
        )

        latency.additional_properties = d
        return latency

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
