"""The steps that put files into a desktop, and the one that makes a picture its wallpaper.

Invariant: a file that a step names is in the desktop when the step is done, whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from drums.local.machines.machine import GuestError
from drums.local.osworld.cache import CachedFile, FileCache, FileUnavailable
from drums.local.osworld.errors import SetupFailed

from .base import demand_success

if TYPE_CHECKING:
    from drums.local.osworld.fields import Fields
    from drums.local.osworld.packfile import PackFile
    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage

WALLPAPER_SCHEMA = "org.gnome.desktop.background"


@dataclass(frozen=True, slots=True)
class Download:
    """Put files that are named by URL into the desktop. They come from the host's cache; a desktop has no network."""

    name: str
    files: tuple[tuple[CachedFile, str], ...]
    """Each with its path in the desktop."""
    cache: FileCache
    observes: bool = False

    @classmethod
    def read(cls, name: str, fields: Fields, reading: Reading) -> Download:
        """From `{"files": [{"url": …, "path": …}]}`."""
        fields.only("files")
        files: list[tuple[CachedFile, str]] = []
        for entry in fields.objects("files"):
            entry.only("url", "path")
            path = entry.text("path")
            files.append((reading.cached(entry, "url", path, "path"), path))
        return cls(name, tuple(files), reading.cache)

    async def run(self, stage: Stage) -> None:
        """Do it."""
        for file, path in self.files:
            try:
                content = await self.cache.content(file)
            except FileUnavailable as error:
                raise SetupFailed(self.name, str(error)) from error
            await _put(self.name, stage, path, content)


@dataclass(frozen=True, slots=True)
class Upload:
    """Put files of the task's pack into the desktop."""

    name: str
    files: tuple[tuple[PackFile, str], ...]
    """Each with its path in the desktop."""
    observes: bool = False

    @classmethod
    def read(cls, name: str, fields: Fields, reading: Reading) -> Upload:
        """From `{"files": [{"local_path": …, "path": …}]}`; `local_path` is a name in the pack's folder `files`."""
        fields.only("files")
        files: list[tuple[PackFile, str]] = []
        for entry in fields.objects("files"):
            entry.only("local_path", "path")
            files.append((reading.asset(entry, "local_path"), entry.text("path")))
        return cls(name, tuple(files))

    async def run(self, stage: Stage) -> None:
        """Do it."""
        for file, path in self.files:
            try:
                content = file.content()
            except OSError as error:
                raise SetupFailed(self.name, f"the pack's file can't be read: {error.strerror or error}") from error
            await _put(self.name, stage, path, content)


@dataclass(frozen=True, slots=True)
class ChangeWallpaper:
    """Make a picture of the desktop its wallpaper, as far as its settings say."""

    name: str
    path: str
    observes: bool = False

    @classmethod
    def read(cls, name: str, fields: Fields, _: Reading) -> ChangeWallpaper:
        """From `{"path": …}`."""
        fields.only("path")
        return cls(name, fields.text("path"))

    async def run(self, stage: Stage) -> None:
        """Do it."""
        desktop = stage.desktop
        if (await desktop.execute(["test", "-f", self.path], shell=False)).returncode != 0:
            raise SetupFailed(self.name, f"there is no file {self.path!r} in the desktop")
        uri = f"'file://{quote(self.path)}'"
        demand_success(
            self.name, await desktop.execute(["gsettings", "set", WALLPAPER_SCHEMA, "picture-uri", uri], shell=False)
        )


async def _put(name: str, stage: Stage, path: str, content: bytes) -> None:
    try:
        await stage.desktop.write_file(path, content)
    except GuestError as error:
        raise SetupFailed(name, f"{path!r} could not be written: {error}") from error
