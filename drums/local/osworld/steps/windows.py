"""The steps that deal with windows: opening a file, bringing a window to the front, closing one.

The windows are asked of the desktop's window manager by `wmctrl`. Invariant: keys that a task sends to a window reach
that window or none: where it is not there a setup fails, and a check leaves out the keys and says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from drums.local.machines.machine import GuestError
from drums.local.osworld.errors import SetupFailed

from .base import ACCESSIBLE, demand_success

if TYPE_CHECKING:
    from drums.local.machines.machine import Desktop
    from drums.local.osworld.fields import Fields
    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage

EVERY_S = 0.5
OPEN_WITHIN_S = 120.0
"""How long a file's window may take to come up."""
SETUP_WITHIN_S = 30.0
"""How long a setup waits for a window: the program that makes it may just have been started."""
CLOSING_WITHIN_S = 5.0
"""How long a check waits for one."""
_DASHES = str.maketrans("\u2013\u2014", "--")


@dataclass(frozen=True, slots=True)
class Window:
    """A window, as the window manager lists it."""

    id: str
    classes: str
    """Its instance and class, joined by a dot."""
    title: str


async def windows(desktop: Desktop) -> list[Window]:
    """The windows of a desktop.

    Raises:
        GuestError: It can't tell.
    """
    titled = await _listed(desktop, "-l")
    classed = dict(await _listed(desktop, "-lx"))
    found: list[Window] = []
    for number, host_and_title in titled:
        # The list with classes has them before the host, and blanks may be in all three.
        classes = classed.get(number, "").removesuffix(host_and_title).rstrip()
        found.append(Window(number, classes, host_and_title.partition(" ")[2]))
    return found


async def _listed(desktop: Desktop, option: str) -> list[tuple[str, str]]:
    """Each window's id, and what follows the number of its workspace."""
    listed = await desktop.execute(["wmctrl", option], shell=False)
    if listed.returncode != 0:
        raise GuestError(f"the desktop can't list its windows: {(listed.error or '').strip()[:200]}")
    lines = (line.split(None, 2) for line in (listed.output or "").splitlines())
    return [(columns[0], columns[2]) for columns in lines if len(columns) == 3]


def matches(text: str, name: str, *, strict: bool = False) -> bool:
    """Whether a title or class is that name: as wmctrl takes names, but a dash is a dash, however long it is drawn."""
    found, wanted = text.translate(_DASHES), name.translate(_DASHES)
    return found == wanted if strict else wanted.lower() in found.lower()


def named(found: list[Window], name: str, *, strict: bool = False, by_class: bool = False) -> list[Window]:
    """The windows of that name. A loose name that is in no title may be a class: terminals differ in their titles."""
    by_title = [one for one in found if not by_class and matches(one.title, name, strict=strict)]
    if by_title or (strict and not by_class):
        return by_title
    return [one for one in found if matches(one.classes, name, strict=strict)]


@dataclass(frozen=True, slots=True)
class Activate:
    """Bring a window to the front and give it the keys."""

    name: str
    window: str
    strict: bool
    by_class: bool
    observes: bool = False

    @classmethod
    def read(cls, name: str, fields: Fields, _: Reading) -> Activate:
        """From `{"window_name": …, "strict": …, "by_class": …}`."""
        return cls(name, *_read_window(fields))

    async def run(self, stage: Stage) -> None:
        """Do it."""
        window = await _wait_for(self, stage)
        stage.misses_window = window is None
        if window is not None:
            demand_success(self.name, await stage.desktop.execute(["wmctrl", "-i", "-a", window.id], shell=False))
        elif stage.closing:
            stage.notes.append(f"{self.name}: there is no window {self.window!r}")
        else:
            raise SetupFailed(self.name, f"there is no window {self.window!r}")


@dataclass(frozen=True, slots=True)
class Close:
    """Close a window."""

    name: str
    window: str
    strict: bool
    by_class: bool
    observes: bool = False

    @classmethod
    def read(cls, name: str, fields: Fields, _: Reading) -> Close:
        """From `{"window_name": …, "strict": …, "by_class": …}`."""
        return cls(name, *_read_window(fields))

    async def run(self, stage: Stage) -> None:
        """Do it. In a check a window that is not there is closed already."""
        window = await _wait_for(self, stage)
        if window is not None:
            demand_success(self.name, await stage.desktop.execute(["wmctrl", "-i", "-c", window.id], shell=False))
        elif stage.closing:
            stage.notes.append(f"{self.name}: there is no window {self.window!r}")
        else:
            raise SetupFailed(self.name, f"there is no window {self.window!r}")


@dataclass(frozen=True, slots=True)
class Open:
    """Open a file or folder as a double click does, and wait for its window."""

    name: str
    path: str
    prefix: tuple[str, ...]
    observes: bool = False

    @classmethod
    def read(cls, name: str, fields: Fields, reading: Reading) -> Open:
        """From `{"path": …}`."""
        fields.only("path")
        return cls(name, fields.text("path"), ACCESSIBLE if reading.accessible else ())

    async def run(self, stage: Stage) -> None:
        """Open it, and bring the window to the front whose title has its name, with or without its ending."""
        desktop = stage.desktop
        if (await desktop.execute(["test", "-e", self.path], shell=False)).returncode != 0:
            raise SetupFailed(self.name, f"there is no {self.path!r} in the desktop")
        await desktop.launch([*self.prefix, "xdg-open", self.path], shell=False)
        path = PurePosixPath(self.path)
        names = (path.name, path.stem)
        found: list[Window] = []

        async def shown() -> bool:
            found.extend(one for one in await windows(desktop) if any(name in one.title for name in names))
            return bool(found)

        if not await stage.until(shown, OPEN_WITHIN_S, EVERY_S):
            raise SetupFailed(
                self.name, f"no window with {path.name!r} in its title came up within {OPEN_WITHIN_S:g} s"
            )
        stage.misses_window = False
        demand_success(self.name, await desktop.execute(["wmctrl", "-i", "-a", found[0].id], shell=False))


def _read_window(fields: Fields) -> tuple[str, bool, bool]:
    fields.only("window_name", "strict", "by_class")
    return fields.text("window_name"), fields.flag("strict"), fields.flag("by_class")


async def _wait_for(step: Activate | Close, stage: Stage) -> Window | None:
    found: list[Window] = []

    async def shown() -> bool:
        there = await windows(stage.desktop)
        found.extend(named(there, step.window, strict=step.strict, by_class=step.by_class))
        return bool(found)

    await stage.until(shown, CLOSING_WITHIN_S if stage.closing else SETUP_WITHIN_S, EVERY_S)
    return found[0] if found else None
