from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="AuditRecheck")


@_attrs_define
class AuditRecheck:
    """The same checker run once more, on a copy of the desktop where one can be had.

    Attributes:
        ran (bool | None | Unset): Whether it could be run.
        desktop (None | str | Unset): Where it ran. `fork`: on a copy made before the first check, the task's closing
            steps included; `same`: after the first check.
        agrees (bool | None | Unset): Whether it gave the same score.
        score (float | None | Unset): The score it gave, 0 to 1; null when there is none.
    """

    ran: bool | None | Unset = UNSET
    desktop: None | str | Unset = UNSET
    agrees: bool | None | Unset = UNSET
    score: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        ran: bool | None | Unset
        if isinstance(self.ran, Unset):
            ran = UNSET
        else:
            ran = self.ran

        desktop: None | str | Unset
        if isinstance(self.desktop, Unset):
            desktop = UNSET
        else:
            desktop = self.desktop

        agrees: bool | None | Unset
        if isinstance(self.agrees, Unset):
            agrees = UNSET
        else:
            agrees = self.agrees

        score: float | None | Unset
        if isinstance(self.score, Unset):
            score = UNSET
        else:
            score = self.score

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if ran is not UNSET:
            field_dict["ran"] = ran
        if desktop is not UNSET:
            field_dict["desktop"] = desktop
        if agrees is not UNSET:
            field_dict["agrees"] = agrees
        if score is not UNSET:
            field_dict["score"] = score

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_ran(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        ran = _parse_ran(d.pop("ran", UNSET))

        def _parse_desktop(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        desktop = _parse_desktop(d.pop("desktop", UNSET))

        def _parse_agrees(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        agrees = _parse_agrees(d.pop("agrees", UNSET))

        def _parse_score(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        score = _parse_score(d.pop("score", UNSET))

        audit_recheck = cls(
            ran=ran,
            desktop=desktop,
            agrees=agrees,
            score=score,
        )

        audit_recheck.additional_properties = d
        return audit_recheck

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
