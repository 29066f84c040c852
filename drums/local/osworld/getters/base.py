"""What every getter is, and the reading of one file of the desktop within bounds.

Invariant: None means that the thing is not there, which is a fact about the desktop; a desktop that does not answer is
an exception, and never looks like a missing thing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from drums.local.osworld.stage import Stage

FILE_LIMIT_BYTES = 64 * 1024 * 1024
"""The largest file of a desktop that a checker may be given."""


class Getter(Protocol):
    """Something that fetches one value."""

    async def fetch(self, stage: Stage, /) -> object:
        """The value now.

        Raises:
            MachineError: The desktop does not answer, or the file is too large.
            CheckerFault: Something that is not the desktop's is missing.
        """
        ...
