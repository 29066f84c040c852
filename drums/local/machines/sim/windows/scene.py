"""What is on a simulated screen, as immutable data: windows, selections, the pointer, the clipboard.

It holds no geometry (layout.py), draws nothing (screen.py) and reacts to nothing (mouse.py, keyboard.py). Invariant:
a scene never changes, so that copying a desktop shares it and one `is` tells whether a picture of it is still true.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from drums.local.machines.machine import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX
from drums.local.machines.sim.files.disk import DESKTOP_FOLDER, HOME

from .text import EMPTY, TextField

Button = Literal["left", "middle", "right"]


@dataclass(frozen=True, slots=True)
class Icons:
    """How a folder is shown: what is selected in it, and which name is being changed."""

    folder: str
    selected: str | None = None
    renaming: TextField | None = None
    """The name that is typed for the selected entry; None while none is."""
    scroll: int = 0
    """Rows scrolled out above."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal: what was printed, the line being typed, where its shell is."""

    lines: tuple[str, ...] = ()
    field: TextField = EMPTY
    folder: str = HOME
    history: tuple[str, ...] = ()
    recalled: int | None = None
    """Which line of the history is shown; None: the one being typed."""
    scroll: int = 0
    """Lines scrolled back."""


@dataclass(frozen=True, slots=True)
class Editor:
    """A text editor with one file."""

    path: str | None
    text: TextField
    saved: str
    """The text as it is in the file."""
    scroll: int = 0
    """Lines scrolled out above."""
    notice: str = ""
    """What went wrong when saving."""

    @property
    def changed(self) -> bool:
        """Whether there is text that is not in the file."""
        return self.text.value != self.saved


Content = Icons | Terminal | Editor


@dataclass(frozen=True, slots=True)
class Window:
    """A window and its place on the screen, frame included."""

    id: int
    pid: int
    """The process that it belongs to."""
    x: int
    y: int
    width: int
    height: int
    content: Content


@dataclass(frozen=True, slots=True)
class Menu:
    """An open context menu."""

    x: int
    y: int
    items: tuple[str, ...]
    window: int | None
    """The window that it is for; None: the desktop."""


@dataclass(frozen=True, slots=True)
class Question:
    """Asked before unsaved text is lost."""

    window: int
    text: str
    answers: tuple[str, ...] = ("Cancel", "Discard", "Save")


@dataclass(frozen=True, slots=True)
class Drag:
    """What a pressed left button holds: a window by its title bar, or the end of a selection of text."""

    window: int
    dx: int
    dy: int
    """Pointer minus the window's corner."""
    kind: Literal["window", "text"]


@dataclass(frozen=True, slots=True)
class Click:
    """The last press of a button: the next one near it and soon after makes a double click."""

    x: int
    y: int
    at: float
    count: int


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything on the screen, and the state of pointer and keys."""

    desktop: Icons = Icons(DESKTOP_FOLDER)
    windows: tuple[Window, ...] = ()
    """From the bottom to the top; the last one has the keyboard, unless the desktop has."""
    desktop_focused: bool = True
    menu: Menu | None = None
    question: Question | None = None
    x: int = SCREEN_WIDTH_PX // 2
    y: int = SCREEN_HEIGHT_PX // 2
    """Where the pointer is."""
    buttons: tuple[Button, ...] = ()
    """Buttons that are held down, in the order in which they were pressed."""
    keys: tuple[str, ...] = ()
    """Keys that are held down, as pyautogui names them, in the order in which they were pressed."""
    drag: Drag | None = None
    click: Click | None = None
    clipboard: str = ""
    next_window: int = 1

    @property
    def focus(self) -> Window | None:
        """The window that has the keyboard; None: the desktop has it."""
        return self.windows[-1] if self.windows and not self.desktop_focused else None

    def window(self, window_id: int) -> Window | None:
        """A window by its number."""
        return next((window for window in self.windows if window.id == window_id), None)

    def raised(self, window_id: int) -> Scene:
        """With that window on top and focused."""
        window = self.window(window_id)
        if window is None:
            return self
        others = tuple(other for other in self.windows if other.id != window_id)
        return replace(self, windows=(*others, window), desktop_focused=False)

    def with_window(self, window: Window) -> Scene:
        """With a window changed in its place."""
        return replace(self, windows=tuple(window if other.id == window.id else other for other in self.windows))

    def with_content(self, window_id: int, content: Content) -> Scene:
        """With a window showing something else."""
        window = self.window(window_id)
        return self if window is None else self.with_window(replace(window, content=content))

    def without(self, window_id: int) -> Scene:
        """With that window gone; the one below it has the keyboard, or the desktop."""
        left = tuple(window for window in self.windows if window.id != window_id)
        question = None if self.question and self.question.window == window_id else self.question
        return replace(self, windows=left, desktop_focused=not left, question=question, drag=None)

    def with_focused_content(self, content: Content) -> Scene:
        """With the focused window (or the desktop) showing something else."""
        if self.focus is not None:
            return self.with_content(self.focus.id, content)
        assert isinstance(content, Icons)  # noqa: S101  the desktop shows icons
        return replace(self, desktop=content)
