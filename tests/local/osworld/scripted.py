"""A desktop that answers some commands as a test says, and all others as the simulated one that it stands before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drums.local.machines.machine import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drums.local.machines.machine import Desktop

    Answer = Callable[[Sequence[str]], Outcome | None]


class ScriptedDesktop:
    """A desktop before another.

    Args:
        inner: What answers what the test does not.
        answer: What a command without a shell prints; None: the inner desktop knows.
    """

    def __init__(self, inner: Desktop, answer: Answer) -> None:
        self._inner = inner
        self._answer = answer
        self.asked: list[tuple[str, ...]] = []
        """Every command, in order; a shell's line as one word."""
        self.launched: list[tuple[str, ...]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def execute(self, command: str | Sequence[str], shell: bool, timeout_s: float = 120.0) -> Outcome:
        words = (command,) if isinstance(command, str) else tuple(command)
        self.asked.append(words)
        answered = self._answer(words)
        return answered if answered is not None else await self._inner.execute(command, shell, timeout_s)

    async def launch(self, command: str | Sequence[str], shell: bool) -> Outcome:
        words = (command,) if isinstance(command, str) else tuple(command)
        self.launched.append(words)
        answered = self._answer(words)
        return answered if answered is not None else await self._inner.launch(command, shell)


class Windows:
    """What `wmctrl` says of windows that a test has, and what it did to them."""

    def __init__(self, *windows: tuple[str, str]) -> None:
        self.windows: list[tuple[str, str]] = list(windows)
        """Class and title of each; its id is its place."""
        self.activated: list[str] = []
        self.closed: list[str] = []
        self.looks = 0
        self.appearing: dict[int, tuple[str, str]] = {}
        """Windows that come up at the so-manieth look."""

    def __call__(self, words: Sequence[str]) -> Outcome | None:
        match list(words):
            case ["wmctrl", "-l"]:
                self.looks += 1
                if self.looks in self.appearing:
                    self.windows.append(self.appearing[self.looks])
                return self._listed(lambda _: "")
            case ["wmctrl", "-lx"]:
                return self._listed(lambda classes: f"{classes:<24}  ")
            case ["wmctrl", "-i", ("-a" | "-c") as deed, number]:
                title = self.windows[int(number, 16)][1]
                (self.activated if deed == "-a" else self.closed).append(title)
                return Outcome(0, "", "")
            case ["xdg-open", _]:
                return Outcome()
            case _:
                return None

    def _listed(self, column: Callable[[str], str]) -> Outcome:
        lines = [f"0x{index:08x}  0 {column(one[0])}desktop {one[1]}\n" for index, one in enumerate(self.windows)]
        return Outcome(0, "".join(lines), "")
