"""Runs a program of its own against a test's server: for what needs a process that forks, ends or dies."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from drums._core.wire import Request
from drums._io.sync import Transport

if TYPE_CHECKING:
    from drums._core.settings import Settings

ROOT = Path(__file__).parents[2]


def started(program: str, *arguments: str, flags: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """Start a Python program; every warning in it is an error, also of what is left open."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", *flags, "-c", textwrap.dedent(program), *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output_of(program: str, *arguments: str, flags: tuple[str, ...] = ()) -> str:
    """Run a program to its end; it must succeed and complain of nothing."""
    with started(program, *arguments, flags=flags) as process:
        try:
            output, complaints = process.communicate(timeout=60)
        except BaseException:
            process.kill()
            raise
    assert not complaints, complaints
    assert process.returncode == 0
    return output


def asked_elsewhere(settings: Settings) -> bytes:
    """What a worker of another process gets with settings that were pickled to it."""
    transport = Transport(settings)
    try:
        return transport.send(Request("GET", "/v1/worker")).body
    finally:
        transport.close()
