"""What the tools give back: plain, frozen records.

They hold what a desktop said, which is untrusted: text in them may be anything, so show it to nobody as your own words
and write it to no terminal as it is. The invariant: no record holds more than was asked for, and cut text says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from drums.observation import Observation, StepResult

Kind = Literal["file", "folder", "link", "other"]
"""What there is at a path; `other` is a device, a socket or a pipe."""


class Point(NamedTuple):
    """A place on the screen in pixels, from its top left corner."""

    x: int
    y: int


class Box(NamedTuple):
    """A rectangle on the screen in pixels; what is partly off the screen may begin at less than 0."""

    x: int
    y: int
    width: int
    height: int

    @property
    def center(self) -> Point:
        """The pixel in its middle: where to click on it."""
        return Point(self.x + self.width // 2, self.y + self.height // 2)


@dataclass(frozen=True, slots=True)
class ShellResult:
    """What a command did."""

    returncode: int
    """0 when all went well; 128 and the signal's number where one ended it."""
    stdout: str
    """What it printed. Where it is long its middle is left out, and a line in its place says how much."""
    stderr: str
    """What it complained about; cut in the same way."""
    truncated: bool
    """Whether something was left out of `stdout` or `stderr`."""
    lossy: bool
    """Whether it printed bytes that are no UTF-8; each is shown as the replacement character."""
    seconds: float
    """How long the request for it took."""


@dataclass(frozen=True, slots=True)
class JobOutput:
    """What a job has printed so far."""

    stdout: str
    """The end of what it printed; where it is long, what came before is left out and a line in its place says so."""
    stderr: str
    """The end of what it complained about; cut in the same way."""
    truncated: bool
    """Whether something was left out."""
    lossy: bool
    """Whether there are bytes that are no UTF-8; each is shown as the replacement character."""


@dataclass(frozen=True, slots=True)
class FileInfo:
    """One file, folder or link in a desktop."""

    path: str
    """Where it is, from the root. Bytes that are no UTF-8 are in it as surrogates, which `os.fsencode` undoes."""
    kind: Kind
    size: int
    """Length of a file in bytes; what it means for others is the file system's matter."""
    mode: int
    """Permission bits, `0o644`."""
    modified: float
    """When its content last changed, in seconds since 1970, by the desktop's clock."""
    owner: str
    """Name of the user that it belongs to; the number where it has no name."""
    target: str | None = None
    """Where a link points, as it says; None for all others."""

    @property
    def name(self) -> str:
        """Its name, without the folder."""
        return self.path.rstrip("/").rpartition("/")[2] or "/"


@dataclass(frozen=True, slots=True)
class Transfer:
    """What an upload or a download moved."""

    files: int
    """Files, a count."""
    size: int
    """Bytes of all of them."""
    skipped: tuple[str, ...] = ()
    """What was left out, by its path on the side that it came from: links, devices, sockets and pipes."""


@dataclass(frozen=True, slots=True)
class Window:
    """One window on the screen."""

    id: int
    """The window system's number of it."""
    title: str
    window_class: str
    """Kind of its program, such as `Mousepad`; empty where it does not say."""
    pid: int | None
    """Number of its process; None where it does not say."""
    box: Box
    """Where it is, without the frame around it."""
    active: bool
    """Whether it has the keyboard."""


@dataclass(frozen=True, slots=True)
class Element:
    """One element of the accessibility tree: a window, a button, a text field."""

    role: str
    """What it is: `frame`, `push button`, `text`, `menu item`, …"""
    name: str
    """What it is called, mostly the text on it."""
    states: tuple[str, ...]
    """`enabled`, `focused`, `checked`, `showing`, …, sorted."""
    box: Box | None
    """Where it is on the screen; None where it is nowhere."""
    text: str
    """The text in it, cut where it is long; empty where there is none."""
    children: tuple[Element, ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """The accessibility tree of all programs that take part."""

    programs: tuple[Element, ...]
    """One element for each program."""
    count: int
    """Elements in it."""
    truncated: bool
    """Whether there are more elements, or deeper ones, than were asked for."""


@dataclass(frozen=True, slots=True)
class Acted:
    """What several actions did."""

    steps: tuple[StepResult, ...]
    """The reply of each, in order; of a batch that the server does in one step, one for each as well."""
    observation: Observation | None
    """The screen after the last, where it was asked for."""
