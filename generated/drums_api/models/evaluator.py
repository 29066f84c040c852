from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.setup_step import SetupStep


T = TypeVar("T", bound="Evaluator")


@_attrs_define
class Evaluator:
    """A checker in OSWorld's format.

    Attributes:
        func (list[str] | str | Unset): Name of the check, or several.
        conj (str | Unset): How several checks combine: `and`, `or`. Absent means `and`.
        result (Any | Unset): The getter of what the desktop shows, one for each check; an object, a list of them, or
            null.
        expected (Any | Unset): The getter of what it is compared with, one for each check; an object, a list of them,
            or null.
        options (Any | Unset): Options of each check; an object, a list of them, or null.
        postconfig (list[SetupStep] | None | Unset): Steps before the check, in order.
        redundant (Any | Unset): An independent second checker that has to agree; an object, or null. It has `func`,
            `conj`, `result`, `expected` and `options` of its own. Not in OSWorld.
    """

    func: list[str] | str | Unset = UNSET
    conj: str | Unset = UNSET
    result: Any | Unset = UNSET
    expected: Any | Unset = UNSET
    options: Any | Unset = UNSET
    postconfig: list[SetupStep] | None | Unset = UNSET
    redundant: Any | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        func: list[str] | str | Unset
        if isinstance(self.func, Unset):
            func = UNSET
        elif isinstance(self.func, list):
            func = self.func

        else:
            func = self.func

        conj = self.conj

        result = self.result

        expected = self.expected

        options = self.options

        postconfig: list[dict[str, Any]] | None | Unset
        if isinstance(self.postconfig, Unset):
            postconfig = UNSET
        elif isinstance(self.postconfig, list):
            postconfig = []
            for postconfig_type_0_item_data in self.postconfig:
                postconfig_type_0_item = postconfig_type_0_item_data.to_dict()
                postconfig.append(postconfig_type_0_item)

        else:
            postconfig = self.postconfig

        redundant = self.redundant

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if func is not UNSET:
            field_dict["func"] = func
        if conj is not UNSET:
            field_dict["conj"] = conj
        if result is not UNSET:
            field_dict["result"] = result
        if expected is not UNSET:
            field_dict["expected"] = expected
        if options is not UNSET:
            field_dict["options"] = options
        if postconfig is not UNSET:
            field_dict["postconfig"] = postconfig
        if redundant is not UNSET:
            field_dict["redundant"] = redundant

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.setup_step import SetupStep  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_func(data: object) -> list[str] | str | Unset:
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                func_type_1 = cast(list[str], data)

                return func_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | str | Unset, data)

        func = _parse_func(d.pop("func", UNSET))

        conj = d.pop("conj", UNSET)

        result = d.pop("result", UNSET)

        expected = d.pop("expected", UNSET)

        options = d.pop("options", UNSET)

        def _parse_postconfig(data: object) -> list[SetupStep] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                postconfig_type_0 = []
                _postconfig_type_0 = data
                for postconfig_type_0_item_data in _postconfig_type_0:
                    postconfig_type_0_item = SetupStep.from_dict(
                        postconfig_type_0_item_data
                    )

                    postconfig_type_0.append(postconfig_type_0_item)

                return postconfig_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[SetupStep] | None | Unset, data)

        postconfig = _parse_postconfig(d.pop("postconfig", UNSET))

        redundant = d.pop("redundant", UNSET)

        evaluator = cls(
            func=func,
            conj=conj,
            result=result,
            expected=expected,
            options=options,
            postconfig=postconfig,
            redundant=redundant,
        )

        evaluator.additional_properties = d
        return evaluator

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
