"""Paths in a desktop, as a user gives them and as its system has them: bytes."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TypeAlias

GuestPath: TypeAlias = str | bytes | PurePosixPath
"""A path in a desktop: text, bytes, or a `PurePosixPath`. Relative ones and `~/…` begin at the user's home folder."""
