"""What is told where a package of an extra is missing: which one, and how to install it.

It imports nothing itself. Invariant: a module of ours that is missing is a fault, and is never told as an extra.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

OURS = frozenset({"", "drums", "drums_api", "drums_verifiers"})


class PackageMissing(ModuleNotFoundError):
    """A package of an extra is not installed; the message has the command that installs it."""


def words_for(missing: ModuleNotFoundError, what: str, extra: str) -> str | None:
    """Which package it is and how to install it; None for a module of ours.

    Args:
        missing: What the import raised.
        what: What needs it: the message begins with it.
        extra: The extra that brings it.
    """
    package = (missing.name or "").partition(".")[0]
    if package in OURS:
        return None
    return f"{what} needs {package}, which is not installed; pip install 'drums-sdk[{extra}]'"


@contextmanager
def needing(what: str, extra: str) -> Generator[None]:
    """Say how to install what an import inside the block misses.

    Args:
        what: What needs it.
        extra: The extra that brings it.

    Raises:
        PackageMissing: A package that is not ours is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        words = words_for(missing, what, extra)
        if words is None:
            raise
        raise PackageMissing(words, name=missing.name) from missing
