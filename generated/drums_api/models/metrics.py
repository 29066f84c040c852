from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.cost import Cost
    from ..models.counts import Counts
    from ..models.latencies import Latencies
    from ..models.metrics_window import MetricsWindow
    from ..models.reward_metrics import RewardMetrics


T = TypeVar("T", bound="Metrics")


@_attrs_define
class Metrics:
    """The figures of one window, over all slots.

    Attributes:
        window (MetricsWindow): A span of time that figures cover.
        operations (Latencies | Unset): How long operations took, by their names.
        episodes (Counts | Unset): Counts by word.
        failures (Counts | Unset): Counts by word.
        retries (Counts | Unset): Counts by word.
        rewards (RewardMetrics | Unset): The rewards that were given.
        cost (Cost | Unset): What the host cost, its price times the time.
    """

    window: MetricsWindow
    operations: Latencies | Unset = UNSET
    episodes: Counts | Unset = UNSET
    failures: Counts | Unset = UNSET
    retries: Counts | Unset = UNSET
    rewards: RewardMetrics | Unset = UNSET
    cost: Cost | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        window = self.window.to_dict()

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

        cost: dict[str, Any] | Unset = UNSET
        if not isinstance(self.cost, Unset):
            cost = self.cost.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "window": window,
            }
        )
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
        if cost is not UNSET:
            field_dict["cost"] = cost

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.cost import Cost  # noqa: PLC0415
        from ..models.counts import Counts  # noqa: PLC0415
        from ..models.latencies import Latencies  # noqa: PLC0415
        from ..models.metrics_window import MetricsWindow  # noqa: PLC0415
        from ..models.reward_metrics import RewardMetrics  # noqa: PLC0415

        d = dict(src_dict)
        window = MetricsWindow.from_dict(d.pop("window"))

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

        _cost = d.pop("cost", UNSET)
        cost: Cost | Unset
        if isinstance(_cost, Unset):
            cost = UNSET
        else:
            cost = Cost.from_dict(_cost)

        metrics = cls(
            window=window,
            operations=operations,
            episodes=episodes,
            failures=failures,
            retries=retries,
            rewards=rewards,
            cost=cost,
        )

        metrics.additional_properties = d
        return metrics

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
