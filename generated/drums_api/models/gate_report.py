from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.gate import Gate
    from ..models.validity import Validity


T = TypeVar("T", bound="GateReport")


@_attrs_define
class GateReport:
    """The gates of one episode.

    Attributes:
        gates (list[Gate]): The checks, in the order they are taken.
        slot (None | str | Unset): Id of the slot.
        episode (int | None | Unset): Number of the episode, from 1.
        validity (None | Unset | Validity): What the gates say together.
    """

    gates: list[Gate]
    slot: None | str | Unset = UNSET
    episode: int | None | Unset = UNSET
    validity: None | Unset | Validity = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.validity import Validity  # noqa: PLC0415

        gates = []
        for gates_item_data in self.gates:
            gates_item = gates_item_data.to_dict()
            gates.append(gates_item)

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

        validity: dict[str, Any] | None | Unset
        if isinstance(self.validity, Unset):
            validity = UNSET
        elif isinstance(self.validity, Validity):
            validity = self.validity.to_dict()
        else:
            validity = self.validity

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "gates": gates,
            }
        )
        if slot is not UNSET:
            field_dict["slot"] = slot
        if episode is not UNSET:
            field_dict["episode"] = episode
        if validity is not UNSET:
            field_dict["validity"] = validity

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.gate import Gate  # noqa: PLC0415
        from ..models.validity import Validity  # noqa: PLC0415

        d = dict(src_dict)
        gates = []
        _gates = d.pop("gates")
        for gates_item_data in _gates:
            gates_item = Gate.from_dict(gates_item_data)

            gates.append(gates_item)

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

        def _parse_validity(data: object) -> None | Unset | Validity:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                validity_type_0 = Validity.from_dict(data)

                return validity_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Unset | Validity, data)

        validity = _parse_validity(d.pop("validity", UNSET))

        gate_report = cls(
            gates=gates,
            slot=slot,
            episode=episode,
            validity=validity,
        )

        gate_report.additional_properties = d
        return gate_report

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
