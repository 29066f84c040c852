"""Programs of ours that run inside a desktop, as its user, with nothing but its Python.

They are sent as text, `python3 -c`, so a desktop needs no part of drums. Invariant: they import the standard library
(and `pyatspi` where it says so), and nothing of drums; what they print is data that nobody has to believe.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def script(name: str) -> str:
    """The source of one of these programs."""
    return (files(__name__) / f"{name}.py").read_text(encoding="utf-8")
