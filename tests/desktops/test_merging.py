"""Page merging is an option, and its switch, which is the whole machine's, is turned back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import drums
import drums.local
from drums.local.machines.runc import merging

if TYPE_CHECKING:
    from drums.local.machines.runc.layout import Layout

pytestmark = pytest.mark.skipif(not merging.KSM.is_dir(), reason="this kernel can't merge pages")


def switch() -> dict[str, str]:
    """Where the switch stands."""
    return {name: (merging.KSM / name).read_text().strip() for name in merging.SETTINGS}


def test_the_switch_stays_where_it_is_without_the_option(client: drums.Client, host: Layout) -> None:
    assert client.health().machine == "runc"
    assert not host.merging.exists()


def test_the_switch_is_turned_back_at_the_end(host: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    before = switch()
    monkeypatch.setenv("DRUMS_DESKTOPS_MERGE", "1")
    with drums.local.serving(machine="runc"):
        assert switch() == merging.SETTINGS

    assert switch() == before


def test_the_switch_is_turned_back_by_the_next_daemon_after_a_kill(host: Layout) -> None:
    before = switch()
    merging.begin(host)
    assert switch() == merging.SETTINGS

    with drums.local.serving(machine="runc"):
        assert switch() == before
