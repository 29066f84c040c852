"""Reads the accessibility tree over AT-SPI, bounded in size, depth, text and time. Prints JSON behind a mark."""

from __future__ import annotations

import json
import os
import sys
import time
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

MARK = "drums-answer "
LONGEST_TEXT = 2000
MOST_CHILDREN = 200
"""Elements of one element that are read: a sheet has more cells than anybody wants."""
NOWHERE = -100_000
"""A place further out than that is none: a menu that is closed has one."""
LONGEST_NAME = 500
WHOLE_S = 20.0
"""Seconds that all of it may take."""
CALL_MS = 500
"""Milliseconds that a program has for one answer, so that one that hangs hides no other."""


def told(ask: Callable[[], T], otherwise: T) -> T:
    """What a program answers; a widget that goes away meanwhile, or a program that hangs, gives any error."""
    try:
        return ask()
    except Exception:  # noqa: BLE001  GLib's errors have no common class of their own
        return otherwise


class Reader:
    """Reads until it has enough.

    Args:
        atspi: AT-SPI's binding.
        limit: The most elements.
    """

    def __init__(self, atspi: Any, limit: int) -> None:
        self.atspi = atspi
        self.limit = limit
        self.count: int = 0
        self.cut: bool = False
        self.ends: float = time.monotonic() + WHOLE_S

    def is_enough(self) -> bool:
        """Whether to stop here; then something is left out."""
        enough = self.count >= self.limit or time.monotonic() > self.ends
        self.cut = self.cut or enough
        return enough

    def children(self, node: Any) -> list[Any]:
        """What is in an element, as many as are still wanted."""
        whole = told(node.get_child_count, 0)
        count = min(whole, MOST_CHILDREN)
        self.cut = self.cut or count < whole
        found = [told(partial(node.get_child_at_index, at), None) for at in range(count)]
        return [child for child in found if child is not None]

    def element(self, node: Any, deeper: int) -> list[object]:
        """One element with what is in it."""
        self.count += 1
        below: list[object] = []
        if deeper <= 0:
            self.cut = self.cut or told(node.get_child_count, 0) > 0
        else:
            for child in self.children(node):
                if self.is_enough():
                    break
                below.append(self.element(child, deeper - 1))
        role = told(node.get_role_name, "") or ""
        name = (told(node.get_name, "") or "")[:LONGEST_NAME]
        states: list[str] = told(lambda: [state.value_nick for state in node.get_state_set().get_states()], [])
        return [role, name, states, self.box(node), self.text(node), below]

    def box(self, node: Any) -> list[int] | None:
        """Where it is on the screen; None where it is nowhere."""
        part = told(node.get_component_iface, None)
        if part is None:
            return None
        at = told(lambda: self.atspi.Component.get_extents(part, self.atspi.CoordType.SCREEN), None)
        if at is None or at.width <= 0 or at.height <= 0 or min(at.x, at.y) < NOWHERE:
            return None
        return [at.x, at.y, at.width, at.height]

    def text(self, node: Any) -> str:
        """The text in it."""
        part = told(node.get_text_iface, None)
        if part is None:
            return ""
        size = min(told(lambda: self.atspi.Text.get_character_count(part), 0), LONGEST_TEXT)
        return told(lambda: self.atspi.Text.get_text(part, 0, size), "") or ""


def found(app: str, depth: int, limit: int) -> dict[str, object]:
    """The answer."""
    os.environ.pop("NO_AT_BRIDGE", None)
    try:
        import_module("gi").require_version("Atspi", "2.0")
        atspi: Any = import_module("gi.repository.Atspi")
        atspi.set_timeout(CALL_MS, CALL_MS)
        desktop: Any = atspi.get_desktop(0)
        desktop.get_child_count()
    except Exception as fault:  # noqa: BLE001  a missing binding and a missing bus alike
        return {"lacks": f"AT-SPI ({type(fault).__name__})"}
    reader = Reader(atspi, limit)
    programs: list[object] = []
    for program in reader.children(desktop):
        if reader.is_enough():
            break
        if app.lower() in (told(program.get_name, "") or "").lower():
            programs.append(reader.element(program, depth))
    return {"programs": programs, "count": reader.count, "cut": reader.cut}


if __name__ == "__main__":
    sys.stdout.write(MARK + json.dumps(found(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))) + "\n")
