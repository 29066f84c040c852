"""Which machine a daemon takes, and what it says about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drums.local.errors import MachineUnavailableError
from drums.local.faults import Faults
from drums.local.machines.registry import MACHINES, Kind, Making, chosen

if TYPE_CHECKING:
    from drums.local.machines.machine import Machine


def a_kind(name: str, reason: str | None) -> Kind:
    def make(_making: Making) -> Machine:
        raise AssertionError(name)

    return Kind(name, "for a test", lambda: reason, make)


def test_auto_takes_the_first_that_can_be_used_and_says_why_not_those_before_it() -> None:
    choice = chosen("auto", [a_kind("best", "no kernel for it"), a_kind("good", None), a_kind("poor", None)])
    assert choice.kind.name == "good"
    assert choice.why == "best can't be used here: no kernel for it"


def test_auto_needs_no_excuse_for_the_best() -> None:
    assert chosen("auto", [a_kind("best", None), a_kind("poor", "broken")]).why == "it is the best there is"


def test_a_machine_named_by_hand_is_taken_as_asked() -> None:
    assert chosen("poor", [a_kind("best", None), a_kind("poor", None)]).why == "as asked"


def test_a_machine_named_by_hand_that_cant_be_used_is_refused_with_its_reason() -> None:
    with pytest.raises(MachineUnavailableError, match="best can't be used here: no kernel for it"):
        chosen("best", [a_kind("best", "no kernel for it"), a_kind("poor", None)])


def test_an_unknown_machine_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(MachineUnavailableError, match="no machine qemu; known are auto, runc, sim"):
        chosen("qemu")


def test_auto_always_finds_a_machine() -> None:
    assert chosen("auto").kind in MACHINES


def test_the_simulated_machine_works_everywhere_and_can_be_made() -> None:
    assert chosen("sim").kind.make(Making(Faults(), alive_gate_s=0.0)).name == "sim"
