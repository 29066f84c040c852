"""What all tests share: how many examples Hypothesis tries, the signals that programs begin with, names of parameters.

`HYPOTHESIS_PROFILE=ci` asks for a thousand examples.
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Callable

settings.register_profile("default", max_examples=100, deadline=None)
settings.register_profile(
    "ci", max_examples=1000, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

DISPOSITIONS: dict[signal.Signals, Callable[..., Any] | signal.Handlers] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGHUP: signal.SIG_DFL,
    signal.SIGTERM: signal.SIG_DFL,
}
for number, usual in DISPOSITIONS.items():
    # A program inherits what is ignored: under nohup, or in a shell's background, no program under test would end.
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)

LONGEST_ID = 60
"""Bytes of a parameter that may stand in a test's name."""


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a file's content by its argument: its bytes may hold the time, and every worker has to find the same."""
    return argname if isinstance(val, bytes) and len(val) > LONGEST_ID else None
