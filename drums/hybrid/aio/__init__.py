"""The tools of `drums.hybrid` for asyncio: the same, as coroutines. Records and errors are those of `drums.hybrid`.

    tools = drums.hybrid.aio.Tools(env)
    await tools.shell.run("ls -l ~/Desktop")

Nothing is loaded before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drums.hybrid.aio._apps import Apps as Apps
    from drums.hybrid.aio._files import Files as Files
    from drums.hybrid.aio._gui import Gui as Gui
    from drums.hybrid.aio._shell import Job as Job
    from drums.hybrid.aio._shell import Shell as Shell
    from drums.hybrid.aio._tools import Tools as Tools
else:
    _HOME = {
        "Apps": "drums.hybrid.aio._apps",
        "Files": "drums.hybrid.aio._files",
        "Gui": "drums.hybrid.aio._gui",
        "Job": "drums.hybrid.aio._shell",
        "Shell": "drums.hybrid.aio._shell",
        "Tools": "drums.hybrid.aio._tools",
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
    "Apps",
    "Files",
    "Gui",
    "Job",
    "Shell",
    "Tools",
]
