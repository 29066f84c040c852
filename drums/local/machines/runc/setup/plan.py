"""A set-up as data: steps that say what they do, whether they are needed, and do it.

Invariant: a step that was done is no longer needed, so a plan that ran through does nothing a second time.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Step(Protocol):
    """One deed on the host."""

    def describe(self) -> str:
        """What it does, as a command to the host: `install packages: runc, btrfs-progs`."""
        ...

    def needed(self) -> bool:
        """Whether it still has to be done. It changes nothing."""
        ...

    def execute(self) -> None:
        """Do it.

        Raises:
            MachineError: It could not be done.
        """
        ...


def carry_out(steps: Sequence[Step], say: Callable[[str], None]) -> int:
    """Do the steps that are needed, in order, and tell each; gives how many were done."""
    done = 0
    for number, step in enumerate(steps, 1):
        place = f"[{number}/{len(steps)}]"
        if not step.needed():
            say(f"{place} {step.describe()}: there already")
            continue
        say(f"{place} {step.describe()} …")
        began = time.monotonic()
        step.execute()
        say(f"{place} done in {time.monotonic() - began:.0f} s")
        done += 1
    return done
