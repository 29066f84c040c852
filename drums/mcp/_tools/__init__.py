"""What a model may call, a module for each kind of tool; `ALL` is every one of them.

Invariant: no tool takes a URL, a token, a path of the host or another desktop's id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums.mcp._tools._apps import AppTools
from drums.mcp._tools._base import Tool, Toolset, tools_in
from drums.mcp._tools._episode import EpisodeTools
from drums.mcp._tools._files import FileTools
from drums.mcp._tools._screen import ScreenTools
from drums.mcp._tools._shell import ShellTools

if TYPE_CHECKING:
    from drums.mcp._terms import Terms

ALL: tuple[type[Toolset], ...] = (ScreenTools, ShellTools, FileTools, AppTools, EpisodeTools)


def offered(terms: Terms) -> dict[str, tuple[type[Toolset], Tool]]:
    """The tools that a server started like this offers, by name."""
    every = {tool.name: (kind, tool) for kind in ALL for tool in tools_in(kind)}
    return {
        name: (kind, tool)
        for name, (kind, tool) in every.items()
        if (tool.reads or not terms.read_only) and (terms.verify or not tool.rewards)
    }


__all__ = ["ALL", "Tool", "Toolset", "offered", "tools_in"]
