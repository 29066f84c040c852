# Generated from drums/hybrid/aio/_apps.py by tools/generate_sync.py. Edit that file.
"""Programs, windows, the clipboard and the accessibility tree of a desktop."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from drums._io import sync as io
from drums._quote import excerpt
from drums.hybrid import _commands as commands
from drums.hybrid import _desk as desk
from drums.hybrid import _scripts as scripts
from drums.hybrid._names import path_word, shown, text_word
from drums.hybrid._picture import place_of
from drums.hybrid._refusals import refusal
from drums.hybrid._sync._clipboard import clipboard, set_clipboard
from drums.hybrid.errors import Unsupported, WindowMissing
from drums.hybrid.gestures import bound
from drums.hybrid.inside import source
from drums.hybrid.results import Window

if TYPE_CHECKING:
    from drums.hybrid._names import GuestPath
    from drums.hybrid._sync._desktop import Desktop
    from drums.hybrid._sync._shell import Command
    from drums.hybrid.results import Box, Tree

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 1.0
"""How often it is looked whether a window has come: soon at first, then less and less."""
MOST_LEVELS = 60
MOST_ELEMENTS = 20_000
Windows: TypeAlias = "list[Window]"


class Apps:
    """Programs and windows of one desktop; part of `Tools`.

    A simulated desktop has no window system to ask: what needs one is `Unsupported` there.
    """

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop

    def launch(self, command: Command, *, accessible: bool = False) -> int | None:
        """Start a program in the desktop and don't wait for it.

        Args:
            command: A program with its arguments as a list, or one text that a shell runs.
            accessible: Whether it takes part in the accessibility tree, which costs it some time.

        Returns:
            Number of its process, where the server tells.
        """
        words = list(commands.words_of(command))
        how = "accessible" if accessible else "usual"
        started = ["sh", "-c", commands.LAUNCH, "drums", how, *words]
        done = self._desktop.env.step({"type": "launch", "command": started, "shell": False})
        return done.result.pid

    def open(self, path: GuestPath) -> None:
        """Open a file or folder of the desktop with the program that is made for it.

        Args:
            path: The file or folder.

        Raises:
            FileMissing: There is none.
            Unsupported: The desktop has no `xdg-open`.
        """
        ran = self._desktop.script(scripts.OPEN, path_word(path))
        if ran.status != 0:
            raise refusal(shown(path), ran.status, ran.complaint, self._desktop.tried("apps.open()"))

    def windows(self) -> Windows:
        """List the windows on the screen, the one in front last.

        Raises:
            Unsupported: The desktop has no window system to ask.
        """
        return self._asked("apps.windows()", "list")

    def activate(self, window: Window | int | str) -> Window:
        """Bring a window to the front and give it the keyboard.

        Args:
            window: The window, its number, or a part of its title (upper and lower case are the same).

        Returns:
            The window as it is now.

        Raises:
            WindowMissing: There is none, or more than one has this in its title.
            Unsupported: The desktop has no window system to ask.
        """
        number = self._number(window, "apps.activate()")
        return _with_number(
            self._asked("apps.activate()", "activate", number), number, self._desktop.tried("activate()")
        )

    def close(self, window: Window | int | str) -> None:
        """Ask a window to close, as its button does; it may ask back, and stay.

        Args:
            window: The window, its number, or a part of its title.

        Raises:
            WindowMissing: There is none, or more than one has this in its title.
            Unsupported: The desktop has no window system to ask.
        """
        self._asked("apps.close()", "close", self._number(window, "apps.close()"))

    def geometry(self, window: Window | int | str, box: Box | tuple[int, int, int, int] | None = None) -> Box:
        """Tell where a window is, or move and resize it first.

        Args:
            window: The window, its number, or a part of its title.
            box: Where it is to be: left, top, width and height in pixels; None: where it is.

        Returns:
            Where it is now, without its frame.

        Raises:
            WindowMissing: There is none, or more than one has this in its title.
            Unsupported: The desktop has no window system to ask.
        """
        tried = "apps.geometry()"
        wanted = None if box is None else place_of(box)
        number = self._number(window, tried)
        if wanted is not None:
            self._asked(tried, "place", number, wanted)
        return _with_number(self._asked(tried, "list"), number, self._desktop.tried(tried)).box

    def wait_for_window(self, title: str, timeout: float = 30.0) -> Window:
        """Wait until there is a window with this in its title.

        Args:
            title: A part of its title; upper and lower case are the same.
            timeout: Seconds to wait at most.

        Returns:
            The window; the one in front where there are several.

        Raises:
            WindowMissing: There was none in time.
            Unsupported: The desktop has no window system to ask.
        """
        tried = "apps.wait_for_window()"
        until = io.monotonic() + commands.seconds_of(timeout)
        pause = FIRST_PAUSE_S
        while True:
            found = [window for window in self._asked(tried, "list") if title.lower() in window.title.lower()]
            if found:
                return found[-1]
            if io.monotonic() >= until:
                told = f"no window with {excerpt(repr(title))} in its title came in {timeout:g} s"
                raise WindowMissing(told, tried=self._desktop.tried(tried))
            io.sleep(min(pause, max(until - io.monotonic(), 0.0)))
            pause = min(2 * pause, LONGEST_PAUSE_S)

    def clipboard_get(self) -> str:
        """Read the text in the clipboard; empty where there is none.

        Raises:
            Unsupported: The desktop has no program for it.
        """
        return clipboard(self._desktop, "apps.clipboard_get()")

    def clipboard_set(self, text: str) -> None:
        """Put text in the clipboard.

        Args:
            text: What to put there.

        Raises:
            Unsupported: The desktop has no program for it.
        """
        set_clipboard(self._desktop, text, "apps.clipboard_set()")

    def tree(self, *, app: str | None = None, depth: int = 20, limit: int = 1000) -> Tree:
        """Read the accessibility tree: which windows, buttons and texts there are, by name, role and place.

        Only programs that take part are in it: those that were launched with `accessible=True`.

        Args:
            app: A part of a program's name; None: all programs.
            depth: How deep to go.
            limit: The most elements.

        Raises:
            Unsupported: The image has no AT-SPI.
        """
        tried = self._desktop.tried("apps.tree()")
        levels, most = bound(depth, "depth", MOST_LEVELS), bound(limit, "limit", MOST_ELEMENTS)
        ran = self._desktop.script(scripts.PYTHON, source("elements"), text_word(app or ""), str(levels), str(most))
        answer = desk.answer_of(ran.output)
        if answer is None or "lacks" in answer:
            lacking = "AT-SPI" if answer is None else excerpt(str(answer["lacks"]))
            raise Unsupported(f"the desktop lacks {lacking}", tried=tried)
        return desk.tree_in(answer, levels)

    # --- parts --------------------------------------------------------------------------------------------------------

    def _asked(self, call: str, do: str, number: int = 0, box: Box | None = None) -> Windows:
        """All windows, after something was done with one."""
        tried = self._desktop.tried(call)
        done = self._desktop.env.step(desk.windows_code(do, number, box), check=False)
        answer = desk.answer_of(done.result.output or "")
        if answer is None or "lacks" in answer:
            lacking = "a window system to ask" if answer is None else excerpt(str(answer["lacks"]))
            raise Unsupported(f"the desktop lacks {lacking}", tried=tried)
        if "missing" in answer:
            raise WindowMissing(f"there is no window {number}", tried=tried)
        return desk.windows_in(answer)

    def _number(self, window: Window | int | str, call: str) -> int:
        """The number of the window that is meant."""
        if isinstance(window, Window):
            return window.id
        if isinstance(window, int):
            return window
        found = [known for known in self._asked(call, "list") if window.lower() in known.title.lower()]
        if len(found) != 1:
            what = "no window has" if not found else f"{len(found)} windows have"
            told = f"{what} {excerpt(repr(window))} in the title"
            raise WindowMissing(told, tried=self._desktop.tried(call))
        return found[0].id


def _with_number(windows: Windows, number: int, tried: str) -> Window:
    found = next((window for window in windows if window.id == number), None)
    if found is None:
        raise WindowMissing(f"there is no window {number}", tried=tried)
    return found
