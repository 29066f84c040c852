"""A restore that fails before any process ran is tried once more and counted; what fails twice fails alone.

CRIU itself is made to fail: a program in its place ends with an error at the first restores of one desktop, the first
that asks, and hands everything else to the real one.
"""

from __future__ import annotations

import shlex
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import drums
import drums.local
from drums.local.machines.runc.setup import criu_source

from . import traces
from .conftest import ALIVE_GATE_S, shell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local.machines.runc.layout import Layout

COMPLAINT = "Error: it was ordered to fail"
IN_CRIUS_PLACE = """#!/bin/sh
cd {folder}
if [ "$1" = restore ]; then
    work=$(echo "$*" | sed 's/.* -W \\([^ ]*\\) .*/\\1/')
    for order in order.*; do
        [ -d "$order" ] || continue
        ln -sT "$work" victim 2>/dev/null
        if [ "$(readlink victim)" = "$work" ] && rmdir "$order"; then
            echo "{complaint}" > "$work/restore.log"
            exit 1
        fi
    done
fi
cd /
exec {criu} "$@"
"""


class FailingCriu:
    """A program in CRIU's place."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program: Path = folder / "criu"

    def write(self, criu: str) -> None:
        """Put it there, with the real one behind it."""
        words = {"folder": shlex.quote(str(self.folder)), "criu": shlex.quote(criu), "complaint": COMPLAINT}
        self.program.write_text(IN_CRIUS_PLACE.format(**words))
        self.program.chmod(0o755)

    def fail(self, times: int) -> None:
        """From now on the next desktop that is restored fails so many times."""
        (self.folder / "victim").unlink(missing_ok=True)
        for number in range(times):
            (self.folder / f"order.{number}").mkdir()

    @property
    def left(self) -> int:
        """How many of the failures did not come about."""
        return len(list(self.folder.glob("order.*")))


@pytest.fixture
def criu(host: Layout, monkeypatch: pytest.MonkeyPatch) -> Iterator[FailingCriu]:
    """What the daemon takes for CRIU. It lies in the state folder: /tmp is hidden while CRIU restores."""
    real = criu_source.found()
    assert real is not None
    folder = Path(tempfile.mkdtemp(prefix="test-", dir=host.state))
    failing = FailingCriu(folder)
    failing.write(real)
    monkeypatch.setattr(criu_source, "found", lambda: str(failing.program))
    try:
        yield failing
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def client(criu: FailingCriu) -> Iterator[drums.Client]:
    """A client of a daemon that works with it."""
    assert criu.program.is_file()
    with (
        drums.local.serving(machine="runc", alive_gate_s=ALIVE_GATE_S) as daemon,
        drums.connect(daemon.url, daemon.token) as connected,
    ):
        yield connected


def test_a_failed_restore_is_tried_once_more_and_counted_once(client: drums.Client, criu: FailingCriu) -> None:
    env = client.create().wait_valid()
    criu.fail(times=1)

    with env.fork(3) as children:
        assert criu.left == 0
        assert [shell(child, "echo here") for child in children] == ["here\n"] * 3
        assert all(child.wait_valid().valid() for child in children)
        assert sorted(child.metrics().retries.get("restore", 0) for child in children) == [0, 0, 1]
        assert client.metrics().retries == {"restore": 1}
        assert client.metrics().failures == {}


def test_what_fails_twice_is_that_childs_error_alone(client: drums.Client, criu: FailingCriu, host: Layout) -> None:
    env = client.create().wait_valid()
    criu.fail(times=2)

    with env.fork(3, strict=False) as children:
        [error] = children.failed
        alive = [child for child in children if child.state == "ready"]

        assert criu.left == 0
        assert COMPLAINT in str(error)
        assert [shell(child, "echo here") for child in alive] == ["here\n"] * 2
        assert client.metrics().retries == {"restore": 1}
        assert client.metrics().failures == {"restore": 1}
        assert traces.found(host).slots == {env.id, *(child.id for child in alive)}


def test_it_is_tried_no_third_time(client: drums.Client, criu: FailingCriu) -> None:
    criu.fail(times=3)

    with pytest.raises(drums.RestoreFailed, match=COMPLAINT):
        client.create()

    assert criu.left == 1
