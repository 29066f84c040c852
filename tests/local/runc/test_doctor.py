"""What a host is told that can't have real desktops: what is missing, and what to do about each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drums.cli import main
from drums.local.errors import HostUnsuitableError
from drums.local.machines.machine import MachineError
from drums.local.machines.runc import doctor, setup
from drums.local.machines.runc.layout import Layout
from drums.local.machines.runc.setup import criu_source, host


@pytest.fixture
def poor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Layout:
    """A host without anything that real desktops need."""
    monkeypatch.setenv("DRUMS_DESKTOPS_DIR", str(tmp_path / "none"))
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(host, "release", lambda: host.Release("plan9", "4", "none"))
    monkeypatch.setattr(host, "user_namespaces", lambda: False)
    monkeypatch.setattr(host, "missing_controllers", lambda: ["memory", "pids"])
    monkeypatch.setattr(host, "loop_devices", lambda: False)
    monkeypatch.setattr(host, "has_btrfs", lambda: False)
    monkeypatch.setattr(criu_source, "candidates", lambda: iter(()))
    return Layout.from_environment()


def test_every_gap_comes_with_what_mends_it(poor: Layout) -> None:
    rows = doctor.report(poor)

    gaps = {row.what: row.mend for row in rows if row.state == "missing"}
    assert {"system", "rights", "user namespaces", "cgroups", "btrfs", "CRIU"} <= gaps.keys()
    assert all(gaps.values())
    assert all(not row.mend for row in rows if row.state == "ok" and not row.what.startswith("image"))


def test_the_first_gap_is_why_there_are_no_real_desktops(poor: Layout) -> None:
    assert doctor.why_not(poor) == "system: plan9 4 (none), Linux " + os.uname().release + (
        " (use Debian 12/13 or Ubuntu 22.04/24.04; all: drums doctor)"
    )


def test_the_set_up_refuses_before_it_changes_anything(poor: Layout) -> None:
    with pytest.raises(setup.HopelessError) as refused:
        setup.main(say=lambda _: pytest.fail("it began"), layout=poor)

    words = str(refused.value)
    assert "it needs root" in words
    assert "user namespaces are off" in words
    assert "memory, pids" in words
    assert not poor.state.exists()


def test_the_command_prints_a_table_and_fails_where_something_is_missing(
    poor: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 1
    table = capsys.readouterr().out.splitlines()

    assert table[0].split() == ["what", "state", "seen", "mend"]
    assert len(table) == len(doctor.report(poor)) + 1


def test_the_command_tells_a_refused_set_up_in_words(poor: Layout, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup"]) == HostUnsuitableError.status == 69
    assert main(["image", "build", "no-such-image"]) == 1

    told = capsys.readouterr().err
    assert "this host can't have real desktops" in told
    assert "there is no recipe no-such-image" in told
    assert "Traceback" not in told


def test_the_images_are_listed_where_none_is_built(poor: Layout, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["image", "ls"]) == 0

    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "name",
        "chromium",
        "desktop",
        "office",
    ]


@pytest.mark.parametrize("folder", ["/tmp/state", "/run/state"])
def test_a_state_folder_that_would_be_hidden_is_refused(folder: str) -> None:
    assert any("may not lie below" in words for words in host.obstacles(Path(folder)))


def test_a_step_that_fails_is_told_apart_from_a_host_that_can_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DRUMS_DESKTOPS_DIR", str(tmp_path / "none"))
    monkeypatch.setattr(host, "obstacles", lambda _: [])
    monkeypatch.setattr(setup.packages.Packages, "needed", lambda _: True)

    def without_network(_: object) -> None:
        raise MachineError("the archive can't be reached")

    monkeypatch.setattr(setup.packages.Packages, "execute", without_network)

    assert main(["setup"]) == 1
    assert "the archive can't be reached" in capsys.readouterr().err
