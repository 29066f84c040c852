"""Getters of what applications keep of their settings: GIMP, VLC, VS Code, and which player opens videos."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .base import FILE_LIMIT_BYTES
from .files import VmFile

if TYPE_CHECKING:
    from drums.local.osworld.fields import Fields
    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage

    from .base import Getter

GIMP_FOLDER = "~/.config/GIMP/2.10"
VLC_SETTINGS = "~/.config/vlc/vlcrc"
VIDEO_ENDINGS = ("x-matroska", "mp4", "mpeg", "ogg", "quicktime", "webm", "x-flv", "x-msvideo", "3gpp", "avi", "mkv")
_PALETTE_S = 1.0
"""How long VS Code is given to show its list of commands, and to run one."""


@dataclass(frozen=True, slots=True)
class DefaultVideoPlayer:
    """Which application opens most kinds of video."""

    async def fetch(self, stage: Stage) -> str | None:
        """Its desktop file's name; None where none is set."""
        script = f"for ending in {' '.join(VIDEO_ENDINGS)}; do xdg-mime query default video/$ending; done"
        outcome = await stage.desktop.execute(script, shell=True)  # noqa: S604
        players = Counter(line.strip() for line in (outcome.output or "").splitlines() if line.strip())
        return players.most_common(1)[0][0] if players else None


@dataclass(frozen=True, slots=True)
class VsCode:
    """What an extension of VS Code writes into a file when its command is chosen."""

    command: str
    path: str

    async def fetch(self, stage: Stage) -> bytes | None:
        """Choose it in the list of commands, then read the file."""
        for code in (
            "pyautogui.hotkey('ctrl', 'shift', 'p')",
            f"pyautogui.write({self.command!r})",
            "pyautogui.press('enter')",
        ):
            await stage.desktop.pyautogui(code)
            await stage.sleep(_PALETTE_S)
        return await stage.desktop.read_file(self.path, FILE_LIMIT_BYTES)


def read_gimp(fields: Fields, _: Reading) -> Getter:
    """From `{"file_name": …}`."""
    fields.only("type", "file_name", "dest")
    return VmFile(f"{GIMP_FOLDER}/{fields.text('file_name')}")


def read_vlc(fields: Fields, _: Reading) -> Getter:
    """The settings of VLC."""
    fields.only("type", "dest")
    return VmFile(VLC_SETTINGS)


def read_vscode(fields: Fields, _: Reading) -> Getter:
    """From `{"vscode_extension_command": …, "path": …}`."""
    fields.only("type", "vscode_extension_command", "path", "dest")
    return VsCode(fields.text("vscode_extension_command"), fields.text("path"))


def read_video_player(fields: Fields, _: Reading) -> Getter:
    """The application that opens videos."""
    fields.only("type")
    return DefaultVideoPlayer()
