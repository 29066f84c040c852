"""How many calls a model may make and how long it may take: pure, but for the clock.

It knows no tools. Invariant: a call is counted before it is begun, so nothing that a call does can buy another one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class BudgetSpentError(Exception):
    """There are no calls or seconds left; nothing was done."""


@dataclass(slots=True)
class Budget:
    """What is left to a model.

    Args:
        calls: Calls it may make; None: any number.
        seconds: Seconds it may take, from the first call; None: any.
        clock: Seconds that never go back.
    """

    calls: int | None = None
    seconds: float | None = None
    clock: Callable[[], float] = field(default=monotonic, repr=False)
    _made: int = field(default=0, init=False)
    _began: float | None = field(default=None, init=False)

    @property
    def calls_left(self) -> int | None:
        """Calls that may still be made; None: any number."""
        return None if self.calls is None else max(self.calls - self._made, 0)

    @property
    def seconds_left(self) -> float | None:
        """Seconds that are left, not below 0; None: any number."""
        if self.seconds is None:
            return None
        spent = 0.0 if self._began is None else self.clock() - self._began
        return max(self.seconds - spent, 0.0)

    def spend(self) -> float | None:
        """Count a call; gives the seconds that it may take, None for any.

        Raises:
            BudgetSpentError: There is none left.
        """
        if self._began is None:
            self._began = self.clock()
        if self.calls_left == 0:
            message = f"all {self.calls} calls are spent"
            raise BudgetSpentError(message)
        left = self.seconds_left
        if left == 0.0:
            message = f"the {self.seconds:g} seconds are over"
            raise BudgetSpentError(message)
        self._made += 1
        return left
