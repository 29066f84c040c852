from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="Cost")


@_attrs_define
class Cost:
    """What the host cost, its price times the time.

    Attributes:
        currency (None | str | Unset): Currency of the amounts, an ISO 4217 code.
        host_price_per_hour (float | None | Unset): Price of the host, in `currency` per hour; null when it is not
            known.
        amount (float | None | Unset): Cost of the window, in `currency`; null when the price is not known.
        per_valid_episode (float | None | Unset): Cost for each valid episode, in `currency`; null when there were none.
        per_verified_reward (float | None | Unset): Cost for each verified reward, in `currency`; null when there were
            none.
    """

    currency: None | str | Unset = UNSET
    host_price_per_hour: float | None | Unset = UNSET
    amount: float | None | Unset = UNSET
    per_valid_episode: float | None | Unset = UNSET
    per_verified_reward: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        currency: None | str | Unset
        if isinstance(self.currency, Unset):
            currency = UNSET
        else:
            currency = self.currency

        host_price_per_hour: float | None | Unset
        if isinstance(self.host_price_per_hour, Unset):
            host_price_per_hour = UNSET
        else:
            host_price_per_hour = self.host_price_per_hour

        amount: float | None | Unset
        if isinstance(self.amount, Unset):
            amount = UNSET
        else:
            amount = self.amount

        per_valid_episode: float | None | Unset
        if isinstance(self.per_valid_episode, Unset):
            per_valid_episode = UNSET
        else:
            per_valid_episode = self.per_valid_episode

        per_verified_reward: float | None | Unset
        if isinstance(self.per_verified_reward, Unset):
            per_verified_reward = UNSET
        else:
            per_verified_reward = self.per_verified_reward

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if currency is not UNSET:
            field_dict["currency"] = currency
        if host_price_per_hour is not UNSET:
            field_dict["host_price_per_hour"] = host_price_per_hour
        if amount is not UNSET:
            field_dict["amount"] = amount
        if per_valid_episode is not UNSET:
            field_dict["per_valid_episode"] = per_valid_episode
        if per_verified_reward is not UNSET:
            field_dict["per_verified_reward"] = per_verified_reward

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_currency(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        currency = _parse_currency(d.pop("currency", UNSET))

        def _parse_host_price_per_hour(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        host_price_per_hour = _parse_host_price_per_hour(
            d.pop("host_price_per_hour", UNSET)
        )

        def _parse_amount(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        amount = _parse_amount(d.pop("amount", UNSET))

        def _parse_per_valid_episode(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        per_valid_episode = _parse_per_valid_episode(d.pop("per_valid_episode", UNSET))

        def _parse_per_verified_reward(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        per_verified_reward = _parse_per_verified_reward(
            d.pop("per_verified_reward", UNSET)
        )

        cost = cls(
            currency=currency,
            host_price_per_hour=host_price_per_hour,
            amount=amount,
            per_valid_episode=per_valid_episode,
            per_verified_reward=per_verified_reward,
        )

        cost.additional_properties = d
        return cost

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
