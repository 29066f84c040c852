"""The command as a user has it: a daemon with simulated desktops over HTTP, and what one run printed and ended with."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import pytest

import drums
import drums.local
from drums.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from drums.local import InProcess

TASK = "e0df059f-28a6-4169-924f-b9623e7184cc"


@dataclass(frozen=True)
class Run:
    """What one run of the command came to."""

    status: int
    stdout: bytes
    stderr: str

    @property
    def out(self) -> str:
        return self.stdout.decode()

    @property
    def document(self) -> Any:
        """Standard output, which is one JSON document."""
        return json.loads(self.stdout)


class Drums(Protocol):
    """Runs `drums` with these arguments, in this process; the streams it writes are pipes, or a terminal's."""

    def __call__(self, *arguments: str, terminal: bool = False) -> Run: ...


@pytest.fixture(scope="module")
def daemon() -> Iterator[InProcess]:
    with drums.local.serving(alive_gate_s=0.05) as running:
        yield running


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with nothing set and no daemon, in an empty folder."""
    for name in ("DRUMS_URL", "DRUMSD_URL", "DRUMS_TOKEN", "DRUMS_TOKEN_FILE", "DRUMS_DESKTOPS_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def there(home: Path, daemon: InProcess, monkeypatch: pytest.MonkeyPatch) -> Iterator[InProcess]:
    """The same user, whose environment names a daemon."""
    assert daemon.url is not None
    monkeypatch.setenv("DRUMS_URL", daemon.url)
    monkeypatch.setenv("DRUMS_TOKEN", daemon.token)
    yield daemon
    daemon.faults.clear()


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Drums:
    def running(*arguments: str, terminal: bool = False) -> Run:
        capsysbinary.readouterr()
        with monkeypatch.context() as changed:
            for stream in (sys.stdout, sys.stderr):
                changed.setattr(stream, "isatty", lambda: terminal)
            changed.setenv("TERM", "xterm-256color")
            changed.setenv("COLUMNS", "200")
            changed.setenv("LINES", "24")
            try:
                status = main(list(arguments))
            except SystemExit as ended:
                status = int(ended.code or 0)
        out, err = capsysbinary.readouterr()
        return Run(status, out, err.decode())

    return running


@pytest.fixture
def client(there: InProcess) -> Iterator[drums.Client]:
    with drums.connect(there.url, there.token) as client:
        yield client


@pytest.fixture
def env(client: drums.Client) -> drums.Env:
    """A desktop with a task."""
    return client.create(task=TASK)
