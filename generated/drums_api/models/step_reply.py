from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.action_result import ActionResult
    from ..models.validity import Validity


T = TypeVar("T", bound="StepReply")


@_attrs_define
class StepReply:
    """What one action did, and how the episode stands after it.

    Attributes:
        result (ActionResult): What an action did.
        slot (None | str | Unset): Id of the slot.
        episode (int | None | Unset): Number of the episode that the action belongs to, from 1.
        results (list[ActionResult] | None | Unset): What each action of a batch did, in order, up to the first that
            failed; null or absent for other actions.
        validity (None | Unset | Validity): What the episode's gates say so far.
        seconds (float | None | Unset): How long the action took in the daemon, in seconds.
        screenshot_png_b64 (None | str | Unset): The screen after the action as PNG in base64, 1920x1080 pixels, if it
            was asked for.
    """

    result: ActionResult
    slot: None | str | Unset = UNSET
    episode: int | None | Unset = UNSET
    results: list[ActionResult] | None | Unset = UNSET
    validity: None | Unset | Validity = UNSET
    seconds: float | None | Unset = UNSET
    screenshot_png_b64: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.validity import Validity  # noqa: PLC0415

        result = self.result.to_dict()

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

        results: list[dict[str, Any]] | None | Unset
        if isinstance(self.results, Unset):
            results = UNSET
        elif isinstance(self.results, list):
            results = []
            for results_type_0_item_data in self.results:
                results_type_0_item = results_type_0_item_data.to_dict()
                results.append(results_type_0_item)

        else:
            results = self.results

        validity: dict[str, Any] | None | Unset
        if isinstance(self.validity, Unset):
            validity = UNSET
        elif isinstance(self.validity, Validity):
            validity = self.validity.to_dict()
        else:
            validity = self.validity

        seconds: float | None | Unset
        if isinstance(self.seconds, Unset):
            seconds = UNSET
        else:
            seconds = self.seconds

        screenshot_png_b64: None | str | Unset
        if isinstance(self.screenshot_png_b64, Unset):
            screenshot_png_b64 = UNSET
        else:
            screenshot_png_b64 = self.screenshot_png_b64

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "result": result,
            }
        )
        if slot is not UNSET:
            field_dict["slot"] = slot
        if episode is not UNSET:
            field_dict["episode"] = episode
        if results is not UNSET:
            field_dict["results"] = results
        if validity is not UNSET:
            field_dict["validity"] = validity
        if seconds is not UNSET:
            field_dict["seconds"] = seconds
        if screenshot_png_b64 is not UNSET:
            field_dict["screenshot_png_b64"] = screenshot_png_b64

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.action_result import ActionResult  # noqa: PLC0415
        from ..models.validity import Validity  # noqa: PLC0415

        d = dict(src_dict)
        result = ActionResult.from_dict(d.pop("result"))

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

        def _parse_results(data: object) -> list[ActionResult] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                results_type_0 = []
                _results_type_0 = data
                for results_type_0_item_data in _results_type_0:
                    results_type_0_item = ActionResult.from_dict(
                        results_type_0_item_data
                    )

                    results_type_0.append(results_type_0_item)

                return results_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[ActionResult] | None | Unset, data)

        results = _parse_results(d.pop("results", UNSET))

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

        def _parse_seconds(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        seconds = _parse_seconds(d.pop("seconds", UNSET))

        def _parse_screenshot_png_b64(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        screenshot_png_b64 = _parse_screenshot_png_b64(
            d.pop("screenshot_png_b64", UNSET)
        )

        step_reply = cls(
            result=result,
            slot=slot,
            episode=episode,
            results=results,
            validity=validity,
            seconds=seconds,
            screenshot_png_b64=screenshot_png_b64,
        )

        step_reply.additional_properties = d
        return step_reply

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
