"""What every step is, and the placeholders in its commands.

Invariant: a step that did not happen raises SetupFailed or GuestError; none goes on as if it had.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from drums.local.machines.machine import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX, Outcome
from drums.local.osworld.errors import SetupFailed

if TYPE_CHECKING:
    from drums.local.osworld.fields import Command
    from drums.local.osworld.stage import Stage

CLIENT_PASSWORD = "password"  # noqa: S105  the password of OSWorld's public images; every task that needs one names this
PLACEHOLDERS = {
    "{CLIENT_PASSWORD}": CLIENT_PASSWORD,
    "{SCREEN_WIDTH_HALF}": str(SCREEN_WIDTH_PX // 2),
    "{SCREEN_HEIGHT_HALF}": str(SCREEN_HEIGHT_PX // 2),
    "{SCREEN_WIDTH}": str(SCREEN_WIDTH_PX),
    "{SCREEN_HEIGHT}": str(SCREEN_HEIGHT_PX),
}
"""What OSWorld replaces in the commands of `execute` and `command`."""
_PLACEHOLDER = re.compile("|".join(map(re.escape, PLACEHOLDERS)))


ACCESSIBLE = ("env", "-u", "NO_AT_BRIDGE")
"""What a program is started with so that it tells of its widgets; desktops start programs without, to be light."""


class Step(Protocol):
    """One thing to do to a desktop."""

    @property
    def name(self) -> str:
        """Which step of the task it is, for messages: `config[0] execute`."""
        ...

    @property
    def observes(self) -> bool:
        """Whether it only keeps what a command prints: a second look runs it again, as it asks a getter again."""
        ...

    async def run(self, stage: Stage) -> Outcome | None:
        """Do it. What a command returned is given back, not judged.

        Raises:
            SetupFailed: It did not happen.
            MachineError: The desktop did not do it.
        """
        ...


def filled(command: Command) -> Command:
    """A command with OSWorld's placeholders replaced; what replaces one is not looked into again."""
    if not isinstance(command, str):
        return tuple(_filled_text(argument) for argument in command)
    return _filled_text(command)


def _filled_text(text: str) -> str:
    return _PLACEHOLDER.sub(lambda found: PLACEHOLDERS[found[0]], text)


def demand_success(name: str, outcome: Outcome) -> None:
    """See that a command returned 0.

    Raises:
        SetupFailed: It did not.
    """
    if outcome.returncode:
        lines = (outcome.error or outcome.output or "").strip().splitlines()
        said = f": {lines[-1][:200]}" if lines else ""
        raise SetupFailed(name, f"the command returned {outcome.returncode}{said}")
