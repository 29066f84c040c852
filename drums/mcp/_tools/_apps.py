"""Programs, windows, the clipboard and the accessibility tree. What a desktop lacks is answered as `unsupported`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from drums.mcp._envelope import Answer
from drums.mcp._tools._base import Toolset, tool
from drums.mcp._tools._files import GuestPath  # noqa: TC001 -- read at run time for the tool's arguments

if TYPE_CHECKING:
    from drums.hybrid import Element, Window

Title = Annotated[str, Field(min_length=1, max_length=300, description="A part of the window's title.")]


class AppTools(Toolset):
    """Programs and windows."""

    @tool("Start a program", destroys=False)
    async def launch_app(
        self,
        command: Annotated[list[str], Field(min_length=1, max_length=100, description="Program and arguments.")],
        accessible: Annotated[bool, Field(description="Whether `accessibility_tree` is to see it.")] = True,
    ) -> Answer:
        """Start a program in the desktop and don't wait for it."""
        return Answer({"pid": await self._tools.apps.launch(command, accessible=accessible)})

    @tool("Open a file")
    async def open_file(self, path: GuestPath) -> Answer:
        """Open a file or folder with the program that is made for it."""
        await self._tools.apps.open(path)
        return Answer()

    @tool("List windows", reads=True)
    async def list_windows(self) -> Answer:
        """List the windows on the screen with title, class and place; the one in front is last."""
        return _told(await self._tools.apps.windows())

    @tool("Bring a window to the front", repeats=True)
    async def activate_window(self, title: Title) -> Answer:
        """Bring a window to the front and give it the keyboard."""
        return _told([await self._tools.apps.activate(title)])

    @tool("Close a window", destroys=True)
    async def close_window(self, title: Title) -> Answer:
        """Ask a window to close, as its button does; it may ask back."""
        await self._tools.apps.close(title)
        return Answer()

    @tool("Wait for a window", reads=True)
    async def wait_for_window(
        self, title: Title, timeout_s: Annotated[float, Field(gt=0, le=120, description="Seconds.")] = 30.0
    ) -> Answer:
        """Wait until there is a window with this in its title."""
        return _told([await self._tools.apps.wait_for_window(title, timeout_s)])

    @tool("Read the clipboard", reads=True)
    async def read_clipboard(self) -> Answer:
        """Read the text in the clipboard."""
        return Answer(untrusted=await self._tools.apps.clipboard_get())

    @tool("Fill the clipboard", destroys=True, repeats=True)
    async def write_clipboard(self, text: Annotated[str, Field(max_length=100_000)]) -> Answer:
        """Put text in the clipboard."""
        await self._tools.apps.clipboard_set(text)
        return Answer()

    @tool("Read the accessibility tree", reads=True)
    async def accessibility_tree(
        self,
        app: Annotated[str, Field(max_length=300, description="A part of a program's name; empty: all.")] = "",
        depth: Annotated[int, Field(ge=1, le=50)] = 20,
    ) -> Answer:
        """Read which windows, buttons and texts there are: role, name, place on the screen, one a line."""
        tree = await self._tools.apps.tree(app=app or None, depth=depth)
        lines = [line for program in tree.programs for line in _lines(program, 0)]
        return Answer({"elements": tree.count}, "\n".join(lines), truncated=tree.truncated)


def _told(windows: list[Window]) -> Answer:
    return Answer({"windows": len(windows)}, json.dumps([asdict(window) for window in windows], ensure_ascii=False))


def _lines(element: Element, depth: int) -> list[str]:
    box = element.box
    place = "" if box is None else f" at {box.x},{box.y} {box.width}x{box.height}"
    states = f" [{' '.join(element.states)}]" if element.states else ""
    text = f" {json.dumps(element.text, ensure_ascii=False)}" if element.text else ""
    line = f"{'  ' * depth}{element.role} {json.dumps(element.name, ensure_ascii=False)}{place}{states}{text}"
    return [line, *(below for child in element.children for below in _lines(child, depth + 1))]
