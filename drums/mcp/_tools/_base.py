"""What a tool is, apart from what it does: its name, and what a client may know of it beforehand.

A tool is a coroutine method whose arguments are those that the model gives, whose docstring the model reads, and whose
result is an `Answer`. Invariant: a tool that is said to read changes nothing in the desktop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from drums.hybrid.aio import Tools
    from drums.mcp._envelope import Answer
    from drums.mcp._terms import Terms


@dataclass(frozen=True, slots=True)
class Tool:
    """What is known of a tool."""

    name: str
    title: str
    reads: bool
    """It changes nothing."""
    destroys: bool
    """It may undo or overwrite what there is."""
    repeats: bool
    """Doing it twice is the same as doing it once."""
    rewards: bool
    """It tells the model its own score."""


class Toolset:
    """Tools over one desktop.

    Args:
        tools: The desktop's.
        terms: How the server was started.
    """

    listed: ClassVar[dict[str, Tool]]

    def __init__(self, tools: Tools, terms: Terms) -> None:
        self._tools = tools
        self._terms = terms


def tool(
    title: str, *, reads: bool = False, destroys: bool = False, repeats: bool = False, rewards: bool = False
) -> Callable[[Callable[..., Awaitable[Answer]]], Any]:
    """Make a tool of a method.

    Args:
        title: What people see.
        reads: Whether it changes nothing.
        destroys: Whether it may undo or overwrite what there is.
        repeats: Whether doing it twice is the same as doing it once.
        rewards: Whether it tells the model its own score.
    """

    def marked(method: Callable[..., Awaitable[Answer]]) -> Callable[..., Awaitable[Answer]]:
        known = Tool(method.__name__, title, reads, destroys, repeats or reads, rewards)
        method.__drums_tool__ = known  # type: ignore[attr-defined]
        return method

    return marked


def tools_in(kind: type[Toolset]) -> Iterator[Tool]:
    """The tools of a set, in the order in which they are written."""
    for method in vars(kind).values():
        known = getattr(method, "__drums_tool__", None)
        if isinstance(known, Tool):
            yield known
