"""Programs of ours that run inside a desktop, as its user, with nothing but its Python.

They are sent as text, so a desktop needs no part of drums. Invariant: they import the standard library and what a
desktop has (python-xlib, which pyautogui needs, or AT-SPI's own binding), and nothing of drums; what they print is
bounded, and data that nobody has to believe.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def source(name: str) -> str:
    """The source of one of these programs."""
    return (files(__name__) / f"{name}.py").read_text(encoding="utf-8")
