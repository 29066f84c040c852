"""A Drums daemon on this machine: in this process, in it and over HTTP, or as a process of its own.

    with drums.local.serving() as daemon:
        client = drums.connect(daemon.url, daemon.token)

`drums.connect("local")` and the command `drums up` are made of the same parts. Importing this package loads none of
them; they need the extra `drums-sdk[local]`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypedDict

from drums._extras import words_for
from drums.local.errors import DaemonError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Unpack

    from drums.local.daemon import Daemon
    from drums.local.domain.clock import Clock as Clock
    from drums.local.domain.limits import Limits as Limits
    from drums.local.embedded import InProcess as InProcess
    from drums.local.faults import Faults as Faults
    from drums.local.osworld import TaskSources as TaskSources
    from drums.local.service import Service as Service
else:
    _HOME = {
        "Clock": "domain.clock",
        "Faults": "faults",
        "InProcess": "embedded",
        "Limits": "domain.limits",
        "Service": "service",
        "TaskSources": "osworld",
    }

    def __getattr__(name):
        if name not in _HOME:
            message = f"module 'drums.local' has no attribute {name!r}"
            raise AttributeError(message)
        from importlib import import_module  # noqa: PLC0415 -- this runs at most once for each name

        with needing_the_extra():
            value = globals()[name] = getattr(import_module(f"drums.local.{_HOME[name]}"), name)
        return value

    def __dir__():
        return sorted(__all__)


__all__ = [
    "Clock",
    "DaemonError",
    "Faults",
    "InProcess",
    "Limits",
    "MissingExtraError",
    "Service",
    "TaskSources",
    "in_process",
    "serve",
    "serving",
]


class DaemonOptions(TypedDict, total=False):
    """What a daemon in this process may be told; it keeps its records in memory."""

    machine: str
    """What runs the desktops: `sim` (the default), or another that can be used here."""
    faults: Faults
    """What is to go wrong; it is also `.faults` of the daemon."""
    limits: Limits
    """How much it takes on."""
    emulate: str
    """An older version to be: `0.3` or `0.4.1`."""
    alive_gate_s: float
    """Seconds after a desktop came up at which its processes are looked at again; 0.2 for `sim`."""
    clock: Clock
    """The time by which leases and gates go."""
    tasks: TaskSources
    """Where its tasks come from, beside our own pack; else what `DRUMS_OSWORLD` names."""


def in_process(token: str | None = None, **options: Unpack[DaemonOptions]) -> InProcess:
    """Start a daemon inside this process, reached by calls and not over HTTP.

    Args:
        token: What every request must carry. None: one that nobody can guess.
        **options: See `DaemonOptions`.

    Raises:
        MissingExtraError: A package that it needs is not installed.
    """
    with needing_the_extra():
        from drums.local.embedded import InProcess  # noqa: PLC0415 -- needs the extra

        return InProcess(_maker(token, options))


def serving(
    host: str = "127.0.0.1", port: int = 0, token: str | None = None, **options: Unpack[DaemonOptions]
) -> InProcess:
    """Start a daemon inside this process that serves HTTP on a loopback address too; its `.url` tells where.

    Args:
        host: A loopback address.
        port: 0 takes a free one.
        token: What every request must carry. None: one that nobody can guess.
        **options: See `DaemonOptions`.

    Raises:
        MissingExtraError: A package that it needs is not installed.
        AddressError: The address can't be listened on.
    """
    with needing_the_extra():
        from drums.local.embedded import serving  # noqa: PLC0415 -- needs the extra

        return serving(_maker(token, options), host, port)


def serve(service: Service, ready: Callable[[str], None]) -> None:
    """Run a daemon in this process and thread until a signal ends it.

    Args:
        service: Where and what.
        ready: Called once it listens, with two lines that a shell can `eval` to reach it.

    Raises:
        MissingExtraError: A package that it needs is not installed.
        DaemonError: It could not start, and why.
    """
    with needing_the_extra():
        from drums.local.service import serve  # noqa: PLC0415 -- needs the extra

        serve(service, ready)


def _maker(token: str | None, options: DaemonOptions) -> Callable[[], Daemon]:
    from drums.local.daemon import Daemon, Options  # noqa: PLC0415 -- needs the extra
    from drums.local.token import new_token  # noqa: PLC0415 -- as above

    options.setdefault("machine", "sim")
    settled = Options(**options)
    secret = token or new_token()
    return lambda: Daemon(settled, secret)


@contextmanager
def needing_the_extra() -> Generator[None]:
    """Say how to install what an import inside the block misses.

    Raises:
        MissingExtraError: A package that is not ours is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        words = words_for(missing, "drums.local", "local")
        if words is None:
            raise
        raise MissingExtraError(words, name=missing.name) from missing
