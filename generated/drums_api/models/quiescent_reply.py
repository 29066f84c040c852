from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="QuiescentReply")


@_attrs_define
class QuiescentReply:
    """How long it took until the desktop was still.

    Attributes:
        quiescent (bool): Whether the desktop is still; true in every reply with status 200.
        slot (None | str | Unset): Id of the slot.
        episode (int | None | Unset): Number of the episode, from 1.
        seconds (float | None | Unset): How long was waited, in seconds.
    """

    quiescent: bool
    slot: None | str | Unset = UNSET
    episode: int | None | Unset = UNSET
    seconds: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        quiescent = self.quiescent

        slot: None | str | Unset
        if isinstance(self.slot, Unset):
            slot = UNSET
        else:
            slot = self.slot

        episode: int | None | Unset
        if isinstance(self.episode, Unset):
            episode = UNSET
        else:
            episode = self.episode

        seconds: float | None | Unset
        if isinstance(self.seconds, Unset):
            seconds = UNSET
        else:
            seconds = self.seconds

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "quiescent": quiescent,
            }
        )
        if slot is not UNSET:
            field_dict["slot"] = slot
        if episode is not UNSET:
            field_dict["episode"] = episode
        if seconds is not UNSET:
            field_dict["seconds"] = seconds

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        quiescent = d.pop("quiescent")

        def _parse_slot(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        slot = _parse_slot(d.pop("slot", UNSET))

        def _parse_episode(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        episode = _parse_episode(d.pop("episode", UNSET))

        def _parse_seconds(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        seconds = _parse_seconds(d.pop("seconds", UNSET))

        quiescent_reply = cls(
            quiescent=quiescent,
            slot=slot,
            episode=episode,
            seconds=seconds,
        )

        quiescent_reply.additional_properties = d
        return quiescent_reply

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
