"""Numbers that both sides of the transport keep to, each with its reason."""

from __future__ import annotations

from typing import Final

LONGEST_BODY: Final = 256 * 1024 * 1024
"""Bytes of a reply's body that are read at most: hundreds of screenshots, and no more memory than any host has."""

IDLE_S: Final = 55.0
"""Seconds that an unused connection is kept: common load balancers drop theirs after 60 s, and some say nothing."""

IDLE_CONNECTIONS: Final = 256
"""Unused connections that threads keep at most; more threads than that connect anew."""

GRACE_S: Final = 10.0
"""Seconds that an interrupted caller waits for calls already under way in its threads."""
