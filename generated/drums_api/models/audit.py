from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.audit_change import AuditChange
    from ..models.audit_recheck import AuditRecheck


T = TypeVar("T", bound="Audit")


@_attrs_define
class Audit:
    """A second look at a reward.

    Attributes:
        trusted (bool | None | Unset): True only for a valid episode with a score and no flag.
        flags (list[str] | None | Unset): What is wrong with the reward.
        recheck (AuditRecheck | None | Unset): The same checker once more; null when it was not run again.
        redundant (bool | None | Unset): Whether an independent second checker gave the same score; null when the task
            has none, or it was not run.
        redundant_score (float | None | Unset): The score that the second checker gave, 0 to 1; null when there is none.
        scope (None | str | Unset): Whether the episode changed only what the task is about; null when it was not looked
            at. A change beyond it is a sign of reward hacking.
        beyond (list[AuditChange] | None | Unset): What the episode changed beyond the task's scope, the first 20; null
            when it was not looked at.
        start_score (float | None | Unset): What the checker gave for the desktop right after the task's setup, 0 to 1;
            null when that is not known.
        checker_seconds (float | None | Unset): How long the checker ran, in seconds.
        notes (list[str] | None | Unset): What was out of the ordinary in the check, a sentence each; null when nothing
            was. No fault of the score.
    """

    trusted: bool | None | Unset = UNSET
    flags: list[str] | None | Unset = UNSET
    recheck: AuditRecheck | None | Unset = UNSET
    redundant: bool | None | Unset = UNSET
    redundant_score: float | None | Unset = UNSET
    scope: None | str | Unset = UNSET
    beyond: list[AuditChange] | None | Unset = UNSET
    start_score: float | None | Unset = UNSET
    checker_seconds: float | None | Unset = UNSET
    notes: list[str] | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.audit_recheck import AuditRecheck  # noqa: PLC0415

        trusted: bool | None | Unset
        if isinstance(self.trusted, Unset):
            trusted = UNSET
        else:
            trusted = self.trusted

        flags: list[str] | None | Unset
        if isinstance(self.flags, Unset):
            flags = UNSET
        elif isinstance(self.flags, list):
            flags = self.flags

        else:
            flags = self.flags

        recheck: dict[str, Any] | None | Unset
        if isinstance(self.recheck, Unset):
            recheck = UNSET
        elif isinstance(self.recheck, AuditRecheck):
            recheck = self.recheck.to_dict()
        else:
            recheck = self.recheck

        redundant: bool | None | Unset
        if isinstance(self.redundant, Unset):
            redundant = UNSET
        else:
            redundant = self.redundant

        redundant_score: float | None | Unset
        if isinstance(self.redundant_score, Unset):
            redundant_score = UNSET
        else:
            redundant_score = self.redundant_score

        scope: None | str | Unset
        if isinstance(self.scope, Unset):
            scope = UNSET
        else:
            scope = self.scope

        beyond: list[dict[str, Any]] | None | Unset
        if isinstance(self.beyond, Unset):
            beyond = UNSET
        elif isinstance(self.beyond, list):
            beyond = []
            for beyond_type_0_item_data in self.beyond:
                beyond_type_0_item = beyond_type_0_item_data.to_dict()
                beyond.append(beyond_type_0_item)

        else:
            beyond = self.beyond

        start_score: float | None | Unset
        if isinstance(self.start_score, Unset):
            start_score = UNSET
        else:
            start_score = self.start_score

        checker_seconds: float | None | Unset
        if isinstance(self.checker_seconds, Unset):
            checker_seconds = UNSET
        else:
            checker_seconds = self.checker_seconds

        notes: list[str] | None | Unset
        if isinstance(self.notes, Unset):
            notes = UNSET
        elif isinstance(self.notes, list):
            notes = self.notes

        else:
            notes = self.notes

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if trusted is not UNSET:
            field_dict["trusted"] = trusted
        if flags is not UNSET:
            field_dict["flags"] = flags
        if recheck is not UNSET:
            field_dict["recheck"] = recheck
        if redundant is not UNSET:
            field_dict["redundant"] = redundant
        if redundant_score is not UNSET:
            field_dict["redundant_score"] = redundant_score
        if scope is not UNSET:
            field_dict["scope"] = scope
        if beyond is not UNSET:
            field_dict["beyond"] = beyond
        if start_score is not UNSET:
            field_dict["start_score"] = start_score
        if checker_seconds is not UNSET:
            field_dict["checker_seconds"] = checker_seconds
        if notes is not UNSET:
            field_dict["notes"] = notes

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.audit_change import AuditChange  # noqa: PLC0415
        from ..models.audit_recheck import AuditRecheck  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_trusted(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        trusted = _parse_trusted(d.pop("trusted", UNSET))

        def _parse_flags(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                flags_type_0 = cast(list[str], data)

                return flags_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        flags = _parse_flags(d.pop("flags", UNSET))

        def _parse_recheck(data: object) -> AuditRecheck | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                recheck_type_0 = AuditRecheck.from_dict(data)

                return recheck_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AuditRecheck | None | Unset, data)

        recheck = _parse_recheck(d.pop("recheck", UNSET))

        def _parse_redundant(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        redundant = _parse_redundant(d.pop("redundant", UNSET))

        def _parse_redundant_score(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        redundant_score = _parse_redundant_score(d.pop("redundant_score", UNSET))

        def _parse_scope(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        scope = _parse_scope(d.pop("scope", UNSET))

        def _parse_beyond(data: object) -> list[AuditChange] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                beyond_type_0 = []
                _beyond_type_0 = data
                for beyond_type_0_item_data in _beyond_type_0:
                    beyond_type_0_item = AuditChange.from_dict(beyond_type_0_item_data)

                    beyond_type_0.append(beyond_type_0_item)

                return beyond_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[AuditChange] | None | Unset, data)

        beyond = _parse_beyond(d.pop("beyond", UNSET))

        def _parse_start_score(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        start_score = _parse_start_score(d.pop("start_score", UNSET))

        def _parse_checker_seconds(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        checker_seconds = _parse_checker_seconds(d.pop("checker_seconds", UNSET))

        def _parse_notes(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                notes_type_0 = cast(list[str], data)

                return notes_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        notes = _parse_notes(d.pop("notes", UNSET))

        audit = cls(
            trusted=trusted,
            flags=flags,
            recheck=recheck,
            redundant=redundant,
            redundant_score=redundant_score,
            scope=scope,
            beyond=beyond,
            start_score=start_score,
            checker_seconds=checker_seconds,
            notes=notes,
        )

        audit.additional_properties = d
        return audit

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
