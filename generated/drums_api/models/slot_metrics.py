from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.counts import Counts
    from ..models.latencies import Latencies
    from ..models.reward_metrics import RewardMetrics
    from ..models.slot_usage import SlotUsage


T = TypeVar("T", bound="SlotMetrics")


@_attrs_define
class SlotMetrics:
    """The figures of one slot, over its whole life.

    Attributes:
        usage (SlotUsage): What a slot took of the host.
        slot (None | str | Unset): Id of the slot.
        operations (Latencies | Unset): How long operations took, by their names.
        episodes (Counts | Unset): Counts by word.
        failures (Counts | Unset): Counts by word.
        retries (Counts | Unset): Counts by word.
        rewards (RewardMetrics | Unset): The rewards that were given.
        lifetime_s (float | None | Unset): Time since the slot was created, in seconds.
    """

    usage: SlotUsage
    slot: None | str | Unset = UNSET
    operations: Latencies | Unset = UNSET
    episodes: Counts | Unset = UNSET
    failures: Counts | Unset = UNSET
    retries: Counts | Unset = UNSET
    rewards: RewardMetrics | Unset = UNSET
    lifetime_s: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        usage = self.usage.to_dict()

        slot: None | str | Unset
        if isinstance(self.slot, Unset):
            slot = UNSET
        else:
            slot = self.slot

        operations: dict[str, Any] | Unset = UNSET
        if not isinstance(self.operations, Unset):
            operations = self.operations.to_dict()

        episodes: dict[str, Any] | Unset = UNSET
        if not isinstance(self.episodes, Unset):
            episodes = self.episodes.to_dict()

        failures: dict[str, Any] | Unset = UNSET
        if not isinstance(self.failures, Unset):
            failures = self.failures.to_dict()

        retries: dict[str, Any] | Unset = UNSET
        if not isinstance(self.retries, Unset):
            retries = self.retries.to_dict()

        rewards: dict[str, Any] | Unset = UNSET
        if not isinstance(self.rewards, Unset):
            rewards = self.rewards.to_dict()

        lifetime_s: float | None | Unset
        if isinstance(self.lifetime_s, Unset):
            lifetime_s = UNSET
        else:
            lifetime_s = self.lifetime_s

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "usage": usage,
            }
        )
        if slot is not UNSET:
            field_dict["slot"] = slot
        if operations is not UNSET:
            field_dict["operations"] = operations
        if episodes is not UNSET:
            field_dict["episodes"] = episodes
        if failures is not UNSET:
            field_dict["failures"] = failures
        if retries is not UNSET:
            field_dict["retries"] = retries
        if rewards is not UNSET:
            field_dict["rewards"] = rewards
        if lifetime_s is not UNSET:
            field_dict["lifetime_s"] = lifetime_s

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.counts import Counts  # noqa: PLC0415
        from ..models.latencies import Latencies  # noqa: PLC0415
        from ..models.reward_metrics import RewardMetrics  # noqa: PLC0415
        from ..models.slot_usage import SlotUsage  # noqa: PLC0415

        d = dict(src_dict)
        usage = SlotUsage.from_dict(d.pop("usage"))

        def _parse_slot(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        slot = _parse_slot(d.pop("slot", UNSET))

        _operations = d.pop("operations", UNSET)
        operations: Latencies | Unset
        if isinstance(_operations, Unset):
            operations = UNSET
        else:
            operations = Latencies.from_dict(_operations)

        _episodes = d.pop("episodes", UNSET)
        episodes: Counts | Unset
        if isinstance(_episodes, Unset):
            episodes = UNSET
        else:
            episodes = Counts.from_dict(_episodes)

        _failures = d.pop("failures", UNSET)
        failures: Counts | Unset
        if isinstance(_failures, Unset):
            failures = UNSET
        else:
            failures = Counts.from_dict(_failures)

        _retries = d.pop("retries", UNSET)
        retries: Counts | Unset
        if isinstance(_retries, Unset):
            retries = UNSET
        else:
            retries = Counts.from_dict(_retries)

        _rewards = d.pop("rewards", UNSET)
        rewards: RewardMetrics | Unset
        if isinstance(_rewards, Unset):
            rewards = UNSET
        else:
            rewards = RewardMetrics.from_dict(_rewards)

        def _parse_lifetime_s(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        lifetime_s = _parse_lifetime_s(d.pop("lifetime_s", UNSET))

        slot_metrics = cls(
            usage=usage,
            slot=slot,
            operations=operations,
            episodes=episodes,
            failures=failures,
            retries=retries,
            rewards=rewards,
            lifetime_s=lifetime_s,
        )

        slot_metrics.additional_properties = d
        return slot_metrics

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
