"""Getters of what is on the screen: sizes, the wallpaper, the text of a terminal, the tree of accessible widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from drums.local.machines.machine import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX, GuestError
from drums.local.osworld.inside import script
from drums.local.osworld.steps.files import WALLPAPER_SCHEMA

from .base import FILE_LIMIT_BYTES

if TYPE_CHECKING:
    from drums.local.osworld.fields import Fields
    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage

    from .base import Getter


@dataclass(frozen=True, slots=True)
class ScreenSize:
    """The screen's size; every desktop has the same."""

    async def fetch(self, _: Stage) -> dict[str, int]:
        """Width and height, in pixels."""
        return {"width": SCREEN_WIDTH_PX, "height": SCREEN_HEIGHT_PX}


@dataclass(frozen=True, slots=True)
class WindowSize:
    """The size of an application's window."""

    app_class: str

    async def fetch(self, stage: Stage) -> dict[str, int] | None:
        """Width and height, in pixels; None where it has no window."""
        listed = await stage.desktop.execute(["wmctrl", "-lGx"], shell=False)
        if listed.returncode != 0:
            raise GuestError(f"the desktop can't list its windows: {(listed.error or '').strip()[:200]}")
        for line in (listed.output or "").splitlines():
            columns = line.split(None, 7)  # id, desktop, x, y, width, height, class
            if len(columns) > 6 and self.app_class.lower() in columns[6].lower():
                return {"width": int(columns[4]), "height": int(columns[5])}
        return None


@dataclass(frozen=True, slots=True)
class Wallpaper:
    """The picture that the settings name as wallpaper."""

    async def fetch(self, stage: Stage) -> bytes | None:
        """Its bytes; None where no file is set."""
        said = await stage.desktop.execute(["gsettings", "get", WALLPAPER_SCHEMA, "picture-uri"], shell=False)
        uri = urlsplit((said.output or "").strip().strip("'\""))
        if uri.scheme not in {"file", ""} or not uri.path:
            return None
        return await stage.desktop.read_file(unquote(uri.path), FILE_LIMIT_BYTES)


@dataclass(frozen=True, slots=True)
class Accessible:
    """What applications tell of their widgets, over AT-SPI."""

    what: str
    """`tree`: all of it, as XML; `terminal`: the text of the terminal in front."""

    async def fetch(self, stage: Stage) -> str | None:
        """The text; None where there is no terminal."""
        said = await stage.desktop.execute(["python3", "-c", script("accessible"), self.what], shell=False)
        if said.returncode != 0:
            raise GuestError(f"the desktop's accessibility can't be read: {(said.error or '').strip()[-200:]}")
        return said.output or None


def read_screen_size(fields: Fields, _: Reading) -> Getter:
    """The screen's size."""
    fields.only("type")
    return ScreenSize()


def read_window_size(fields: Fields, _: Reading) -> Getter:
    """From `{"app_class_name": …}`."""
    fields.only("type", "app_class_name")
    return WindowSize(fields.text("app_class_name"))


def read_wallpaper(fields: Fields, _: Reading) -> Getter:
    """The wallpaper."""
    fields.only("type", "dest")
    return Wallpaper()


def read_tree(fields: Fields, _: Reading) -> Getter:
    """The whole tree."""
    fields.only("type")
    return Accessible("tree")


def read_terminal(fields: Fields, _: Reading) -> Getter:
    """The text of the terminal in front."""
    fields.only("type")
    return Accessible("terminal")
