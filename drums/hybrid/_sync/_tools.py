# Generated from drums/hybrid/aio/_tools.py by tools/generate_sync.py. Edit that file.
"""All tools over one desktop in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from drums.actions import action as checked
from drums.hybrid._sync._apps import Apps
from drums.hybrid._sync._desktop import Desktop
from drums.hybrid._sync._files import Files
from drums.hybrid._sync._gui import Gui
from drums.hybrid._sync._shell import Shell
from drums.hybrid.gestures import refusal
from drums.hybrid.results import Acted
from drums.observation import StepResult

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drums._sync._env import Env
    from drums.actions import Action
    from drums.observation import Observation

BATCH = "batch"
"""What a server says of itself that does several actions in one step."""
MOST_IN_A_BATCH = 50


class Tools:
    """Shell, files, mouse and keyboard, programs and windows of one desktop.

        tools = drums.hybrid.Tools(env)
        tools.files.write_text("~/Desktop/note.txt", "hello")
        tools.apps.open("~/Desktop/note.txt")
        picture = tools.gui.screenshot(scale=0.5)

    Every call is one step of the env, or several. What comes back from a desktop is untrusted.

    Args:
        env: The desktop. It is not closed by this.
    """

    def __init__(self, env: Env) -> None:
        desktop = Desktop(env)
        self._desktop = desktop
        self.env: Env = env
        """The desktop."""
        self.shell: Shell = Shell(desktop)
        """Commands."""
        self.files: Files = Files(desktop)
        """Files."""
        self.gui: Gui = Gui(desktop)
        """Mouse, keyboard and screen."""
        self.apps: Apps = Apps(desktop)
        """Programs, windows, clipboard."""

    def act(self, actions: Iterable[Action], then: Literal["screenshot"] | None = "screenshot") -> Acted:
        """Do several actions one after the other, and look at the screen after the last.

        One request where the server has batches, else one for each action. The first that fails ends it.

        Args:
            actions: At least one, as `env.step` takes them; `drums.hybrid.gestures` makes some.
            then: `screenshot` to look at the screen afterwards; None: not.

        Returns:
            The reply of each action, and the screen.

        Raises:
            BadRequest: One is no action; nothing was done.
            ActionFailed: One ended with another returncode than 0; those after it were not done.
        """
        done = [checked(one, tried=self._desktop.tried("act()")) for one in actions]
        if not done:
            raise refusal("there is no action", "Give at least one; gui.screenshot() only looks")
        looks = then == "screenshot"
        if len(done) > 1 and BATCH in self._desktop.capabilities():
            return self._as_one(done, looks=looks)
        steps = [self.env.step(one) for one in done[:-1]]
        last = self.env.step(done[-1], screenshot=looks)
        return Acted((*steps, last), last.observation)

    def _as_one(self, actions: list[dict[str, object]], *, looks: bool) -> Acted:
        """Do all in one request, or in as few as the server's limit of a batch allows."""
        steps: list[StepResult] = []
        observation: Observation | None = None
        groups = [actions[at : at + MOST_IN_A_BATCH] for at in range(0, len(actions), MOST_IN_A_BATCH)]
        for at, group in enumerate(groups, 1):
            done = self.env.step({"type": "batch", "actions": group}, screenshot=looks and at == len(groups))
            steps += [StepResult({**done, "result": result, "results": None}) for result in done.results or ()]
            observation = done.observation
        return Acted(tuple(steps), observation)

    def __repr__(self) -> str:
        return f"<Tools of {self.env.id}>"
