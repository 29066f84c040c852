"""The one way to run a child process on the host.

It gives the child a clean environment, /dev/null as standard input, and logs what is run. Invariant: a failure is a
`CommandError` whose text holds a command that can be pasted into a shell to see the same.
"""

from __future__ import annotations

import logging
import os
import shlex
import signal
import subprocess
from typing import TYPE_CHECKING

from drums.local.machines.machine import MachineError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

log: logging.Logger = logging.getLogger("drums.local.runc")

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where programs are looked up; the caller's own PATH may hold shims."""
SHOWN_OUTPUT_CHARS = 2000
TOOK_TOO_LONG = 124
"""The exit status that timeout(1) gives as well."""
UMASK = 0o022
"""The daemon's own may be stricter; desktops and images need what programs expect."""


class CommandError(MachineError):
    """A child process did not do its work."""

    def __init__(self, argv: Sequence[str], returncode: int | None, output: str) -> None:
        self.argv: tuple[str, ...] = tuple(argv)
        self.returncode = returncode
        self.output = output
        super().__init__(f"{ending(returncode)}: {shlex.join(argv)}\n{output[-SHOWN_OUTPUT_CHARS:]}".rstrip())


def ending(returncode: int | None) -> str:
    """How a process ended, in words."""
    if returncode is None:
        return "took too long"
    if returncode < 0:
        return f"killed by {signal.Signals(-returncode).name}"
    return "not installed" if returncode == 127 else f"exit status {returncode}"


def run(
    argv: Sequence[str],
    *,
    timeout_s: float | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    check: bool = True,
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end and give what it printed (both streams in `stdout`).

    Raises:
        CommandError: It is not installed, took longer than `timeout_s`, or `check` and its exit status is not 0.
    """
    log.debug("+ %s", shlex.join(argv))
    try:
        done = subprocess.run(  # noqa: S603 - argv is built by this package, never by a shell
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=clean_environment(environment),
            cwd=folder,
            umask=UMASK,
            timeout=timeout_s,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError:
        raise CommandError(argv, 127, "") from None
    except subprocess.TimeoutExpired as late:
        raise CommandError(argv, None, text_of(late.stdout)) from None
    if check and done.returncode != 0:
        raise CommandError(argv, done.returncode, done.stdout)
    return done


def run_detached(argv: Sequence[str], *, environment: Mapping[str, str] | None = None, timeout_s: float) -> int:
    """Run a program whose descendants live on: it gets /dev/null three times, and none of them holds anything of ours.

    Returns the exit status; a program that takes too long is killed, which is told by `TOOK_TOO_LONG`.
    """
    log.debug("+ %s", shlex.join(argv))
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(  # noqa: S603 - argv is built by this package, never by a shell
        list(argv), stdin=nothing, stdout=nothing, stderr=nothing, env=clean_environment(environment), umask=UMASK
    )
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return TOOK_TOO_LONG


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a child sees: a fixed PATH and the C locale, the proxies and certificates of ours, and `extra`."""
    kept = ("HOME", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "PIP_INDEX_URL", "PIP_CONFIG_FILE")
    base = {name: os.environ[name] for name in kept if name in os.environ}
    return {**base, "PATH": SYSTEM_PATH, "LC_ALL": "C.UTF-8", **(extra or {})}


def text_of(output: object) -> str:
    """Output that may be missing or bytes (a timeout gives either) as text."""
    return output.decode(errors="replace") if isinstance(output, bytes) else str(output or "")
