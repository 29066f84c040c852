"""The daemon as a process of its own: it holds a state directory, listens, tells where, and ends on a signal.

It parses no arguments (command.py does) and knows no operation. What it prints is for a shell: two lines on standard
output, once it listens; everything else is its log.
Invariant: whatever ends it in an orderly way (a signal, an error while starting), its desktops are ended and
recorded, and the state directory is let go of last.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from drums._version import __version__
from drums.local.daemon import Daemon, Options
from drums.local.instance import (
    DEFAULT_HOST,
    DEFAULT_PORT,
    STORE_NAME,
    TOKEN_NAME,
    Instance,
    default_state_dir,
    lines_for_a_shell,
    prepare_state_dir,
)
from drums.local.server import listen_on, listening, url_of
from drums.local.token import token_from

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from pathlib import Path

log: logging.Logger = logging.getLogger("drums.local")


@dataclass(frozen=True, slots=True)
class Service:
    """Where a daemon serves and keeps its things."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    """0 takes a free one."""
    state_dir: Path = field(default_factory=default_state_dir)
    token_file: Path | None = None
    """None: `token` in the state directory."""
    options: Options = field(default_factory=Options)


def serve(service: Service, ready: Callable[[str], None]) -> None:
    """Run the daemon until a signal ends it: SIGTERM, SIGINT or SIGHUP.

    What this process writes meanwhile is for its user alone: the umask is 077 while the daemon runs.

    Args:
        service: Where and what.
        ready: Called once it listens, with the two lines that tell a shell where.

    Raises:
        DaemonError: It could not start.
    """
    usual = os.umask(0o077)
    try:
        _run(service, ready)
    finally:
        os.umask(usual)


def _run(service: Service, ready: Callable[[str], None]) -> None:
    state_dir = prepare_state_dir(service.state_dir)
    with Instance(state_dir) as instance:
        token_file = (service.token_file or state_dir / TOKEN_NAME).expanduser().absolute()
        token = token_from(token_file)
        listener = listen_on(service.host, service.port)
        with listener:
            daemon = Daemon(service.options, token, state_dir / STORE_NAME)
            asyncio.run(_serve(daemon, listener, instance, token_file, ready))


async def _serve(
    daemon: Daemon, listener: socket.socket, instance: Instance, token_file: Path, ready: Callable[[str], None]
) -> None:
    end = _end_on_signals()
    async with AsyncExitStack() as stack:
        await daemon.start()
        stack.push_async_callback(_stop, daemon, instance)
        await stack.enter_async_context(listening(daemon.app, listener))
        url = url_of(listener)
        instance.tell(
            replace(
                instance.record,
                url=url,
                token_file=str(token_file),
                machine=daemon.machine,
                version=__version__,
            )
        )
        log.info("listening on %s with machine %s (%s)", url, daemon.machine, daemon.why_machine)
        ready(lines_for_a_shell(url, token_file))
        log.info("ending on %s", await end)


async def _stop(daemon: Daemon, instance: Instance) -> None:
    ended = await daemon.stop()
    log.info("%s", ended)
    instance.tell(replace(instance.record, ended=ended))


def _end_on_signals() -> asyncio.Future[str]:
    """Done with the signal's name when this process is told to end; a second signal ends it at once."""
    loop = asyncio.get_running_loop()
    end: asyncio.Future[str] = loop.create_future()

    def on_signal(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        loop.call_soon_threadsafe(_settle, end, signal.Signals(number).name)

    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), on_signal)
    return end


def _settle(end: asyncio.Future[str], name: str) -> None:
    if not end.done():
        end.set_result(name)
