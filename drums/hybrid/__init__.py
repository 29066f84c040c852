"""Tools over one desktop, for agents that mix commands, files and the graphical interface.

    tools = drums.hybrid.Tools(env)
    tools.shell.run("ls -l ~/Desktop")
    tools.files.write_text("~/Desktop/note.txt", "hello")
    tools.gui.double_click(960, 540)
    tools.apps.open("~/Desktop/note.txt")

The public names, and nothing else; nothing is loaded before it is used. `drums.hybrid.aio` has the same tools for
asyncio, `drums.hybrid.gestures` makes actions for `tools.act()`, `drums.hybrid.errors` says what can go wrong. They use
nothing but `env.step()`, so they work with every server. What a desktop says is untrusted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drums.hybrid._sync._apps import Apps as Apps
    from drums.hybrid._sync._files import Files as Files
    from drums.hybrid._sync._gui import Gui as Gui
    from drums.hybrid._sync._shell import Job as Job
    from drums.hybrid._sync._shell import Shell as Shell
    from drums.hybrid._sync._tools import Tools as Tools
    from drums.hybrid.errors import CommandFailed as CommandFailed
    from drums.hybrid.errors import CommandLate as CommandLate
    from drums.hybrid.errors import FileDenied as FileDenied
    from drums.hybrid.errors import FileError as FileError
    from drums.hybrid.errors import FileMissing as FileMissing
    from drums.hybrid.errors import FileTaken as FileTaken
    from drums.hybrid.errors import HostFileError as HostFileError
    from drums.hybrid.errors import IsAFolder as IsAFolder
    from drums.hybrid.errors import JobMissing as JobMissing
    from drums.hybrid.errors import NotAFolder as NotAFolder
    from drums.hybrid.errors import ToolError as ToolError
    from drums.hybrid.errors import TransferBroken as TransferBroken
    from drums.hybrid.errors import UnsafeName as UnsafeName
    from drums.hybrid.errors import Unsupported as Unsupported
    from drums.hybrid.errors import WindowMissing as WindowMissing
    from drums.hybrid.results import Acted as Acted
    from drums.hybrid.results import Box as Box
    from drums.hybrid.results import Element as Element
    from drums.hybrid.results import FileInfo as FileInfo
    from drums.hybrid.results import JobOutput as JobOutput
    from drums.hybrid.results import Point as Point
    from drums.hybrid.results import ShellResult as ShellResult
    from drums.hybrid.results import Transfer as Transfer
    from drums.hybrid.results import Tree as Tree
    from drums.hybrid.results import Window as Window
else:
    _HOME = {
        "Acted": "drums.hybrid.results",
        "Apps": "drums.hybrid._sync._apps",
        "Box": "drums.hybrid.results",
        "CommandFailed": "drums.hybrid.errors",
        "CommandLate": "drums.hybrid.errors",
        "Element": "drums.hybrid.results",
        "FileDenied": "drums.hybrid.errors",
        "FileError": "drums.hybrid.errors",
        "FileInfo": "drums.hybrid.results",
        "FileMissing": "drums.hybrid.errors",
        "FileTaken": "drums.hybrid.errors",
        "Files": "drums.hybrid._sync._files",
        "Gui": "drums.hybrid._sync._gui",
        "HostFileError": "drums.hybrid.errors",
        "IsAFolder": "drums.hybrid.errors",
        "Job": "drums.hybrid._sync._shell",
        "JobMissing": "drums.hybrid.errors",
        "JobOutput": "drums.hybrid.results",
        "NotAFolder": "drums.hybrid.errors",
        "Point": "drums.hybrid.results",
        "Shell": "drums.hybrid._sync._shell",
        "ShellResult": "drums.hybrid.results",
        "ToolError": "drums.hybrid.errors",
        "Tools": "drums.hybrid._sync._tools",
        "Transfer": "drums.hybrid.results",
        "TransferBroken": "drums.hybrid.errors",
        "Tree": "drums.hybrid.results",
        "UnsafeName": "drums.hybrid.errors",
        "Unsupported": "drums.hybrid.errors",
        "Window": "drums.hybrid.results",
        "WindowMissing": "drums.hybrid.errors",
    }

    def __getattr__(name):
        if name not in _HOME:
            message = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(message)
        from importlib import import_module  # noqa: PLC0415  # once a name

        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value

    def __dir__():
        return sorted(__all__)


__all__ = [
    "Acted",
    "Apps",
    "Box",
    "CommandFailed",
    "CommandLate",
    "Element",
    "FileDenied",
    "FileError",
    "FileInfo",
    "FileMissing",
    "FileTaken",
    "Files",
    "Gui",
    "HostFileError",
    "IsAFolder",
    "Job",
    "JobMissing",
    "JobOutput",
    "NotAFolder",
    "Point",
    "Shell",
    "ShellResult",
    "ToolError",
    "Tools",
    "Transfer",
    "TransferBroken",
    "Tree",
    "UnsafeName",
    "Unsupported",
    "Window",
    "WindowMissing",
]
