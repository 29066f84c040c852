"""`tree`: the widgets of all applications as OSWorld's XML. `terminal`: the text of the terminal in front.

It needs `pyatspi`, and applications that tell of themselves over AT-SPI. Invariant: what it prints is bounded: so many
widgets, so deep, so much text of each.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import Any
from xml.etree import ElementTree as ET

NAMESPACES = "https://accessibility.ubuntu.example.org/ns/"
WIDGETS = 20_000
DEPTH = 60
TEXT_LENGTH = 100_000
TERMINAL = "terminal"
SILENT = 4
"""The exit status where what is asked for is on the screen and does not tell of itself."""


def plain(name: str) -> str:
    """A name that XML takes; what it may not hold becomes a dash."""
    kept = "".join(char if char.isascii() and (char.isalnum() or char in "_-.") else "-" for char in name)
    return kept if kept[:1].isalpha() else f"_{kept}"


def of(kind: str, name: str) -> str:
    """A name in one of the tree's namespaces."""
    return f"{{{NAMESPACES}{kind}}}{plain(name)}"


def clean(text: str) -> str:
    """A text without what XML can't hold."""
    return "".join(
        char
        for char in text[:TEXT_LENGTH]
        if char in "\t\n\r" or " " <= char < "\ud800" or "\ue000" <= char < "\ufffe" or char > "\uffff"
    )


def element_of(widget: Any) -> ET.Element:
    """One widget, without what is in it."""
    pyatspi: Any = import_module("pyatspi")
    element = ET.Element(plain(widget.getRoleName().strip() or "unknown"))
    element.set("name", clean(widget.name or ""))
    for state in widget.getState().getStates():
        element.set(of("state", pyatspi.stateToString(state).lower().replace(" ", "-")), "true")
    for attribute in widget.getAttributes() or ():
        name, _, value = attribute.partition(":")
        element.set(of("attributes", name), clean(value))
    for kind, read in (("component", component), ("text", text), ("value", value_of), ("action", actions)):
        try:
            read(widget, element)
        except (NotImplementedError, AttributeError, RuntimeError):
            continue
        except Exception as error:  # noqa: BLE001 -- GLib's errors, of a widget that went away meanwhile
            element.set(of(kind, "error"), clean(str(error)))
    return element


def component(widget: Any, element: ET.Element) -> None:
    """Where it is."""
    box = widget.queryComponent().getExtents(0)
    element.set(of("component", "screencoord"), str((box.x, box.y)))
    element.set(of("component", "size"), str((box.width, box.height)))


def text(widget: Any, element: ET.Element) -> None:
    """What it says."""
    element.text = clean(widget.queryText().getText(0, TEXT_LENGTH))


def value_of(widget: Any, element: ET.Element) -> None:
    """Its number."""
    value = widget.queryValue()
    for name in ("currentValue", "minimumValue", "maximumValue"):
        element.set(
            of("value", name.removesuffix("Value") if name == "currentValue" else name), str(getattr(value, name))
        )


def actions(widget: Any, element: ET.Element) -> None:
    """What can be done to it."""
    found = widget.queryAction()
    for index in range(found.nActions):
        element.set(of("action", f"{found.getName(index)}_desc"), clean(found.getDescription(index)))


def tree(desktop: Any) -> ET.Element:
    """The whole tree, breadth first, so that a huge application hides no other."""
    root = ET.Element("desktop-frame")
    level = [(widget, root) for widget in desktop if widget is not None]
    room = WIDGETS
    for _ in range(DEPTH):
        below: list[tuple[Any, ET.Element]] = []
        for widget, parent in level[:room]:
            element = element_of(widget)
            parent.append(element)
            below += [(child, element) for child in widget if child is not None]
        room -= min(room, len(level))
        level = below
    return root


def terminals(desktop: Any) -> list[Any]:
    """All widgets that are terminals."""
    found: list[Any] = []
    level = [widget for widget in desktop if widget is not None]
    for _ in range(DEPTH):
        found += [widget for widget in level if widget.getRoleName() == TERMINAL]
        level = [child for widget in level for child in widget if child is not None][:WIDGETS]
    return found


def terminal_text(desktop: Any) -> str:
    """The text of the terminal that has the focus, or of the only one; empty where there is none."""
    pyatspi: Any = import_module("pyatspi")
    found = terminals(desktop)
    focused = [widget for widget in found if widget.getState().contains(pyatspi.STATE_FOCUSED)]
    chosen = focused or (found if len(found) == 1 else [])
    return str(chosen[0].queryText().getText(0, -1)).rstrip() if chosen else ""


def is_on_screen(word: str) -> bool:
    """Whether the class of some window that is not the desktop itself has that word in it."""
    listed = subprocess.run(["wmctrl", "-lx"], capture_output=True, text=True, check=True)  # noqa: S607
    windows = (line.split(None, 3) for line in listed.stdout.splitlines())
    return any(len(columns) > 2 and columns[1] != "-1" and word in columns[2].lower() for columns in windows)


def main() -> int:
    """Do what the argument says."""
    pyatspi: Any = import_module("pyatspi")
    desktop = pyatspi.Registry.getDesktop(0)
    if sys.argv[1] == TERMINAL:
        tells, word = bool(terminals(desktop)), "term"
        sys.stdout.write(terminal_text(desktop))
    else:
        tells, word = any(application is not None for application in desktop), ""
        sys.stdout.write(ET.tostring(tree(desktop), encoding="unicode"))
    if not tells and is_on_screen(word):
        sys.stderr.write("what is on the screen was started without accessibility\n")
        return SILENT
    return 0


if __name__ == "__main__":
    sys.exit(main())
