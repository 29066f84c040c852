# Generated from drums/aio/_guest.py by tools/generate_sync.py. Edit that file.
"""Commands and programs inside a desktop: what an env's actions do, without writing actions.

Every method is a step or a look; it counts as one in the env. Nothing here trusts what the desktop prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from drums.errors import ActionFailed
from drums.observation import StepResult, png_size

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from drums._io import sync as io
    from drums._sync._env import Env
    from drums.records import ActionResult

Command: TypeAlias = "str | Sequence[str]"
"""A program with its arguments as a list, or one text."""


class Deed(NamedTuple):
    """One action on the way to the server."""

    action: str | Mapping[str, Any] | Any
    """As `env.step` takes it."""
    tried: str
    """The call as its caller would write it."""
    screenshot: bool = False
    check: bool = True
    timeout: float | None = None
    """Seconds for the request; None: the client's."""


class GuestClient:
    """What runs inside one env, as the desktop's user.

    Args:
        env: The env.
        act: Does a deed in it.
    """

    def __init__(self, env: Env, act: io.Fn[Deed, StepResult]) -> None:
        self.env = env
        """The env that it belongs to."""
        self._act = act

    def execute(
        self,
        command: Command,
        shell: bool = False,
        allow_rc: Collection[int] | None = (0,),
        timeout: float | None = None,
    ) -> ActionResult:
        """Run a command and wait for its end, 120 s at most.

        Args:
            command: A program with its arguments as a list, or one text.
            shell: Whether a shell runs it, so that `~`, `|` and `&&` mean something.
            allow_rc: Returncodes that are no error; None: all.
            timeout: Seconds for the whole request; None: the client's.

        Returns:
            `.returncode`, `.output`, `.error`.

        Raises:
            ActionFailed: It ended with another returncode.
            GuestError: The desktop did not answer in time.

        Server: step_slot
        """
        action = {"type": "execute", "command": command, "shell": shell}
        tried = f"guest().execute() of {self.env.id}"
        result = self._act(Deed(action, tried, check=False, timeout=timeout))
        if allow_rc is not None and result.result.returncode not in allow_rc:
            raise ActionFailed(result, action, tried=tried)
        return result.result

    def launch(self, command: Command, shell: bool = False) -> ActionResult:
        """Start a program and do not wait for it.

        Args:
            command: A program with its arguments as a list, or one text.
            shell: Whether a shell runs it.

        Returns:
            `.pid`, its process id in the desktop, where the server tells.

        Server: step_slot
        """
        action = {"type": "launch", "command": command, "shell": shell}
        result = self._act(Deed(action, f"guest().launch() of {self.env.id}"))
        return result.result

    def screenshot(self) -> bytes:
        """Look at the screen: PNG.

        Server: get_screenshot
        """
        return self.env.screenshot()

    def screen_size(self) -> tuple[int, int]:
        """Width and height of the screen in pixels.

        Server: get_screenshot
        """
        return png_size(self.env.screenshot())

    def platform(self) -> str:
        """Name of the desktop's operating system, `Linux`.

        Server: step_slot
        """
        told = self.execute(["uname", "-s"])
        return (told.output or "").strip()

    def __repr__(self) -> str:
        return f"<GuestClient of {self.env.id}>"
