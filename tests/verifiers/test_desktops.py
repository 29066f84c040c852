"""The guide's two commands on real desktops, where this host can have them; `make test-desktops` runs this."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.verifiers.installed import need_verifiers

need_verifiers()

import drums.local
from tests.desktops.conftest import host
from tests.verifiers.test_commands import assert_sound_and_nothing_left, commands, evaluated, scores

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from drums.local import InProcess
    from drums.local.machines.runc.layout import Layout

__all__ = ["host"]

pytestmark = [pytest.mark.desktops, pytest.mark.timeout(300), pytest.mark.xdist_group("desktops")]


@pytest.fixture
def real(host: Layout) -> Iterator[InProcess]:
    """A daemon with real desktops."""
    with drums.local.serving(machine="runc") as daemon:
        yield daemon


@pytest.mark.parametrize("number", [0, 1], ids=["two rollouts", "a fork of two"])
def test_the_guides_commands_are_worth_0_and_1_on_real_desktops(real: InProcess, number: int, tmp_path: Path) -> None:
    episodes = evaluated(commands()[number], real, tmp_path)
    assert sorted(score for episode in episodes for score in scores(episode)) == [0.0, 1.0]
    assert_sound_and_nothing_left(episodes, real)
