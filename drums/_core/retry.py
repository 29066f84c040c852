"""When to ask again: only what only reads, only while the server can't be reached or says 503, never longer than asked.

Pure: it knows no clock and never sleeps. The caller measures how long it has been trying and sleeps what it is told.
The invariant: a POST or DELETE is never sent twice. After a lost reply its outcome is unknown; only a look can tell.
"""

from __future__ import annotations

import math
from typing import Final

FIRST_DELAY_S: Final = 0.25
"""Seconds before the second try; each later pause is twice the one before."""

LONGEST_DELAY_S: Final = 2.0
"""The longest pause of its own in seconds: a daemon that restarts is noticed within this time."""

UNREACHABLE: Final = 0
"""Stands for the status where no complete reply came."""


def worth_retrying(method: str, status: int) -> bool:
    """Whether to send this request once more by ourselves, as far as method and outcome tell.

    Args:
        method: The HTTP method as sent.
        status: Status of the reply, or `UNREACHABLE`.
    """
    return method == "GET" and status in {UNREACHABLE, 503}


def next_delay(
    method: str, status: int, *, tries: int, spent_s: float, retry_s: float, retry_after_s: float | None = None
) -> float | None:
    """Seconds to wait before the next try, or None to give up now.

    A pause never ends later than `retry_s` seconds after the first try began. Where the server asks for more time than
    is left, the answer is None: coming back sooner than it asked would be of no use to either side.

    Args:
        method: The HTTP method as sent.
        status: Status of the last reply, or `UNREACHABLE`.
        tries: How often the request was sent so far, at least 1.
        spent_s: Seconds since the first try began.
        retry_s: Seconds to keep trying for; 0 means one try.
        retry_after_s: What the server asked for with `Retry-After`, in seconds.
    """
    if not worth_retrying(method, status):
        return None
    delay = backoff(tries)
    if retry_after_s is not None and math.isfinite(retry_after_s):
        delay = max(delay, retry_after_s)
    return delay if spent_s + delay < retry_s else None


def backoff(tries: int) -> float:
    """Seconds to wait after so many tries: 0.25, 0.5, 1, 2, and 2 from then on."""
    doublings = min(max(tries, 1) - 1, 8)
    return min(FIRST_DELAY_S * 2.0**doublings, LONGEST_DELAY_S)
