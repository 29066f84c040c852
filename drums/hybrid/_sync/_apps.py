# Generated from drums/hybrid/aio/_apps.py by tools/generate_sync.py. Edit that file.
"""Programs, windows, the clipboard and the accessibility tree of a desktop."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from drums.hybrid._names import GuestPath
    from drums.hybrid._sync._desktop import Desktop
    from drums.hybrid._sync._shell import Command
    from drums.hybrid.results import Box, Tree, Window

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
        raise NotImplementedError

    def open(self, path: GuestPath) -> None:
        """Open a file or folder of the desktop with the program that is made for it.

        Args:
            path: The file or folder.

        Raises:
            FileMissing: There is none.
            Unsupported: The desktop has no `xdg-open`.
        """
        raise NotImplementedError

    def windows(self) -> Windows:
        """List the windows on the screen, the one in front last.

        Raises:
            Unsupported: The desktop has no window system to ask.
        """
        raise NotImplementedError

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
        raise NotImplementedError

    def close(self, window: Window | int | str) -> None:
        """Ask a window to close, as its button does; it may ask back, and stay.

        Args:
            window: The window, its number, or a part of its title.

        Raises:
            WindowMissing: There is none, or more than one has this in its title.
            Unsupported: The desktop has no window system to ask.
        """
        raise NotImplementedError

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
        raise NotImplementedError

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
        raise NotImplementedError

    def clipboard_get(self) -> str:
        """Read the text in the clipboard; empty where there is none.

        Raises:
            Unsupported: The desktop has no program for it.
        """
        raise NotImplementedError

    def clipboard_set(self, text: str) -> None:
        """Put text in the clipboard.

        Args:
            text: What to put there.

        Raises:
            Unsupported: The desktop has no program for it.
        """
        raise NotImplementedError

    def tree(self, *, app: str | None = None, depth: int = 20, limit: int = 2000) -> Tree:
        """Read the accessibility tree: which windows, buttons and texts there are, by name, role and place.

        Only programs that take part are in it: those that were launched with `accessible=True`.

        Args:
            app: A part of a program's name; None: all programs.
            depth: How deep to go.
            limit: The most elements.

        Raises:
            Unsupported: The image has no AT-SPI.
        """
        raise NotImplementedError
